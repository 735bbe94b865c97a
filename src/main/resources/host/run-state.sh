# Says what is known of runs. Changes nothing.
# Arguments: 1 state folder (empty: $HOME/.eagle3), then run ids, or latest.
# Answers: here<TAB>time<TAB>boot id<TAB>node<TAB>pid namespace<TAB>time of boot;
# then for each run that there is: run<TAB>id<TAB>folder, and of these what is known: exit<TAB>code or
# pending; wrapper<TAB>pid<TAB>start time<TAB>boot id<TAB>node<TAB>pid namespace, as recorded;
# wrapper-is<TAB>alive or gone or elsewhere; alive<TAB>time of the last beat; process<TAB>pid<TAB>start
# time<TAB>session or environment or log for each process of the run when its wrapper is gone, and what
# shows that it is one; log<TAB>bytes<TAB>device:inode. The log is asked last: a run that is over has
# written all of it by then.
set -u
state=${1:-${HOME:-}/.eagle3}
shift
runs=$state/runs

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

boot=
node=
read -r boot </proc/sys/kernel/random/boot_id
read -r node </proc/sys/kernel/hostname
space=$(readlink /proc/self/ns/pid)

exit_of() {
  code=
  for ended in "$1"/exit.*; do
    case ${ended##*/exit.} in
      pending) code=pending ;;
      *[!0-9]* | '') ;;
      *)
        code=${ended##*/exit.}
        break
        ;;
    esac
  done
}

recorded() {
  [ -f "$1/pid" ] || return 1
  IFS='	' read -r r_pid r_start r_boot r_node r_space <"$1/pid"
  case $r_pid in '' | *[!0-9]*) return 1 ;; esac
  case $r_start in '' | *[!0-9]*) return 1 ;; esac
}

wrapper_is() {
  if [ "$r_boot" != "$boot" ] || [ "$r_node" != "$node" ] || [ "$r_space" != "$space" ]; then
    is=elsewhere
  elif look_at "$r_pid" && [ "$start" = "$r_start" ]; then
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
  read -r up rest </proc/self/stat
  while [ "$up" -gt 0 ]; do
    own="$own$up "
    read_stat "$up"
    identity $stat
    up=$parent
  done
  lines=$(cd /proc && cat [0-9]*/stat 2>/dev/null)
  set -f
  IFS='
'
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
}

found() {
  case $seen in *" $1 "*) return ;; esac
  seen="$seen$1 "
  look_at "$1" || return
  case $since in
    *" $1:$start "*) printf 'process\t%s\t%s\t%s\n' "$1" "$start" "$2" ;;
  esac
}

# The processes of a run whose wrapper is gone: of its session, or with its log open for writing, or
# with its mark in their environment, and in any case not older than the run.
processes_of() {
  [ -n "$processes" ] || list_processes
  seen=' '
  since=' '
  members=
  environments=
  folders=
  for row in $processes; do
    one=${row%%:*}
    row=${row#*:}
    [ "${row%:*}" -ge "$r_start" ] 2>/dev/null || continue
    since="$since$one:${row%:*} "
    [ "${row#*:}" != "$r_pid" ] || members="$members $one"
    environments="$environments /proc/$one/environ"
    folders="$folders /proc/$one/fd"
  done
  [ -n "$folders" ] || return
  # A process that has the wrapper's number now has a session of its own under that number.
  read_stat "$r_pid"
  identity $stat
  [ "${start:-$r_start}" = "$r_start" ] || members=
  for one in $members; do
    found "$one" session
  done
  # Most often none has the mark: that is one question. Only else each is asked.
  if cat -- $environments 2>/dev/null | tr '\0' '\n' | grep -qxF -- "EAGLE3_RUN=$id"; then
    for row in $since; do
      one=${row%%:*}
      if tr '\0' '\n' <"/proc/$one/environ" | grep -qxF -- "EAGLE3_RUN=$id"; then
        found "$one" environment
      fi
    done 2>/dev/null
  fi
  log=$(readlink -f -- "$folder/log") || return
  lines=$(QUOTING_STYLE=literal ls -l -- "/proc/$$/fd" $folders 2>/dev/null | grep -F -e '/fd:' -e " -> $log")
  writers=
  set -f
  IFS='
'
  for line in $lines; do
    case $line in
      /proc/*/fd:) one=${line#/proc/} ;;
      l?w*" -> $log" | l?w*" -> $log (deleted)") writers="$writers ${one%/fd:}" ;;
    esac
  done
  unset IFS
  set +f
  for one in $writers; do
    found "$one" log
  done
}

tell() {
  id=$1
  folder=$runs/$id
  [ -d "$folder" ] || return
  printf 'run\t%s\t%s\n' "$id" "$folder"
  exit_of "$folder"
  if recorded "$folder"; then
    wrapper_is
    # A wrapper that has noted the exit code is about to go.
    tries=0
    while [ "$is" = alive ] && [ "${code:-pending}" != pending ] && [ "$tries" -lt 50 ]; do
      tries=$((tries + 1))
      sleep 0.02 2>/dev/null || sleep 1
      wrapper_is
    done
    # It may have ended between the two questions.
    [ "$is" = alive ] || exit_of "$folder"
    printf 'wrapper\t%s\t%s\t%s\t%s\t%s\nwrapper-is\t%s\n' \
      "$r_pid" "$r_start" "$r_boot" "$r_node" "$r_space" "$is"
    [ "$is" != gone ] || processes_of
  fi
  [ -z "$code" ] || printf 'exit\t%s\n' "$code"
  beat=$(stat -c %Y -- "$folder/alive" 2>/dev/null) && printf 'alive\t%s\n' "$beat"
  size=$(stat -L -c '%s	%d:%i' -- "$folder/log" 2>/dev/null) && printf 'log\t%s\n' "$size"
}

processes=
now=$(date +%s)
read -r up rest </proc/uptime
printf 'here\t%s\t%s\t%s\t%s\t%s\n' "$now" "$boot" "$node" "$space" "$((now - ${up%%.*}))"
for wanted in "$@"; do
  if [ "$wanted" = latest ]; then
    wanted=
    for entry in "$runs"/[0-9]*-[0-9]*-????; do
      [ ! -d "$entry" ] || wanted=${entry##*/}
    done
  fi
  [ -z "$wanted" ] || tell "$wanted"
done
exit 0
