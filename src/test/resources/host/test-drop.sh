# Counts in the file $1 how often it was run, and cuts its own connection the first $2 times.
set -u
echo run >>"$1"
count=$(wc -l <"$1")
if [ "$count" -le "$2" ]; then
  # Up to the first sshd that it descends from.
  pid=$$
  until [ "$(cat "/proc/$pid/comm")" = sshd ] || [ "$(cat "/proc/$pid/comm")" = sshd-session ]; do
    read -r stat <"/proc/$pid/stat"
    stat=${stat##*) }
    stat=${stat#* }
    pid=${stat%% *}
  done
  kill -KILL "$pid"
  sleep 2
fi
printf 'counted\t%s\n' "$count"
