# Reads what is known of a run from its folder and from /proc. Changes nothing, and answers nothing:
# run-state, stop-run and others follow it in the same shell, and its arguments are theirs.
#
# The processes of a run are those of its session, those that have its log open for writing, and those
# with its mark in their environment (workers that rename themselves wipe that one), each only when it
# was not started before the run. Whoever asks, and all that led to it, is never one of them.
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
}

# Sets of_run: words PID:START:HOW of the processes of the run with this id and folder, beside its
# wrapper. HOW is session, environment or log.
find_processes() {
  seen=' '
  of_run=
  case $r_pid:$processes in
    [0-9]*:*":$r_pid "*)
      # A process that has the wrapper's number now has a session of its own under that number.
      read_stat "$r_pid"
      identity $stat
      if [ "${start:-$r_start}" = "$r_start" ]; then
        for row in $processes; do
          [ "${row##*:}" != "$r_pid" ] || found "${row%%:*}" session
        done
      fi
      ;;
  esac
  case $marks in
    *"${newline}EAGLE3_RUN=$1$newline"*)
      # Which may have it is one question; a grep that stops at a zero byte answers it for none.
      marked=$(grep -l -F -e "EAGLE3_RUN=$1" -- $environments 2>/dev/null)
      for one in ${marked:-$environments}; do
        if tr '\0' '\n' <"$one" | grep -qxF -e "EAGLE3_RUN=$1"; then
          one=${one#/proc/}
          found "${one%/environ}" environment
        fi
      done 2>/dev/null
      ;;
  esac
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
      l?w*" -> $log" | l?w*" -> $log (deleted)") holders="$holders ${one%/fd:}" ;;
    esac
  done
  unset IFS
  set +f
  for one in $holders; do
    found "$one" log
  done
}
