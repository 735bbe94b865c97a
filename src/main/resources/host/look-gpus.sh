# Shows which processes hold the GPUs of this machine. Changes nothing: it reads /proc, asks
# nvidia-smi, and where a holder belongs to a unit or container, asks systemctl or docker whether
# that would start it again. It follows run-end in the same shell, which knows until when a run went on.
#
# Arguments: MODE GPUS TP STATE [WHOM...]
#   MODE   safe  look at the GPUs that the job needs
#          all   look at all GPUs and at whatever has a /dev/nvidia* open, as fuser does
#   GPUS   the GPUs that the job needs, for example 0,1; empty: CUDA_VISIBLE_DEVICES of this
#          machine, else the first TP of them
#   TP     how many GPUs the job needs when nothing names them
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   WHOM   for clear-gpus, which follows in the same shell when something is to be ended
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
#   split INDEX                    the job needs this GPU, and MIG has cut it into parts
#   holder PID START USER AGE GPUS MEMORY UNIT CLASS RUN COMMAND
#          START in clock ticks after boot, AGE in seconds, MEMORY in MiB, UNIT a systemd unit, a
#          container or a Slurm job, RUN the id of an eagle3 run, CLASS one of
#            ancestor  our own login on this machine descends from it
#            daemon    of the driver, of monitoring or of a display, by its name; and root's or a
#                      system user's, or its program has such a name too, since any process can
#                      call itself what it likes
#            live-run  of an eagle3 run that lives, or that nothing is known of
#            over-run  of an eagle3 run in STATE that is over: its exit code is written down, or its
#                      wrapper is gone
#            orphan    a worker VLLM::* of ours that was left behind: no process that could have
#                      started it is there any more, and it has no unit or container of its own
#            foreign   another user's, which we may not end
#            other     anything else
#   watcher PID KIND NAME POLICY   what may start that holder again: unit, user-unit, docker, podman,
#                      pod, container, slurm, or parent; POLICY is what it says of restarting
#   hidden INDEX MEMORY PIDS       memory in use with no holder that could be seen from here
#   refused WHY                    with exit code 11
set -uf
LC_ALL=C
export LC_ALL
mode=$1 wanted=${2:-${CUDA_VISIBLE_DEVICES-}} parallel=$3 state_folder=${4:-${HOME:-}/.eagle3}
shift 4

smi_seconds=20    # nvidia-smi takes several seconds where no daemon keeps the driver awake
scan_seconds=30   # for all processes together
ask_seconds=5     # for one question about a unit, a container or a user
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

# Whether it is a number that a shell can count with.
is_number() { case $1 in '' | *[!0-9]* | ???????????????*) return 1 ;; esac; }

has_line() { case $newline$1$newline in *"$newline$2$newline"*) ;; *) return 1 ;; esac; }

# Text of a process or the driver as one harmless field: printable ASCII, at most 300 bytes.
field_text() { timeout -k 1 "$ask_seconds" head -c 300 | tr '\000\t\n' '   ' | tr -c '\040-\176' '?'; }

mebibytes() { if is_number "${1%% *}"; then echo "${1%% *}"; else echo -; fi; }

# --- processes

# Sets parent, session and started of a process; fails when it is gone or a zombie. The name in its
# stat may hold blanks, brackets and line ends: what counts stands after the last bracket.
stat_of() {
  text=
  while read -r part || [ -n "$part" ]; do text="$text$part "; done 2>/dev/null <"/proc/$1/stat"
  IFS=' '
  set -- ${text##*) }
  IFS=$newline
  [ $# -ge 20 ] || return 1
  case $1 in Z | X | x) return 1 ;; esac
  parent=$2 session=$4 started=${20}
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

name_of() { name=; read -r name <"/proc/$1/comm"; } 2>/dev/null

# The program that a process runs; nothing where we may not see it.
program_of() { readlink "/proc/$1/exe" 2>/dev/null; }

owner_of() { stat -c %u "/proc/$1" 2>/dev/null; }

# Daemons of the driver, of monitoring, and of a display. Names have at most 15 characters here.
is_daemon_name() {
  case $1 in
    nv-fabricmanage* | nvidia-persiste* | nvidia-powerd | nvidia-imex* | nvidia-cuda-mps*) ;;
    nvidia-smi | nvidia-settings | nvidia-device-p* | nvidia_gpu_expo* | nvtop) ;;
    nv-hostengine | dcgm-exporter | nvsm*) ;;
    X | Xorg* | Xwayland | gnome-shell | gdm* | sddm* | lightdm* | kwin_* | plasmashell | sway | weston) ;;
    *) return 1 ;;
  esac
}

