# Puts back the output that set-aside.sh set aside before a run, and the files that quarantine.sh took
# out for it, as STATE/runs/RUN.aside notes them; nothing is deleted. It follows output-notes, which
# describes that note, in the same shell.
#
# FOLDER.before-RUN becomes FOLDER again. What the run wrote in between is kept: an empty FOLDER is
# removed, one with files becomes FOLDER.undone-RUN. Where FOLDER could not be renamed, the entries of
# FOLDER/.before-RUN come back, and those in the way go into FOLDER/.undone-RUN. Files in quarantine
# come back where their names are free.
#
# Arguments: RUN FOLDER LIVES [STATE [OVER [LATER [WORD]]]]
#   FOLDER  the output folder as the run was given it; empty: as it is noted
#   LIVES   live when the run still lives: then nothing is done; over; or unlaunched, when it was
#           prepared and never launched
#   STATE   folder of eagle3's state; empty: $HOME/.eagle3
#   OVER    a run that is over, whose lock may be taken
#   LATER   a later run that wrote into FOLDER: what stands there may be renamed all the same
#   WORD    a random word: asked with it again, it answers what it answered before and does nothing
# Run again after an interruption, it does the rest, and then notes in RUN.aside that it is done.
# Meanwhile it has the lock on the folder, in the name of RUN, and it leaves no lock of RUN behind:
# while another run has it, nothing is done.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   undone PATH         what the run wrote is now there
#   restored PATH FROM  previous output is at PATH again, and was at FROM
#   unlocked PATH       of a run that was never launched nothing was set aside; its lock on PATH is given back
#   back FOLDER FROM COUNT LEFT  so many files came back from quarantine; LEFT stay, as their names are taken
#   held RUN RUNFOLDER AGE LOCK  another run has the lock, for AGE seconds; with exit code 11
#   refused WHY         with exit code 11
set -uf
run=$1 folder=$2 lives=$3 state=${4:-${HOME:-}/.eagle3} over=${5:-} later=${6:-} asked=${7:-}
case $asked in *[!0-9a-f]*) asked= ;; esac
said=

# Whether it is the very folder that was noted. Only its inode counts: the number of a device may be another one after a mount.
is_noted() { [ -d "$1" ] && [ ! -L "$1" ] && [ "$(stat -c %i "$1")" = "${2#*:}" ]; }

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

