# Launches a run: starts its job detached from this connection, and returns once it has started.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id, 3 the log path that the user named
# (empty: none), 4 text of plan.json, 5 text of job.sh, 6 text of guard.py, 7 text of stop.sh, with
# which the guard ends the run. lock-output.sh comes before it.
# Changes: makes STATE/runs/ID (0700) with plan.json, job.sh, log, alive, lock and exit.pending (0600),
# guard.py and stop.sh, and guard.jsonl and end.pending, blank, for what will be written over that,
# and starts `sh job.sh` there, which docs/host.md describes. The log path becomes a link to the run's
# log: a link to an earlier run's log is replaced, anything else there is renamed to PATH.before-ID;
# where no link can be made, the log is a plain file there.
# Asked again with the same plan, it launches nothing and says what became of the launch: after a lost
# connection nobody knows. One that ended in the middle is given up for good.
# Answers: folder<TAB>run folder; log<TAB>the run's log; note<TAB>text for each thing worth saying;
# launched<TAB>pid; or refused<TAB>why with exit 11 and nothing changed; or failed<TAB>why with exit 1.
set -u
mask=$(umask)
umask 077
refuse() {
  printf 'refused\t%s\n' "$1"
  exit 11
}
note() {
  printf 'note\t%s\n' "$1"
}

state=${1:-${HOME:-}/.eagle3}
id=$2
named=$3
runs=$state/runs
run=$runs/$id
log=$run/log

# A pause of a moment, also where sleep takes whole seconds only. Counts them in fiftieths of a second.
moments=0
pause() {
  if sleep 0.02 2>/dev/null; then
    moments=$((moments + 1))
  else
    sleep 1
    moments=$((moments + 50))
  fi
}
# Nothing of this launch will run any more: the job does not start where there is exit.none.
give_up() {
  mv -f -- "$run/exit.pending" "$run/exit.none" 2>/dev/null || : >"$run/exit.none"
}
failed() {
  printf 'failed\t%s; see %s\n' "$1" "$log"
  exit 1
}
launched() {
  IFS='	' read -r pid rest <"$run/pid"
  printf 'launched\t%s\n' "$pid"
  exit 0
}

# The same launch, asked again.
if [ -f "$run/plan.json" ] && [ "$(cat -- "$run/plan.json" && echo .)" = "$4." ]; then
  until [ -e "$run/pid" ] || [ -e "$run/exit.none" ] || [ "$moments" -ge 500 ]; do
    pause
  done
  printf 'folder\t%s\nlog\t%s\n' "$run" "$log"
  [ -e "$run/pid" ] || give_up
  if [ -e "$run/pid" ]; then
    [ ! -e "$run/exit.none" ] || mv -f -- "$run/exit.none" "$run/exit.pending"
    note "run $id had been launched already"
    launched
  fi
  failed 'the launch ended in the middle, and was given up'
fi

[ -f "$runs/$id.lock" ] || refuse "the output folder is not locked for run $id"
lock=$(cat -- "$runs/$id.lock")
[ -e "$lock/$id" ] || refuse "run $id holds the lock $lock no more: another run took it over"
mkdir -- "$run" 2>/dev/null || {
  [ ! -e "$run" ] || refuse "there is a run $id already: $run"
  refuse "$run cannot be made: may not be written, or the disk is full"
}

# All that needs room on the disk is written now, and read back: a full disk refuses the launch.
unmake() {
  rm -f -- "$run/plan.json" "$run/job.sh" "$run/log" "$run/alive" "$run/exit.pending" \
    "$run/guard.py" "$run/stop.sh" "$run/guard.jsonl" "$run/end.pending"
  rmdir -- "$run"
  refuse "$run/$1 cannot be written whole: the disk is full"
}
keep() {
  { printf '%s' "$2" >"$run/$1"; } 2>/dev/null || unmake "$1"
  [ "$(cat -- "$run/$1" && echo .)" = "$2." ] || unmake "$1"
}
keep plan.json "$4"
keep job.sh "$5"
keep log ''
keep alive ''
keep exit.pending ''
blanks=$(printf '\n%4095s.' '')
blanks=${blanks%.}
keep guard.py "$6"
keep stop.sh "$7"
keep guard.jsonl "$blanks$blanks$blanks$blanks"
keep end.pending "$blanks"
mv -- "$runs/$id.lock" "$run/lock" || unmake lock

# The log path that the user named.
make_room() {
  if [ -L "$named" ]; then
    case $(readlink -- "$named") in
      */runs/[0-9]*-[0-9]*-????/log) return 0 ;;
    esac
  elif [ ! -e "$named" ]; then
    return 0
  elif [ -d "$named" ]; then
    note "$named is a folder; the log is $log alone"
    return 1
  fi
  aside=$named.before-$id
  twin=0
  while [ -e "$aside" ] || [ -L "$aside" ]; do
    twin=$((twin + 1))
    aside=$named.before-$id.$twin
  done
  mv -- "$named" "$aside" 2>/dev/null || {
    note "$named cannot be moved aside; the log is $log alone"
    return 1
  }
  note "what stood at $named is now $aside"
  # It may be the log of an earlier run, from where no link could be made.
  for earlier in "$runs"/*/log; do
    if [ -L "$earlier" ] && [ "$(readlink -- "$earlier")" = "$named" ]; then
      ln -s -- "$aside" "$earlier.new" && mv -f -- "$earlier.new" "$earlier"
    fi
  done
}
place_log() {
  parent=${named%/*}
  if [ ! -d "${parent:-/}" ]; then
    note "there is no folder $parent; the log is $log alone"
    return
  fi
  make_room || return
  fresh=$named.new-$id
  if ln -s -- "$log" "$fresh" 2>/dev/null; then
    mv -f -- "$fresh" "$named" 2>/dev/null && return
    rm -f -- "$fresh"
  elif { : >"$named"; } 2>/dev/null; then
    if ln -s -- "$named" "$run/log.new" 2>/dev/null && mv -f -- "$run/log.new" "$log"; then
      note "no link can be made in $parent; the log is the file $named itself"
      return
    fi
    rm -f -- "$run/log.new" "$named"
  fi
  note "$named cannot be made a link; the log is $log alone"
}
case $named in
  '') ;;
  /*) place_log ;;
  *) note "the log path $named is not absolute; the log is $log alone" ;;
esac

# A background command has SIGINT ignored, and so would have the job; where env can, that ends here.
restore=
if env --default-signal=INT,QUIT true 2>/dev/null; then
  restore='env --default-signal=INT,QUIT'
fi
cd -- "${HOME:-/}" 2>/dev/null || cd /
umask "$mask"
# One simple command: a list in the background would hold the connection for as long as the job runs.
setsid nohup $restore sh "$run/job.sh" </dev/null >>"$log" 2>&1 &
started=$!

printf 'folder\t%s\nlog\t%s\n' "$run" "$log"
moments=0
gone=0
until [ -e "$run/pid" ]; do
  # A process that is over has no files, also while nobody has asked for its exit code. One that lives
  # is seen without them now and then, for a moment while it becomes another program.
  if [ -L "/proc/$started/fd/1" ] || [ -e "$run/pid" ]; then
    gone=0
  else
    gone=$((gone + 1))
  fi
  if [ "$gone" -gt 3 ]; then
    give_up
    failed "the wrapper of the job ended before the job started: $(tail -n 1 -- "$log")"
  fi
  if [ "$moments" -ge 500 ]; then
    kill -KILL "$started" 2>/dev/null
    give_up
    failed "the job did not start within some seconds and was given up"
  fi
  pause
done
launched
