# Ends processes that hold the GPUs, waits until their memory is free, and watches whether one comes
# back. It follows look-gpus in the same shell and goes on with what that has found.
#
# It changes nothing but the processes that it ends: TERM first, KILL for those that are still there
# after ten seconds. Before each signal it checks the start time again, so a process id that was given
# away since is never hit. It never ends its own ancestors (your login), daemons of the driver or the
# display, or a live run of eagle3. When something is in the way, nothing at all is ended.
#
# Arguments: those of look-gpus, and
#   WHOM   PID:START of each holder to end, as look-gpus showed it. A holder that one of them has
#          started since belongs to it; any other new one refuses all.
#          found, in place of them: in mode safe processes of eagle3 runs that are over and orphans
#          (anything else refuses all); in mode all whatever it finds.
#
# Answers beside those of look-gpus:
#   ended PID TERM|KILL            it is gone after that signal
#   gone PID                       was to be ended, and is another process now, or none
#   released PID                   was to be ended, and holds no GPU any more
#   survived PID, denied PID       did not end; may not be signalled by this user
#   free|busy INDEX MEMORY         memory in use after clearing
#   back PID ...                   as holder: it took a GPU after clearing, or was started anew in the
#                                  unit or container of one that was ended
#   refused WHY                    with exit code 11

term_seconds=10
kill_seconds=5
memory_seconds=30 # given up when memory has not fallen for so long
watch_seconds=3
restart_seconds=15 # as watch_seconds, where a unit or container says that it starts its process again

# --- whom

# Whether a process was started by one of the targets, or by one that those started.
is_below_target() {
  step=$1
  while stat_of "$step" && [ "$parent" -gt 1 ]; do
    step=$parent
    case $newline$targets in *"$newline$step:"*) return 0 ;; esac
  done
  return 1
}

targets= standing=0 live=0
for line in $shown; do
  target=${line%% *}
  case $mode:$line in
    *:*' live-run '*) live=$((live + 1)) ;;
    *:*' other '* | *:*' over-run '* | *:*' orphan '*)
      if has_line "$whom" "$target"; then
        targets=$targets$target$newline
      elif [ "$whom" = found ]; then
        case $mode:$line in
          safe:*' other '*) standing=$((standing + 1)) ;;
          *) targets=$targets$target$newline ;;
        esac
      fi
      ;;
    *:*' foreign '*) ! is_needed "${line##* }" || standing=$((standing + 1)) ;;
  esac
done
newcomers= children=
if [ "$whom" != found ]; then
  for line in $shown; do
    target=${line%% *}
    case $line in *' other '* | *' over-run '* | *' orphan '*) ;; *) continue ;; esac
    ! has_line "$targets" "$target" || continue
    if is_below_target "${target%:*}"; then
      children=$children$target$newline
    elif is_still "$target" && is_needed "${line##* }"; then
      newcomers="$newcomers ${target%:*}"
    fi
  done
fi
targets=$targets$children

[ -n "$whom" ] || exit 0
[ -z "$missing" ] || [ -z "$indices" ] || refuse "this machine shows no GPU ${missing#,}; nothing was ended"
[ -z "$cut" ] || refuse "MIG has cut GPU ${cut#,} into parts; nothing was ended"
[ "$live" = 0 ] || refuse 'a live run of eagle3 holds GPUs; nothing was ended'
[ "$standing" = 0 ] || refuse "GPUs that the job needs are held by others; processes: $standing; nothing was ended"
[ -z "$concealed" ] || refuse "memory of GPU $concealed is held from outside this container or hidden; nothing was ended"
[ -z "$newcomers" ] || refuse "processes took GPUs after the holders were shown:$newcomers; nothing was ended"

# --- end

# Sends a signal to each target that is still the process that was shown.
signal() {
  allowed=
  for target in $targets; do
    if is_still "$target" && ! kill -s "$1" "${target%:*}" 2>/dev/null && is_still "$target"; then
      row denied "${target%:*}"
      remaining="$remaining ${target%:*}"
    else
      allowed=$allowed$target$newline
    fi
  done
  targets=$allowed
}

# Waits until the targets have ended, at most so many seconds; keeps those that have not.
await_end() {
  deadline=$(($(date +%s) + $1))
  while :; do
    left=
    for target in $targets; do
      if is_still "$target"; then left=$left$target$newline; else row ended "${target%:*}" "$2"; fi
    done
    targets=$left
    [ -n "$targets" ] && [ "$(date +%s)" -lt "$deadline" ] || return 0
    pause
  done
}

