# check-host
# Step 1 of 5: what the host is and has; changes nothing
sh -s -- python /root/ml-env/bin/python3 script /root/eagle3-train/02_extract_hidden_states.py model /shared/kimi-k2.5-int4 data /root/eagle3-train/data_test/prepared/tokenized_data.jsonl <<'EAGLE3_END' &&
eagle3_step() (
# Says what kind of machine this is, which tools it has, and whether the files of the job are there.
# Changes nothing.
#
# Arguments: pairs of a word and a path, for example: python /opt/env/bin/python3 script /opt/x.py
#
# Answers:
#   host<TAB>system<TAB>machine<TAB>node name<TAB>user
#   home<TAB>folder
#   tool<TAB>name<TAB>yes|no
#   path<TAB>word<TAB>program|file|folder|unreadable|missing<TAB>path
set -u

yes_or_no() {
  if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi
}

kind_of() {
  if [ -d "$1" ]; then
    if [ -r "$1" ] && [ -x "$1" ]; then echo folder; else echo unreadable; fi
  elif [ -f "$1" ]; then
    if [ ! -r "$1" ]; then
      echo unreadable
    elif [ -x "$1" ]; then
      echo program
    else
      echo file
    fi
  elif [ -e "$1" ]; then
    echo file
  else
    echo missing
  fi
}

printf 'host\t%s\t%s\t%s\t%s\n' "$(uname -s)" "$(uname -m)" "$(uname -n)" "$(id -un 2>/dev/null || id -u)"
printf 'home\t%s\n' "${HOME:-}"
for tool in setsid nohup tail fuser nvidia-smi; do
  printf 'tool\t%s\t%s\n' "$tool" "$(yes_or_no command -v "$tool")"
done
printf 'tool\t%s\t%s\n' /proc "$(yes_or_no test -r /proc/self/stat)"
while [ $# -ge 2 ]; do
  printf 'path\t%s\t%s\t%s\n' "$1" "$(kind_of "$2")" "$2"
  shift 2
done
)
eagle3_step "$@" </dev/null
EAGLE3_END

# lock-output
# Step 2 of 5: lock the output folder, so that no second run writes into it
sh -s -- '' 20261129-120000-1a2b /root/eagle3-train/data_test/hidden_states '' <<'EAGLE3_END' &&
eagle3_step() (
# Takes the lock on the output folder of a run: at most one run writes into a folder.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id, 3 output folder, 4 a run that is over
# and whose lock may be taken (may be left out).
# Changes: makes the state folder (0700) and its folder runs. Makes the lock, a folder OUTPUT.eagle3-lock
# beside the output folder with one file in it, named after the run; where nothing can be made there
# (the output folder is a mount point, its parent may not be written) it is OUTPUT/.eagle3-lock.
# Makes missing parents of the output folder. Notes the place of the lock in runs/ID.lock.
# Answers: locked<TAB>lock folder; or held<TAB>run<TAB>that run's folder<TAB>age of the lock in
# seconds<TAB>lock folder, or refused<TAB>why, each with exit 11.
set -u
umask 077
refuse() {
  printf 'refused\t%s\n' "$1"
  exit 11
}

state=${1:-${HOME:-}/.eagle3}
id=$2
output=$3
over=${4:-}
case $state in /.eagle3 | [!/]*) refuse "the state folder needs an absolute path or a HOME: $state" ;; esac
case $output in /*) ;; *) refuse "the output folder is not an absolute path: $output" ;; esac

# The state folder tells which processes may be ended: it must be ours alone.
[ ! -L "$state" ] || refuse "the state folder $state is a link; name the folder that it leads to"
[ -d "$state" ] || mkdir -p -- "$state" 2>/dev/null || refuse "the state folder $state cannot be made"
runs=$state/runs
[ ! -L "$runs" ] || refuse "$runs is a link"
[ -d "$runs" ] || mkdir -- "$runs" 2>/dev/null || [ -d "$runs" ] || refuse "$runs cannot be made: may not be written, or the disk is full"
[ -w "$runs" ] || refuse "$runs may not be written"
[ ! -e "$runs/$id" ] || refuse "there is a run $id already: $runs/$id"
note=$runs/$id.lock
{ : >"$note"; } 2>/dev/null || refuse "$runs: nothing can be written: may not be written, or the disk is full"
# What we make is ours, also where a file server maps users.
if [ "$(stat -c %u -- "$state")" != "$(stat -c %u -- "$note")" ]; then
  rm -f -- "$note"
  refuse "the state folder $state belongs to another user"
fi
chmod 700 -- "$state" "$runs" 2>/dev/null || refuse "the state folder $state cannot be made private"

give_up() {
  rm -f -- "$note"
  refuse "$1"
}

# One folder has one lock, whatever links lead to it.
while :; do
  case $output in ?*/) output=${output%/} ;; *) break ;; esac
