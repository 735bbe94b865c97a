# Ends a run of eagle3, gracefully at first: sends TERM to its wrapper (job.sh, which passes it on to the
# job), or, when the wrapper is gone, to the processes that it left behind. What is stopped by SIGSTOP is
# continued, so that it can end. After a while it sends KILL to what is still there, to the wrapper last,
# since the wrapper writes down how the job ended. Then it looks again until nothing of the run is left.
#
# Only processes of this very run get a signal: those of its session, those that append to its log, and
# those with its mark in their environment, none of them older than the run, nor, where its log alone shows
# it, begun after its end. Process id and start time are compared right before each signal. Whoever asks,
# and all that led to it, is spared. It follows run-processes in the same shell, which knows these
# processes.
#
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id, 3 seconds between TERM and KILL, 4 why it
# is ended, a line of JSON (empty or left out: because somebody says so).
# Changes: before all else notes why, in end.json of the run's folder, where nobody has yet. Ends those
# processes. If the wrapper could not do it, notes how the run ended, by renaming
# exit.pending to exit.143 (TERM was enough) or exit.137, and gives back the lock on the output folder.
# Answers: ended<TAB>pid<TAB>TERM or KILL for each process that was signalled and is gone; then
# over, when nothing of the run is left; or left<TAB>pid<TAB>user<TAB>state letter<TAB>command for each
# process that is still there, with exit 1; or refused<TAB>why, or elsewhere<TAB>node, with exit 11 and
# nothing changed.
set -u
state=${1:-${HOME:-}/.eagle3}
id=$2
patience=$3
why=${4-}
runs=$state/runs
folder=$runs/$id

refuse() {
  printf 'refused\t%s\n' "$1"
  exit 11
}

# --- whose run it is

# A state folder that another user can write could name any process as one of the run.
[ -d "$folder" ] || refuse "there is no run $id: $folder"
for part in "$state" "$runs" "$folder"; do
  [ ! -L "$part" ] || refuse "$part is a link; name the folder that it leads to"
  owner=$(stat -c '%u %a %U' -- "$part" 2>/dev/null) || refuse "$part cannot be looked at"
  rights=${owner#* }
  if [ "${owner%% *}" != "$(id -u)" ]; then
    # Where a file server maps users, what we make has the same owner.
    probe=$runs/stop-$$.probe
    made=
    if (umask 077 && set -C && : >"$probe") 2>/dev/null; then
      made=$(stat -c %u -- "$probe")
      rm -f -- "$probe"
    fi
    [ "$made" = "${owner%% *}" ] ||
      refuse "$part belongs to user ${rights#* }; the run is for that user to stop"
  fi
  case ${rights%% *} in
    *[2367]? | *[2367]) refuse "$part may be written by other users, so what stands there cannot be trusted" ;;
  esac
done

# --- what there is to end

# Sets code, is (alive, gone or elsewhere), and of_run.
look() {
  exit_of "$folder"
  is=gone
  if recorded "$folder"; then
    wrapper_is
  fi
  list_processes
  # Numbers of another boot or container mean nothing here.
  of_run=
  [ "$is" = elsewhere ] || find_processes "$id" "$folder"
}
is_young() {
  age=$(($(date +%s) - $(stat -c %Y -- "$folder"))) && [ "$age" -ge 0 ] && [ "$age" -lt 60 ]
}

# In the moments of a launch there is no record yet. On a busy machine each look takes long.
moments=0
began=$(date +%s)
while :; do
  look
  case $r_pid$damaged$code in '' | pending) ;; *) break ;; esac
  is_young || break
  if [ "$moments" -ge 250 ] || [ "$(($(date +%s) - began))" -ge 15 ]; then
    [ -z "$of_run" ] || break
    refuse "run $id is being launched at this moment, or was given up in the middle of that; ask again in a minute"
  fi
  pause
done
if [ "$is" = elsewhere ]; then
  case $code in
    pending | '')
      printf 'elsewhere\t%s\n' "$r_node"
      exit 11
      ;;
  esac
fi
case $own in *" ${r_pid:-none} "*)
  [ "$is" != alive ] || refuse "this very shell runs inside run $id" ;;
esac

# --- end it

# Whoever can rename the blank end.pending writes, over what it holds: a full disk takes that.
note_why() {
  [ ! -e "$folder/end.json" ] && mv -- "$folder/end.pending" "$folder/end.$$" || return
  printf '%s\n' "$why" 1<>"$folder/end.$$"
  mv -- "$folder/end.$$" "$folder/end.json"
}
case $why:$code in
  ?*: | ?*:pending) [ "$is" != alive ] && [ -z "$of_run" ] || note_why 2>/dev/null ;;
esac

# Words PID:START of what got a signal, and of what must not get one from this user.
termed=' '
killed=' '
denied=' '

