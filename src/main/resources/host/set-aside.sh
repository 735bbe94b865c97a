# Sets the previous output of an extraction aside by renaming it; nothing is deleted or copied.
#
# FOLDER becomes FOLDER.before-RUN, and a new empty FOLDER with the same mode and owner takes its
# place. Where FOLDER is a link, what it leads to is renamed, and the link stays. Where it cannot be
# renamed, being a mount point or in a folder that may not be written, its entries go into
# FOLDER/.before-RUN instead. Before that, STATE/runs/RUN.aside notes what is renamed to where, and
# which folder it is (device:inode): undo.sh, prune.sh and list-aside.sh go by that note, not by names.
#
# Arguments: RUN FOLDER AGAIN STATE ACT [KEEP...]
#   AGAIN  FOLDER once more, when it may be set aside although it holds other files than output
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
#   ACT    do; or look, which refuses what do would refuse, and changes nothing; or size, which also
#          says how much it is
#   KEEP   what the run needs where it is: model, data, script, interpreter
#
# Refused, with nothing changed: a path that is empty, relative or has "..", the root folder, a
# system folder, a home, a folder that is or holds STATE or one of KEEP, something that is no folder,
# a folder with other files than output, a name that is taken, a lock that RUN has lost, and what the
# system does not allow.
# Run again after an interruption, it does the rest. Asked again for the same RUN, it answers what was
# done, whatever stands in FOLDER by then.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   link FOLDER TARGET               FOLDER is a link to TARGET
#   aside PATH BYTES ENTRIES HOW     previous output is now PATH; BYTES - where counting takes long;
#                                    HOW is renamed, inside (FOLDER itself) or already (done before)
#   created PATH                     nothing was there; a new folder is
#   empty PATH                       it was empty already, and is left alone
#   would PATH BYTES ENTRIES         to ACT size: previous output would be PATH
#
# The note, in such lines too, - for what is empty:
#   target NUMBER RUN TARGET FOLDER  NUMBER counts what is done to folders, in all notes together
#   aside PATH DEVICE:INODE HOW BYTES ENTRIES TIME; or created PATH, or empty PATH, in its place
#   kept PATH, or quarantine PATH DEVICE:INODE BYTES ENTRIES TIME, by quarantine.sh
#   undone NUMBER RUN TARGET PATH DEVICE:INODE TIME, by undo.sh
#   pruned PATH TIME, by prune.sh; over TIME, by prune-run.sh
#   refused WHY                      with exit code 11
set -uf
LC_ALL=C
export LC_ALL
run=$1 folder=$2 again=$3 state=${4:-${HOME:-}/.eagle3} act=$5
shift 5

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

# Whether the folder is, or holds, the path.
holds() { case ${2%/}/ in "${1%/}"/*) ;; *) return 1 ;; esac; }

# Refuses when the folder is or holds the path, as it is written and where it leads.
protect() {
  resolve "$2"
  if holds "$target" "$2" || holds "$target" "$resolved" || holds "$written" "$2"; then
    refuse "it is, or holds, $1: $2"
  fi
}

# Homes are compared by name, and only the folders that they stand in are looked up: looking at a
# home can make an automounter mount it.
protect_homes() {
  looked_up=$newline
  while IFS=: read -r user password uid gid comment home shell; do
    case $home in /?*) ;; *) continue ;; esac
    if holds "$target" "$home" || holds "$written" "$home"; then refuse "it is, or holds, the home of $user: $home"; fi
    above=${home%/*}
    case $looked_up in
      *"$newline$above$tab"*)
        resolved=${looked_up#*"$newline$above$tab"}
        resolved=${resolved%%"$newline"*}
        ;;
      *)
        resolve "${above:-/}"
        looked_up=$looked_up$above$tab$resolved$newline
        ;;
    esac
    if holds "$target" "${resolved%/}/${home##*/}"; then refuse "it is, or holds, the home of $user: $home"; fi
  done </etc/passwd
}

