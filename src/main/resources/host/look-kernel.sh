# Says what the kernel has noted of processes that it ended for lack of memory, of programs that
# crashed, and of GPUs and disks with errors; and how often it ended processes in the control groups of
# this login. Changes nothing. For a run that ended without saying why.
# Arguments: 1 folder of the run.
# Answers: here<TAB>time<TAB>seconds since the boot; run<TAB>when it began<TAB>when it ended;
# kernel<TAB>dmesg or journal or none: where the lines come from; oldest<TAB>text, the first line that is
# still there; line<TAB>text, the last 200;
# group<TAB>control group<TAB>how many processes it ended there<TAB>memory limit in bytes, or max.
set -u
LC_ALL=C
export LC_ALL
folder=$1

began=$(stat -c %Y -- "$folder/plan.json" 2>/dev/null) || began=0
ended=$(date +%s)
now=$ended
for entry in "$folder"/exit.[0-9]*; do
  [ ! -e "$entry" ] || ended=$(stat -c %Z -- "$entry" 2>/dev/null) || ended=$now
done
read -r up rest </proc/uptime
printf 'here\t%s\t%s\nrun\t%s\t%s\n' "$now" "${up%%.*}" "$began" "$ended"

lines=
from=none
if lines=$(dmesg 2>/dev/null) && [ -n "$lines" ]; then
  from=dmesg
elif lines=$(journalctl -k -b -q -o short-monotonic --no-pager 2>/dev/null) && [ -n "$lines" ]; then
  from=journal
fi
printf 'kernel\t%s\n' "$from"
[ -z "$lines" ] || printf '%s\n' "$lines" | head -n 1 | cut -c 1-200 | sed 's/^/oldest	/'
printf '%s\n' "$lines" |
  grep -aE 'Killed process|NVRM: Xid|segfault at|traps: .*(trap|general protection)|I/O error|EXT4-fs error|nfs: server' |
  tail -n 200 | cut -c 1-600 | sed 's/^/line	/'

# The newer kind of control groups has one tree, the older one a tree for memory.
while IFS= read -r entry; do
  case $entry in
    0::/*)
      group=/sys/fs/cgroup${entry#0::}
      [ -r "$group/memory.events" ] || group=/sys/fs/cgroup
      kills=$(grep -s '^oom_kill ' "$group/memory.events") || continue
      limit=$(cat "$group/memory.max" 2>/dev/null) || limit=max
      ;;
    *:memory:/*)
      group=/sys/fs/cgroup/memory${entry#*:memory:}
      [ -r "$group/memory.oom_control" ] || group=/sys/fs/cgroup/memory
      kills=$(grep -s '^oom_kill ' "$group/memory.oom_control") || continue
      limit=$(cat "$group/memory.limit_in_bytes" 2>/dev/null) || limit=max
      ;;
    *) continue ;;
  esac
  printf 'group\t%s\t%s\t%s\n' "$group" "${kills##* }" "$limit"
done </proc/self/cgroup
exit 0
