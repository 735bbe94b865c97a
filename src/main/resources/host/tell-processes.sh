# Knows how a process is told in an answer. Changes nothing, and answers nothing: look-log and look-output
# follow it in the same shell, as it follows run-processes, and its arguments are theirs.
#
# A process is told as WORD<TAB>pid<TAB>start time in clock ticks<TAB>age in seconds<TAB>user<TAB>command
# line<TAB>working folder, and more that the word stands for. Command line and folder are hexadecimal, as
# they may hold anything; of a command line of its words, each with a zero byte behind it, at most 16 KiB.
ticks=$(getconf CLK_TCK 2>/dev/null) || ticks=100
is_number "$ticks" && [ "$ticks" -gt 0 ] || ticks=100

hexadecimal() {
  od -A n -v -t x1 | tr -d ' \n'
}

# Arguments: 1 word, 2 process, 3... further fields. A process that has ended meanwhile is not told.
tell_process() {
  told=$2
  look_at "$told" || return 0
  read -r up rest </proc/uptime
  age=$((${up%%.*} - start / ticks))
  user=$(stat -c %U -- "/proc/$told" 2>/dev/null)
  is_text "$user" || user=
  line=$(head -c 16384 -- "/proc/$told/cmdline" 2>/dev/null | hexadecimal)
  stands=$(readlink -- "/proc/$told/cwd" 2>/dev/null && printf .) || stands=
  stands=$(printf %s "${stands%"$newline".}" | hexadecimal)
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s' "$1" "$told" "$start" "$age" "$user" "$line" "$stands"
  shift 2
  for field; do
    printf '\t%s' "$field"
  done
  printf '\n'
}

# Whether there are processes whose files this user cannot see. Threads of the kernel have none.
some_are_hidden() {
  [ -e /proc/1 ] || return 0
  for row in $processes; do
    one=${row%%:*}
    [ ! -d "/proc/$one/cwd/" ] || continue
    if [ "${row##*:}" = 0 ]; then
      text=$(head -c 1 -- "/proc/$one/cmdline" 2>/dev/null | tr '\0' x)
      [ -n "$text" ] || continue
    fi
    # It may have ended since.
    ! look_at "$one" || return 0
  done
  return 1
}
