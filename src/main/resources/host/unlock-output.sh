# Gives back the lock on the output folder of a run that was not launched after all.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id.
# Changes: removes the file of this run in its lock folder, that folder when it is empty then, and the
# note runs/ID.lock; and the note runs/ID.aside, when nothing was set aside. Leaves the lock of a run that
# was launched alone: its job gives it back.
# Answers: unlocked<TAB>lock folder, or nothing when there was no lock.
set -u
state=${1:-${HOME:-}/.eagle3}
id=$2
tab=$(printf '\t')
record=$state/runs/$id.aside
# A run that was never launched has nothing to look back at, unless something waits to be put back.
if [ -f "$record" ] && [ ! -e "$state/runs/$id" ]; then
  if ! grep -q -e "^aside$tab" -e "^quarantine$tab" "$record" || grep -q "^undone$tab.*$tab-${tab}none$tab" "$record"; then
    rm -f -- "$record"
  fi
fi
note=$state/runs/$id.lock
if [ ! -f "$note" ]; then
  # A launch that failed late had taken the note along.
  note=$state/runs/$id/lock
  [ -f "$note" ] && [ ! -e "$state/runs/$id/pid" ] || exit 0
fi
lock=$(cat -- "$note")
case $lock in
  /*.eagle3-lock)
    if [ -e "$lock/$id" ]; then
      rm -f -- "$lock/$id"
      rmdir -- "$lock" 2>/dev/null
      printf 'unlocked\t%s\n' "$lock"
    fi
    ;;
esac
rm -f -- "$note"