done
if [ -d "$output" ]; then
  cd -P -- "$output" 2>/dev/null || give_up "the output folder $output may not be entered"
  output=$PWD
elif [ -e "$output" ] || [ -L "$output" ]; then
  give_up "the output folder $output is a file, or a link that leads nowhere"
else
  parent=${output%/*}
  mkdir -p -- "${parent:-/}" 2>/dev/null
  cd -P -- "${parent:-/}" 2>/dev/null || give_up "the parent of the output folder $output cannot be made"
  output=${PWD%/}/${output##*/}
fi
cd /
parent=${output%/*}
beside=$output.eagle3-lock
inside=$output/.eagle3-lock
lock=$beside
other=$inside
if [ ! -w "${parent:-/}" ] || [ -z "${output#/}" ] || mountpoint -q -- "$output" 2>/dev/null; then
  lock=$inside
  other=$beside
fi

# Who is named in a lock folder; empty for nobody.
holder_of() {
  holder=
  for entry in "$1"/[0-9]*; do
    [ -e "$entry" ] && [ "${entry##*/}" != "$id" ] && holder=${entry##*/}
  done
}
held() {
  rm -f -- "$note"
  folder=$(head -c 4096 -- "$1/$holder" 2>/dev/null | head -n 1)
  # Others may have written it.
  case $folder in
    *[[:cntrl:]]*) folder= ;;
    /*/runs/"$holder") ;;
    *) folder= ;;
  esac
  since=$(stat -c %Y -- "$1/$holder" 2>/dev/null) || since=$(date +%s)
  printf 'held\t%s\t%s\t%s\t%s\n' "$holder" "$folder" "$(($(date +%s) - since))" "$1"
  exit 11
}
sign() {
  { printf '%s\n' "$runs/$id" >"$lock/$id"; } 2>/dev/null
}
locked() {
  { printf '%s\n' "$lock" >"$note"; } 2>/dev/null && [ "$(cat -- "$note")" = "$lock" ] || {
    rm -f -- "$lock/$id"
    rmdir -- "$lock" 2>/dev/null
    give_up "$runs: nothing can be written: the disk is full"
  }
  printf 'locked\t%s\n' "$lock"
  exit 0
}

# Others see these by their own users, to learn who holds the folder.
umask 022
empty=0
tries=0
while [ "$tries" -lt 50 ]; do
  tries=$((tries + 1))
  holder_of "$other"
  if [ -n "$holder" ] && [ "$holder" != "$over" ]; then
    held "$other"
  fi
  if mkdir -- "$lock" 2>/dev/null; then
    # Nobody may have taken an empty lock of ours for a forgotten one meanwhile.
    if sign; then
      holder_of "$lock"
      [ -n "$holder" ] || locked
      rm -f -- "$lock/$id"
    else
      rmdir -- "$lock" 2>/dev/null && give_up "$lock: nothing can be written: the disk is full"
    fi
    continue
  fi
  [ -d "$lock" ] || give_up "the lock $lock cannot be made"
  holder_of "$lock"
  if [ -z "$holder" ]; then
    [ ! -e "$lock/$id" ] || locked
    # Its maker is about to sign it, or died before: an empty folder is removed after a while.
    empty=$((empty + 1))
    sleep 0.05 2>/dev/null || sleep 1
    [ "$empty" -lt 10 ] || rmdir -- "$lock" 2>/dev/null
    continue
  fi
  # A rename of a file named after a run has one winner, and no run comes twice.
  if [ "$holder" = "$over" ] && mv -- "$lock/$over" "$lock/$id" 2>/dev/null; then
    sign
    locked
  fi
  [ "$holder" = "$over" ] || held "$lock"
  sleep 0.05 2>/dev/null || sleep 1
done
give_up "the lock $lock changes hands all the time, or may not be taken over by this user"
)
eagle3_step "$@" </dev/null
EAGLE3_END

# clear-gpus
# Step 3 of 5: refuse when a process holds one of the GPUs; ends nothing
sh -s -- safe '' 8 '' <<'EAGLE3_END' &&
eagle3_step() (
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
)
eagle3_step "$@" </dev/null
EAGLE3_END

# set-aside
# Step 4 of 5: rename previous output, so that the folder is empty
sh -s -- 20261129-120000-1a2b /root/eagle3-train/data_test/hidden_states '' '' /shared/kimi-k2.5-int4 /root/eagle3-train/data_test/prepared/tokenized_data.jsonl /root/eagle3-train/02_extract_hidden_states.py /root/ml-env/bin/python3 <<'EAGLE3_END' &&
eagle3_step() (
# Sets the previous output of an extraction aside by renaming it; nothing is deleted or copied.
#
# FOLDER becomes FOLDER.before-RUN, and a new empty FOLDER with the same mode and owner takes its
# place. Where FOLDER is a link, what it leads to is renamed, and the link stays. Where it cannot be
# renamed, being a mount point or in a folder that may not be written, its entries go into
# FOLDER/.before-RUN instead. Undone by undo.sh.
#
# Arguments: RUN FOLDER AGAIN STATE [KEEP...]
#   AGAIN  FOLDER once more, when it may be set aside although it holds other files than output
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   KEEP   what the run needs where it is: model, data, script, interpreter
#
# Refused, with nothing changed: a path that is empty, relative or has "..", the root folder, a
# system folder, a home, a folder that is or holds STATE or one of KEEP, something that is no folder,
# a folder with other files than output, a name that is taken, and what the system does not allow.
# Run again after an interruption, it does the rest.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   link FOLDER TARGET               FOLDER is a link to TARGET
#   aside PATH BYTES ENTRIES HOW     previous output is now PATH; BYTES - where counting takes long;
#                                    HOW is renamed, inside (FOLDER itself) or already (done before)
#   created PATH                     nothing was there; a new folder is
#   empty PATH                       it was empty already, and is left alone
#   refused WHY                      with exit code 11
set -uf
LC_ALL=C
export LC_ALL
run=$1 folder=$2 again=$3 state=${4:-${HOME:-}/.eagle3}
shift 4

newline='
'
tab=$(printf '\t')
carriage_return=$(printf '\r')

# Sets shown: a path as a field of an answer.
show() {
  shown= rest=$1
  while [ -n "$rest" ]; do
    tail=${rest#?}
    char=${rest%"$tail"}
    case $char in
      \\) shown="$shown\\\\" ;;
      "$tab") shown="$shown\\t" ;;
      "$newline") shown="$shown\\n" ;;
      "$carriage_return") shown="$shown\\r" ;;
      *) shown=$shown$char ;;
    esac
    rest=$tail
  done
}

row() {
  line=$1
  shift
  for field; do
    show "$field"
    line=$line$tab$shown
  done
  printf '%s\n' "$line"
}

refuse() {
  row refused "$1"
  exit 11
}

there() { [ -e "$1" ] || [ -L "$1" ]; }

# Sets resolved: where an absolute path leads, links followed. The dot keeps a line end in a name.
resolve() {
  resolved=$(readlink -f "$1" 2>/dev/null && printf .) || resolved=
  resolved=${resolved%"$newline".}
  if [ -z "$resolved" ]; then
    resolved=$1
    while :; do
      case $resolved in ?*/) resolved=${resolved%/} ;; *) break ;; esac
    done
  fi
}

