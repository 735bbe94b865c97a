# Says how the machine stands for a job: disks, memory, limits, the driver and its GPUs, the CUDA
# compiler. Changes nothing: it reads /proc and /sys, asks df-like questions with stat, and asks
# nvidia-smi, nvcc and the kernel log; each question has a time limit. It follows probe-host in the
# same shell, and takes the same arguments.
#
# Arguments: pairs of a word and a path. It says the disk that output, state, log, model, data and shm
# are or would be on, and whether something can be made in output, state (else $HOME/.eagle3) and log;
# python and cuda-home say where ninja and nvcc are looked for. Other words are passed over.
# EAGLE3_DEVICES in the environment names another folder than /dev (a stand-in host has one).
#
# Answers, fields separated by tabs:
#   clock SECONDS                      since the epoch
#   container yes|no                   whether this is a container
#   disk WORD PATH TYPE SIZE BLOCKS AVAILABLE INODES FREE   PATH is what is there: the path, or a folder
#                                      above it; SIZE in bytes of one block; counts of blocks and inodes
#   place WORD PATH writable|read-only|no-folder
#   lock RUN yes|no                    RUN has the lock on the output folder; whether it has ended
#   memory TOTAL AVAILABLE             in KiB
#   memory-limit BYTES USED            of the control group with the lowest limit; not counted as used are
#                                      files that the kernel has cached and can drop
#   limit NAME SOFT HARD               a number or unlimited: open-files, processes, file-size, ...
#   logind KILLS LINGERS               each yes, no or -: whether logging out ends processes of a user,
#                                      and whether this user is spared
#   session-lacks NAME                 a variable that process 1 has and this session has not
#   path-lacks FOLDER                  likewise of PATH
#   devices COUNT SWITCHES KFD         /dev/nvidiaN, with gaps or without; /dev/nvidia-nvswitchN; yes when there is /dev/kfd
#   smi ok|missing|late|failed         what became of nvidia-smi
#   gpu-csv LINE                       a line of its table, the head first
#   fabric-manager yes|no              whether that process can be seen
#   xid LINE                           a line of the kernel log about a fault of a GPU
#   cuda-home FOLDER yes|no            whether it is there
#   nvcc PATH RELEASE                  - when there is none, or it does not say its release
#   ninja PATH                         - when there is none on the job's PATH; compiler PATH likewise
set -uf
LC_ALL=C
export LC_ALL
newline='
'
tab=$(printf '\t')
smi_seconds=20
ask_seconds=5

row() {
  line=$1
  shift
  for field; do line=$line$tab$field; done
  printf '%s\n' "$line"
}

# A question that may hang, on a dead network mount for example.
quick() { timeout -k 1 "$ask_seconds" "$@" 2>/dev/null </dev/null; }

# Text of the machine as one harmless field.
field_text() { head -c 300 | tr '\000\t\n' '   ' | tr -c '\040-\176' '?'; }

# Sets there to the path, or the nearest thing above it that is there.
nearest() {
  there=$1
  case $there in /*) ;; *) there=/ ;; esac
  while [ -n "$there" ] && ! quick test -e "$there"; do there=${there%/*}; done
  there=${there:-/}
}

disk_of() {
  nearest "$2"
  facts=$(quick stat -f -c '%T %S %b %a %c %d' -- "$there") || facts=
  [ -n "$facts" ] || return 0
  IFS=' '
  set -- "$1" $facts
  IFS=$newline
  [ $# -eq 7 ] && row disk "$1" "$there" "$2" "$3" "$4" "$5" "$6" "$7"
}

# What is made in a folder is made in the nearest one that is there.
place_of() {
  nearest "$2"
  if [ "$1" = log ] && [ -f "$there" ]; then there=${there%/*} there=${there:-/}; fi
  if [ ! -d "$there" ]; then
    row place "$1" "$there" no-folder
  elif [ -w "$there" ] && [ -x "$there" ]; then
    row place "$1" "$there" writable
  elif [ "$1" = output ] && [ "$there" = "${2%/}" ] && [ -w "${there%/*}/" ] && [ -x "${there%/*}/" ]; then
    # It is renamed, and a new one is made.
    row place "$1" "$there" writable
  else
    row place "$1" "$there" read-only
  fi
}

# Who has the lock on the output folder, and whether that run has ended.
show_lock() {
  target=$(quick readlink -f -- "$1") || target=${1%/}
  set +f
  for entry in "$target".eagle3-lock/[0-9]* "$target"/.eagle3-lock/[0-9]*; do
    [ -f "$entry" ] || continue
    ended=no
    folder=$(quick head -c 4096 -- "$entry" | head -n 1)
    for code in "$folder"/exit.[0-9]*; do
      [ ! -e "$code" ] || ended=yes
    done
    row lock "$(printf %s "${entry##*/}" | field_text)" "$ended"
  done
  set -f
}

