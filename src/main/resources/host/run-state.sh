# Says what is known of runs. Changes nothing. It follows run-processes in the same shell.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 whole, to count what the run has saved too, or
# brief, 3... run ids, or latest.
# Answers: here<TAB>time<TAB>boot id<TAB>node<TAB>pid namespace<TAB>time of boot;
# then for each run that there is: run<TAB>id<TAB>folder, and of these what is known: made<TAB>time of the
# last change in its folder; exit<TAB>code, or pending, or none after a launch that was given up;
# wrapper<TAB>pid<TAB>start time<TAB>boot id<TAB>node<TAB>pid namespace, as recorded; wrapper-is<TAB>alive
# or gone or elsewhere; damaged<TAB>what is wrong with that record; stopped<TAB>pid of a process that
# SIGSTOP has stopped; alive<TAB>time of the last beat; process<TAB>pid<TAB>start time<TAB>session or
# environment or log for each process of the run when its wrapper is gone, and what shows that it is one;
# lock<TAB>lock folder<TAB>held or free; samples<TAB>how many tensor files it has saved;
# guard<TAB>line of JSON for each that its guard noted; end<TAB>line of JSON that says why eagle3 ended
# it; aside<TAB>yes when previous output was set aside for it and not put back;
# log-is<TAB>path<TAB>nothing or file or folder, when the wrapper's log is not where it belongs any more:
# where it is, and what stands there instead; log<TAB>bytes<TAB>device:inode<TAB>time of the last write.
# The log is asked last: a run that is over has written all of it by then.
set -u
state=${1:-${HOME:-}/.eagle3}
whole=$2
shift 2
runs=$state/runs

# The wrapper, the job and what it started: those that are stopped. Children of the wrapper that have a
# session of their own are its guard and the one that touches alive.
tell_stopped() {
  asked=$r_pid
  own_session=
  for generation in wrapper job worker; do
    below=
    for one in $asked; do
      look_at "$one" || continue
      [ "$generation" != wrapper ] || own_session=$session
      [ "$generation" != job ] || [ "$session" = "$own_session" ] || continue
      [ "$condition" != T ] || printf 'stopped\t%s\n' "$one"
      children=
      read -r children <"/proc/$one/task/$one/children"
      below="$below $children"
    done 2>/dev/null
    asked=$below
  done
}

