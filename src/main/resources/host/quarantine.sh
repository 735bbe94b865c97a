# Takes files that are no good out of an output folder before a run goes on in it, by renaming them;
# nothing is deleted or copied. The rest stays where it is. Undone by undo.sh.
#
# FOLDER/NAME becomes FOLDER.quarantine-RUN/NAME, or FOLDER/.quarantine-RUN/NAME where FOLDER is a mount
# point or stands in a folder that may not be written. A file .eagle3-manifest there says why each came.
# Before that, STATE/runs/RUN.aside notes the folder, as output-notes describes it, which this script
# follows in the same shell; also where there is nothing to take out.
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
run=$1 folder=$2 state=${3:-${HOME:-}/.eagle3} act=$4
shift 4

check_run
check_path "$folder"
strip "$folder"
written=$bare
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

[ "$act" != do ] || check_lock

quarantine=$target.quarantine-$run
! is_fixed || quarantine=$target/.quarantine-$run
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
