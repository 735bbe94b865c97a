# Says what set-aside.sh, quarantine.sh and undo.sh noted of the runs of this user. Changes nothing.
# It follows output-notes in the same shell.
#
# Arguments: STATE ACT
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   ACT    notes; or sizes, which also looks at the folders that are noted
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   note RUN FIELD...   a line of RUN.aside, as output-notes describes it
#   there RUN PATH DEVICE:INODE BYTES ENTRIES TIME  that folder is there; BYTES - where counting takes
#                       long; TIME of the note. PATH ends with .removing where prune.sh was interrupted
#   free PATH BYTES     so much is free on the file system of PATH
set -uf
state=${1:-${HOME:-}/.eagle3} act=$2

count_of() {
  count=0
  set +f
  for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    ! there "$entry" || count=$((count + 1))
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
    is_of_folder "$word" "$one" "$two" "$three" "$four" "$five" "$six" || continue
    case $meant in /*) ;; *) continue ;; esac
    since=${since##*"$tab"}
    tell "$meant" "$since"
    tell "$meant.removing" "$since"
    free=$(df -P -k "${meant%/*}/" 2>/dev/null | tail -n 1)
    free=$(printf '%s\n' "$free" | tr -s ' ' | cut -d ' ' -f 4)
    case $free in '' | *[!0-9]*) ;; *) row free "$meant" "$((free * 1024))" ;; esac
  done <"$record"
done
exit 0
