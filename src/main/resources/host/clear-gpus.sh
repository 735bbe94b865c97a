# Shows which processes hold the GPUs of this machine, and ends those that it is told to end.
#
# It reads /proc and asks nvidia-smi, and changes nothing but the processes that it ends: TERM first,
# KILL for those that are still there after ten seconds. Before each signal it checks the start time
# again, so a process id that was given away since is never hit. It never ends its own ancestors
# (your login), daemons of the driver or the display, or a live run of eagle3.
#
# Arguments: MODE GPUS TP STATE [WHOM...]
#   MODE   safe  look at the GPUs that the job needs; end nothing; refuse when somebody holds one
#          all   look at all GPUs and at whatever has a /dev/nvidia* open, as fuser does
#   GPUS   the GPUs that the job needs, for example 0,1; empty: the first TP of them
#   TP     how many GPUs the job needs when GPUS is empty
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   WHOM   with all: PID:START of each holder to end, as shown before; or found: all that it finds.
#          Without WHOM nothing is ended.
# EAGLE3_DEVICES in the environment names another folder than /dev (a stand-in host has one).
#
# Who holds a GPU: the processes that nvidia-smi lists on it and that really have a GPU open here
# (in a container nvidia-smi prints process ids of the machine outside, which may be somebody else's
# here); where it lists none, those that have its /dev/nvidiaN mapped. An open file alone proves
# nothing: CUDA opens every GPU and maps only those that it uses. Mode all counts open files too.
#
# Answers, fields separated by tabs:
#   lacks WHAT WHY                 a tool or a right is missing; the rest was found without it
#   gpu INDEX UUID NAME TOTAL USED needed|other          memory in MiB; - when unknown
#   absent INDEX                   the job needs this GPU, and the machine does not show it
#   holder PID START USER AGE GPUS MEMORY UNIT CLASS RUN COMMAND
#          START in clock ticks after boot, AGE in seconds, MEMORY in MiB, UNIT a systemd unit or a
#          container, CLASS one of other, daemon, ancestor, live-run, RUN the id of an eagle3 run
#   hidden INDEX MEMORY PIDS       memory in use with no holder that could be seen from here
#   ended PID TERM|KILL            it is gone after that signal
#   gone PID                       was to be ended, and is another process now, or none
#   released PID                   was to be ended, and holds no GPU any more
#   survived PID, denied PID       did not end; may not be signalled by this user
#   free|busy INDEX MEMORY         memory in use after clearing
#   back PID ...                   as holder: it took a GPU after clearing
#   refused WHY                    with exit code 11
set -uf
LC_ALL=C
export LC_ALL
mode=$1 wanted=$2 parallel=$3 state_folder=${4:-${HOME:-}/.eagle3}
shift 4

smi_seconds=20    # nvidia-smi takes several seconds where no daemon keeps the driver awake
term_seconds=10
kill_seconds=5
memory_seconds=30 # given up when memory has not fallen for so long
watch_seconds=3
slack=1024        # MiB in use that are the driver's own, not a job's

# All lists here are lines; the fields of a line are separated by blanks.
newline='
'
tab=$(printf '\t')
IFS=$newline
whom="$*"
devices=$(cd -P "${EAGLE3_DEVICES:-/dev}" 2>/dev/null && pwd -P) || devices=/dev

row() {
  line=$1
  shift
  for field; do line=$line$tab$field; done
  printf '%s\n' "$line"
}

refuse() {
  row refused "$1"
  exit 11
}

pause() { sleep 0.2 2>/dev/null || sleep 1; }

is_number() { case $1 in '' | *[!0-9]*) return 1 ;; esac; }

has_line() { case $newline$1$newline in *"$newline$2$newline"*) ;; *) return 1 ;; esac; }

# Text of a process or the driver as one harmless field: printable ASCII, at most 300 bytes.
field_text() { head -c 300 | tr '\000\t\n' '   ' | tr -c '\040-\176' '?'; }

mebibytes() { if is_number "${1%% *}"; then echo "${1%% *}"; else echo -; fi; }