# Answers held when a lock names another run; one of a run that is over is taken. Sets locked when one names this run.
look_at_locks() {
  locked=no
  for place in "$beside" "$within"; do
    set +f
    for entry in "$place"/[0-9]*; do
      set -f
      there "$entry" || continue
      holder=${entry##*/}
      if [ "$holder" = "$over" ] && mv "$entry" "$place/$run" 2>/dev/null; then
        { printf '%s\n' "$state/runs/$run" >"$place/$run"; } 2>/dev/null
        holder=$run
      fi
      if [ "$holder" != "$run" ]; then
        told=$(head -c 4096 "$entry" 2>/dev/null | head -n 1)
        case $told in *[[:cntrl:]]*) told= ;; /*/runs/"$holder") ;; *) told= ;; esac
        since=$(stat -c %Y "$entry" 2>/dev/null) || since=$(date +%s)
        row held "$holder" "$told" "$(($(date +%s) - since))" "$place"
        exit 11
      fi
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

# Sets what RUN.aside says.
read_record() {
  since_number=0 target= given= aside= was=none how= quarantine= quarantined=none undone_at=
  [ -f "$record" ] || return 1
  while IFS=$tab read -r word one two three four five six; do
    case $word in
      target)
        since_number=$one
        mean "$three" && target=$meant
        mean "$four" && given=$meant
        ;;
      aside) mean "$one" && aside=$meant was=$two how=$three ;;
      quarantine) mean "$one" && quarantine=$meant quarantined=$two ;;
      undone) mean "$four" && undone_at=${meant:--} ;;
    esac
  done <"$record"
  [ -n "$target" ]
}

# One more row of the answer, which is printed at the end.
say() { said=$said$(row "$@")$newline; }

# The rows of the answer under the word of whoever asks.
answers() {
  [ -n "$asked" ] || return 0
  printf '%s' "$said" | while IFS= read -r line; do
    printf 'answered\t-\t%s\t%s\n' "$asked" "$line"
  done
}

# Notes that it is done, and what is answered: what the run wrote is at the path, or - for nothing.
note_undone() {
  count_on
  made=none
  [ "$1" = - ] || made=$(identity "$1")
  { printf '%s\n' "$(row undone "$number" "$run" "$target" "$1" "$made" "$(date +%s)" && answers)" >>"$record"; } 2>/dev/null
}

# Previous output is back from the first path; what the run wrote is at the second, if that is there.
tell_restored() {
  wrote=$2
  [ -d "$wrote" ] || wrote=-
  [ "$wrote" = - ] || say undone "$wrote"
  say restored "$target" "$1"
  note_undone "$wrote"
  printf '%s' "$said"
  exit 0
}

# The same question again, since its answer was lost on the way.
answer_again() {
  [ -n "$asked" ] && [ -f "$record" ] || return 0
  before=$(grep "^answered$tab-$tab$asked$tab" "$record" | cut -f 4-)
  [ -n "$before" ] || return 0
  printf '%s\n' "$before"
  exit 0
}

# Refuses when a later run wrote into the folder and was not undone: what stands there is of that run.
look_for_later() {
  show "$target"
  field=$shown
  set +f
  events=$(grep -h -e "^target$tab" -e "^undone$tab" "$state/runs"/[0-9]*.aside 2>/dev/null | sort -n -t "$tab" -k 2)
  set -f
  found=
  while IFS=$tab read -r word number other where rest; do
    [ "$where" = "$field" ] && [ "$number" -gt "$since_number" ] 2>/dev/null || continue
    [ "$other" != "$run" ] || continue
    # One that was never launched wrote nothing; of an old one prune-run.sh may have left the note alone.
    [ -d "$state/runs/$other" ] || grep -q "^over$tab" "$state/runs/$other.aside" 2>/dev/null || continue
    case $word in
      target) found="$found $other" ;;
      undone)
        left=
        for one in $found; do [ "$one" = "$other" ] || left="$left $one"; done
        found=$left
        ;;
    esac
  done <<EVENTS
$events
EVENTS
  found=${found##* }
  [ -z "$found" ] || [ "$found" = "$later" ] ||
    refuse "run $found wrote there since: undo that one first, or move what it wrote with --yes-move $found"
}

check_run
record=$state/runs/$run.aside
one_at_a_time
answer_again
note= settled=no
if [ "$lives" = unlaunched ]; then
  [ ! -d "$state/runs/$run" ] || refuse "run $run was launched"
  note=$state/runs/$run.lock
  [ -f "$note" ] || [ -f "$record" ] || refuse 'no such run was launched or prepared there'
else
  check_path "$folder"
fi
[ "$lives" != live ] || refuse "run $run lives, and writes there"

strip "$folder"
folder=$bare
[ "$folder" != / ] || refuse 'it is the root folder'
# Where the lock is that a run left which never came to setting anything aside.
if ! read_record; then
  noted=
  [ -z "$note" ] || noted=$(cat "$note" && printf .)
  noted=${noted%"$newline".}
  case $noted in
    /*/.eagle3-lock) target=${noted%/.eagle3-lock} ;;
    /*.eagle3-lock) target=${noted%.eagle3-lock} ;;
    *) refuse 'nothing is set aside for it' ;;
  esac
fi
case $target in
  /) refuse 'it is the root folder' ;;
  /*) ;;
  *) refuse 'nothing is set aside for it' ;;
esac
[ -z "$folder" ] || [ -z "$given" ] || [ "$folder" = "$given" ] || refuse "nothing is set aside there: for run $run it was $given"
undone=$target.undone-$run
inside=$target/.before-$run
inner_undone=$target/.undone-$run
beside=$target.eagle3-lock
within=$target/.eagle3-lock
if [ -n "$undone_at" ]; then
  told="run $run was undone before"
  [ -z "$aside" ] || told="$told: previous output is in $target again"
  [ "$undone_at" = - ] || told="$told, what the run wrote is in $undone_at"
  refuse "$told"
fi
take_lock

# quarantine.sh may have stopped before it took anything out.
if [ "$quarantined" = none ] && [ -n "$quarantine" ]; then
  rmdir "$quarantine" 2>/dev/null
  quarantine=
fi

# Files that were taken out: they go back where nothing has their name.
if [ -n "$quarantine" ] && [ -d "$quarantine" ]; then
  is_noted "$quarantine" "$quarantined" || refuse "another folder stands at $quarantine now"
  [ -d "$target" ] || refuse "there is no folder $target any more; files of it are in $quarantine"
  count=0 left=0
  set +f
  for entry in "$quarantine"/* "$quarantine"/.[!.]* "$quarantine"/..?*; do
    set -f
    there "$entry" || continue
    name=${entry##*/}
    [ "$name" != .eagle3-manifest ] || continue
    if ! there "$target/$name" && rename "$entry" "$target/$name"; then
      count=$((count + 1))
    else
      left=$((left + 1))
    fi
  done
  set -f
  if [ "$left" = 0 ]; then
    rm -f "$quarantine/.eagle3-manifest"
    rmdir "$quarantine" 2>/dev/null
  fi
  say back "$target" "$quarantine" "$count" "$left"
  if [ -z "$aside" ]; then note_undone -; else { answers >>"$record"; } 2>/dev/null; fi
  settled=yes
  printf '%s' "$said"
  exit 0
