# Reads what is known of a run from its folder and from /proc. Changes nothing, and answers nothing:
# run-state, stop-run and others follow it in the same shell, and its arguments are theirs. It follows
# run-end, which knows until when a run went on.
#
# The processes of a run are those of its session, those that append to its log, and those with its mark in
# their environment (workers that rename themselves wipe that one), each only when it was not started
# before the run. When the run is over, its log says nothing of a process that was started later; and its
# session is believed only where one of its processes was started before the end, or has the mark: the
# number of a session is given away again. Whoever asks, and all that led to it, is never one of them.
set -u
LC_ALL=C
export LC_ALL
newline='
'
digit=[0-9]
run_form=$digit$digit$digit$digit$digit$digit$digit$digit-$digit$digit$digit$digit$digit$digit-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]

# A pause of a moment, also where sleep takes whole seconds only. Counts them in moments: fiftieths of a
# second.
moments=0
pause() {
  if sleep 0.02 2>/dev/null; then
    moments=$((moments + 1))
  else
    sleep 1
    moments=$((moments + 50))
  fi
}

# Fields of /proc/PID/stat from the third on (state, parent, group, session ...). The second is a name
# and may hold anything, so what counts stands after the last parenthesis.
read_stat() {
  stat=
  while read -r part || [ -n "$part" ]; do
    stat="$stat $part"
  done 2>/dev/null <"/proc/$1/stat"
  stat=${stat##*) }
}
identity() {
  condition=${1-X}
  parent=${2-0}
  session=${4-}
  start=${20-}
}
# A zombie is over: only its parent has not asked yet.
look_at() {
  read_stat "$1"
  identity $stat
  [ -n "$start" ] && [ "$condition" != Z ] && [ "$condition" != X ]
}
is_still() {
  look_at "$1" && [ "$start" = "$2" ]
}

boot=
node=
read -r boot </proc/sys/kernel/random/boot_id
read -r node </proc/sys/kernel/hostname
space=$(readlink /proc/self/ns/pid)

is_text() {
  case $1 in '' | *[[:cntrl:]]*) return 1 ;; esac
}
is_number() {
  case $1 in '' | *[!0-9]* | ???????????????????*) return 1 ;; esac
}

# Sets code: the exit code that was noted in a run's folder; pending while there is none; none after a
# launch that was given up; empty when nothing was made for it yet.
exit_of() {
  code=
  for ended in "$1"/exit.*; do
    case ${ended##*/exit.} in
      pending) [ -n "$code" ] || code=pending ;;
      none) code=none ;;
      [0-9] | [0-9][0-9] | [0-9][0-9][0-9])
        code=${ended##*/exit.}
        break
        ;;
    esac
  done
}

# Sets who the wrapper of a run said that it is. Fails when it never did, or when that makes no sense;
# then damaged says so.
recorded() {
  damaged=
  r_pid= r_start=0 r_boot= r_node= r_space=
  if [ ! -e "$1/pid" ] && [ ! -L "$1/pid" ]; then
    return 1
  fi
  damaged='is no file of the user who asks, or may not be read'
  [ -f "$1/pid" ] && [ ! -L "$1/pid" ] && [ -r "$1/pid" ] || return 1
  damaged='makes no sense'
  # Also of a file of gigabytes no more than this is read.
  record=$(head -c 1024 -- "$1/pid" 2>/dev/null)
  IFS='	' read -r r_pid r_start r_boot r_node r_space <<END
$record
END
  if is_number "$r_pid" && is_number "$r_start" && is_text "$r_boot" && is_text "$r_node" &&
    is_text "$r_space" && [ "$r_pid" -gt 1 ]; then
    damaged=
    return 0
  fi
  r_pid= r_start=0
  return 1
}

# Sets is: alive, gone, or elsewhere (it said so on another boot, node or pid namespace).
wrapper_is() {
  if [ "$r_boot" != "$boot" ] || [ "$r_node" != "$node" ] || [ "$r_space" != "$space" ]; then
    is=elsewhere
  elif is_still "$r_pid" "$r_start"; then
    is=alive
  else
    is=gone
  fi
}

# Words PID:START:SESSION of all processes, except of what led to this shell. One question for all, as
# a large host has thousands; where a line end in a name spoils a line, found does not believe it.
list_processes() {
  processes=' '
  own=' '
  everyone=
  read -r up rest </proc/self/stat
  while [ "$up" -gt 0 ]; do
    own="$own$up "
    read_stat "$up"
    identity $stat
    up=$parent
  done
  lines=$(cd /proc && cat [0-9]*/stat 2>/dev/null)
  set -f
  IFS=$newline
  for line in $lines; do
    IFS=' '
    one=${line%% *}
    case $own in *" $one "*) continue ;; esac
    case $line in
      [0-9]*" ("*") "*)
        identity ${line##*) }
        [ "$condition" = Z ] || processes="$processes$one:$start:$session "
        ;;
    esac
  done
  unset IFS
  set +f
  environments=
  folders=
  for row in $processes; do
    environments="$environments /proc/${row%%:*}/environ"
    folders="$folders /proc/${row%%:*}/fd"
  done
  # Most often no process has the mark of a run, and few write to a file: these answers are short.
  marks=$newline$(cat -- $environments 2>/dev/null | tr '\0' '\n' | grep -x "EAGLE3_RUN=$run_form" | sort -u)$newline
  writers=$(QUOTING_STYLE=literal ls -l -- "/proc/$$/fd" $folders 2>/dev/null |
    grep -e '^/proc/[0-9]*/fd:$' -e '^l.w.* -> /' | grep -v -e ' -> /dev/null$' -e ' -> /dev/pts/')$newline
}