# What links say, without touching what they lead to: FILE -> TARGET lines, quoted or not.
link_texts() { stat -c %N "$@" 2>/dev/null; }

# --- processes

# Sets parent and started of a process; fails when it is gone or a zombie. The name in its stat may
# hold blanks, brackets and line ends: what counts stands after the last bracket.
stat_of() {
  text=
  while read -r part || [ -n "$part" ]; do text="$text$part "; done 2>/dev/null <"/proc/$1/stat"
  IFS=' '
  set -- ${text##*) }
  IFS=$newline
  [ $# -ge 20 ] || return 1
  case $1 in Z | X | x) return 1 ;; esac
  parent=$2 started=${20}
}

# Whether PID:START is still there.
is_still() { stat_of "${1%:*}" && [ "$started" = "${1#*:}" ]; }

# This script's own process and all above it.
own_line() {
  next=$$
  echo 1
  while [ "$next" -gt 1 ]; do
    echo "$next"
    stat_of "$next" || break
    next=$parent
  done
}

# Daemons of the driver, of monitoring, and of a display. Names have at most 15 characters here.
is_daemon() {
  case $1 in
    nv-fabricmanage* | nvidia-persiste* | nvidia-powerd | nvidia-imex* | nvidia-cuda-mps*) ;;
    nvidia-smi | nvidia-settings | nvidia-device-p* | nvidia_gpu_expo* | nvtop) ;;
    nv-hostengine | dcgm-exporter | nvsm*) ;;
    X | Xorg* | Xwayland | gnome-shell | gdm* | sddm* | lightdm* | kwin_* | plasmashell | sway | weston) ;;
    *) return 1 ;;
  esac
}

# Sets unit: the systemd unit or container of a process; - for the one that we are in, and logins.
unit_of() {
  unit=-
  own_groups=$(cat /proc/self/cgroup 2>/dev/null)
  for group in $(cat "/proc/$1/cgroup" 2>/dev/null); do
    has_line "$own_groups" "$group" && continue
    path=${group#*:*:}
    last=${path##*/}
    last=${last%.scope}
    case $path in
      */sshd.service* | */ssh.service* | */sshd@*) ;;
      */slurm*/job_*) path=${path#*/job_} unit="slurm job ${path%%/*}" ;;
      *docker* | *libpod* | *containerd* | *crio* | *kubepods* | */lxc* | */machine.slice/*)
        unit="container $(printf %.12s "${last##*[-:]}")"
        ;;
      *.service*)
        path=${path%.service*}
        case $unit${path##*/} in -user@*) ;; -*) unit=${path##*/}.service ;; esac
        ;;
    esac
  done
  unit=$(printf %s "$unit" | field_text)
}

digits=[0-9][0-9]
run_form=$digits$digits$digits$digits-$digits$digits$digits-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]

