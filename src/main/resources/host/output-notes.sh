# Knows the notes on output folders, how a folder is renamed, and how a path is answered. Changes nothing
# and answers nothing of its own: set-aside, quarantine, quarantine-files, undo, list-aside, prune and prune-run
# follow it in the same shell, its arguments are theirs, and what it knows is used where they say so. It deletes nothing.
#
# STATE/runs/RUN.aside notes what was done to the output folder of a run: what is renamed to where, and
# which folder it is (device:inode). Those scripts go by that note, not by names. Its lines, fields
# separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends; - for what is empty:
#   target NUMBER RUN TARGET FOLDER  NUMBER counts what is done to folders, in all notes together
#   aside PATH DEVICE:INODE HOW BYTES ENTRIES TIME; or created PATH, or empty PATH, in its place
#   kept PATH, or quarantine PATH DEVICE:INODE BYTES ENTRIES TIME, by quarantine.sh
#   undone NUMBER RUN TARGET PATH DEVICE:INODE TIME, by undo.sh
#   answered - WORD ROW, by undo.sh: what it answered to whoever asked with that word
#   pruned PATH TIME, by prune.sh; over TIME, by prune-run.sh
#
# What follows reads the variables state (that folder), run, target (the output folder, links followed),
# written (as it was named) and record (the note) of the script that calls it.
set -uf
LC_ALL=C
export LC_ALL
newline='
'
tab=$(printf '\t')
carriage_return=$(printf '\r')

# --- answers

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

# Sets meant: the path behind a field.
mean() {
  meant=$(printf '%b.' "$1")
  meant=${meant%.}
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

check_run() { case $run in *[!0-9a-f-]* | '') refuse 'the run id has another form' ;; esac; }

check_path() {
  case $1 in
    '') refuse 'the path is empty' ;;
    /*) ;;
    *) refuse 'the path is relative' ;;
  esac
  case $1/ in */../*) refuse 'the path has .. in it' ;; esac
}

# --- paths

there() { [ -e "$1" ] || [ -L "$1" ]; }

identity() { stat -c %d:%i "$1" 2>/dev/null || echo none; }

# Sets bare: the path without slashes at its end.
strip() {
  bare=$1
  while :; do
    case $bare in ?*/) bare=${bare%/} ;; *) break ;; esac
  done
}

# Sets resolved: where an absolute path leads, links followed. The dot keeps a line end in a name.
resolve() {
  resolved=$(readlink -f "$1" 2>/dev/null && printf .) || resolved=
  resolved=${resolved%"$newline".}
  if [ -z "$resolved" ]; then
    strip "$1"
    resolved=$bare
  fi
}

bytes_of() {
  bytes=$(timeout 10 du -s -k "$1" 2>/dev/null) || bytes=
  bytes=${bytes%%[!0-9]*}
  if [ -n "$bytes" ]; then bytes=$((bytes * 1024)); else bytes=-; fi
}

# Whether the target cannot be renamed itself: it is a mount point, or in a folder that may not be written.
is_fixed() {
  ! mountpoint -q "$target" 2>/dev/null && [ -w "${target%/*}/" ] || return 0
  [ "$(stat -c %d "$target")" != "$(stat -c %d "${target%/*}/")" ]
}

# Renames, and says why not in trouble. mv copies where it cannot rename, and a copy of terabytes is
# not what was asked for: with a file size limit of 0 it cannot. -T never moves into a folder.
rename() {
  trouble=$( (ulimit -f 0 && exec mv -n -T "$1" "$2") 2>&1)
  trouble=${trouble:-the file system can only copy it}
  there "$2" && ! there "$1"
}

# Whether an entry of a folder is no output, but of the file system or ours.
stays() { case $1 in lost+found | .before-* | .undone-* | .quarantine-* | .eagle3-lock) ;; *) return 1 ;; esac; }

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

# Makes the new folder like the old one.
make_like() {
  mode=$(stat -c %a "$1") owner=$(stat -c %u:%g "$1") || return 1
  [ -d "$2" ] || trouble=$( (umask 077 && mkdir "$2") 2>&1) || return 1
  [ "$(stat -c %u:%g "$2")" = "$owner" ] || chown "$owner" "$2" 2>/dev/null
  chmod "$mode" "$2"
}

# --- notes

# One of these at a time, also when a client that lost its connection asks again while the first one runs.
# The kernel lets go of it when this ends, however that is.
one_at_a_time() {
  [ -d "$state/runs" ] && [ -r "$state/runs" ] || return 0
  exec 9<"$state/runs"
  timeout 120 flock 9 2>/dev/null
  case $? in 124 | 143) refuse "another step of eagle3 on $state/runs does not end" ;; esac
}

# Refuses when another run has taken over the lock that this one had on the folder.
check_lock() {
  [ -s "$state/runs/$run.lock" ] || return 0
  lock=$(cat "$state/runs/$run.lock")
  [ -e "$lock/$run" ] || refuse "run $run holds the lock $lock no more: another run took it over"
}

# Sets number: one more than any note has.
count_on() {
  set +f
  number=$(cat "$state/runs"/[0-9]*.aside 2>/dev/null | cut -f 2 | sort -n | tail -n 1)
  set -f
  case $number in '' | *[!0-9]*) number=0 ;; esac
  number=$((number + 1))
}

# Notes what is about to be done; arguments are the second line. Complete or not there.
note_down() {
  count_on
  if ! (umask 077 && { row target "$number" "$run" "$target" "$written" && row "$@"; } >"$record.new" &&
    [ "$(tail -n 1 "$record.new")" = "$(row "$@")" ] && mv -f "$record.new" "$record") 2>/dev/null; then
    rm -f "$record.new" 2>/dev/null
    refuse "nothing can be noted in $state/runs: it may not be written, or the disk is full"
  fi
}

# Whether a line of a note, seven fields, is about a folder that was made. Sets meant to its path, known to
# its device:inode, and since to the time.
is_of_folder() {
  case $1 in
    aside) path_field=$2 known=$3 since=$7 ;;
    quarantine) path_field=$2 known=$3 since=$6 ;;
    undone) path_field=$5 known=$6 since=$7 ;;
    *) return 1 ;;
  esac
  mean "$path_field"
}

