# The wrapper of a run's job. launch.sh writes this text into the run's folder as job.sh, followed by
# what this one run is: the function eagle3_environment, and the call of eagle3_job with its words.
# It runs for as long as the job does, whatever becomes of the connection that launched it.
# Changes: in its own folder it makes pid (process id, start time, boot id, node, pid namespace) and, if
# there are setup lines, setup.sh (0600), touches alive every 10 s, and at the end renames
# exit.pending to exit.CODE, which needs no room on the disk (128 + N: killed by signal N). Then it
# gives back the lock on the output folder. Its standard output and error are the run's log. Beside the
# job it runs guard.py of its folder, which says what that does, for as long as the job runs.
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

# Whether this process is a child of this shell that was not waited for: until then nobody else can get
# its number. A shell waits for children in passing, and the number of one that ended long ago may be
# that of a stranger.
eagle3_is_child() {
  [ -n "$1" ] || return 1
  eagle3_read_stat "$1"
  eagle3_parent $stat
  [ "$parent" = "$$" ]
}

eagle3_parent() {
  parent=${2-}
}

# Fails when the disk is full. Complete or not there: a reader never sees half of it.
eagle3_write_pid() {
  boot=-
  node=-
  read -r boot </proc/sys/kernel/random/boot_id
  read -r node </proc/sys/kernel/hostname
  mask=$(umask)
  umask 077
  printf '%s\t%s\t%s\t%s\t%s\n' "$$" "$start" "$boot" "$node" \
    "$(readlink /proc/$$/ns/pid)" >"$folder/pid.new" &&
    mv -f -- "$folder/pid.new" "$folder/pid" || return 1
  umask "$mask"
}

# A session of its own, without the log and before EAGLE3_RUN is set: nothing of it may be taken for a
# process of the run. It ends with the wrapper, at the next beat.
eagle3_start_beating() {
  setsid sh -c '
    start_time() {
      now=${20-}
      [ "$1" != Z ] || now=
    }
    while sleep 10; do
      stat=
      while read -r part || [ -n "$part" ]; do stat="$stat $part"; done <"/proc/$1/stat"
      start_time ${stat##*) }
      [ "$now" = "$2" ] || exit 0
      touch -c -- "$3/alive"
    done' eagle3-alive "$$" "$start" "$folder" </dev/null >/dev/null 2>&1 &
  beating=$!
}

# Watches over the run beside it: a session of its own, without the log, and before EAGLE3_RUN is set.
# A program that is no Python 3 does not get the text of one to run.
eagle3_start_guard() {
  [ -f "$folder/guard.py" ] && [ -f "$folder/guard.jsonl" ] || return
  setsid sh -c '
    version=$("$1" --version 2>&1 | head -c 200 | head -n 1)
    case $version in "Python 3."[0-9]*) exec nice -n 10 "$1" -I -S "$2/guard.py" "$3" "$4" ;; esac
    say="no guard watches over the run on its host, since no Python 3 was found for it"
    printf "{\"v\":1,\"type\":\"note\",\"says\":\"%s\"}\n" "$say" 1<>"$2/guard.jsonl"
    ' eagle3-guard "${eagle3_guard_python:-python3}" "$folder" "$$" "$start" </dev/null >/dev/null 2>&1 &
  guard=$!
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
  while [ "$(cat "/proc/$job/cmdline" | tr '\0' ' ')" = "$words" ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.02 || sleep 1
  done 2>/dev/null
  trap '' "$1"
  if [ "$group" = "$$" ]; then
    kill "-$1" "-$$"
  elif eagle3_is_child "$job"; then
    kill "-$1" "$job"
  fi
  trap "eagle3_forward $1" "$1"
}

# Sets kills: how many processes the kernel has ended for lack of memory in the control group of this
# wrapper, which is the job's too; empty where that cannot be known. Sets limit: its memory in bytes, or
# max.
eagle3_memory_kills() {
  kills=
  limit=
  while IFS= read -r entry; do
    case $entry in
      0::/*)
        top=/sys/fs/cgroup
        place=$top${entry#0::}
        events=memory.events
        most=memory.max
        ;;
      *:memory:/*)
        top=/sys/fs/cgroup/memory
        place=$top${entry#*:memory:}
        events=memory.oom_control
        most=memory.limit_in_bytes
        ;;
      *) continue ;;
    esac
    # A container may see its own group as the top one, under a name that it does not see.
    [ -r "$place/$events" ] || place=$top
    [ -r "$place/$events" ] || continue
    while read -r name value; do
      [ "$name" != oom_kill ] || kills=$value
    done <"$place/$events"
    read -r limit <"$place/$most"
  done </proc/self/cgroup
}

# Says in the log when the kernel ended processes while the job ran: what it ends can say nothing.
eagle3_tell_memory_kills() {
  before=$kills
  eagle3_memory_kills
  case $before:$kills in *[!0-9:]* | :* | *:) return ;; esac
  [ "$kills" -gt "$before" ] || return
  say="eagle3: the kernel ended $((kills - before)) process"
  [ "$((kills - before))" -eq 1 ] || say="${say}es"
  say="$say in the job's control group for lack of memory"
  # Where there is no limit, one of the two kinds says so with a number.
  case $limit in
    '' | *[!0-9]* | ????????????????*) ;;
    *) say="$say, the limit is $((limit / 1048576)) MiB" ;;
  esac
  echo "$say"
}

eagle3_over() {
  trap '' TERM INT
  mv -f -- "$folder/exit.pending" "$folder/exit.$1"
  lock=$(cat -- "$folder/lock")
  case $lock in
    /*.eagle3-lock)
      rm -f -- "$lock/$run"
      rmdir -- "$lock" 2>/dev/null
      ;;
  esac
  # Their groups, or themselves when they are not that far yet; they must not outlive this.
  eagle3_is_child "$guard" || guard=
  eagle3_is_child "$beating" || beating=
  {
    for one in $guard $beating; do
      kill -KILL "-$one" || kill -KILL "$one"
    done
    [ -z "$beating" ] || wait "$beating"
    # One that hangs in a file system cannot be waited for.
    tries=0
    while [ -n "$guard" ] && [ "$tries" -lt 25 ]; do
      eagle3_read_stat "$guard"
      case $stat in
        Z* | '')
          wait "$guard"
          break
          ;;
      esac
      tries=$((tries + 1))
      sleep 0.02 || break
    done
  } 2>/dev/null
  exit "$1"
}

# The text of setup.sh: the lines, then the job. Each line says in the log that it begins, and one that
# fails, or leaves the shell, ends the job with the line's own code and says so. Arguments: for each
# line its text, and a quoted word that shows it without secrets.
eagle3_write_setup() {
  cat <<'HEAD'
eagle3_setup_left() {
  eagle3_code=$?
  trap - EXIT
  echo "eagle3: the job was not started: setup line $eagle3_at ended with code $eagle3_code: $eagle3_line"
  [ "$eagle3_code" -ne 0 ] || eagle3_code=78
  exit "$eagle3_code"
}
eagle3_setup_line() {
  eagle3_at=$1
  eagle3_line=$2
  echo "eagle3: setup line $eagle3_at: $eagle3_line"
}
eagle3_setup_line_ended() {
  [ "$1" -eq 0 ] || exit "$1"
}
eagle3_at=0
eagle3_line=
trap eagle3_setup_left EXIT
HEAD
  # Functions that only login shells have, and that people type all the same.
  case " $*" in
    *[\ \;]module\ * | *[\ \;]ml\ *)
      cat <<'MODULE'
if ! command -v module >/dev/null 2>&1; then
  for eagle3_file in "${MODULESHOME:-/usr/share/modules}/init/${BASH_VERSION:+ba}sh" \
    /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /etc/profile.d/z00_lmod.sh \
    "/usr/share/lmod/lmod/init/${BASH_VERSION:+ba}sh"; do
    if [ -r "$eagle3_file" ]; then
      . "$eagle3_file"
      break
    fi
  done
fi
MODULE
      ;;
  esac
  case " $*" in
    *[\ \;]conda\ activate*)
      cat <<'CONDA'
eagle3_file=$(command -v conda)
if [ "$eagle3_file" != conda ]; then
  for eagle3_file in "${eagle3_file:-${CONDA_EXE:-/none/bin/conda}}" ~/miniconda3/bin/conda \
    ~/miniforge3/bin/conda ~/anaconda3/bin/conda /opt/conda/bin/conda /opt/miniconda3/bin/conda; do
    eagle3_file=${eagle3_file%/*/*}/etc/profile.d/conda.sh
    if [ -r "$eagle3_file" ]; then
      . "$eagle3_file"
      break
    fi
  done
fi
CONDA
      ;;
  esac
  at=0
  block=
  shown=
  while [ "$at" -lt "$lines" ]; do
    at=$((at + 1))
    block="$block$1
"
    shown=${shown:+$shown"'; '"}$2
    shift 2
    # A line may be the beginning of something longer: an if, a function.
    if [ "$at" -lt "$lines" ]; then
      said=$(printf '%s' "$block" | "$shell" -n 2>&1) && [ -z "$said" ] || continue
    fi
    printf 'eagle3_setup_line "%s of %s" %s\n%seagle3_setup_line_ended "$?"\n' \
      "$at" "$lines" "$shown" "$block"
    block=
    shown=
  done
  printf 'trap - EXIT\nexec "$@"\n'
}

