# Knows until when a run went on, and whether a process can have its log from it. Changes nothing, and
# answers nothing: run-processes and look-gpus follow it in the same shell, and its arguments are theirs.
#
# After a run the path that was named for its log still leads to it, so whatever is started there later
# by hand has the log open too: that alone makes it no process of the run.

# Whether an open file of a process is written at its end only, as a run's log is by all that have it from
# the wrapper: O_APPEND is 02000. What a shell's `>` has opened is not.
# Arguments: 1 process, 2 number of the open file.
appends() (
  unset IFS
  while read -r key flags rest; do
    case $key$flags in flags:*[2367][0-7][0-7][0-7]) exit 0 ;; esac
  done <"/proc/$1/fdinfo/$2"
  exit 1
) 2>/dev/null

# Says when stat saw a file change, in hundredths of a second. Where it knows whole seconds only, that is
# the first (0) or the last (100) of that second.
# Arguments: 1 file, 2 format of stat, 3 which.
moment_of() (
  said=$(stat -c "$2" -- "$1" 2>/dev/null) || exit 1
  seconds=${said%% *}
  fraction=${said#*.}
  case $seconds in '' | *[!0-9]* | ?????????????*) exit 1 ;; esac
  case $fraction in
    "$said" | 000000000* | '' | ? | [!0-9]* | ?[!0-9]*) fraction=$3 ;;
    *) fraction=$((1${fraction%"${fraction#??}"} - 100)) ;;
  esac
  echo "$((seconds * 100 + fraction))"
)

# Says until when a process of the run was started at the latest, in clock ticks since boot, as the start
# times of processes are. Fails when nobody can say it.
#
# exit.CODE got its name then. A run that was lost went on for as long as something touched alive, which is
# every 10 s; and when somebody ended what was left of a lost run, exit.CODE tells when that was. job.sh
# was written right before the wrapper started, so what counts is by how much these files differ: a clock
# that was set since, or is that of a file server, does not matter.
# Arguments: 1 folder of the run, 2 start of its wrapper.
last_start() (
  unset IFS
  set +f
  ticks=$(getconf CLK_TCK 2>/dev/null) || ticks=100
  written=$(moment_of "$1/job.sh" '%Z %z' 0) || exit 1
  last=
  ! beat=$(moment_of "$1/alive" '%Y %y' 100) || last=$((beat + 1200))
  for file in "$1"/exit.[0-9] "$1"/exit.[0-9][0-9] "$1"/exit.[0-9][0-9][0-9]; do
    ended=$(moment_of "$file" '%Z %z' 100) || continue
    if [ -z "$last" ] || [ "$ended" -lt "$last" ]; then last=$ended; fi
  done
  [ -n "$last" ] || exit 1
  # The clock of files may be some milliseconds behind.
  echo "$(($2 + (last - written + 5) * ticks / 100))"
)