show_memory() {
  total= available=
  while IFS=' ' read -r name amount rest; do
    case $name in
      MemTotal:) total=$amount ;;
      MemAvailable:) available=$amount ;;
    esac
  done </proc/meminfo
  row memory "${total:--}" "${available:--}"
  lowest= lowest_used=
  group=
  while IFS= read -r line; do
    case $line in 0::*) group=${line#0::} ;; esac
  done </proc/self/cgroup
  while :; do
    show_limit_of "/sys/fs/cgroup$group" memory.max memory.current
    [ -n "${group%/}" ] || break
    group=${group%/*}
  done
  show_limit_of /sys/fs/cgroup/memory memory.limit_in_bytes memory.usage_in_bytes
  [ -z "$lowest" ] || row memory-limit "$lowest" "$lowest_used"
} 2>/dev/null

# A group that has read the model once is full of its files, and none of that is in the way.
show_limit_of() {
  limit= used= cached=0 below=
  read -r limit <"$1/$2" || return 0
  read -r used <"$1/$3" || return 0
  case $limit in '' | *[!0-9]* | ???????????????????*) return 0 ;; esac
  case $used in '' | *[!0-9]* | ???????????????????*) return 0 ;; esac
  [ -z "$lowest" ] || [ "$limit" -lt "$lowest" ] || return 0
  if [ -r "$1/memory.stat" ]; then
    while IFS=' ' read -r name amount; do
      case $amount in '' | *[!0-9]* | ???????????????????*) continue ;; esac
      case $name in
        inactive_file) cached=$amount ;;
        total_inactive_file) below=$amount ;;
      esac
    done <"$1/memory.stat"
  fi
  # The first kind of groups counts those below apart.
  cached=${below:-$cached}
  if [ "$cached" -lt "$used" ]; then used=$((used - cached)); else used=0; fi
  lowest=$limit lowest_used=$used
}

show_limits() {
  while IFS= read -r line; do
    case $line in
      'Max open files '*) name=open-files ;;
      'Max processes '*) name=processes ;;
      'Max file size '*) name=file-size ;;
      'Max locked memory '*) name=locked-memory ;;
      'Max address space '*) name=address-space ;;
      'Max stack size '*) name=stack ;;
      'Max resident set '*) name=resident-set ;;
      *) continue ;;
    esac
    IFS=' '
    set -- ${line#Max * * }
    IFS=$newline
    # Names have two or three words; the numbers are the first fields that are no words of a name.
    while [ $# -gt 0 ]; do case $1 in [0-9]* | unlimited) break ;; *) shift ;; esac done
    row limit "$name" "${1:--}" "${2:--}"
  done </proc/self/limits
} 2>/dev/null

show_logind() {
  [ -d /run/systemd/system ] || return 0
  kills=-
  case $(quick busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager KillUserProcesses) in
    *true*) kills=yes ;;
    *false*) kills=no ;;
  esac
  lingers=no
  [ ! -e "/var/lib/systemd/linger/$(id -un 2>/dev/null)" ] || lingers=yes
  row logind "$kills" "$lingers"
}

# A container gives its first process the variables of its image; a login over SSH does not get them.
show_session() {
  path_of_first=
  for variable in $(quick head -c 100000 /proc/1/environ | tr '\n\000' ' \n'); do
    name=${variable%%=*}
    case $name in
      '' | *[!A-Za-z0-9_]*) continue ;;
      PATH) path_of_first=${variable#*=} ;;
      NCCL_* | CUDA_* | NVIDIA_* | LD_LIBRARY_PATH | LIBRARY_PATH | HF_* | HUGGING* | TRANSFORMERS_*) ;;
      VLLM_* | TORCH* | PYTORCH* | PYTHONPATH | OMP_* | UCX_* | GLOO_* | TRITON_* | FLASHINFER* | RAY_*) ;;
      http_proxy | https_proxy | no_proxy | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | TMPDIR | XDG_CACHE_HOME) ;;
      VIRTUAL_ENV | CONDA_PREFIX) ;;
      *) continue ;;
    esac
    [ "$name" = PATH ] || printenv "$name" >/dev/null 2>&1 || row session-lacks "$name"
  done
  IFS=:
  for folder in $path_of_first; do
    IFS=$newline
    case $folder in
      /*) case :$PATH: in *":$folder:"*) ;; *) [ ! -d "$folder" ] || row path-lacks "$(printf %s "$folder" | field_text)" ;; esac ;;
    esac
  done
  IFS=$newline
}

# Numbers may have gaps: a container has only the devices that it was given.
count_devices() {
  count=0
  set +f
  for device in "$1"[0-9]*; do
    case ${device#"$1"} in *[!0-9]*) ;; *) [ ! -e "$device" ] || count=$((count + 1)) ;; esac
  done
  set -f
  echo "$count"
}

# One that hangs in the driver cannot be killed, so nothing waits for it: only for its pipe.
smi() {
  {
    { timeout -k 2 "$smi_seconds" nvidia-smi "$@" --format=csv </dev/null; echo "exit $?"; } 2>/dev/null &
  } | timeout $((smi_seconds + 4)) head -c 1000000 | tr -d '\000'
}

# Older drivers know fewer fields, and refuse all for one that they do not know.
show_gpus() {
  if ! command -v nvidia-smi >/dev/null 2>&1; then
    row smi missing
    return 0
  fi
  some=index,name,driver_version,memory.total,memory.used
  rows=remapped_rows.pending,remapped_rows.failure
  for fields in "$some,compute_cap,compute_mode,ecc.errors.uncorrected.volatile.total,persistence_mode,fabric.state,fabric.status,$rows" \
    "$some,compute_cap,compute_mode,ecc.errors.uncorrected.volatile.total,persistence_mode,fabric.state,fabric.status" \
    "$some,compute_cap,compute_mode,ecc.errors.uncorrected.volatile.total,persistence_mode" "$some"; do
    said=$(smi "--query-gpu=$fields")
    case $newline$said in
      *"${newline}exit 0") break ;;
      *"${newline}exit 2") ;;
      *"${newline}exit 124" | *"${newline}exit 137") row smi late; return 0 ;;
      *"${newline}exit "*) break ;;
      *) row smi late; return 0 ;;
    esac
  done
  case $newline$said in
    *"${newline}exit 0") row smi ok ;;
    *) row smi failed; return 0 ;;
  esac
  for line in $said; do
    case $line in "exit "*) ;; *) row gpu-csv "$(printf %s "$line" | field_text)" ;; esac
  done
}

show_fabric_manager() {
  running=no
  set +f
  for stat in /proc/[0-9]*/comm; do
    name=
    read -r name <"$stat" || continue
    case $name in nv-fabricmanage*) running=yes ;; esac
  done 2>/dev/null
  set -f
  row fabric-manager "$running"
}