# Arguments: run id, how many lines of setup there are, for each its text and a word that shows it, then
# the words of the job.
eagle3_job() {
  run=$1
  lines=$2
  shift 2
  folder=${0%/*}
  beating=
  guard=
  job=
  caught=
  early=
  words=$(cat "/proc/$$/cmdline" | tr '\0' ' ')
  eagle3_read_stat "$$"
  eagle3_identity $stat
  trap 'eagle3_forward TERM' TERM
  trap 'eagle3_forward INT' INT
  eagle3_write_pid || eagle3_over 75
  # A launch that was asked about again in its middle may have been given up meanwhile, for good.
  [ ! -e "$folder/exit.none" ] || exit 75
  # A background command has SIGINT ignored, and so would have the job; where env can, that ends here.
  restore=
  if env --default-signal=INT,QUIT true 2>/dev/null; then
    restore=yes
  fi
  eagle3_start_beating
  eagle3_start_guard
  eagle3_memory_kills 2>/dev/null
  case $early in
    TERM) eagle3_over 143 ;;
    INT) eagle3_over 130 ;;
  esac
  (
    eagle3_environment
    EAGLE3_RUN=$run
    export EAGLE3_RUN
    if [ "$lines" -gt 0 ]; then
      # A shell of its own: what is wrong in these lines ends that shell and never this wrapper. They
      # come from a file, since all users may read the words of a process, and they may hold secrets.
      shell=$(command -v bash || command -v sh)
      (umask 077 && eagle3_write_setup "$@" >"$folder/setup.sh")
      [ "$(tail -n 1 -- "$folder/setup.sh")" = 'exec "$@"' ] || exit 75
      shift $((lines * 2))
      set -- "$shell" "$folder/setup.sh" "$@"
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
  [ "$code" -eq 0 ] || eagle3_tell_memory_kills 2>/dev/null
  eagle3_over "$code"
}
