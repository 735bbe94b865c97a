# Lists runs, the newest first. Changes nothing.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 how many at most.
# Answers: run<TAB>id<TAB>folder<TAB>exit code or pending<TAB>folder of its lock, beside or in its output
# folder (empty: unknown)<TAB>line of JSON that says why eagle3 ended it (empty: it did not);
# more<TAB>how many older ones were left out.
set -u
LC_ALL=C
export LC_ALL
state=${1:-${HOME:-}/.eagle3}
most=$2
digit=[0-9]
run_form=$digit$digit$digit$digit$digit$digit$digit$digit-$digit$digit$digit$digit$digit$digit-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]
set --
for entry in "$state/runs"/$run_form; do
  [ ! -d "$entry" ] || [ -L "$entry" ] || set -- "$entry" "$@"
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
  lock=
  [ ! -f "$entry/lock" ] || IFS= read -r lock 2>/dev/null <"$entry/lock"
  case $lock in *[[:cntrl:]]*) lock= ;; esac
  why=
  [ ! -f "$entry/end.json" ] || why=$(head -c 4096 -- "$entry/end.json" 2>/dev/null | head -n 1)
  case $why in *[[:cntrl:]]*) why= ;; esac
  printf 'run\t%s\t%s\t%s\t%s\t%s\n' "${entry##*/}" "$entry" "$code" "$lock" "$why"
  most=$((most - 1))
  shift
done