# Whether the folder is, or holds, the path.
holds() { case ${2%/}/ in "${1%/}"/*) ;; *) return 1 ;; esac; }

# Refuses when the folder is or holds the path, as it is written and where it leads.
protect() {
  resolve "$2"
  if holds "$target" "$2" || holds "$target" "$resolved" || holds "$written" "$2"; then
    refuse "it is, or holds, $1: $2"
  fi
}

# Homes are compared by name, and only the folders that they stand in are looked up: looking at a
# home can make an automounter mount it.
protect_homes() {
  looked_up=$newline
  while IFS=: read -r user password uid gid comment home shell; do
    case $home in /?*) ;; *) continue ;; esac
    if holds "$target" "$home" || holds "$written" "$home"; then refuse "it is, or holds, the home of $user: $home"; fi
    above=${home%/*}
    case $looked_up in
      *"$newline$above$tab"*)
        resolved=${looked_up#*"$newline$above$tab"}
        resolved=${resolved%%"$newline"*}
        ;;
      *)
        resolve "${above:-/}"
        looked_up=$looked_up$above$tab$resolved$newline
        ;;
    esac
    if holds "$target" "${resolved%/}/${home##*/}"; then refuse "it is, or holds, the home of $user: $home"; fi
  done </etc/passwd
}

