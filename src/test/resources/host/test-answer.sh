# A test's: leaves FILE, says something on both streams, prints COUNT lines, and exits with CODE.
# Arguments: FILE COUNT CODE. Answers: line<TAB>number; the last one without its line end
set -u
: >"$1"
echo 'a word of warning' >&2
number=1
while [ "$number" -lt "$2" ]; do
  printf 'line\t%s\n' "$number"
  number=$((number + 1))
done
printf 'line\t%s' "$number"
exit "$3"