is_daemon() {
  is_daemon_name "$2" || return 1
  owner=$(owner_of "$1")
  [ "${owner:-0}" -ge 1000 ] || return 0
  program=$(program_of "$1")
  is_daemon_name "${program##*/}"
}

# A worker of vLLM names itself in both places, and is ours.
is_worker() {
  name_of "$1"
  case $name in VLLM::*) ;; *) return 1 ;; esac
  case $(field_text 2>/dev/null <"/proc/$1/cmdline") in VLLM::*) ;; *) return 1 ;; esac
  [ "$(owner_of "$1")" = "$user_id" ]
}

# Whether a worker was left behind: above it and the workers that started it there is only what takes
# in orphans, the first process of the machine or container, or a systemd --user. In a container the
# first process may be the very server that started it, so it must not run the same program.
is_orphan() {
  upper=$1
  while [ "$upper" -gt 1 ] && is_worker "$upper"; do
    top=$upper
    stat_of "$upper" || return 1
    upper=$parent
  done
  [ "$upper" != "$1" ] && [ "$upper" -ge 1 ] || return 1
  name_of "$upper"
  taker=$(program_of "$upper")
  case $upper:$name in
    1:*) ;;
    *:systemd | *:tini | *:docker-init | *:dumb-init | *:catatonit) ;;
    *) return 1 ;;
  esac
  if [ -n "$taker" ]; then
    [ "$taker" != "$(program_of "$top")" ]
  else
    case $name in systemd | init | tini | docker-init | dumb-init | catatonit) ;; *) return 1 ;; esac
  fi
}

# --- units, containers, and what starts a process again

# Sets unit, kind, keeper and group of a process: the unit, container or job that it is in, what kind
# that is, its name, and the line of its cgroup; - for the ones that we are in, and logins.
unit_of() {
  unit=- kind=- keeper=- group=-
  for one in $(head -c 100000 "/proc/$1/cgroup" 2>/dev/null); do
    has_line "$own_groups" "$one" && continue
    path=${one#*:*:}
    case $path in
      */slurm*/job_*)
        path=${path#*/job_} kind=slurm
        keeper=${path%%/*} unit="slurm job $keeper"
        ;;
      *kubepods*) container_of "$path" pod ;;
      *libpod*) container_of "$path" podman ;;
      *docker[-/]*) container_of "$path" docker ;;
      *containerd* | *crio* | */lxc* | */machine.slice/*) container_of "$path" container ;;
      */sshd.service* | */ssh.service* | */sshd@*) continue ;;
      *.service*)
        path=${path%.service*}
        case $unit${path##*/} in
          -user@*) continue ;;
          -*) unit=${path##*/}.service keeper=$unit kind=unit ;;
        esac
        case $path in */user@*.service/*) kind=user-unit ;; esac
        ;;
      *) continue ;;
    esac
    group=$one
  done
  unit=$(printf %s "$unit" | field_text)
  keeper=$(printf %s "$keeper" | field_text)
}

# A container by the part of the path that is its id: 12 hexadecimal digits or more; else the last.
container_of() {
  kind=$2 keeper=${1##*/}
  IFS=/
  for piece in $1; do
    piece=${piece%.scope} piece=${piece##*[-:]}
    case $piece in *[!0-9a-f]*) ;; ????????????*) keeper=$piece ;; esac
  done
  IFS=$newline
  keeper=$(printf %.12s "$keeper") unit="container $keeper"
}