protect_system() {
  for path in "$target" "$written"; do
    case $path in
      /usr/local/*/* | /dev/shm/*) ;;
      /bin | /boot | /dev | /etc | /home | /lib | /lib32 | /lib64 | /media | /mnt | /opt | /proc | /root) refuse "$system" ;;
      /run | /sbin | /srv | /sys | /tmp | /usr | /var) refuse "$system" ;;
      /boot/* | /dev/* | /etc/* | /proc/* | /sys/* | /usr/*) refuse "$system" ;;
    esac
  done
}
system='it is a folder of the system'

# Whether an entry of a folder that is not renamed itself is no output, but of the file system or ours.
stays() {
  [ "$how" = inside ] || return 1
  case $1 in lost+found | .before-* | .undone-* | .eagle3-lock) ;; *) return 1 ;; esac
}

# Sets count, and unknown: the name of an entry that is no output of an extraction.
look_into() {
  count=0 unknown=
  set +f
  for entry in "$target"/* "$target"/.[!.]* "$target"/..?*; do
    set -f
    name=${entry##*/}
    case $name in '*' | '.[!.]*' | '..?*') there "$entry" || continue ;; esac
    ! stays "$name" || continue
    count=$((count + 1))
    is_output "$entry" || unknown=${unknown:-$name}
  done
  set -f
}

# Whether the name is one that extraction programs give: sample files, their sidecars and locks.
is_output() {
  case ${1##*/} in
    *.pt | *.ckpt | *.ckpt.gz | *.safetensors | *.lock | .nfs* | data_config.json | sample_lengths.json) [ ! -d "$1" ] ;;
    rows_*)
      [ -d "$1" ] && [ ! -L "$1" ] || return 1
      set +f
      for inner in "$1"/* "$1"/.[!.]* "$1"/..?*; do
        set -f
        there "$inner" || continue
        case ${inner##*/} in rows_*) return 1 ;; esac
        is_output "$inner" || return 1
      done
      set -f
      ;;
    *) return 1 ;;
  esac
}

# Renames, and says why not in trouble. mv copies where it cannot rename, and a copy of terabytes is
# not what was asked for: with a file size limit of 0 it cannot. -T never moves into a folder.
rename() {
  trouble=$( (ulimit -f 0 && exec mv -n -T "$1" "$2") 2>&1)
  trouble=${trouble:-the file system can only copy it}
  there "$2" && ! there "$1"
}

# Moves the entries of a folder into another of the same file system, without those that stay. What cannot be moved, or is there already, stays.
move_entries() {
  from=$1 to=$2
  set --
  set +f
  for entry in "$from"/* "$from"/.[!.]* "$from"/..?*; do
    set -f
    case ${entry##*/} in '*' | '.[!.]*' | '..?*') there "$entry" || continue ;; esac
    ! stays "${entry##*/}" || continue
    set -- "$@" "$entry"
    if [ $# -ge 500 ]; then
      move "$@"
      set --
    fi
  done
  set -f
  [ $# = 0 ] || move "$@"
}

move() { (ulimit -f 0 && exec mv -n "$@" "$to/") 2>/dev/null; }

# Makes the new folder like the old one.
make_like() {
  mode=$(stat -c %a "$1") owner=$(stat -c %u:%g "$1") || return 1
  [ -d "$2" ] || trouble=$( (umask 077 && mkdir "$2") 2>&1) || return 1
  [ "$(stat -c %u:%g "$2")" = "$owner" ] || chown "$owner" "$2" 2>/dev/null
  chmod "$mode" "$2"
}

# What the kept paths lead to, to see that a rename has not taken one away.
identities() {
  for kept; do stat -L -c '%d:%i' "$kept" 2>/dev/null || echo none; done
}

bytes_of() {
  bytes=$(timeout 10 du -s -k "$1" 2>/dev/null) || bytes=
  bytes=${bytes%%[!0-9]*}
  if [ -n "$bytes" ]; then bytes=$((bytes * 1024)); else bytes=-; fi
}

case $run in
  *[!0-9a-f-]* | '') refuse 'the run id has another form' ;;
esac
case $folder in
  '') refuse 'the path is empty' ;;
  /*) ;;
  *) refuse 'the path is relative' ;;
esac
case $folder/ in */../*) refuse 'the path has .. in it' ;; esac

written=$folder
while :; do
  case $written in ?*/) written=${written%/} ;; *) break ;; esac