found() {
  case $seen in *" $1 "*) return ;; esac
  look_at "$1" || return
  [ "$1:$start" != "$r_pid:$r_start" ] || return
  case $processes in *" $1:$start:"*) ;; *) return ;; esac
  [ "$start" -ge "$r_start" ] || return
  seen="$seen$1 "
  of_run="$of_run$1:$start:$2 "
  known="$known$its_id:$1:$start "
}

# Says until when a process of the run was started at the latest; any when the run is not over, none when
# nobody can say it.
last_start_of() (
  exit_of "$1"
  if [ -z "$r_pid" ]; then
    # The record of a wrapper that may yet be there is damaged.
    age=$(($(date +%s) - $(stat -c %Y -- "$1/alive" 2>/dev/null || echo 0)))
    case $code in '' | pending) [ "$age" -gt 60 ] || [ "$age" -lt -60 ] || echo any ;; esac
  elif is_still "$r_pid" "$r_start" && [ "${code:-pending}" = pending ]; then
    echo any
  else
    last_start "$1" "$r_start"
  fi
)

# Whether a process, of which it is asked by its number and start, was started before the end of the run.
# What was found before to be of the run stays so: it may have outlived what showed that.
is_early() {
  case $known in *" $its_id:$1:$2 "*) return 0 ;; esac
  [ -n "$latest" ] || latest=$(last_start_of "$its_folder")
  latest=${latest:-none}
  case $latest in
    any) return 0 ;;
    none) return 1 ;;
    *) [ "$2" -ge "$r_start" ] && [ "$2" -le "$latest" ] ;;
  esac
}

# Whether the session with the number of the wrapper is that of the run. As long as one of its processes
# is there nobody else gets the number.
is_own_session() {
  read_stat "$r_pid"
  identity $stat
  [ -z "$start" ] || {
    # A process that has the number now has a session of its own under it.
    [ "$start" = "$r_start" ]
    return
  }
  for row in $processes; do
    [ "${row##*:}" = "$r_pid" ] || continue
    row=${row%:*}
    case $marked in *" ${row%:*} "*) return 0 ;; esac
    ! is_early "${row%:*}" "${row#*:}" || return 0
  done
  return 1
}

# Words RUN:PID:START of what was found in this shell.
known=' '

# Sets of_run: words PID:START:HOW of the processes of the run with this id and folder, beside its
# wrapper. HOW is session, environment or log.
find_processes() {
  its_id=$1
  its_folder=$2
  latest=
  seen=' '
  of_run=
  marked=' '
  case $marks in
    *"${newline}EAGLE3_RUN=$1$newline"*)
      # Which may have it is one question; a grep that stops at a zero byte answers it for none.
      some=$(grep -l -F -e "EAGLE3_RUN=$1" -- $environments 2>/dev/null)
      for one in ${some:-$environments}; do
        if tr '\0' '\n' <"$one" | grep -qxF -e "EAGLE3_RUN=$1"; then
          one=${one#/proc/}
          marked="$marked${one%/environ} "
        fi
      done 2>/dev/null
      ;;
  esac
  case $r_pid:$processes in
    [0-9]*:*":$r_pid "*)
      if is_own_session; then
        for row in $processes; do
          [ "${row##*:}" != "$r_pid" ] || found "${row%%:*}" session
        done
      fi
      ;;
  esac
  for one in $marked; do
    found "$one" environment
  done
  log=$(readlink -f -- "$2/log") || return 0
  case $writers in
    *" -> $log$newline"* | *" -> $log (deleted)$newline"*) ;;
    *) return 0 ;;
  esac
  holders=
  set -f
  IFS=$newline
  for line in $writers; do
    case $line in
      /proc/*/fd:) one=${line#/proc/} ;;
      l?w*" -> $log" | l?w*" -> $log (deleted)")
        line=${line%% -> *}
        holders="$holders ${one%/fd:}:${line##* }"
        ;;
    esac
  done
  unset IFS
  set +f
  for one in $holders; do
    if look_at "${one%:*}" && is_early "${one%:*}" "$start" && appends "${one%:*}" "${one#*:}"; then
      found "${one%:*}" log
    fi
  done
}