# Says what may start the process again, and whether it would, where that can be asked.
show_watcher() {
  policy=
  case $kind in
    -)
      [ "$above" -gt 1 ] && ! has_line "$lineage" "$above" && stat_of "$above" || return 0
      name_of "$above"
      case $name in systemd | tini | docker-init | dumb-init | catatonit) return 0 ;; esac
      kind=parent keeper="$above $(printf %s "$name" | field_text)"
      ;;
    unit) policy=$(ask systemctl show -p Restart -- "$keeper") policy=${policy#Restart=} ;;
    user-unit)
      if [ "$(owner_of "$1")" = "$user_id" ]; then
        policy=$(ask env XDG_RUNTIME_DIR="/run/user/$user_id" systemctl --user show -p Restart -- "$keeper")
        policy=${policy#Restart=}
      fi
      ;;
    docker | podman) policy=$(ask "$kind" inspect -f '{{.HostConfig.RestartPolicy.Name}}' -- "$keeper") ;;
    pod)
      # In a pod the variable HOSTNAME is the name of the pod.
      marks=$newline$(timeout -k 1 "$ask_seconds" head -c 1000000 "/proc/$1/environ" 2>/dev/null | tr '\000' '\n')
      mark=${marks#*"${newline}HOSTNAME="}
      [ "$mark" = "$marks" ] || keeper=$(printf %s "${mark%%"$newline"*}" | field_text)
      ;;
  esac
  policy=$(printf %s "$policy" | field_text)
  row watcher "$1" "$kind" "$keeper" "${policy:--}"
  case $kind:$policy in
    pod:* | *:always | *:unless-stopped | *:on-*) restarting=yes ;;
  esac
}

# A question that may hang; whatever it prints is cut.
ask() { command -v "$1" >/dev/null 2>&1 && timeout -k 1 "$ask_seconds" "$@" 2>/dev/null </dev/null | head -c 1000; }

# --- runs of eagle3

digits=[0-9][0-9]
run_form=$digits$digits$digits$digits-$digits$digits$digits-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]

# Whether the run with this folder lives: its end is not written down, and its wrapper is there. A
# run of another node or container, or one without a folder to look into, is taken to live. Sets
# wrapper and wrapper_start, which are empty unless it ran here.
is_live() {
  wrapper= wrapper_start=
  set +f
  set -- "$1" "$1"/exit.[0-9]*
  set -f
  IFS=$tab read -r recorded recorded_start where <"$1/pid" || recorded=
  if is_number "$recorded" && is_number "$recorded_start" && [ "$where" = "$here" ]; then
    wrapper=$recorded wrapper_start=$recorded_start
  fi
  [ ! -e "$2" ] || return 1
  [ -z "$wrapper" ] || is_still "$wrapper:$wrapper_start"
} 2>/dev/null

# Fills run_rows (id, live|over, wrapper, its start, log) with the runs of our own state folder. What
# somebody else could write there is not believed.
read_runs() {
  run_rows=
  [ "$(stat -c %u "$state_folder/runs" 2>/dev/null)" = "$user_id" ] || return 0
  set +f
  for folder in "$state_folder/runs"/$run_form; do
    set -f
    [ -d "$folder" ] || continue
    if is_live "$folder"; then life=live; else life=over; fi
    [ -n "$wrapper" ] || continue
    log=$(cd -P "$folder" 2>/dev/null && pwd -P)/log
    [ ! -L "$folder/log" ] || log=$(readlink -f "$folder/log" 2>/dev/null) || log=
    # A process that has the wrapper's number now has a session of its own under that number.
    ! stat_of "$wrapper" || [ "$started" = "$wrapper_start" ] || wrapper=-
    run_rows="$run_rows${folder##*/} $life $wrapper $wrapper_start $log$newline"
  done
  set -f
}

# Whether a process of the run of its_id and so on that began at $1 began before the end of the run.
is_early() {
  [ "$its_life" != live ] || return 0
  if [ "$latest_of" != "$its_id" ]; then
    latest_of=$its_id
    latest=$(last_start "$state_folder/runs/$its_id" "$its_start") || latest=
  fi
  [ -n "$latest" ] && [ "$1" -ge "$its_start" ] && [ "$1" -le "$latest" ]
}

# Whether the session with the number of the wrapper is that of its run. That number is given away again
# when no process has the session any more: one of them, $1 or another one, must have begun before the
# end of the run, or have its mark.
is_own_session() {
  ! is_early "$1" && ! is_still "$its_wrapper:$its_start" || return 0
  for row in $(
    cd /proc && set +f && cat [0-9]*/stat 2>/dev/null | grep -e ") [A-Za-z] [0-9]* [0-9]* $its_wrapper "
  ); do
    member=${row%% *}
    is_number "$member" && stat_of "$member" && [ "$session" = "$its_wrapper" ] || continue
    ! is_early "$started" || return 0
    [ "$started" -ge "$its_start" ] || continue
    ! tr '\000' '\n' 2>/dev/null <"/proc/$member/environ" | grep -q -x -F -e "EAGLE3_RUN=$its_id" || return 0
  done
  return 1
}