for target in $whom; do
  [ "$target" != found ] && ! has_line "$targets" "$target" || continue
  if is_still "$target"; then row released "${target%:*}"; else row gone "${target%:*}"; fi
done
[ "$whom" != found ] || [ -n "$targets" ] || exit 0
# The start time of a process that begins now: what begins after it is new.
clock() { stat_of self && echo "$started"; }
began=$(clock)
ending=$targets
remaining=
signal TERM
await_end "$term_seconds" TERM
signal KILL
await_end "$kill_seconds" KILL
for target in $targets; do
  row survived "${target%:*}"
  remaining="$remaining ${target%:*}"
done
[ -z "$remaining" ] || refuse "processes that did not end:$remaining"
ended=$(clock)

# --- wait for the memory: the driver gives it back a moment after the process is gone

spared=
for line in $shown; do has_line "$ending" "${line%% *}" || spared=$spared$line$newline; done
busy=
least=-1
while [ "$smi_works" = yes ]; do
  said=$(ask_gpus)
  case $said in *"exit 0") gpu_rows=$(gpus_of_smi "$said") ;; *) break ;; esac
  busy= in_use=0
  for gpu_row in $gpu_rows; do
    gpu_of "$gpu_row"
    has_line "$needed" "$index" || continue
    ! is_number "$used" || in_use=$((in_use + used))
    unclaimed_memory "$spared"
    [ -z "$unclaimed" ] || busy=$busy$index$newline
  done
  [ -n "$busy" ] || break
  now=$(date +%s)
  if [ "$least" -lt 0 ] || [ "$in_use" -lt "$least" ]; then least=$in_use fell=$now; fi
  [ $((now - fell)) -lt "$memory_seconds" ] || break
  pause
done
for gpu_row in $gpu_rows; do
  gpu_of "$gpu_row"
  has_line "$needed" "$index" || continue
  if has_line "$busy" "$index"; then row busy "$index" "$used"; else row free "$index" "$used"; fi
done

# --- does one come back, started again by its unit or container, or by a loop?

# Processes that are in the unit or container of one that was ended, and began after that: a server
# takes a GPU only seconds after its start, and then a model is loading there.
find_successors() (
  cd /proc && set +f || exit
  set -- [0-9]*
  set -f
  for line in $groups; do
    has_line "$ending" "${line%% *}" || continue
    for file in $(timeout -k 2 "$scan_seconds" grep -l -F -x -e "${line#* }" $(printf '%s/cgroup\n' "$@") 2>/dev/null); do
      ! stat_of "${file%/cgroup}" || [ "$started" -le "$began" ] || echo "${file%/cgroup} - -"
    done
  done
)

# What a target started while it was ended may take a moment to go; what began later came back.
before=$newline$shown
units=$groups
[ "$restarting" = no ] || watch_seconds=$restart_seconds
deadline=$(($(date +%s) + watch_seconds))
while :; do
  groups=$units
  find_holders
  fresh= returned=no
  for holder_row in $holder_rows; do
    stat_of "${holder_row%% *}" || continue
    case $before in *"$newline${holder_row%% *}:$started "*) continue ;; esac
    is_needed "${holder_row##* }" || continue
    fresh=$fresh$holder_row$newline
    [ "$started" -le "$ended" ] || returned=yes
  done
  if [ -z "$fresh" ]; then
    fresh=$(find_successors)
    [ -z "$fresh" ] || returned=yes
  fi
  [ "$(date +%s)" -lt "$deadline" ] || returned=over
  # What has gone already, as what a unit runs before and after its process, is not what comes back.
  holder_rows=$fresh shown=
  [ "$returned" = no ] || show_holders back
  [ -z "$shown" ] && [ "$returned" != over ] || break
  pause
done
case $shown in
  *' other '* | *' live-run '* | *' over-run '* | *' orphan '* | *' foreign '*)
    refuse 'a process took a GPU again after clearing'
    ;;
esac
busy=$(echo "${busy%"$newline"}" | tr '\n' ,)
[ "$busy" = , ] || refuse "memory of GPU ${busy%,} is still in use, by no process that can be seen from here"
exit 0