# Sets run and run_folder of a process: by the marker in its environment, or by its open log.
run_of() {
  run=- run_folder=
  marks=$newline$(tr '\000' '\n' 2>/dev/null <"/proc/$1/environ")
  mark=${marks#*"${newline}EAGLE3_RUN="}
  mark=${mark%%"$newline"*}
  case $mark in $run_form) run=$mark run_folder=$state_folder/runs/$mark ;; esac
  set +f
  set -- "/proc/$1/fd"/*
  set -f
  for link in $(link_texts "$@"); do
    case $link in
      *" -> "*/runs/$run_form/log*)
        run_folder=${link#*" -> "}
        run_folder=${run_folder#\'}
        run_folder=${run_folder%/log*} run=${run_folder##*/}
        ;;
    esac
  done
}

# Whether the run with this folder lives: its end is not written down, and its wrapper is there. A
# run of another node or container, or one without a folder to look into, is taken to live.
is_live() {
  set +f
  set -- "$1" "$1"/exit.[0-9]*
  set -f
  [ -e "$2" ] && return 1
  IFS=$tab read -r wrapper wrapper_start where <"$1/pid" || return 0
  read -r boot </proc/sys/kernel/random/boot_id
  read -r node </proc/sys/kernel/hostname
  [ "$where" = "$boot$tab$node$tab$(readlink /proc/self/ns/pid)" ] || return 0
  is_still "$wrapper:$wrapper_start"
} 2>/dev/null

# --- GPUs

# Asks nvidia-smi. One that hangs in the driver cannot be killed, so nothing waits for it: only for
# the reader of its pipe. The last line is "exit N" when it ended in time.
smi() {
  {
    { timeout -k 2 "$smi_seconds" nvidia-smi "$@" --format=csv </dev/null; echo "exit $?"; } 2>/dev/null &
  } | timeout $((smi_seconds + 4)) cat
}

ask_gpus() { smi --query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu; }

# Fills gpu_rows (index, uuid, device number, total, used, name), with nvidia-smi or from the devices.
read_gpus() {
  smi_works=no
  numbers=$(device_numbers)
  if command -v nvidia-smi >/dev/null 2>&1; then
    said=$(ask_gpus)
    case $newline$said in
      *"${newline}exit 0") smi_works=yes ;;
      *"${newline}exit 124" | *"${newline}exit 137") row lacks nvidia-smi "no answer in $smi_seconds s" ;;
      *"${newline}exit "*) row lacks nvidia-smi "it fails with exit code ${said##*exit }" ;;
      *) row lacks nvidia-smi "no answer in $smi_seconds s" ;;
    esac
  else
    row lacks nvidia-smi 'not installed'
  fi
  if [ "$smi_works" = yes ]; then
    gpu_rows=$(gpus_of_smi "$said")
  else
    gpu_rows=$(index=0; for number in $numbers; do echo "$index - $number - - -"; index=$((index + 1)); done)
  fi
}

# N of each /dev/nvidiaN.
device_numbers() {
  number=0
  while [ "$number" -lt 128 ]; do
    [ ! -e "$devices/nvidia$number" ] || echo "$number"
    number=$((number + 1))
  done
}