# Sends a signal to a process of the run if it is still the same; continues it when it is stopped.
send() {
  is_still "$2" "$3" || return
  if kill -s "$1" "$2" 2>/dev/null; then
    [ "$condition" != T ] || [ "$1" = KILL ] || kill -s CONT "$2" 2>/dev/null
    return 0
  fi
  # Gone in this moment, or not ours to signal.
  ! is_still "$2" "$3" || denied="$denied$2:$3 "
}

# Sends TERM once to each of the words PID:START:HOW that had none.
term_each() {
  for one in $1; do
    one=${one%:*}
    case $termed in *" $one "*) continue ;; esac
    termed="$termed$one "
    send TERM "${one%:*}" "${one#*:}"
  done
}

# KILL again and again is harmless, and what forks is caught that way.
kill_each() {
  for one in $1; do
    one=${one%:*}
    case $denied in *" $one "*) continue ;; esac
    case $killed in *" $one "*) ;; *) killed="$killed$one " ;; esac
    send KILL "${one%:*}" "${one#*:}"
  done
}

# What SIGSTOP has stopped cannot end by TERM.
continue_each() {
  for one in $1; do
    one=${one%:*}
    if is_still "${one%:*}" "${one#*:}" && [ "$condition" = T ]; then
      kill -s CONT "${one%:*}" 2>/dev/null
    fi
  done
}

# Whether all of of_run is only what may not be signalled.
none_endable() {
  for one in $of_run; do
    case $denied in *" ${one%:*} "*) ;; *) return 1 ;; esac
  done
}

# The clock may jump: what counts is how long the machine has been up.
now() {
  read -r up rest </proc/uptime
  up=${up%%.*}
}

now
deadline=$((up + patience))
if [ "$is" = alive ]; then
  term_each "$r_pid:$r_start:wrapper"
  [ "$denied" = ' ' ] || deadline=0
fi
wait_more=0
while :; do
  look
  if [ "$is" = alive ]; then
    # The wrapper has passed TERM on by now, or is about to.
    [ "$wait_more" -lt 10 ] || continue_each "$r_pid:$r_start:wrapper $of_run"
  else
    [ -n "$of_run" ] || break
    term_each "$of_run"
    ! none_endable || break
  fi
  now
  [ "$up" -lt "$deadline" ] || break
  # Looking at all processes of a large host takes a while: not all the time.
  moments=0
  while [ "$moments" -lt 10 ]; do
    pause
    if [ "$is" = alive ] && ! is_still "$r_pid" "$r_start"; then break; fi
  done
  wait_more=$((wait_more + moments))
done

# First the job and what it started, so that the wrapper can note their end. The wrapper itself only when
# it waits for nothing any more: it may yet note the end of a process that hangs in the kernel.
now
deadline=$((up + 5))
end=$((up + 10))
while :; do
  look
  [ "$is" = alive ] || [ -n "$of_run" ] || break
  kill_each "$of_run"
  now
  if [ "$is" = alive ]; then
    continue_each "$r_pid:$r_start:wrapper"
    [ "$denied" = ' ' ] || break
    [ "$up" -lt "$deadline" ] || [ -n "$of_run" ] || kill_each "$r_pid:$r_start:wrapper"
  elif none_endable; then
    break
  fi
  [ "$up" -lt "$end" ] || break
  pause
  pause
done

# --- what came of it

look
for one in $killed; do
  is_still "${one%:*}" "${one#*:}" || printf 'ended\t%s\tKILL\n' "${one%:*}"
done
for one in $termed; do
  case $killed in *" $one "*) continue ;; esac
  is_still "${one%:*}" "${one#*:}" || printf 'ended\t%s\tTERM\n' "${one%:*}"
done
[ "$is" != alive ] || of_run="$of_run$r_pid:$r_start:wrapper "
if [ -n "$of_run" ]; then
  for one in $of_run; do
    one=${one%%:*}
    look_at "$one" || continue
    user=$(stat -c %U -- "/proc/$one" 2>/dev/null) || continue
    command=$(tr '\000' ' ' 2>/dev/null <"/proc/$one/cmdline" | head -c 200 | tr -c '\040-\176' '?')
    printf 'left\t%s\t%s\t%s\t%s\n' "$one" "$user" "$condition" "$command"
  done
  exit 1
fi
if [ "$code" = pending ] && [ "$termed$killed" != '  ' ] && [ "$is" = gone ]; then
  how=143
  [ "$killed" = ' ' ] || how=137
  mv -f -- "$folder/exit.pending" "$folder/exit.$how" 2>/dev/null
  lock=$(head -c 4096 -- "$folder/lock" 2>/dev/null)
  case $lock in
    /*.eagle3-lock)
      rm -f -- "$lock/$id"
      rmdir -- "$lock" 2>/dev/null
      ;;
  esac
fi
printf 'over\n'
