# Says which processes write to an output folder: those that have a file in it open for writing, and those
# whose command line names it behind a flag for it. Changes nothing. It follows run-processes and
# tell-processes in the same shell.
# Arguments: 1 output folder, 2... flags that name the output folder of a program.
# Answers: writer (as tell-processes tells a process)<TAB>open or named<TAB>the eagle3 run that it has the
# mark of, or -<TAB>its session; hidden when there are processes that this user cannot see; locked when a
# run has the lock of the folder; at last looked. Exit 11 when there is no such lock, and a writer without
# the mark of a run: those of runs are for the lock to tell.
set -u
folder=$1
shift
most_told=32
while :; do
  case $folder in ?*/) folder=${folder%/} ;; *) break ;; esac
done
real=$(readlink -f -- "$folder" && printf .) || real=
real=${real%"$newline".}
real=${real:-$folder}

# Whether a path on the command line of a process is the folder.
is_folder() {
  path=$2
  while :; do
    case $path in ?*/) path=${path%/} ;; *) break ;; esac
  done
  case $path in
    '') return 1 ;;
    /*) at=/proc/$1/root$path ;;
    *) at=/proc/$1/cwd/$path ;;
  esac
  [ "$path" = "$folder" ] || [ "$path" = "$real" ] || [ "$at" -ef "$folder" ]
}

# Whether the command line names the folder behind one of the flags. eagle3 itself does not write there.
names_folder() {
  process=$1
  shift
  words=$(head -c 16384 -- "/proc/$process/cmdline" 2>/dev/null | tr '\0' '\n')
  case $newline$words$newline in
    *"$newline"dev.eagle3.cli.Main"$newline"* | *"/eagle3${newline}"[a-z]*) return 1 ;;
  esac
  named=1
  set -f
  IFS=$newline
  for flag; do
    last=
    for word in $words; do
      if [ "$last" = "$flag" ]; then
        ! is_folder "$process" "$word" || named=0
      fi
      case $word in "$flag="*) ! is_folder "$process" "${word#"$flag="}" || named=0 ;; esac
      last=$word
    done
  done
  unset IFS
  set +f
  return "$named"
}

told=0
strangers=0
found_one() {
  run=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | sed -n 's/^EAGLE3_RUN=//p' | head -n 1)
  case $run in $run_form) ;; *) run=- ;; esac
  look_at "$1" || return 0
  [ "$run" != - ] || strangers=1
  told=$((told + 1))
  [ "$told" -gt "$most_told" ] || tell_process writer "$1" "$2" "$run" "$session"
}

list_processes
holders=' '
one=
set -f
IFS=$newline
for line in $writers; do
  unset IFS
  case $line in
    /proc/*/fd:)
      one=${line#/proc/}
      one=${one%/fd:}
      ;;
    l?w*" -> $real/"*)
      case $holders in *" $one "*) continue ;; esac
      [ "$one" = "$$" ] || holders="$holders$one "
      ;;
  esac
done
unset IFS
set +f
for one in $holders; do
  found_one "$one" open
done
if [ $# -gt 0 ]; then
  lines=
  for row in $processes; do
    lines="$lines /proc/${row%%:*}/cmdline"
  done
  # Few command lines have such a flag.
  wanted=
  for flag; do
    wanted="$wanted$flag$newline"
  done
  some=$lines
  # Not a grep that stops at a zero byte.
  if printf 'a\0b\n' | grep -q b; then
    some=$(grep -l -F -e "${wanted%"$newline"}" -- $lines 2>/dev/null)
  fi
  for one in $some; do
    one=${one#/proc/}
    one=${one%/cmdline}
    case $holders in *" $one "*) continue ;; esac
    ! names_folder "$one" "$@" || found_one "$one" named
  done
fi
! some_are_hidden || echo hidden
locked=
for entry in "$real.eagle3-lock"/$run_form "$real/.eagle3-lock"/$run_form; do
  [ ! -e "$entry" ] || locked=yes
done
[ -z "$locked" ] || echo locked
echo looked
[ "$strangers" = 0 ] || [ -n "$locked" ] || exit 11
