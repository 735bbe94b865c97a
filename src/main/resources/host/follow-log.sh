# Sends a log from a byte on, and what is added to it, until its own standard input ends, which happens
# when the connection is closed or lost; or until nothing comes there any more for some time: of a client
# that is gone without a word (its network, its power) a server may not hear for hours. So nothing stays
# behind. Changes nothing.
# Arguments: 1 log, 2 how many of its bytes to leave out (the log is not shorter than that), 3 after how
# many seconds without a byte on standard input the client is gone.
# Answers: the bytes of the log and nothing else.
set -u
log=$1
offset=$2
patience=$3

# For a tail that cannot follow: what was added is asked for again and again.
follow_by_asking() {
  while size=$(stat -L -c %s -- "$log"); do
    if [ "$size" -gt "$offset" ]; then
      tail -c "+$((offset + 1))" -- "$log" | head -c "$((size - offset))"
      offset=$size
    fi
    sleep 0.2 2>/dev/null || sleep 1
  done
}

exec 3<&0 </dev/null
# Of a pipe tail -f sees the end, so this asks whether there is a -f. Where files send no word of
# changes (network file systems), -s says how often to look.
if : | tail -c +1 -f >/dev/null 2>&1; then
  if tail -s 0.2 -c +1 /dev/null 2>/dev/null; then
    tail -c "+$((offset + 1))" -s 0.2 -f -- "$log" 3<&- &
  else
    tail -c "+$((offset + 1))" -f -- "$log" 3<&- &
  fi
else
  follow_by_asking 3<&- &
fi
reader=$!
{
  if timeout 5 true; then
    while timeout "$patience" head -c 1 <&3 | grep -q .; do :; done
  else
    cat <&3
  fi
  kill -TERM "$reader"
} >/dev/null 2>&1 &
watchdog=$!
exec 3<&-
wait "$reader"
code=$?
# Else it would signal whoever has that number later.
kill -TERM "$watchdog" 2>/dev/null
exit "$code"