# Sets run and life (live, over, or - for none) of a process that is in session and began at started:
# by the session of the run's wrapper, the mark in its environment, or that it appends to the run's log;
# the first and the last are believed of a run that is over as run-processes believes them.
run_of() {
  run=- life=- process_session=$session process_start=$started
  mark=
  marks=$newline$(timeout -k 1 "$ask_seconds" head -c 1000000 "/proc/$1/environ" 2>/dev/null | tr '\000' '\n')
  mark=${marks#*"${newline}EAGLE3_RUN="}
  mark=${mark%%"$newline"*}
  case $mark in $run_form) ;; *) mark= ;; esac
  written=
  for link in $(QUOTING_STYLE=literal timeout -k 1 "$ask_seconds" ls -ln "/proc/$1/fd" 2>/dev/null); do
    case $link in
      *' -> /dev/'*) ;;
      l?w*" -> /"*)
        descriptor=${link%% -> *} link=${link#*" -> "}
        ! appends "$1" "${descriptor##* }" || written=$written${link%' (deleted)'}$newline
        ;;
    esac
  done
  for run_row in $run_rows; do
    its_id=${run_row%% *} rest=${run_row#* }
    its_life=${rest%% *} rest=${rest#* }
    its_wrapper=${rest%% *} rest=${rest#* }
    its_start=${rest%% *}
    [ "$process_start" -ge "$its_start" ] || continue
    if [ "$its_id" = "$mark" ] ||
      { [ "$its_wrapper" = "$process_session" ] && is_own_session "$process_start"; } ||
      { has_line "$written" "${rest#* }" && is_early "$process_start"; }; then
      [ "$life" = live ] || run=$its_id life=$its_life
    fi
  done
  [ "$run" = - ] || return 0
  # A run that our state folder does not know: it may live, or is somebody else's to end.
  if [ -n "$mark" ]; then
    run=$mark
    ! is_live "$state_folder/runs/$mark" || life=live
  fi
  for link in $written; do
    case $link in
      */runs/$run_form/log)
        link=${link%/log} run=${link##*/}
        ! is_live "$link" || life=live
        ;;
    esac
  done
}

# --- GPUs

# Asks nvidia-smi. One that hangs in the driver cannot be killed, so nothing waits for it: only for
# the reader of its pipe. The last line is "exit N" when it ended in time.
smi() {
  {
    { timeout -k 2 "$smi_seconds" nvidia-smi "$@" --format=csv </dev/null; echo "exit $?"; } 2>/dev/null &
  } | timeout $((smi_seconds + 4)) head -c 1000000 | tr -d '\000'
}

ask_gpus() { smi --query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu; }

# Fills gpu_rows (index, uuid, device number, total, used, name), with nvidia-smi or from the devices.
read_gpus() {
  smi_works=no
  numbers=$(device_numbers)
  if command -v nvidia-smi >/dev/null 2>&1; then
    said=$(ask_gpus)
    case $newline$said in
      *"${newline}exit 0")
        gpu_rows=$(gpus_of_smi "$said")
        if [ -n "$gpu_rows" ]; then smi_works=yes; else row lacks nvidia-smi 'its answer is not understood'; fi
        ;;
      *"${newline}exit 124" | *"${newline}exit 137") row lacks nvidia-smi "no answer in $smi_seconds s" ;;
      *"${newline}exit "*)
        code=${said##*exit }
        is_number "$code" || code=unknown
        row lacks nvidia-smi "it fails with exit code $code"
        ;;
      *) row lacks nvidia-smi "no answer in $smi_seconds s" ;;
    esac
  else
    row lacks nvidia-smi 'not installed'
  fi
  if [ "$smi_works" = no ]; then
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
# the devices are counted. What is no answer of nvidia-smi is passed over.
gpus_of_smi() {
  by_uuid=$(numbers_by_uuid)
  uncounted=$numbers
  seen=
  for line in $1; do
    index=${line%%,*}
    case $index in [0-9] | [1-9][0-9] | [1-9][0-9][0-9]) ;; *) continue ;; esac
    rest=${line#*, } uuid=${rest%%,*}
    is_uuid "$uuid" && ! has_line "$seen" "$index" || continue
    seen=$seen$newline$index
    number=${by_uuid#*"$uuid "}
    [ "$number" != "$by_uuid" ] || number=${uncounted:-$index}
    uncounted=${uncounted#*"$newline"}
    rest=${rest#*, } rest=${rest%, *}
    name=${rest%, *, *} memory=${rest#"${rest%, *, *}, "}
    echo "$index $uuid ${number%%"$newline"*} $(mebibytes "${memory%%, *}") $(mebibytes "${memory##*, }")" \
      "$(printf %s "$name" | field_text)"
  done
}

is_uuid() { case $1 in GPU-*[!0-9a-fA-F-]*) return 1 ;; GPU-?*) ;; *) return 1 ;; esac; }

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

# Whether MIG has cut the GPU with this device number into parts.
is_split() {
  set +f
  set -- "/proc/driver/nvidia/capabilities/gpu$1/mig"/gi*
  set -f
  [ -e "$1" ]
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

# Fills needed with the indices of the GPUs that the job needs, or refuses.
read_needed() {
  needed=
  index=0
  if [ -z "$wanted" ]; then
    [ "${CUDA_VISIBLE_DEVICES-unset}" != '' ] ||
      refuse 'CUDA_VISIBLE_DEVICES is empty on this machine: the job would see no GPU'
    while [ "$index" -lt "$parallel" ]; do needed=$needed$index$newline index=$((index + 1)); done
  fi
  for index in $(printf '%s\n' "$wanted" | tr ', ' '\n\n'); do
    case $index in
      GPU-* | MIG-*) refuse 'CUDA_VISIBLE_DEVICES names GPUs by UUID; name them by index, 0,1,...' ;;
      [0-9] | [1-9][0-9] | [1-9][0-9][0-9]) ;;
      *) refuse "CUDA_VISIBLE_DEVICES is no list of GPU indices: $(printf %s "$wanted" | field_text)" ;;
    esac
    ! has_line "$needed" "$index" || refuse "CUDA_VISIBLE_DEVICES names GPU $index twice"
    needed=$needed$index$newline
  done
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
  opened=$newline$(timeout -k 1 "$ask_seconds" stat -L -c '%t:%T:%d:%i' "$@" 2>/dev/null)$newline
  for identity in $identities; do
    case $identity in *:) ;; *) identity=$identity$newline ;; esac
    case $opened in *"$newline$identity"*) return 0 ;; esac
  done
  return 1
}

