# Says what the processes of a run that lives are doing. Changes nothing. It follows run-processes in the
# same shell.
# Arguments: 1 state folder (empty: $HOME/.eagle3), 2 run id.
# Answers: ticks<TAB>clock ticks a second; for each process of the run
# process<TAB>pid<TAB>letter of its state<TAB>ticks of processor time so far<TAB>bytes read so far, or
# -<TAB>where it waits in the kernel, or -<TAB>name; at last looked.
set -u
state=${1:-${HOME:-}/.eagle3}
folder=$state/runs/$2

spent() {
  condition=${1-X}
  ticks=$((${12-0} + ${13-0}))
}

tell_process() {
  read_stat "$1"
  [ -n "$stat" ] || return 0
  spent $stat
  name=
  read -r name <"/proc/$1/comm"
  waits=
  read -r waits <"/proc/$1/wchan"
  is_text "$waits" && [ "$waits" != 0 ] || waits=-
  # What a program asks for, and what a mapped file costs the disk: a model is read in either way.
  bytes=0
  while read -r key value; do
    case $key in
      rchar: | read_bytes:) ! is_number "$value" || bytes=$((bytes + value)) ;;
    esac
  done <"/proc/$1/io" || bytes=-
  [ "$bytes" != 0 ] || bytes=-
  printf 'process\t%s\t%s\t%s\t%s\t%s\t' "$1" "$condition" "$ticks" "$bytes" "$waits"
  printf '%s\n' "$name" | tr -d '\000-\010\011\013-\037\177'
} 2>/dev/null

[ -d "$folder" ] && [ ! -L "$folder" ] || exit 0
printf 'ticks\t%s\n' "$(getconf CLK_TCK 2>/dev/null || echo 100)"
recorded "$folder" || :
list_processes
find_processes "$2" "$folder"
for one in $of_run; do
  one=${one%:*}
  tell_process "${one%:*}"
done
echo looked