tell_output() {
  lock=
  [ ! -f "$1/lock" ] || lock=$(head -c 4096 -- "$1/lock" 2>/dev/null)
  is_text "$lock" || return 0
  output=
  case $lock in
    /*/.eagle3-lock) output=${lock%/.eagle3-lock} ;;
    /*.eagle3-lock) output=${lock%.eagle3-lock} ;;
  esac
  [ -n "$output" ] || return 0
  holds=free
  [ ! -e "$lock/$id" ] || holds=held
  printf 'lock\t%s\t%s\n' "$lock" "$holds"
  if [ "$whole" = whole ] && [ -f "$1/plan.json" ] && [ -d "$output" ]; then
    # A search that was cut short says no number.
    files=$({
      {
        timeout 10 find "$output" -type f -newer "$1/plan.json" \
          '(' -name '*.pt' -o -name '*.pth' -o -name '*.ckpt' -o -name '*.safetensors' ')' 2>/dev/null ||
          echo incomplete >&3
      } | grep -c /
    } 3>&1)
    ! is_number "$files" || printf 'samples\t%s\n' "$files"
  fi
}

# A first line that is blank says that there is nothing: this is asked every second.
tell_notes() {
  line=
  [ ! -f "$1/guard.jsonl" ] || IFS= read -r line 2>/dev/null <"$1/guard.jsonl"
  case $line in
    '{'*)
      head -c 16384 -- "$1/guard.jsonl" 2>/dev/null | while IFS= read -r line; do
        case $line in '{'*'}') printf 'guard\t%s\n' "$line" ;; esac
      done
      ;;
  esac
  if [ -f "$1/end.json" ]; then
    line=$(head -c 4096 -- "$1/end.json" 2>/dev/null | head -n 1)
    printf 'end\t%s\n' "$line"
  fi
  if [ "$whole" = whole ] && [ -f "$1.aside" ] && grep -q '^aside	' -- "$1.aside" &&
    ! grep -q '^undone	' -- "$1.aside"; then
    printf 'aside\tyes\n'
  fi 2>/dev/null
}

# Where somebody moved or removed the log, the wrapper still has it as its output, and so has the job.
# While it lives its output is what is asked: what has its place may have just been put there.
tell_log() {
  log=$folder/log
  held=/proc/$r_pid/fd/1
  asked=
  if [ "$is" = alive ] && [ -f "$held" ] && [ / -ef / ]; then
    asked=$held
    if ! [ "$log" -ef "$held" ]; then
      stands=nothing
      [ ! -e "$log" ] || stands=file
      [ ! -d "$log" ] || stands=folder
      log=$(readlink -- "$held")
      is_text "$log" && [ "$log" -ef "$held" ] || log=$held
      # It may have ended meanwhile, and nothing is to be had there then.
      if is_still "$r_pid" "$r_start"; then
        printf 'log-is\t%s\t%s\n' "$log" "$stands"
      else
        log=$folder/log
        asked=
      fi
    fi
  fi
  { [ -n "$asked" ] && size=$(stat -L -c '%s	%d:%i	%Y' -- "$asked" 2>/dev/null); } ||
    size=$(stat -L -c '%s	%d:%i	%Y' -- "$log" 2>/dev/null) || return 0
  printf 'log\t%s\n' "$size"
}

tell() {
  id=$1
  folder=$runs/$id
  [ -d "$folder" ] && [ ! -L "$folder" ] || return
  printf 'run\t%s\t%s\n' "$id" "$folder"
  exit_of "$folder"
  is=gone
  if recorded "$folder"; then
    wrapper_is
    # A wrapper that has noted the exit code is about to go.
    moments=0
    while [ "$is" = alive ] && [ "${code:-pending}" != pending ] && [ "$moments" -lt 50 ]; do
      pause
      wrapper_is
    done
    # It may have ended between the two questions.
    [ "$is" = alive ] || exit_of "$folder"
    printf 'wrapper\t%s\t%s\t%s\t%s\t%s\nwrapper-is\t%s\n' \
      "$r_pid" "$r_start" "$r_boot" "$r_node" "$r_space" "$is"
    [ "$is" != alive ] || tell_stopped
  elif [ -n "$damaged" ]; then
    printf 'damaged\t%s\n' "$damaged"
  fi
  if [ "$is" = gone ]; then
    [ -n "$processes" ] || list_processes
    find_processes "$id" "$folder"
    for one in $of_run; do
      how=${one##*:}
      one=${one%:*}
      printf 'process\t%s\t%s\t%s\n' "${one%:*}" "${one#*:}" "$how"
    done
  fi
  [ -z "$code" ] || printf 'exit\t%s\n' "$code"
  # How old a launch is counts only until its wrapper has said who it is.
  [ -n "$r_pid" ] || printf 'made\t%s\n' "$(stat -c %Y -- "$folder" 2>/dev/null)"
  beat=$(stat -c %Y -- "$folder/alive" 2>/dev/null) && printf 'alive\t%s\n' "$beat"
  tell_output "$folder"
  tell_notes "$folder"
  tell_log
}

processes=
now=$(date +%s)
read -r up rest </proc/uptime
printf 'here\t%s\t%s\t%s\t%s\t%s\n' "$now" "$boot" "$node" "$space" "$((now - ${up%%.*}))"
for wanted in "$@"; do
  if [ "$wanted" = latest ]; then
    wanted=
    for entry in "$runs"/$run_form; do
      [ ! -d "$entry" ] || [ -L "$entry" ] || wanted=${entry##*/}
    done
  fi
  [ -z "$wanted" ] || tell "$wanted"
done
exit 0
