# A test's: repeats its input line by line, and leaves FILE when it ends.
# Arguments: FILE. Answers: got<TAB>line
set -u
printf 'ready\n'
while read -r line; do
  printf 'got\t%s\n' "$line"
done
: >"$1"