# Processes that may have a GPU device open or mapped, by the names of their files: two questions for
# all, since a large machine has thousands. Both read names only: touching a file on a dead network
# mount hangs.
suspects() (
  cd /proc && set +f || exit
  set -- [0-9]*
  opened=$(QUOTING_STYLE=escape timeout -k 2 "$scan_seconds" ls -ln self/fd $(printf '%s/fd\n' "$@") 2>/dev/null |
    grep -F -e /fd: -e /nvidia)
  mapped=$(timeout -k 2 "$scan_seconds" grep -l -F -e /nvidia $(printf '%s/maps\n' "$@") 2>/dev/null)
  set -f
  for line in $opened; do
    case $line in
      [0-9]*/fd:) pid=${line%/fd:} ;;
      self/fd:) pid= ;;
      *" -> "*) [ -z "$pid" ] || echo "$pid" ;;
    esac
  done
  for line in $mapped; do echo "${line%/maps}"; done
)

# Processes with a GPU device open or mapped, one a line: pid and the numbers of mapped devices. A
# mapping alone counts in our own mount namespace, where its name means our device.
scan() {
  own_mounts=$(readlink /proc/self/ns/mnt)
  for pid in $(suspects | sort -n -u); do
    entry=/proc/$pid
    set +f
    set -- "$entry"/fd/*
    set -f
    open=no
    ! is_device "$@" || open=yes
    [ "$open" = yes ] || [ "$(readlink "$entry/ns/mnt" 2>/dev/null)" = "$own_mounts" ] || continue
    maps=$open$(timeout -k 1 "$ask_seconds" cat "$entry/maps" 2>/dev/null)$newline
    mapped=
    for number in $numbers; do
      case $maps in
        yes*"/nvidia$number$newline"* | yes*"/nvidia$number (deleted)$newline"*) ;;
        no*" $devices/nvidia$number$newline"*) ;;
        *) continue ;;
      esac
      mapped="$mapped $number"
    done
    [ "$open$mapped" = no ] || echo "$pid$mapped "
  done
}

# What nvidia-smi lists: pid, uuid, memory.
listed_by_smi() {
  [ "$smi_works" = yes ] || return 0
  for line in $(smi --query-compute-apps=pid,gpu_uuid,process_name,used_gpu_memory); do
    pid=${line%%,*} rest=${line#*, }
    is_number "$pid" && is_uuid "${rest%%,*}" || continue
    echo "$pid ${rest%%,*} $(mebibytes "${line##*, }")"
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

# Sets class of a process that run_of and unit_of have looked at.
class_of() {
  class=other
  if has_line "$lineage" "$1"; then
    class=ancestor
  elif is_daemon "$1" "$2"; then
    class=daemon
  elif [ "$life" = live ]; then
    class=live-run
  elif [ "$user_id" != 0 ] && [ "$(owner_of "$1")" != "$user_id" ]; then
    class=foreign
  elif [ "$life" = over ]; then
    class=over-run
  elif [ "$unit" = - ] && is_orphan "$1"; then
    class=orphan
  fi
}

# Prints holder_rows under a word. Fills shown (pid:start, class, indices) and groups (pid:start and
# the line of the cgroup of its unit or container).
show_holders() {
  shown= groups=
  for holder_row in $holder_rows; do
    pid=${holder_row%% *} held=${holder_row##* } memory=${holder_row#* }
    stat_of "$pid" || continue
    start=$started above=$parent
    run_of "$pid"
    IFS=' ' read -r age rest </proc/uptime
    age=$((${age%%.*} - start / ticks))
    [ "$age" -ge 0 ] || age=-
    user=$(timeout -k 1 "$ask_seconds" stat -c %U "/proc/$pid" 2>/dev/null) || user=UNKNOWN
    [ "$user" != UNKNOWN ] || user=$(owner_of "$pid") || continue
    comm=$(field_text 2>/dev/null <"/proc/$pid/comm")
    command=$(field_text 2>/dev/null <"/proc/$pid/cmdline")
    while case $command in *' ') ;; *) false ;; esac; do command=${command% }; done
    unit_of "$pid"
    class_of "$pid" "${comm% }"
    is_still "$pid:$start" || continue
    row "$1" "$pid" "$start" "$user" "$age" "$held" "${memory% *}" "$unit" "$class" "$run" "${command:-[${comm% }]}"
    case $class in ancestor | daemon | live-run) ;; *) show_watcher "$pid" ;; esac
    shown="$shown$pid:$start $class $held$newline"
    [ "$group" = - ] || groups="$groups$pid:$start $group$newline"
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
user_id=$(id -u)
lineage=$(own_line)
own_groups=$(cat /proc/self/cgroup 2>/dev/null)
identities=$(device_identities)
boot= node=
read -r boot </proc/sys/kernel/random/boot_id
read -r node </proc/sys/kernel/hostname
here=$boot$tab$node$tab$(readlink /proc/self/ns/pid)
restarting=no
latest_of= latest=
read_needed
[ "$user_id" = 0 ] || row lacks root 'what processes of other users have open cannot be seen'
read_gpus
read_runs
indices= missing= cut=
for gpu_row in $gpu_rows; do
  gpu_of "$gpu_row"
  indices=$indices$index$newline
  if has_line "$needed" "$index"; then use=needed; else use=other; fi
  row gpu "$index" "$uuid" "$name" "$total" "$used" "$use"
  if [ "$use" = needed ] && is_split "$number"; then
    row split "$index"
    cut=$cut,$index
  fi
done
for index in $needed; do
  has_line "$indices" "$index" && continue
  row absent "$index"
  missing=$missing,$index
done
find_holders
show_holders holder
show_hidden