done
resolve "$folder"
target=$resolved
[ "$target" != / ] || refuse 'it is the root folder'
protect_system
[ -z "${HOME:-}" ] || protect 'a home' "$HOME"
protect_homes
protect 'the state of eagle3' "$state"
! holds "$resolved" "$target" || refuse "it lies in the state of eagle3: $resolved"
for kept; do
  case $kept in /*) protect 'what the run needs' "$kept" ;; esac
done
[ ! -L "$written" ] || row link "$written" "$target"

aside=$target.before-$run
part=$target/.before-$run.part
inside=$target/.before-$run

if ! there "$target"; then
  if [ -d "$aside" ]; then
    make_like "$aside" "$target" || refuse "a new folder cannot be made: $trouble"
    bytes_of "$aside"
    row aside "$aside" "$bytes" - already
  else
    trouble=$(mkdir -p "$target" 2>&1) || refuse "the folder cannot be made: $trouble"
    row created "$target"
  fi
  exit 0
fi
[ -d "$target" ] || refuse 'it is not a folder'
[ -r "$target" ] && [ -x "$target" ] || refuse 'it cannot be read'

how=renamed
if mountpoint -q "$target" 2>/dev/null || [ ! -w "${target%/*}/" ]; then
  how=inside
elif [ "$(stat -c %d "$target")" != "$(stat -c %d "${target%/*}/")" ]; then
  how=inside
fi
look_into
if [ "$count" = 0 ]; then
  for done_before in "$inside" "$aside"; do
    if [ -d "$done_before" ]; then
      [ "$done_before" = "$inside" ] || make_like "$aside" "$target"
      bytes_of "$done_before"
      row aside "$done_before" "$bytes" - already
      exit 0
    fi
  done
  [ -d "$part" ] || { row empty "$target"; exit 0; }
fi
if [ -n "$unknown" ]; then
  named=
  [ -z "$again" ] || { resolve "$again"; named=$resolved; }
  [ "$named" = "$target" ] || refuse "it holds files that are no extraction output: $unknown"
fi

if [ "$how" = inside ]; then
  there "$inside" && refuse "the name is taken: $inside"
  [ -d "$part" ] || make_like "$target" "$part" || refuse "a folder cannot be made in it: $trouble"
  entries=$count
  move_entries "$target" "$part"
  look_into
  if [ "$count" != 0 ]; then
    move_entries "$part" "$target"
    rmdir "$part" 2>/dev/null
    refuse "not all of it can be moved; it was put back"
  fi
  rename "$part" "$inside" || refuse "it cannot be renamed: $trouble; it is in $part"
  bytes_of "$inside"
  row aside "$inside" "$bytes" "$entries" inside
  exit 0
fi

there "$aside" && refuse "the name is taken: $aside"
bytes_of "$target"
before=$(identities "$@" "$state")
if ! rename "$target" "$aside"; then
  # Where mv began a copy, what it made is out of the way of undo.sh.
  ! there "$aside" || (exec mv -n -T "$aside" "$target.failed-$run") 2>/dev/null
  refuse "it cannot be renamed: $trouble"
fi
if ! make_like "$aside" "$target"; then
  rename "$aside" "$target" || refuse "a new folder cannot be made: $trouble; previous output is in $aside"
  refuse "a new folder cannot be made: $trouble; previous output was put back"
fi
if [ "$(identities "$@" "$state")" != "$before" ]; then
  rmdir "$target" && rename "$aside" "$target" || refuse "it leads to what the run needs; previous output is in $aside"
  refuse 'a link that the run needs leads through it; it was put back'
fi
row aside "$aside" "$bytes" "$count" renamed
exit 0
)
eagle3_step "$@" </dev/null
EAGLE3_END

# launch
# Step 5 of 5: launch the job, detached from this shell
sh -s -- '' 20261129-120000-1a2b /root/eagle3-train/extract_debug.log '{
  "v" : 1,
  "run" : "20261129-120000-1a2b",
  "host" : "root@10.1.230.174",
  "extractor" : "speculators-0.4",
  "python" : "/root/ml-env/bin/python3",
  "script" : "/root/eagle3-train/02_extract_hidden_states.py",
  "script-arguments" : [ "--model-path", "/shared/kimi-k2.5-int4", "--prepared-data", "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl", "--output-dir", "/root/eagle3-train/data_test/hidden_states", "--batch-size", "2", "--max-seq-len", "2048", "--tp-size", "8", "--gpu-memory-utilization", "0.80", "--layer-ids", "2", "30", "58", "60" ],
  "environment" : { },
  "environment-by-name" : [ ],
  "setup" : [ ],
  "wrap" : [ ],
  "cuda-home" : "/usr/local/cuda-12.8",
  "model-path" : "/shared/kimi-k2.5-int4",
  "prepared-data" : "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl",
  "output-dir" : "/root/eagle3-train/data_test/hidden_states",
  "log-file" : "/root/eagle3-train/extract_debug.log",
  "layers" : [ 2, 30, 58, 60 ],
  "tp-size" : 8,
  "batch-size" : 2,
  "max-seq-len" : 2048,
  "gpus" : [ ],
  "clear-gpus" : "safe",
  "state-dir" : null
}
' '# The wrapper of a run'\''s job. launch.sh writes this text into the run'\''s folder as job.sh, followed by
# what this one run is: the function eagle3_environment, and the call of eagle3_job with its words.
# It runs for as long as the job does, whatever becomes of the connection that launched it.
# Changes: in its own folder it makes pid (process id, start time, boot id, node, pid namespace), touches alive every 10 s, and at the end renames
# exit.pending to exit.CODE, which needs no room on the disk (128 + N: killed by signal N). Then it
# gives back the lock on the output folder. Its standard output and error are the run'\''s log.
set -u

# Fields of /proc/PID/stat from the third on (state, parent, group, session ...). The second is a name
# and may hold anything, so what counts stands after the last parenthesis.
eagle3_read_stat() {
  stat=
  while read -r part || [ -n "$part" ]; do
    stat="$stat $part"
  done 2>/dev/null <"/proc/$1/stat"
  stat=${stat##*) }
}

eagle3_identity() {
  group=${3-}
  start=${20-}
}

# Fails when the disk is full. Complete or not there: a reader never sees half of it.
eagle3_write_pid() {
  boot=-
  node=-
  read -r boot </proc/sys/kernel/random/boot_id
  read -r node </proc/sys/kernel/hostname
  mask=$(umask)
  umask 077
  printf '\''%s\t%s\t%s\t%s\t%s\n'\'' "$$" "$start" "$boot" "$node" \
    "$(readlink /proc/$$/ns/pid)" >"$folder/pid.new" &&
    mv -f -- "$folder/pid.new" "$folder/pid" || return 1
  umask "$mask"
}

# A session of its own, without the log and before EAGLE3_RUN is set: nothing of it may be taken for a
# process of the run. It ends with the wrapper, at the next beat.
eagle3_start_beating() {
  setsid sh -c '\''
    start_time() { now=${20-}; }
    while sleep 10; do
      stat=
      while read -r part || [ -n "$part" ]; do stat="$stat $part"; done <"/proc/$1/stat"
      start_time ${stat##*) }
      [ "$now" = "$2" ] || exit 0
      touch -c -- "$3/alive"
    done'\'' eagle3-alive "$$" "$start" "$folder" </dev/null >/dev/null 2>&1 &
  beating=$!
}

# What the wrapper is told it tells its whole process group, except itself.
eagle3_forward() {
  caught=$1
  if [ -z "$job" ]; then
    early=$1
    return
  fi
  # Until it is the job, its process is a copy of this shell, and would take the signal as this one does.
  tries=0
  while [ "$(cat "/proc/$job/cmdline" | tr '\''\0'\'' '\'' '\'')" = "$words" ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.02 || sleep 1
  done 2>/dev/null
  trap '\'''\'' "$1"
  if [ "$group" = "$$" ]; then
    kill "-$1" "-$$"
  else
    kill "-$1" "$job"
  fi
  trap "eagle3_forward $1" "$1"
}

eagle3_over() {
  trap '\'''\'' TERM INT
  mv -f -- "$folder/exit.pending" "$folder/exit.$1"
  lock=$(cat -- "$folder/lock")
  case $lock in
    /*.eagle3-lock)
      rm -f -- "$lock/$run"
      rmdir -- "$lock" 2>/dev/null
      ;;
  esac
  # Its group, or itself when it is not that far yet; it must not outlive this and look like a worker.
  if [ -n "$beating" ]; then
    kill -KILL "-$beating" 2>/dev/null || kill -KILL "$beating" 2>/dev/null
    wait "$beating" 2>/dev/null
  fi
  exit "$1"
}

# Arguments: run id, setup lines (shell text, may be empty), then the words of the job.
eagle3_job() {
  run=$1
  setup=$2
  shift 2
  folder=${0%/*}
  beating=
  job=
  caught=
  early=
  words=$(cat "/proc/$$/cmdline" | tr '\''\0'\'' '\'' '\'')
  eagle3_read_stat "$$"
  eagle3_identity $stat
  trap '\''eagle3_forward TERM'\'' TERM
  trap '\''eagle3_forward INT'\'' INT
  eagle3_write_pid || eagle3_over 75
  # A background command has SIGINT ignored, and so would have the job; where env can, that ends here.
  restore=
  if env --default-signal=INT,QUIT true 2>/dev/null; then
    restore=yes
  fi
  eagle3_start_beating
  case $early in
    TERM) eagle3_over 143 ;;
    INT) eagle3_over 130 ;;
  esac
  (
    eagle3_environment
    EAGLE3_RUN=$run
    export EAGLE3_RUN
    if [ -n "$setup" ]; then
      # A shell of its own: what is wrong in these lines ends that shell and never this wrapper.
      set -- "$(command -v bash || command -v sh)" -c "$setup
exec \"\$@\"" eagle3-job "$@"
    fi
    case $1 in
      *=*) ;;
      *) [ -z "$restore" ] || set -- env --default-signal=INT,QUIT "$@" ;;
    esac
    exec "$@"
  ) </dev/null &
  job=$!
  [ -z "$early" ] || eagle3_forward "$early"
  # A signal interrupts wait, which then answers for the signal and not for the job: ask again. A job
  # that was answered for already is unknown (127).
  code=
  while :; do
    caught=
    wait "$job"
    answer=$?
    if [ "$answer" -ne 127 ] || [ -z "$code" ]; then
      code=$answer
    fi
    [ -n "$caught" ] || break
  done
  eagle3_over "$code"
}

eagle3_environment() {
  export PATH=/root/ml-env/bin"${PATH:+:$PATH}"
  export PYTHONUNBUFFERED=1
  export PYTHONUTF8=1
  export COLUMNS=300
  export CUDA_HOME=/usr/local/cuda-12.8
}

eagle3_job 20261129-120000-1a2b \
  '\'''\'' \
  /root/ml-env/bin/python3 \
  /root/eagle3-train/02_extract_hidden_states.py \
  --model-path \
  /shared/kimi-k2.5-int4 \
  --prepared-data \
  /root/eagle3-train/data_test/prepared/tokenized_data.jsonl \
  --output-dir \
  /root/eagle3-train/data_test/hidden_states \
  --batch-size \
  2 \
  --max-seq-len \
  2048 \
  --tp-size \
  8 \
  --gpu-memory-utilization \
  0.80 \
  --layer-ids \
  2 \
  30 \
  58 \
  60
' <<'EAGLE3_END'
eagle3_step() (
# Launches a run: starts its job detached from this connection, and returns once it has started.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id, 3 the log path that the user named
# (empty: none), 4 text of plan.json, 5 text of job.sh. lock-output.sh comes before it.
# Changes: makes STATE/runs/ID (0700) with plan.json, job.sh, log, alive, lock and exit.pending (0600),
# and starts `sh job.sh` there, which docs/host.md describes. The log path becomes a link to the run's
# log: a link to an earlier run's log is replaced, anything else there is renamed to PATH.before-ID;
# where no link can be made, the log is a plain file there.
# Answers: folder<TAB>run folder; log<TAB>the run's log; note<TAB>text for each thing worth saying;
# launched<TAB>pid; or refused<TAB>why with exit 11 and nothing changed; or failed<TAB>why with exit 1.
set -u
mask=$(umask)
umask 077
refuse() {
  printf 'refused\t%s\n' "$1"
  exit 11
}
note() {
  printf 'note\t%s\n' "$1"
}

state=${1:-${HOME:-}/.eagle3}
id=$2
named=$3
runs=$state/runs
run=$runs/$id
log=$run/log
[ -f "$runs/$id.lock" ] || refuse "the output folder is not locked for run $id"
lock=$(cat -- "$runs/$id.lock")
[ -e "$lock/$id" ] || refuse "run $id holds the lock $lock no more: another run took it over"
mkdir -- "$run" 2>/dev/null || {
  [ ! -e "$run" ] || refuse "there is a run $id already: $run"
  refuse "$run cannot be made: may not be written, or the disk is full"
}

# All that needs room on the disk is written now, and read back: a full disk refuses the launch.
unmake() {
  rm -f -- "$run/plan.json" "$run/job.sh" "$run/log" "$run/alive" "$run/exit.pending"
  rmdir -- "$run"
  refuse "$run/$1 cannot be written whole: the disk is full"
}
keep() {
  { printf '%s' "$2" >"$run/$1"; } 2>/dev/null || unmake "$1"
  [ "$(cat -- "$run/$1" && echo .)" = "$2." ] || unmake "$1"
}
keep plan.json "$4"
keep job.sh "$5"
keep log ''
keep alive ''
keep exit.pending ''
mv -- "$runs/$id.lock" "$run/lock" || unmake lock

# The log path that the user named.
make_room() {
  if [ -L "$named" ]; then
    case $(readlink -- "$named") in
      */runs/[0-9]*-[0-9]*-????/log) return 0 ;;
    esac
  elif [ ! -e "$named" ]; then
    return 0
  elif [ -d "$named" ]; then
    note "$named is a folder; the log is $log alone"
    return 1
  fi
  aside=$named.before-$id
  twin=0
  while [ -e "$aside" ] || [ -L "$aside" ]; do
    twin=$((twin + 1))
    aside=$named.before-$id.$twin
  done
  mv -- "$named" "$aside" 2>/dev/null || {
    note "$named cannot be moved aside; the log is $log alone"
    return 1
  }
  note "what stood at $named is now $aside"
  # It may be the log of an earlier run, from where no link could be made.
  for earlier in "$runs"/*/log; do
    if [ -L "$earlier" ] && [ "$(readlink -- "$earlier")" = "$named" ]; then
      ln -s -- "$aside" "$earlier.new" && mv -f -- "$earlier.new" "$earlier"
    fi
  done
}
place_log() {
  parent=${named%/*}
  if [ ! -d "${parent:-/}" ]; then
    note "there is no folder $parent; the log is $log alone"
    return
  fi
  make_room || return
  fresh=$named.new-$id
  if ln -s -- "$log" "$fresh" 2>/dev/null; then
    mv -f -- "$fresh" "$named" 2>/dev/null && return
    rm -f -- "$fresh"
  elif { : >"$named"; } 2>/dev/null; then
    if ln -s -- "$named" "$run/log.new" 2>/dev/null && mv -f -- "$run/log.new" "$log"; then
      note "no link can be made in $parent; the log is the file $named itself"
      return
    fi
    rm -f -- "$run/log.new" "$named"
  fi
  note "$named cannot be made a link; the log is $log alone"
}
case $named in
  '') ;;
  /*) place_log ;;
  *) note "the log path $named is not absolute; the log is $log alone" ;;
esac

# A background command has SIGINT ignored, and so would have the job; where env can, that ends here.
restore=
if env --default-signal=INT,QUIT true 2>/dev/null; then
  restore='env --default-signal=INT,QUIT'
fi
cd -- "${HOME:-/}" 2>/dev/null || cd /
umask "$mask"
# One simple command: a list in the background would hold the connection for as long as the job runs.
setsid nohup $restore sh "$run/job.sh" </dev/null >>"$log" 2>&1 &
started=$!

failed() {
  printf 'failed\t%s; see %s\n' "$1" "$log"
  exit 1
}
printf 'folder\t%s\nlog\t%s\n' "$run" "$log"
tries=0
gone=0
until [ -e "$run/pid" ]; do
  # A process that is over has no files, also while nobody has asked for its exit code. One that lives
  # is seen without them now and then, for a moment while it becomes another program.
  if [ -L "/proc/$started/fd/1" ] || [ -e "$run/pid" ]; then
    gone=0
  else
    gone=$((gone + 1))
  fi
  if [ "$gone" -gt 3 ]; then
    failed "the wrapper of the job ended before the job started: $(tail -n 1 -- "$log")"
  fi
  tries=$((tries + 1))
  if [ "$tries" -gt 250 ]; then
    kill -KILL "$started" 2>/dev/null
    failed "the job did not start within some seconds and was given up"
  fi
  sleep 0.02 2>/dev/null || sleep 1
done
IFS='	' read -r pid rest <"$run/pid"
printf 'launched\t%s\n' "$pid"
)
eagle3_step "$@" </dev/null
EAGLE3_END

# follow
# Then, here: follow its log (Ctrl-C leaves the run alive)
# tail -n +1 -F /root/eagle3-train/extract_debug.log
# or, from where eagle3 is:
# eagle3 tail-log 20261129-120000-1a2b --host root@10.1.230.174
# eagle3 verify-shapes 20261129-120000-1a2b --host root@10.1.230.174

