# Takes the lock on the output folder of a run: at most one run writes into a folder.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id, 3 output folder, 4 a run that is over
# and whose lock may be taken (may be left out).
# Changes: makes the state folder (0700) and its folder runs. Makes the lock, a folder OUTPUT.eagle3-lock
# beside the output folder with one file in it, named after the run; where nothing can be made there
# (the output folder is a mount point, its parent may not be written) it is OUTPUT/.eagle3-lock.
# Makes missing parents of the output folder. Notes the place of the lock in runs/ID.lock.
# Answers: locked<TAB>lock folder; or held<TAB>run<TAB>that run's folder<TAB>age of the lock in
# seconds<TAB>lock folder, or refused<TAB>why, each with exit 11.
set -u
umask 077
refuse() {
  printf 'refused\t%s\n' "$1"
  exit 11
}

state=${1:-${HOME:-}/.eagle3}
id=$2
output=$3
over=${4:-}
case $state in /.eagle3 | [!/]*) refuse "the state folder needs an absolute path or a HOME: $state" ;; esac
case $output in /*) ;; *) refuse "the output folder is not an absolute path: $output" ;; esac

# The state folder tells which processes may be ended: it must be ours alone.
[ ! -L "$state" ] || refuse "the state folder $state is a link; name the folder that it leads to"
[ -d "$state" ] || mkdir -p -- "$state" 2>/dev/null || refuse "the state folder $state cannot be made"
runs=$state/runs
[ ! -L "$runs" ] || refuse "$runs is a link"
[ -d "$runs" ] || mkdir -- "$runs" 2>/dev/null || [ -d "$runs" ] || refuse "$runs cannot be made: may not be written, or the disk is full"
[ -w "$runs" ] || refuse "$runs may not be written"
[ ! -e "$runs/$id" ] || refuse "there is a run $id already: $runs/$id"
note=$runs/$id.lock
{ : >"$note"; } 2>/dev/null || refuse "$runs: nothing can be written: may not be written, or the disk is full"
# What we make is ours, also where a file server maps users.
if [ "$(stat -c %u -- "$state")" != "$(stat -c %u -- "$note")" ]; then
  rm -f -- "$note"
  refuse "the state folder $state belongs to another user"
fi
chmod 700 -- "$state" "$runs" 2>/dev/null || refuse "the state folder $state cannot be made private"

give_up() {
  rm -f -- "$note"
  refuse "$1"
}

# One folder has one lock, whatever links lead to it.
while :; do
  case $output in ?*/) output=${output%/} ;; *) break ;; esac
done
if [ -d "$output" ]; then
  cd -P -- "$output" 2>/dev/null || give_up "the output folder $output may not be entered"
  output=$PWD
elif [ -e "$output" ] || [ -L "$output" ]; then
  give_up "the output folder $output is a file, or a link that leads nowhere"
else
  parent=${output%/*}
  mkdir -p -- "${parent:-/}" 2>/dev/null
  cd -P -- "${parent:-/}" 2>/dev/null || give_up "the parent of the output folder $output cannot be made"
  output=${PWD%/}/${output##*/}
fi
cd /
parent=${output%/*}
beside=$output.eagle3-lock
inside=$output/.eagle3-lock
lock=$beside
other=$inside
if [ ! -w "${parent:-/}" ] || [ -z "${output#/}" ] || mountpoint -q -- "$output" 2>/dev/null; then
  lock=$inside
  other=$beside
fi

# Where sleep takes whole seconds only, fewer tries take as long.
pause() {
  sleep 0.05 2>/dev/null || { sleep 1 && tries=$((tries + 4)) && empty=$((empty + 4)); }
}

# Who is named in a lock folder; empty for nobody.
holder_of() {
  holder=
  for entry in "$1"/[0-9]*; do
    [ -e "$entry" ] && [ "${entry##*/}" != "$id" ] && holder=${entry##*/}
  done
}
held() {
  rm -f -- "$note"
  folder=$(head -c 4096 -- "$1/$holder" 2>/dev/null | head -n 1)
  # Others may have written it.
  case $folder in
    *[[:cntrl:]]*) folder= ;;
    /*/runs/"$holder") ;;
    *) folder= ;;
  esac
  since=$(stat -c %Y -- "$1/$holder" 2>/dev/null) || since=$(date +%s)
  printf 'held\t%s\t%s\t%s\t%s\n' "$holder" "$folder" "$(($(date +%s) - since))" "$1"
  exit 11
}
sign() {
  { printf '%s\n' "$runs/$id" >"$lock/$id"; } 2>/dev/null
}
locked() {
  { printf '%s\n' "$lock" >"$note"; } 2>/dev/null && [ "$(cat -- "$note")" = "$lock" ] || {
    rm -f -- "$lock/$id"
    rmdir -- "$lock" 2>/dev/null
    give_up "$runs: nothing can be written: the disk is full"
  }
  printf 'locked\t%s\n' "$lock"
  exit 0
}

# Others see these by their own users, to learn who holds the folder.
umask 022
empty=0
tries=0
while [ "$tries" -lt 50 ]; do
  tries=$((tries + 1))
  holder_of "$other"
  if [ -n "$holder" ] && [ "$holder" != "$over" ]; then
    held "$other"
  fi
  if mkdir -- "$lock" 2>/dev/null; then
    # Nobody may have taken an empty lock of ours for a forgotten one meanwhile.
    if sign; then
      holder_of "$lock"
      [ -n "$holder" ] || locked
      rm -f -- "$lock/$id"
    else
      rmdir -- "$lock" 2>/dev/null && give_up "$lock: nothing can be written: the disk is full"
    fi
    continue
  fi
  if [ ! -d "$lock" ] || [ -L "$lock" ]; then
    [ -e "$lock" ] || [ -L "$lock" ] || give_up "the lock $lock cannot be made"
    give_up "$lock is no folder, and no lock of eagle3: move it away"
  fi
  holder_of "$lock"
  if [ -z "$holder" ]; then
    [ ! -e "$lock/$id" ] || locked
    # Its maker is about to sign it, or died before: an empty folder is removed after a while.
    empty=$((empty + 1))
    pause
    [ "$empty" -lt 10 ] || rmdir -- "$lock" 2>/dev/null
    continue
  fi
  # A rename of a file named after a run has one winner, and no run comes twice.
  if [ "$holder" = "$over" ] && mv -- "$lock/$over" "$lock/$id" 2>/dev/null; then
    sign
    locked
  fi
  [ "$holder" = "$over" ] || held "$lock"
  pause
done
for entry in "$lock"/* "$lock"/.[!.]* "$lock"/..?*; do
  [ -e "$entry" ] || [ -L "$entry" ] || continue
  case ${entry##*/} in
    [0-9]*) ;;
    *) give_up "the lock folder $lock holds what is not of eagle3: move ${entry##*/} away" ;;
  esac
done
give_up "the lock $lock changes hands all the time, or may not be taken over by this user"