# The number of /dev/nvidiaN need not be the index: the driver says it by uuid. Where it does not,
# the devices are counted.
gpus_of_smi() {
  by_uuid=$(numbers_by_uuid)
  uncounted=$numbers
  for line in $1; do
    index=${line%%,*}
    is_number "$index" || continue
    rest=${line#*, } uuid=${rest%%,*}
    number=${by_uuid#*"$uuid "}
    [ "$number" != "$by_uuid" ] || number=${uncounted:-$index}
    uncounted=${uncounted#*"$newline"}
    rest=${rest#*, } rest=${rest%, *}
    name=${rest%, *, *} memory=${rest#"${rest%, *, *}, "}
    echo "$index $uuid ${number%%"$newline"*} $(mebibytes "${memory%%, *}") $(mebibytes "${memory##*, }")" \
      "$(printf %s "$name" | field_text)"
  done
}

numbers_by_uuid() {
  set +f
  for information in /proc/driver/nvidia/gpus/*/information; do
    [ -r "$information" ] || continue
    uuid= number=
    while IFS=: read -r key value; do
      case $key in
        'GPU UUID') uuid=${value##*[[:blank:]]} ;;
        'Device Minor') number=${value##*[[:blank:]]} ;;
      esac
    done <"$information"
    is_number "$number" && echo "$uuid $number"
  done
}

# Sets the fields of a row of gpu_rows.
gpu_of() {
  IFS=' '
  set -- $1
  IFS=$newline
  index=$1 uuid=$2 number=$3 total=$4 used=$5
  shift 5
  IFS=' '
  name="$*"
  IFS=$newline
}

# The indices of the GPUs that the job needs.
needed_gpus() {
  if [ -n "$wanted" ]; then
    echo "$wanted" | tr , '\n'
  else
    index=0
    while [ "$index" -lt "$parallel" ]; do echo "$index"; index=$((index + 1)); done
  fi
}

# Whether one of the indices 0,1 is needed.
is_needed() {
  for one in $(echo "$1" | tr , '\n'); do
    has_line "$needed" "$one" && return 0
  done
  return 1
}

# --- who has them open or mapped

# What tells a device from other files: its device number, else (a stand-in) file system and inode.
device_identities() {
  set +f
  for node in "$devices"/nvidia*; do
    [ ! -d "$node" ] || continue
    identity=$(stat -L -c '%t:%T:%d:%i' "$node" 2>/dev/null) || continue
    case $identity in 0:0:*) echo "$identity" ;; *) echo "${identity%:*:*}:" ;; esac
  done
}

# Whether one of these open files is a GPU device, by what it is and not by its name.
is_device() {
  opened=$newline$(timeout -k 1 5 stat -L -c '%t:%T:%d:%i' "$@" 2>/dev/null)$newline
  for identity in $identities; do
    case $identity in *:) ;; *) identity=$identity$newline ;; esac
    case $opened in *"$newline$identity"*) return 0 ;; esac
  done
  return 1
}

# Processes with a GPU device open or mapped, one a line: pid and the numbers of mapped devices.
# It reads the names of open files, and touches only those of a process that has one with a name
# like ours: touching a file on a dead network mount hangs. A mapping alone counts in our own mount
# namespace, where its name means our device.
scan() {
  own_mounts=$(readlink /proc/self/ns/mnt)
  set +f
  for entry in /proc/[0-9]*; do
    set +f
    set -- "$entry"/fd/*
    set -f
    [ -L "$1" ] || continue
    links=$(link_texts "$entry/ns/mnt" "$@")
    open=no
    case $links in *"/nvidia"*) ! is_device "$@" || open=yes ;; esac
    case $open$links in yes* | *"$own_mounts"*) ;; *) continue ;; esac
    maps=$open$(cat "$entry/maps" 2>/dev/null)$newline
    mapped=
    for number in $numbers; do
      case $maps in
        yes*"/nvidia$number$newline"* | yes*"/nvidia$number (deleted)$newline"*) ;;
        no*" $devices/nvidia$number$newline"*) ;;
        *) continue ;;
      esac
      mapped="$mapped $number"
    done
    [ "$open$mapped" = no ] || echo "${entry#/proc/}$mapped "
  done
}

# What nvidia-smi lists: pid, uuid, memory.
listed_by_smi() {
  [ "$smi_works" = yes ] || return 0
  for line in $(smi --query-compute-apps=pid,gpu_uuid,process_name,used_gpu_memory); do
    is_number "${line%%,*}" || continue
    rest=${line#*, }
    echo "${line%%,*} ${rest%%,*} $(mebibytes "${line##*, }")"
  done
}

# Whether a process that nvidia-smi names is the one that has this id here. Where its files may not
# be read (another user's), nvidia-smi is believed; it could not be signalled from here anyway.
is_here() {
  stat_of "$1" || return 1
  case $newline$scanned in *"$newline$1 "*) return 0 ;; esac
  [ ! -r "/proc/$1/fd" ]
}

# Fills holder_rows (pid, memory, indices as 0,1).
find_holders() {
  scanned=$(scan)
  listed= strangers=
  for line in $(listed_by_smi); do
    if is_here "${line%% *}"; then listed=$listed$line$newline; else strangers=$strangers$line$newline; fi
  done
  holder_rows=
  for pid in $(printf '%s\n' "$listed" "$scanned" | cut -d ' ' -f 1 | sort -n -u); do
    held= memory=0
    for gpu_row in $gpu_rows; do
      gpu_of "$gpu_row"
      [ "$mode" = all ] || has_line "$needed" "$index" || continue
      ! holds "$pid" || held=$held,$index
    done
    [ -n "$held" ] || [ "$mode" = all ] || continue
    [ "$memory" != 0 ] || memory=-
    held=${held#,}
    holder_rows="$holder_rows$pid $memory ${held:--}$newline"
  done
}

# Whether the process holds the GPU of gpu_of; adds to memory, - when unknown.
holds() {
  case $listed in
    *" $uuid "*)
      amount=$newline$listed
      amount=${amount#*"$newline$1 $uuid "}
      [ "$amount" != "$newline$listed" ] || return 1
      amount=${amount%%"$newline"*}
      ;;
    *)
      mapped=$newline$scanned
      mapped=${mapped#*"$newline$1 "}
      case " ${mapped%%"$newline"*}" in *" $number "*) amount=- ;; *) return 1 ;; esac
      [ "$mapped" != "$newline$scanned" ] || return 1
      ;;
  esac
  if [ "$memory" = - ] || [ "$amount" = - ]; then memory=-; else memory=$((memory + amount)); fi
}

# Prints holder_rows under a word. Fills shown (pid:start, class, indices).
show_holders() {
  shown=
  for holder_row in $holder_rows; do
    pid=${holder_row%% *} held=${holder_row##* } memory=${holder_row#* }
    stat_of "$pid" || continue
    start=$started
    IFS=' ' read -r age rest </proc/uptime
    age=$((${age%%.*} - start / ticks))
    [ "$age" -ge 0 ] || age=-
    user=$(stat -c %U "/proc/$pid" 2>/dev/null) || continue
    [ "$user" != UNKNOWN ] || user=$(stat -c %u "/proc/$pid" 2>/dev/null)
    comm=$(field_text 2>/dev/null <"/proc/$pid/comm")
    command=$(field_text 2>/dev/null <"/proc/$pid/cmdline")
    command=${command% }
    unit_of "$pid"
    run_of "$pid"
    class=other
    if has_line "$lineage" "$pid"; then
      class=ancestor
    elif is_daemon "${comm% }"; then
      class=daemon
    elif [ "$run" != - ] && is_live "$run_folder"; then
      class=live-run
    fi
    row "$1" "$pid" "$start" "$user" "$age" "$held" "${memory% *}" "$unit" "$class" "$run" "${command:-[${comm% }]}"
    shown="$shown$pid:$start $class $held$newline"
  done
}

# Sets unclaimed: memory in use on the GPU of gpu_of beyond that of the holders in the list; nothing
# when that is unknown or no more than the driver's own.
unclaimed_memory() {
  unclaimed=
  is_number "$used" || return 0
  memory=0
  for holder_row in $1; do ! holds "${holder_row%%[ :]*}"; done
  [ "$memory" != - ] && [ $((used - memory)) -ge "$slack" ] || return 0
  unclaimed=$((used - memory))
}

# Prints needed GPUs with memory in use that no visible holder accounts for.
show_hidden() {
  concealed=
  for gpu_row in $gpu_rows; do
    gpu_of "$gpu_row"
    has_line "$needed" "$index" || continue
    unclaimed_memory "$holder_rows"
    [ -n "$unclaimed" ] || continue
    pids=
    for stranger in $strangers; do
      case $stranger in *" $uuid "*) pids=$pids,${stranger%% *} ;; esac
    done
    pids=${pids#,}
    row hidden "$index" "$unclaimed" "${pids:--}"
    concealed=$concealed,$index
  done
  concealed=${concealed#,}
}

# --- look

ticks=$(getconf CLK_TCK 2>/dev/null) || ticks=100
lineage=$(own_line)
identities=$(device_identities)
[ "$(id -u)" = 0 ] || row lacks root 'what processes of other users have open cannot be seen'
needed=$(needed_gpus)
read_gpus
indices=
for gpu_row in $gpu_rows; do
  gpu_of "$gpu_row"
  indices=$indices$index$newline
  if has_line "$needed" "$index"; then use=needed; else use=other; fi
  row gpu "$index" "$uuid" "$name" "$total" "$used" "$use"
done
for index in $needed; do
  has_line "$indices" "$index" || row absent "$index"
done
find_holders
show_holders holder
show_hidden

targets= others=0 live=0 newcomers=
for line in $shown; do
  target=${line%% *}
  case $line in
    *' other '*)
      others=$((others + 1))
      if [ "$whom" = found ] || has_line "$whom" "$target"; then
        targets=$targets$target$newline
      elif is_needed "${line##* }"; then
        newcomers="$newcomers ${target%:*}"
      fi
      ;;
    *' live-run '*) live=$((live + 1)) ;;
  esac
done
elsewhere="memory of GPU $concealed is held from outside this container or hidden"

if [ "$mode" != all ]; then
  [ $((others + live)) = 0 ] || refuse "GPUs that the job needs are held; processes: $((others + live))"
  [ -z "$concealed" ] || refuse "$elsewhere"
  exit 0
fi
[ -n "$whom" ] || exit 0
[ "$live" = 0 ] || refuse 'a live run of eagle3 holds GPUs; nothing was ended'
[ -z "$concealed" ] || refuse "$elsewhere; nothing was ended"
[ -z "$newcomers" ] || refuse "processes took GPUs after the holders were shown:$newcomers; nothing was ended"

# --- end

# Sends a signal to each target that is still the process that was shown.
signal() {
  allowed=
  for target in $targets; do
    if is_still "$target" && ! kill -s "$1" "${target%:*}" 2>/dev/null && is_still "$target"; then
      row denied "${target%:*}"
      remaining="$remaining ${target%:*}"
    else
      allowed=$allowed$target$newline
    fi
  done
  targets=$allowed
}

# Waits until the targets have ended, at most so many seconds; keeps those that have not.
await_end() {
  deadline=$(($(date +%s) + $1))
  while :; do
    left=
    for target in $targets; do
      if is_still "$target"; then left=$left$target$newline; else row ended "${target%:*}" "$2"; fi
    done
    targets=$left
    [ -n "$targets" ] && [ "$(date +%s)" -lt "$deadline" ] || return 0
    pause
  done
}

for target in $whom; do
  [ "$target" != found ] && ! has_line "$targets" "$target" || continue
  if is_still "$target"; then row released "${target%:*}"; else row gone "${target%:*}"; fi
done
remaining=
signal TERM
await_end "$term_seconds" TERM
signal KILL
await_end "$kill_seconds" KILL
for target in $targets; do
  row survived "${target%:*}"
  remaining="$remaining ${target%:*}"
done
[ -z "$remaining" ] || refuse "processes that did not end:$remaining"

# --- wait for the memory: the driver gives it back a moment after the process is gone

spared=$(for line in $shown; do case $line in *' other '*) ;; *) echo "$line" ;; esac; done)
busy=
least=-1
while [ "$smi_works" = yes ]; do
  said=$(ask_gpus)
  case $said in *"exit 0") gpu_rows=$(gpus_of_smi "$said") ;; *) break ;; esac
  busy= in_use=0
  for gpu_row in $gpu_rows; do
    gpu_of "$gpu_row"
    has_line "$needed" "$index" || continue
    ! is_number "$used" || in_use=$((in_use + used))
    unclaimed_memory "$spared"
    [ -z "$unclaimed" ] || busy=$busy$index$newline
  done
  [ -n "$busy" ] || break
  now=$(date +%s)
  if [ "$least" -lt 0 ] || [ "$in_use" -lt "$least" ]; then least=$in_use fell=$now; fi
  [ $((now - fell)) -lt "$memory_seconds" ] || break
  pause
done
for gpu_row in $gpu_rows; do
  gpu_of "$gpu_row"
  has_line "$needed" "$index" || continue
  if has_line "$busy" "$index"; then row busy "$index" "$used"; else row free "$index" "$used"; fi
done

# --- does one come back, started again by its unit or container?

before=$newline$shown
deadline=$(($(date +%s) + watch_seconds))
while :; do
  find_holders
  fresh=
  for holder_row in $holder_rows; do
    stat_of "${holder_row%% *}" || continue
    case $before in *"$newline${holder_row%% *}:$started "*) continue ;; esac
    ! is_needed "${holder_row##* }" || fresh=$fresh$holder_row$newline
  done
  [ -z "$fresh" ] && [ "$(date +%s)" -lt "$deadline" ] || break
  pause
done
holder_rows=$fresh
show_holders back
case $shown in *' other '* | *' live-run '*) refuse 'a process took a GPU again after clearing' ;; esac
busy=$(echo "${busy%"$newline"}" | tr '\n' ,)
[ "$busy" = , ] || refuse "memory of GPU ${busy%,} is still in use, by no process that can be seen from here"
exit 0