protect_system() {
  for path in "$target" "$written"; do
    case $path in
      /usr/local/*/* | /dev/shm/*) ;;
      /bin | /boot | /dev | /etc | /home | /lib | /lib32 | /lib64 | /media | /mnt | /opt | /proc | /root) refuse "$system" ;;
      /run | /sbin | /srv | /sys | /tmp | /usr | /var) refuse "$system" ;;
      /boot/* | /dev/* | /etc/* | /proc/* | /sys/* | /usr/*) refuse "$system" ;;
    esac
  done
}
system='it is a folder of the system'

# Whether an entry of a folder that is not renamed itself is no output, but of the file system or ours.
stays() {
  [ "$how" = inside ] || return 1
  case $1 in lost+found | .before-* | .undone-* | .quarantine-* | .eagle3-lock) ;; *) return 1 ;; esac
}

# Sets count, and unknown: the name of an entry that is no output of an extraction.
look_into() {
  count=0 unknown= plain=no
  # Where ls marks no name with a slash, there is no folder among a hundred thousand, and none is asked for.
  case $(ls -Ap "$target" 2>/dev/null || echo /) in */*) ;; *) [ "$how" = inside ] || plain=yes ;; esac
  set +f
  for entry in "$target"/* "$target"/.[!.]* "$target"/..?*; do
    if [ "$plain" = yes ]; then
      case $entry in
        *.pt | *.ckpt | *.ckpt.gz | *.safetensors)
          count=$((count + 1))
          continue
          ;;
      esac
    fi
    set -f
    name=${entry##*/}
    case $name in '*' | '.[!.]*' | '..?*') there "$entry" || continue ;; esac
    ! stays "$name" || continue
    count=$((count + 1))
    is_output "$entry" || unknown=${unknown:-$name}
  done
  set -f
}

# Whether the name is one that extraction programs give: sample files, their sidecars and locks.
is_output() {
  case ${1##*/} in
    *.pt | *.ckpt | *.ckpt.gz | *.safetensors | *.lock | .nfs* | data_config.json | sample_lengths.json) [ ! -d "$1" ] ;;
    rows_*)
      [ -d "$1" ] && [ ! -L "$1" ] || return 1
      set +f
      for inner in "$1"/* "$1"/.[!.]* "$1"/..?*; do
        set -f
        there "$inner" || continue
        case ${inner##*/} in rows_*) return 1 ;; esac
        is_output "$inner" || return 1
      done
      set -f
      ;;
    *) return 1 ;;
  esac
}

# Renames, and says why not in trouble. mv copies where it cannot rename, and a copy of terabytes is
# not what was asked for: with a file size limit of 0 it cannot. -T never moves into a folder.
rename() {
  trouble=$( (ulimit -f 0 && exec mv -n -T "$1" "$2") 2>&1)
  trouble=${trouble:-the file system can only copy it}
  there "$2" && ! there "$1"
}

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

# What the kept paths lead to, to see that a rename has not taken one away.
identities() {
  for kept; do stat -L -c '%d:%i' "$kept" 2>/dev/null || echo none; done
}

bytes_of() {
  bytes=$(timeout 10 du -s -k "$1" 2>/dev/null) || bytes=
  bytes=${bytes%%[!0-9]*}
  if [ -n "$bytes" ]; then bytes=$((bytes * 1024)); else bytes=-; fi
}

identity() { stat -c %d:%i "$1" 2>/dev/null || echo none; }

# Sets meant: the path behind a field.
mean() {
  meant=$(printf '%b.' "$1")
  meant=${meant%.}
}

# Sets number: one more than any note has.
count_on() {
  set +f
  number=$(cat "$state/runs"/[0-9]*.aside 2>/dev/null | cut -f 2 | sort -n | tail -n 1)
  set -f
  case $number in '' | *[!0-9]*) number=0 ;; esac
  number=$((number + 1))
}

# One of these at a time, also when a client that lost its connection asks again while the first one runs.
# The kernel lets go of it when this ends, however that is.
one_at_a_time() {
  [ -d "$state/runs" ] && [ -r "$state/runs" ] || return 0
  exec 9<"$state/runs"
  timeout 120 flock 9 2>/dev/null
  case $? in 124 | 143) refuse "another step of eagle3 on $state/runs does not end" ;; esac
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

