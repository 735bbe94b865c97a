# Deletes one folder that set-aside.sh, quarantine.sh or undo.sh made for a run. This and prune-run.sh
# are the only scripts of eagle3 that delete what a run saved.
#
# Arguments: STATE RUN PATH
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   PATH   the folder, as STATE/runs/RUN.aside notes it
# It follows output-notes, which describes that note, in the same shell.
#
# Deleted is that folder alone: its path must be noted for RUN, and be the one that those scripts give;
# it must be a folder and no link, reached without any link, and the very one that was noted (the same device
# and inode); nothing may be mounted in it, and neither a home nor STATE may lie in it. It is renamed to
# PATH.removing first, so that undo.sh never puts half of it back. No link in it is followed.
# Run again after an interruption, it does the rest; what was deleted it notes in RUN.aside, too.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   removed PATH BYTES       it is gone; so much is free on its file system now, - where unknown
#   left PATH WHY            not all of it could be deleted, with exit code 1
#   refused WHY              nothing was deleted, with exit code 11
set -uf
state=${1:-${HOME:-}/.eagle3} run=$2 path=$3

check_run
record=$state/runs/$run.aside
[ -f "$record" ] && [ ! -L "$record" ] || refuse "nothing is noted for run $run"
[ "$(stat -c %u "$record")" = "$(id -u)" ] || refuse "the note of run $run is of another user"
one_at_a_time

# The line that notes this very path, and the folder that it belongs to.
target= was= pruned=no
while IFS=$tab read -r word one two three four five six; do
  case $word in
    target) mean "$three" && target=$meant ;;
    pruned) mean "$one" && [ "$meant" != "$path" ] || pruned=yes ;;
  esac
  if is_of_folder "$word" "$one" "$two" "$three" "$four" "$five" "$six" && [ "$meant" = "$path" ]; then was=$known; fi
done <"$record"
[ -n "$was" ] && [ -n "$target" ] || refuse "it is not noted for run $run: $path"
case $path in
  "$target.before-$run" | "$target/.before-$run" | "$target.undone-$run" | "$target/.undone-$run") ;;
  "$target.quarantine-$run" | "$target/.quarantine-$run") ;;
  *) refuse "that is no folder which eagle3 made for run $run: $path" ;;
esac
case $path/ in */../* | */./* | *//*) refuse "that is no plain path: $path" ;; esac

gone=$path.removing
if there "$path"; then
  # The file system may have given the new one the number of the old one.
  [ "$pruned" = no ] || refuse "it was deleted, and another folder than the one that was noted stands there: $path"
  ! there "$gone" || refuse "two are there: $path and $gone"
  look=$path
else
  if ! there "$gone"; then
    [ "$pruned" = yes ] || refuse "it is not there any more: $path"
    row removed "$path" -
    exit 0
  fi
  look=$gone
fi
[ ! -L "$look" ] || refuse "it is a link: $look"
[ -d "$look" ] || refuse "it is no folder: $look"
leads=$(readlink -f "$look" && printf .)
[ "$leads" = "$look$newline." ] || refuse "a link leads to it: $look"
[ "$(identity "$look")" = "$was" ] || refuse "it is another folder than the one that was noted (device:inode $(identity "$look"), noted $was): $look"
for kept in "$state" "${HOME:-}"; do
  [ -n "$kept" ] || continue
  resolved=$(readlink -f "$kept" && printf .) || continue
  case ${resolved%"$newline".}/ in "$look"/*) refuse "it holds $kept" ;; esac
done

# Mounts are listed with blanks, tabs, line ends and backslashes as octal numbers.
mounted=
rest=$look
while [ -n "$rest" ]; do
  tail=${rest#?}
  char=${rest%"$tail"}
  case $char in
    ' ') char='\040' ;;
    "$tab") char='\011' ;;
    "$newline") char='\012' ;;
    \\) char='\134' ;;
  esac
  mounted=$mounted$char
  rest=$tail
done
[ -r /proc/self/mountinfo ] || refuse 'it cannot be seen what is mounted there'
while read -r one two three four place rest; do
  case $place/ in "$mounted"/*) refuse "something is mounted in it: $place" ;; esac
done </proc/self/mountinfo

if [ "$look" = "$path" ]; then
  rename "$path" "$gone" || refuse "it cannot be renamed: $trouble"
  if [ "$(identity "$gone")" != "$was" ]; then
    rename "$gone" "$path"
    refuse "something else was put in its place meanwhile: $path"
  fi
fi
# Deleting may take long: others need not wait for it.
exec 9<&-
# Where rm knows how, it also stays on one file system whatever is mounted from now on.
one=
! rm -f --one-file-system 2>/dev/null || one=--one-file-system
said=$(rm -rf $one -- "${gone:?}" 2>&1 | head -n 1)
if there "$gone"; then
  row left "$gone" "${said:-something is being written there}"
  exit 1
fi
{ row pruned "$path" "$(date +%s)" >>"$record"; } 2>/dev/null
free=$(df -P -k "${path%/*}/" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)
case $free in '' | *[!0-9]*) free=- ;; *) free=$((free * 1024)) ;; esac
row removed "$path" "$free"
exit 0
