# Puts back the output that set-aside.sh set aside before a run; nothing is deleted.
#
# FOLDER.before-RUN becomes FOLDER again. What the run wrote in between is kept: an empty FOLDER is
# removed, one with files becomes FOLDER.undone-RUN. Where FOLDER could not be renamed, the entries of
# FOLDER/.before-RUN come back, and those in the way go into FOLDER/.undone-RUN.
#
# Arguments: RUN FOLDER LIVES [STATE]
#   FOLDER  the output folder
#   LIVES   live when the run still lives: then nothing is done; over; or unlaunched, when it was
#           prepared and never launched: then the note that lock-output.sh left says the folder
#   STATE   folder of eagle3's state; empty: $HOME/.eagle3
# Run again after an interruption, it does the rest. Meanwhile it has the lock on the folder, in the
# name of RUN, and it leaves no lock of RUN behind: while another run has it, nothing is done.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   undone PATH         what the run wrote is now there
#   restored PATH FROM  previous output is at PATH again, and was at FROM
#   refused WHY         with exit code 11
set -uf
LC_ALL=C
export LC_ALL
run=$1 folder=$2 lives=$3 state=${4:-${HOME:-}/.eagle3}

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

# Renames, and says why not in trouble. mv copies where it cannot rename, and a copy of terabytes is
# not what was asked for: with a file size limit of 0 it cannot. -T never moves into a folder.
rename() {
  trouble=$( (ulimit -f 0 && exec mv -n -T "$1" "$2") 2>&1)
  trouble=${trouble:-the file system can only copy it}
  there "$2" && ! there "$1"
}

# Whether an entry of a folder is no output, but of the file system or ours.
stays() { case $1 in lost+found | .before-* | .undone-* | .eagle3-lock) ;; *) return 1 ;; esac; }

# Moves the entries of a folder into another of the same file system, without those that stay. What cannot be moved, or is there already, stays.
move_entries() {
  from=$1 to=$2
  set --
  set +f
  for entry in "$from"/* "$from"/.[!.]* "$from"/..?*; do
    set -f
    case ${entry##*/} in '*' | '.[!.]*' | '..?*') there "$entry" || continue ;; esac
    ! stays "${entry##*/}" || continue
    set -- "$@" "$entry"
    if [ $# -ge 500 ]; then
      move "$@"
      set --
    fi
  done
  set -f
  [ $# = 0 ] || move "$@"
}

move() { (ulimit -f 0 && exec mv -n "$@" "$to/") 2>/dev/null; }

# Whether a folder has an entry that does not stay.
has_entries() {
  set +f
  for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    set -f
    case ${entry##*/} in '*' | '.[!.]*' | '..?*') there "$entry" || continue ;; esac
    ! stays "${entry##*/}" || continue
    return 0
  done
  set -f
  return 1
}

# Refuses when a lock names another run. Sets locked when one names this run.
look_at_locks() {
  locked=no
  for place in "$beside" "$within"; do
    set +f
    for entry in "$place"/[0-9]*; do
      set -f
      there "$entry" || continue
      [ "${entry##*/}" = "$run" ] || refuse "run ${entry##*/} uses it: the lock $place names that run"
      locked=yes
    done
    set -f
  done
}

# Takes the lock as lock-output.sh does. Where none can be made, nobody else can make one either.
take_lock() {
  trap give_back EXIT
  own=$beside
  if [ ! -w "${target%/*}/" ] || mountpoint -q "$target" 2>/dev/null; then own=$within; fi
  tries=0
  while :; do
    look_at_locks
    [ "$locked" = no ] || return 0
    if mkdir "$own" 2>/dev/null; then
      { printf '%s\n' "$state/runs/$run" >"$own/$run"; } 2>/dev/null
      look_at_locks
      return 0
    fi
    [ -d "$own" ] && [ "$tries" -lt 20 ] || return 0
    # Its maker is about to sign it, or died before: an empty folder is removed after a while.
    tries=$((tries + 1))
    sleep 0.05 2>/dev/null || sleep 1
    [ "$tries" -lt 10 ] || rmdir "$own" 2>/dev/null
  done
}

give_back() {
  for place in "$beside" "$within"; do
    [ ! -f "$place/$run" ] || { rm -f "$place/$run"; rmdir "$place"; } 2>/dev/null
  done
  [ "$settled" = no ] || [ -z "$note" ] || rm -f "$note"
}

case $run in
  *[!0-9a-f-]* | '') refuse 'the run id has another form' ;;
esac
note= settled=no
if [ "$lives" = unlaunched ]; then
  [ ! -d "$state/runs/$run" ] || refuse "run $run was launched"
  note=$state/runs/$run.lock
  [ -f "$note" ] || refuse 'no such run was launched or prepared there'
  noted=$(cat "$note" && printf .)
  noted=${noted%"$newline".}
  case $noted in
    /*/.eagle3-lock) folder=${noted%/.eagle3-lock} ;;
    /*.eagle3-lock) folder=${noted%.eagle3-lock} ;;
    *) refuse "it was left before it locked a folder, so nothing was set aside" ;;
  esac
fi
case $folder in
  '') refuse 'the path is empty' ;;
  /*) ;;
  *) refuse 'the path is relative' ;;
esac
case $folder/ in */../*) refuse 'the path has .. in it' ;; esac
[ "$lives" != live ] || refuse "run $run lives, and writes there"

resolve "$folder"
target=$resolved
[ "$target" != / ] || refuse 'it is the root folder'
aside=$target.before-$run
undone=$target.undone-$run
inside=$target/.before-$run
inner_undone=$target/.undone-$run
beside=$target.eagle3-lock
within=$target/.eagle3-lock
take_lock

if [ -d "$aside" ]; then
  # Beside the folder: set-aside.sh may have stopped between renaming and making the new folder, and
  # this script between its own two renames; then there is no folder, and the last step is left.
  if there "$target"; then
    [ -d "$target" ] && [ ! -L "$target" ] || refuse "it is no folder any more; previous output is in $aside"
    [ ! -d "$inside" ] || refuse "two were set aside: $aside and $inside"
    if ! rmdir "$target" 2>/dev/null; then
      there "$undone" && refuse "the name is taken: $undone"
      rename "$target" "$undone" || refuse "it cannot be renamed: $trouble"
      row undone "$undone"
    fi
  fi
  rename "$aside" "$target" || refuse "previous output cannot be renamed: $trouble; it is in $aside"
  settled=yes
  row restored "$target" "$aside"
  exit 0
fi

# In the folder itself. The names say how far it is: .part while it is set aside, .back while it comes back.
if [ -d "$inside" ]; then
  if has_entries "$target"; then
    [ -d "$inner_undone" ] || trouble=$(mkdir "$inner_undone" 2>&1) || refuse "a folder cannot be made in it: $trouble"
    move_entries "$target" "$inner_undone"
    ! has_entries "$target" || refuse "what the run wrote cannot be moved to $inner_undone"
    row undone "$inner_undone"
  fi
  rename "$inside" "$inside.back" || refuse "it cannot be renamed: $trouble"
fi
for source in "$inside.part" "$inside.back"; do
  [ -d "$source" ] || continue
  move_entries "$source" "$target"
  rmdir "$source" 2>/dev/null || refuse "some of it cannot be put back, and is in $source"
  settled=yes
  row restored "$target" "$source"
  exit 0
done
settled=yes
refuse "nothing is set aside: there is no $aside"