show_xids() {
  for line in $({ quick dmesg || quick tail -c 300000 /var/log/kern.log; } | grep 'NVRM: Xid' | tail -n 3); do
    row xid "$(printf %s "$line" | field_text)"
  done
}

show_compilers() {
  where=$PATH
  case ${job_python:-} in /*/*) where=${job_python%/*}:$PATH ;; esac
  nvcc=
  if [ -n "${job_cuda:-}" ]; then
    if [ -d "$job_cuda" ]; then row cuda-home "$job_cuda" yes; else row cuda-home "$job_cuda" no; fi
    nvcc=$job_cuda/bin/nvcc
    [ -x "$nvcc" ] || nvcc=
  else
    nvcc=$(PATH=$where command -v nvcc)
  fi
  release=
  if [ -n "$nvcc" ]; then
    release=$(quick "$nvcc" --version | field_text)
    case $release in
      *', release '*) release=${release#*, release } release=${release%%,*} ;;
      *) release= ;;
    esac
  fi
  row nvcc "${nvcc:--}" "${release:--}"
  found=$(PATH=$where command -v ninja) || found=
  row ninja "${found:--}"
  found=$(PATH=$where command -v c++ || PATH=$where command -v g++) || found=
  row compiler "${found:--}"
}

IFS=$newline
row clock "$(date +%s)"
if [ -e /.dockerenv ] || [ -e /run/.containerenv ] || quick grep -q '[:/]\(docker\|kubepods\|lxc\|containerd\)' /proc/1/cgroup; then
  row container yes
else
  row container no
fi
job_python= job_cuda= state=${HOME:-}/.eagle3 word=
for argument; do
  if [ -z "$word" ]; then
    word=$argument
    continue
  fi
  case $word in
    python) job_python=$argument ;;
    cuda-home) job_cuda=$argument ;;
    state) state=$argument ;;
    output | log)
      place_of "$word" "$argument"
      disk_of "$word" "$argument"
      [ "$word" = log ] || show_lock "$argument"
      ;;
    model | data | shm | tmp) disk_of "$word" "$argument" ;;
  esac
  word=
done
place_of state "$state"
disk_of state "$state"
show_memory
show_limits
show_logind
show_session
devices=${EAGLE3_DEVICES:-/dev}
switches=$(count_devices "$devices/nvidia-nvswitch")
if [ -e "$devices/kfd" ]; then kfd=yes; else kfd=no; fi
row devices "$(count_devices "$devices/nvidia")" "$switches" "$kfd"
show_gpus
[ "$switches" -eq 0 ] || show_fabric_manager
show_xids
show_compilers
