# Deletes the folder of a run that is over: its plan, its log and what tells its state; no output.
#
# Arguments: STATE RUN
#   STATE  folder of eagle3's state; empty: $HOME/.eagle3
# It follows output-notes, which describes the note RUN.aside, in the same shell.
#
# Refused while its wrapper lives, while anything is set aside for it, and where STATE/runs/RUN is a
# link. It is renamed to STATE/runs/.removing-RUN first. RUN.aside stays, some hundred bytes, and notes
# that the run was there: what it wrote is not to be taken for an earlier run's. Run again after an
# interruption, it does the rest.
#
# Answers, fields separated by tabs: removed PATH; left PATH WHY with exit code 1; refused WHY with exit code 11
set -uf
state=${1:-${HOME:-}/.eagle3} run=$2

case $run in
  [0-9]*-[0-9]*-????) ;;
  *) refuse 'the run id has another form' ;;
esac
check_run
runs=$state/runs
folder=$runs/$run
gone=$runs/.removing-$run
record=$runs/$run.aside
for place in "$state" "$runs" "$folder" "$gone"; do
  [ ! -L "$place" ] || refuse "it is a link: $place"
done
if ! [ -d "$folder" ] && ! [ -d "$gone" ]; then
  grep -q "^over$tab" "$record" 2>/dev/null || refuse "there is no run $run"
  row removed "$folder"
  exit 0
fi
if [ -f "$record" ]; then
  while IFS=$tab read -r word one two three four five six; do
    is_of_folder "$word" "$one" "$two" "$three" "$four" "$five" "$six" || continue
    for place in "$meant" "$meant.removing" "$meant.part" "$meant.back"; do
      case $place in /*) ! there "$place" || refuse "something is set aside for it: $place" ;; esac
    done
  done <"$record"
fi
if [ -d "$folder" ]; then
  [ "$(stat -c %u "$folder")" = "$(id -u)" ] || refuse "it is of another user: $folder"
  if [ -f "$folder/pid" ]; then
    IFS=$tab read -r pid start boot node rest <"$folder/pid"
    case $pid in
      '' | *[!0-9]*) ;;
      *)
        stat=
        { read -r stat <"/proc/$pid/stat"; } 2>/dev/null
        set -- ${stat##*) }
        # One that is over stays in the list where nobody asks how it ended, as in containers without an init.
        case ${1-X} in Z | X) set -- ;; esac
        [ "${20:-none}" != "$start" ] || refuse "run $run lives: pid $pid"
        ;;
    esac
  fi
  ! there "$gone" || refuse "two are there: $folder and $gone"
  if [ -f "$record" ]; then
    { row over "$(date +%s)" >>"$record"; } 2>/dev/null || refuse "nothing can be noted in $record: the disk is full"
  fi
  rename "$folder" "$gone" || refuse "it cannot be renamed: $trouble"
fi
one=
! rm -f --one-file-system 2>/dev/null || one=--one-file-system
said=$(rm -rf $one -- "${gone:?}" 2>&1 | head -n 1)
if there "$gone"; then
  row left "$gone" "${said:-something is being written there}"
  exit 1
fi
rm -f "$runs/$run.lock"
row removed "$folder"
exit 0