# Answers what was done for this run before, if it was.
answer_again() {
  [ -f "$record" ] || return 0
  what=
  while IFS=$tab read -r word one two three four five rest; do
    case $word in
      target)
        mean "$three"
        [ "$meant" = "$target" ] || refuse "run $run was made ready for another folder before: $meant"
        ;;
      aside | created | empty) what=$word path=$one was=$two size=${four:--} items=${five:--} ;;
      undone) refuse "run $run was undone" ;;
    esac
  done <"$record"
  mean "${path:-}"
  case $what in
    aside)
      [ -d "$meant" ] && [ "$(identity "$meant")" = "$was" ] || return 0
      how=$three count=0
      ! there "$target" || look_into
      # It may have stopped before the new folder was like the old one.
      [ "$how" = inside ] || [ "$count" != 0 ] || make_like "$meant" "$target" ||
        refuse "a new folder cannot be made: $trouble"
      row aside "$meant" "$size" "$items" already
      exit 0
      ;;
    created | empty)
      [ -d "$target" ] && [ "$meant" = "$target" ] || return 0
      row "$what" "$target"
      exit 0
      ;;
  esac
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
protect_system
[ -z "${HOME:-}" ] || protect 'a home' "$HOME"
protect_homes
protect 'the state of eagle3' "$state"
! holds "$resolved" "$target" || refuse "it lies in the state of eagle3: $resolved"
for kept; do
  case $kept in /*) protect 'what the run needs' "$kept" ;; esac
done
[ ! -L "$written" ] || row link "$written" "$target"

aside=$target.before-$run
part=$target/.before-$run.part
inside=$target/.before-$run
record=$state/runs/$run.aside

if [ "$act" = do ]; then
  [ -d "$state/runs" ] || (umask 077 && mkdir -p "$state/runs") 2>/dev/null
  one_at_a_time
fi
note=$state/runs/$run.lock
if [ "$act" = do ] && [ -s "$note" ]; then
  lock=$(cat "$note")
  [ -e "$lock/$run" ] || refuse "run $run holds the lock $lock no more: another run took it over"
fi
[ "$act" != do ] || answer_again

if ! there "$target"; then
  [ "$act" = do ] || exit 0
  trouble=$(mkdir -p "$target" 2>&1) || refuse "the folder cannot be made: $trouble"
  note_down created "$target"
  row created "$target"
  exit 0
fi
[ -d "$target" ] || refuse 'it is not a folder'
[ -r "$target" ] && [ -x "$target" ] || refuse 'it cannot be read'

how=renamed
if mountpoint -q "$target" 2>/dev/null || [ ! -w "${target%/*}/" ]; then
  how=inside
elif [ "$(stat -c %d "$target")" != "$(stat -c %d "${target%/*}/")" ]; then
  how=inside
fi
look_into
if [ "$count" = 0 ]; then
  [ "$act" = do ] || exit 0
  if [ ! -d "$part" ]; then
    note_down empty "$target"
    row empty "$target"
    exit 0
  fi
fi
if [ -n "$unknown" ]; then
  named=
  [ -z "$again" ] || { resolve "$again"; named=$resolved; }
  [ "$named" = "$target" ] || refuse "it holds files that are no extraction output: $unknown"
fi

if [ "$how" = inside ]; then taken=$inside; else taken=$aside; fi
! there "$taken" || refuse "the name is taken: $taken"
if [ "$act" = size ]; then
  bytes_of "$target"
  row would "$taken" "$bytes" "$count"
fi
[ "$act" = do ] || exit 0
now=$(date +%s)

if [ "$how" = inside ]; then
  entries=$count
  bytes_of "$target"
  # Noted twice: what it makes is never without a note, and is noted before anything goes into it.
  note_down aside "$inside" none inside "$bytes" "$entries" "$now"
  if ! { [ -d "$part" ] || make_like "$target" "$part"; }; then
    rm -f "$record"
    refuse "a folder cannot be made in it: $trouble"
  fi
  note_down aside "$inside" "$(identity "$part")" inside "$bytes" "$entries" "$now"
  move_entries "$target" "$part"
  look_into
  if [ "$count" != 0 ]; then
    move_entries "$part" "$target"
    rmdir "$part" 2>/dev/null
    rm -f "$record"
    refuse "not all of it can be moved; it was put back"
  fi
  rename "$part" "$inside" || refuse "it cannot be renamed: $trouble; it is in $part"
  row aside "$inside" "$bytes" "$entries" inside
  exit 0
fi

bytes_of "$target"
was=$(identity "$target")
note_down aside "$aside" "$was" renamed "$bytes" "$count" "$now"
before=$(identities "$@" "$state")
if ! rename "$target" "$aside"; then
  # Where mv began a copy, what it made is out of the way of undo.sh.
  ! there "$aside" || (exec mv -n -T "$aside" "$target.failed-$run") 2>/dev/null
  rm -f "$record"
  refuse "it cannot be renamed: $trouble"
fi

# Puts it back where it must not have been renamed.
take_back() {
  rename "$aside" "$target" || refuse "$1; previous output is in $aside"
  rm -f "$record"
  refuse "$1; it was put back"
}

[ "$(identity "$aside")" = "$was" ] || take_back 'something else was put in its place meanwhile'
make_like "$aside" "$target" || take_back "a new folder cannot be made: $trouble"
if [ "$(identities "$@" "$state")" != "$before" ]; then
  rmdir "$target" || refuse "it leads to what the run needs; previous output is in $aside"
  take_back 'a link that the run needs leads through it'
fi
row aside "$aside" "$bytes" "$count" renamed
exit 0
