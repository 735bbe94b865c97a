# Says what set-aside.sh, quarantine.sh and undo.sh noted of the runs of this user. Changes nothing.
#
# Arguments: STATE ACT
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   ACT    notes; or sizes, which also looks at the folders that are noted
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   note RUN FIELD...   a line of RUN.aside, as set-aside.sh describes it
#   there RUN PATH DEVICE:INODE BYTES ENTRIES TIME  that folder is there; BYTES - where counting takes
#                       long; TIME of the note. PATH ends with .removing where prune.sh was interrupted
#   free PATH BYTES     so much is free on the file system of PATH
set -uf
LC_ALL=C
export LC_ALL
state=${1:-${HOME:-}/.eagle3} act=$2

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

# Sets meant: the path behind a field.
mean() {
  meant=$(printf '%b.' "$1")
  meant=${meant%.}
}

identity() { stat -c %d:%i "$1" 2>/dev/null || echo none; }

bytes_of() {
  bytes=$(timeout 10 du -s -k "$1" 2>/dev/null) || bytes=
  bytes=${bytes%%[!0-9]*}
  if [ -n "$bytes" ]; then bytes=$((bytes * 1024)); else bytes=-; fi
}

count_of() {
  count=0
  set +f
  for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    [ ! -e "$entry" ] && [ ! -L "$entry" ] || count=$((count + 1))
  done
  set -f
}

tell() {
  [ -d "$1" ] && [ ! -L "$1" ] || return 0
  bytes_of "$1"
  count_of "$1"
  row there "$run" "$1" "$(identity "$1")" "$bytes" "$count" "$2"
}

set +f
set -- "$state/runs"/[0-9]*-[0-9]*-????.aside
set -f
for record; do
  [ -f "$record" ] || continue
  run=${record##*/}
  run=${run%.aside}
  while IFS= read -r line; do
    printf 'note\t%s\t%s\n' "$run" "$line"
  done <"$record"
  [ "$act" = sizes ] || continue
  while IFS=$tab read -r word one two three four five six; do
    case $word in
      aside | quarantine)
        path=$one
        time=$five
        [ "$word" = quarantine ] || time=$six
        ;;
      undone)
        path=$four
        time=$six
        ;;
      *) continue ;;
    esac
    mean "$path"
    case $meant in /*) ;; *) continue ;; esac
    time=${time##*"$tab"}
    tell "$meant" "$time"
    tell "$meant.removing" "$time"
    free=$(df -P -k "${meant%/*}/" 2>/dev/null | tail -n 1)
    free=$(printf '%s\n' "$free" | tr -s ' ' | cut -d ' ' -f 4)
    case $free in '' | *[!0-9]*) ;; *) row free "$meant" "$((free * 1024))" ;; esac
  done <"$record"
done
exit 0
