# Takes files that are no good out of an output folder before a run goes on in it, by renaming them;
# nothing is deleted or copied. The rest stays where it is. Undone by undo.sh.
#
# FOLDER/NAME becomes FOLDER.quarantine-RUN/NAME, or FOLDER/.quarantine-RUN/NAME where FOLDER is a mount
# point or stands in a folder that may not be written. A file .eagle3-manifest there says why each came.
# Before that, STATE/runs/RUN.aside notes the folder, as set-aside.sh says; also where there is nothing to
# take out.
#
# Arguments: RUN FOLDER STATE ACT [NAME WHY]...
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   ACT    do; or look, which refuses what do would refuse, and changes nothing
#   NAME   of a file right in FOLDER, and WHY in a few words what is wrong with it; some hundred at a time
#
# Refused, with nothing changed: a path that is empty, relative or has "..", the root folder, something that
# is no folder or may not be written, names that are no names of files, a name that is taken, a lock that RUN
# has lost.
# Run again after an interruption, it does the rest.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   kept FOLDER              that is where the run goes on
#   quarantined PATH COUNT   so many files are there
#   gone NAME                it was not there any more
#   refused WHY              with exit code 11
set -uf
LC_ALL=C
export LC_ALL
run=$1 folder=$2 state=${3:-${HOME:-}/.eagle3} act=$4
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

identity() { stat -c %d:%i "$1" 2>/dev/null || echo none; }

# Sets number: one more than any note has.
count_on() {
  set +f
  number=$(cat "$state/runs"/[0-9]*.aside 2>/dev/null | cut -f 2 | sort -n | tail -n 1)
  set -f
  case $number in '' | *[!0-9]*) number=0 ;; esac
  number=$((number + 1))
}

# Makes the new folder like the old one.
make_like() {
  mode=$(stat -c %a "$1") owner=$(stat -c %u:%g "$1") || return 1
  [ -d "$2" ] || trouble=$( (umask 077 && mkdir "$2") 2>&1) || return 1
  [ "$(stat -c %u:%g "$2")" = "$owner" ] || chown "$owner" "$2" 2>/dev/null
  chmod "$mode" "$2"
}

# One of these at a time, also when a client that lost its connection asks again while the first one runs.
# The kernel lets go of it when this ends, however that is.
one_at_a_time() {
  [ -d "$state/runs" ] && [ -r "$state/runs" ] || return 0
  exec 9<"$state/runs"
  timeout 120 flock 9 2>/dev/null
  case $? in 124 | 143) refuse "another step of eagle3 on $state/runs does not end" ;; esac
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
if [ "$act" = do ]; then
  [ -d "$state/runs" ] || (umask 077 && mkdir -p "$state/runs") 2>/dev/null
  one_at_a_time
fi
resolve "$state"
case ${resolved%/}/ in "$target"/*) refuse "it is, or holds, the state of eagle3: $state" ;; esac
case $target/ in "${resolved%/}"/*) refuse "it lies in the state of eagle3: $resolved" ;; esac
there "$target" || [ "$act" != look ] || exit 0
if ! there "$target"; then
  trouble=$(mkdir -p "$target" 2>&1) || refuse "the folder cannot be made: $trouble"
fi
[ -d "$target" ] || refuse 'it is not a folder'
[ -r "$target" ] && [ -x "$target" ] && [ -w "$target" ] || refuse 'it may not be read and written'

lock_note=$state/runs/$run.lock
if [ "$act" = do ] && [ -s "$lock_note" ]; then
  lock=$(cat "$lock_note")
  [ -e "$lock/$run" ] || refuse "run $run holds the lock $lock no more: another run took it over"
fi

quarantine=$target.quarantine-$run
if mountpoint -q "$target" 2>/dev/null || [ ! -w "${target%/*}/" ]; then
  quarantine=$target/.quarantine-$run
elif [ "$(stat -c %d "$target")" != "$(stat -c %d "${target%/*}/")" ]; then
  quarantine=$target/.quarantine-$run
fi
record=$state/runs/$run.aside
begun=no
if [ -f "$record" ]; then
  begun=yes
elif there "$quarantine"; then
  refuse "the name is taken: $quarantine"
fi
at=0
for word; do
  at=$((at + 1))
  [ $((at % 2)) = 1 ] || continue
  case $word in '' | . | .. | */* | .eagle3-manifest) refuse "that is no name of a file: $word" ;; esac
  [ -d "$target/$word" ] && [ ! -L "$target/$word" ] && refuse "that is a folder: $word"
done
[ "$act" = do ] || exit 0

note_down() {
  count_on
  if ! (umask 077 && { row target "$number" "$run" "$target" "$written" && row "$@"; } >"$record.new" &&
    [ "$(tail -n 1 "$record.new")" = "$(row "$@")" ] && mv -f "$record.new" "$record") 2>/dev/null; then
    rm -f "$record.new" 2>/dev/null
    refuse "nothing can be noted in $state/runs: it may not be written, or the disk is full"
  fi
}

if [ $# = 0 ]; then
  [ "$begun" = yes ] || note_down kept "$target"
  row kept "$target"
  exit 0
fi
if [ ! -d "$quarantine" ]; then
  # Noted twice: what it makes is never without a note, and is noted before anything goes into it.
  note_down quarantine "$quarantine" none - - "$(date +%s)"
  if ! make_like "$target" "$quarantine"; then
    rm -f "$record"
    refuse "$quarantine cannot be made: $trouble"
  fi
fi
identity=$(identity "$quarantine")
[ "$(tail -n 1 "$record" 2>/dev/null | cut -f 1,3)" = "quarantine$tab$identity" ] ||
  note_down quarantine "$quarantine" "$identity" - - "$(date +%s)"

# What is wrong with each is written before any is moved.
manifest() {
  while [ $# -ge 2 ]; do
    row "$1" "$2"
    shift 2
  done
}
{ manifest "$@" >>"$quarantine/.eagle3-manifest"; } 2>/dev/null ||
  refuse "nothing can be written in $quarantine: it may not be written, or the disk is full"

at=0
for word; do
  shift
  at=$((at + 1))
  [ $((at % 2)) = 1 ] || continue
  if there "$target/$word"; then
    set -- "$@" "$target/$word"
  elif ! there "$quarantine/$word"; then
    row gone "$word"
  fi
done
[ $# = 0 ] || (ulimit -f 0 && exec mv -n "$@" "$quarantine/") 2>/dev/null
for entry; do
  ! there "$entry" || refuse "not all of it can be moved, for example $entry; what was moved is in $quarantine"
done
count=0
set +f
for entry in "$quarantine"/* "$quarantine"/.[!.]* "$quarantine"/..?*; do
  set -f
  there "$entry" || continue
  [ "${entry##*/}" = .eagle3-manifest ] || count=$((count + 1))
done
row kept "$target"
row quarantined "$quarantine" "$count"
exit 0
