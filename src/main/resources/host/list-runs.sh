# Lists runs, the newest first. Changes nothing.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 how many at most.
# Answers: run<TAB>id<TAB>folder<TAB>exit code or pending; more<TAB>how many older ones were left out.
set -u
state=${1:-${HOME:-}/.eagle3}
most=$2
set --
for entry in "$state/runs"/[0-9]*-[0-9]*-????; do
  [ ! -d "$entry" ] || set -- "$entry" "$@"
done
for entry in "$@"; do
  if [ "$most" -le 0 ]; then
    printf 'more\t%s\n' "$#"
    break
  fi
  code=pending
  for ended in "$entry"/exit.[0-9]*; do
    [ ! -e "$ended" ] || code=${ended##*/exit.}
  done
  printf 'run\t%s\t%s\t%s\n' "${entry##*/}" "$entry" "$code"
  most=$((most - 1))
  shift
done