fi

if [ -z "$aside" ] && [ "$lives" = unlaunched ]; then
  # Its lock was all that it left, and perhaps a note that there is nothing.
  settled=yes
  say unlocked "$target"
  if [ -z "$asked" ] || ! { answers >"$record"; } 2>/dev/null; then rm -f "$record"; fi
  printf '%s' "$said"
  exit 0
fi
[ -n "$aside" ] || { settled=yes; refuse 'nothing is set aside: the folder was new, empty, or kept as it was'; }

if [ "$how" != inside ]; then
  if ! there "$aside"; then
    settled=yes
    if is_noted "$target" "$was"; then
      tell_restored "$aside" "$undone"
    fi
    refuse "nothing is set aside: there is no $aside any more"
  fi
  is_noted "$aside" "$was" || refuse "$aside is another folder than the one that was set aside"
  # set-aside.sh may have stopped between renaming and making the new folder, and this script between
  # its own two renames; then there is no folder, and the last step is left.
  if there "$target"; then
    [ -d "$target" ] && [ ! -L "$target" ] || refuse "it is no folder any more; previous output is in $aside"
    [ ! -d "$inside" ] || refuse "two were set aside: $aside and $inside"
    if ! rmdir "$target" 2>/dev/null; then
      look_for_later
      ! there "$undone" || refuse "the name is taken: $undone"
      rename "$target" "$undone" || refuse "it cannot be renamed: $trouble"
    fi
  fi
  rename "$aside" "$target" || refuse "previous output cannot be renamed: $trouble; it is in $aside"
  settled=yes
  tell_restored "$aside" "$undone"
fi

# In the folder itself. The names say how far it is: .part while it is set aside, .back while it comes back.
if [ -d "$inside" ]; then
  is_noted "$inside" "$was" || refuse "$inside is another folder than the one that was set aside"
  if has_entries "$target"; then
    look_for_later
    [ -d "$inner_undone" ] || trouble=$(mkdir "$inner_undone" 2>&1) || refuse "a folder cannot be made in it: $trouble"
    move_entries "$target" "$inner_undone"
    ! has_entries "$target" || refuse "what the run wrote cannot be moved to $inner_undone"
  fi
  rename "$inside" "$inside.back" || refuse "it cannot be renamed: $trouble"
fi
for source in "$inside.part" "$inside.back"; do
  [ -d "$source" ] || continue
  move_entries "$source" "$target"
  rmdir "$source" 2>/dev/null || refuse "some of it cannot be put back, and is in $source"
  settled=yes
  tell_restored "$source" "$inner_undone"
done
settled=yes
refuse "nothing is set aside: there is no $inside any more"
