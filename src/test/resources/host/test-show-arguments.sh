# A test's: one line for each argument, and what its own input holds.
# Answers: argument<TAB>text; input<TAB>bytes
set -u
for argument in "$@"; do
  printf 'argument\t%s\n' "$argument"
done
printf 'input\t%s\n' "$(cat | wc -c | tr -d ' ')"
