# Sets the previous output of an extraction aside by renaming it; nothing is deleted or copied.
#
# FOLDER becomes FOLDER.before-RUN, and a new empty FOLDER with the same mode and owner takes its
# place. Where FOLDER is a link, what it leads to is renamed, and the link stays. Where it cannot be
# renamed, being a mount point or in a folder that may not be written, its entries go into
# FOLDER/.before-RUN instead. Before that, STATE/runs/RUN.aside notes what is renamed to where, as
# output-notes describes it, which this script follows in the same shell.
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
#   refused WHY                      with exit code 11
set -uf
run=$1 folder=$2 again=$3 state=${4:-${HOME:-}/.eagle3} act=$5
shift 5

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
    # What is of the file system or ours is in the way only where the folder itself is renamed.
    [ "$how" = inside ] && stays "$name" && continue
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

# What the kept paths lead to, to see that a rename has not taken one away.
identities() {
  for kept; do stat -L -c '%d:%i' "$kept" 2>/dev/null || echo none; done
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

check_run
check_path "$folder"
strip "$folder"
written=$bare
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
  check_lock
  answer_again
fi

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
! is_fixed || how=inside
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
