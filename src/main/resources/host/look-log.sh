# Says what a log is, and which processes have it open for writing, as far as the user who asks may see:
# for a run that eagle3 did not launch. Changes nothing. It follows run-processes and tell-processes in the
# same shell.
# Arguments: 1 log, 2... process ids that had it open before: while one of those has, no other is looked for.
# Answers: real<TAB>where the log leads, hexadecimal; user<TAB>who asks<TAB>time; still<TAB>pid for one of those
# processes; holder (as tell-processes tells a process) for each process that has it open for writing,
# and near for those of its process group; hidden when there are processes that this user cannot see, outside when this
# is a container, outside of which there may be others;
# missing, or other when it is no regular file, or unreadable, or
# log<TAB>bytes<TAB>device:inode<TAB>age of the last write in seconds<TAB>kind of file system; at last
# looked. The log is asked last: when nobody has it open any more all of it has been written by then.
set -u
log=$1
shift
QUOTING_STYLE=literal
export QUOTING_STYLE
most_told=32
tab=$(printf '\t')

real=$(readlink -f -- "$log" && printf .) || real=
real=${real%"$newline".}
[ -z "$real" ] || printf 'real\t%s\n' "$(printf %s "$real" | hexadecimal)"
printf 'user\t%s\t%s\n' "$(id -un 2>/dev/null || id -u)" "$(date +%s)"

# Whether what ls says of an open file of a process is the log; where somebody has deleted the log, too.
is_log() {
  case $2 in l?w*" -> "*) ;; *) return 1 ;; esac
  descriptor=${2%% -> *}
  descriptor=/proc/$1/fd/${descriptor##* }
  case $2 in *" -> $real (deleted)") [ -z "$real" ] || return 0 ;; esac
  [ "$descriptor" -ef "$log" ]
}

still=
for one; do
  is_number "$one" && [ -z "$still" ] || continue
  open=$(ls -l -- "/proc/$one/fd" 2>/dev/null | grep '^l.w.* -> /')
  set -f
  IFS=$newline
  for line in $open; do
    unset IFS
    [ -n "$still" ] || ! is_log "$one" "$line" || still=$one
  done
  unset IFS
  set +f
done

if [ -n "$still" ]; then
  printf 'still\t%s\n' "$still"
else
  list_processes
  holders=' '
  groups=' '
  one=
  set -f
  IFS=$newline
  for line in $writers; do
    unset IFS
    case $line in
      /proc/*/fd:)
        one=${line#/proc/}
        one=${one%/fd:}
        continue
        ;;
    esac
    case $holders in *" $one "*) continue ;; esac
    if [ "$one" != "$$" ] && is_log "$one" "$line"; then
      holders="$holders$one "
      read_stat "$one"
      set -- $stat
      groups="$groups${3-0} "
    fi
  done
  unset IFS
  set +f
  count=0
  for one in $holders; do
    count=$((count + 1))
    [ "$count" -gt "$most_told" ] || tell_process holder "$one"
  done
  for row in $processes; do
    [ "$groups" != ' ' ] && [ "$count" -lt "$most_told" ] || break
    one=${row%%:*}
    case $holders in *" $one "*) continue ;; esac
    read_stat "$one"
    set -f
    set -- $stat
    set +f
    case $groups in
      *" ${3-none} "*)
        count=$((count + 1))
        tell_process near "$one"
        ;;
    esac
  done
  ! some_are_hidden || echo hidden
  # The first of all namespaces has this number on every Linux: it has all processes of the machine.
  case $space in *4026531836*) ;; *) echo outside ;; esac
fi

if [ ! -e "$log" ]; then
  # Who may not enter the folder does not know.
  folder=$(dirname -- "$log")
  if [ -d "$folder" ] && [ ! -x "$folder" ]; then echo unreadable; else echo missing; fi
elif [ ! -f "$log" ]; then
  echo other
elif [ ! -r "$log" ]; then
  echo unreadable
else
  facts=$(stat -L -c "%s$tab%d:%i$tab%Y" -- "$log" 2>/dev/null) || facts=
  kind=$(stat -L -f -c %T -- "$log" 2>/dev/null) || kind=
  is_text "$kind" || kind=unknown
  if [ -n "$facts" ]; then
    printf 'log\t%s\t%s\t%s\n' "${facts%"$tab"*}" "$(($(date +%s) - ${facts##*"$tab"}))" "$kind"
  else
    echo missing
  fi
fi
echo looked
