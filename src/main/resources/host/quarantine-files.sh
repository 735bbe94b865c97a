# Moves files that verify-shapes found bad out of their folders, by renaming them; nothing is deleted, copied
# or overwritten. Each keeps its path below BASE: BASE/NAME becomes DIR/NAME.
#
# Arguments: BASE DIR ACT [NAME BYTES BACK]...
#   ACT    do; or look, which refuses what do would refuse, and changes nothing
#   NAME   path of a file below BASE
#   BYTES  its size when it was verified
#   BACK   a line of shell that moves it back. DIR/.eagle3-put-back.sh gets it before the file is moved
#
# Refused, with nothing changed: paths that are relative or have "..", a DIR that is no folder, on another file
# system, or in a folder that files are taken out of (unless hidden there), names that are taken, and folders
# that may not be written. Asked again after an interruption, it does the rest.
#
# Answers, fields separated by tabs; in paths \\ \t \r \n stand for backslash, tab and line ends:
#   moved NAME
#   left NAME WHY   it stays: a process has it open for writing, it has changed, or it is gone
#   refused WHY     with exit code 11
set -uf
base=$1 dir=$2 act=$3
shift 3

check_path "$base"
check_path "$dir"
resolve "$base"
base=$resolved
# What leads to DIR and is there already; of a link that leads nowhere nothing is.
strip "$dir"
dir=$bare
above=$dir below=
while ! there "$above"; do
  below=/${above##*/}$below
  above=${above%/*}
  above=${above:-/}
done
resolve "$above"
[ -d "$resolved" ] || refuse "it is not a folder: $above"
[ -w "$resolved" ] && [ -x "$resolved" ] || refuse "it may not be written: $above"
device=$(stat -c %d "$resolved")
dir=${resolved%/}$below
[ -n "$dir" ] || refuse 'it is the root folder'

# Files that a process of this account (of all, for root) has open for writing, one a line.
set +f
open=$newline$(ls -l /proc/[0-9]*/fd 2>/dev/null | sed -n 's/^l.w.* -> //p')$newline
set -f

# Sets why: the reason to leave a file where it is; empty for none.
look_at() {
  why=
  if ! there "$base/$1"; then
    why='it is not there any more'
  elif [ "$(stat -L -c %s "$base/$1" 2>/dev/null)" != "$2" ]; then
    why='it has another size by now'
  else
    resolve "$base/$1"
    case $open in *"$newline$resolved$newline"*) why='it is open for writing' ;; esac
  fi
}

# Refuses where this one cannot be moved; sets from, the folder that it is in.
check_name() {
  case /$1/ in *//* | */./* | */../*) refuse "that is no path below a folder: $1" ;; esac
  case ${1##*/} in .eagle3-*) refuse "that is a file of eagle3: $1" ;; esac
  case $1 in */*) from=$base/${1%/*} ;; *) from=$base ;; esac
  resolve "$from"
  from=$resolved
  case $dir/ in
    "${from%/}"/.*) ;;
    "${from%/}"/*) refuse "it lies in $from, where it would count as output" ;;
  esac
  [ ! -d "$base/$1" ] || [ -L "$base/$1" ] || refuse "that is a folder: $1"
  if there "$base/$1"; then
    [ "$(stat -c %d "$from")" = "$device" ] || refuse "it is not on the file system of $from, and files are only renamed"
    [ -w "$from" ] && [ -x "$from" ] || refuse "$from may not be written, so nothing can be moved out of it"
    ! there "$dir/$1" || refuse "the name is taken: $dir/$1"
    case $1 in
      */*)
        resolve "$dir/${1%/*}"
        [ "$resolved" = "$dir/${1%/*}" ] || refuse "a link or a file is in the way: $dir/${1%/*}"
        ;;
    esac
  fi
}

check_all() {
  while [ $# -ge 3 ]; do
    check_name "$1"
    shift 3
  done
}
check_all "$@"
[ ! -L "$dir/.eagle3-put-back.sh" ] || refuse "a link is in the way: $dir/.eagle3-put-back.sh"
if [ "$act" != do ]; then
  while [ $# -ge 3 ]; do
    look_at "$1" "$2"
    [ -z "$why" ] || row left "$1" "$why"
    shift 3
  done
  exit 0
fi

while [ $# -ge 3 ]; do
  look_at "$1" "$2"
  if [ -n "$why" ]; then
    # Also what was moved when this was asked before, and the connection was lost.
    if there "$dir/$1" && ! there "$base/$1"; then row moved "$1"; else row left "$1" "$why"; fi
  else
    into=$dir/$1
    trouble=$(mkdir -p "${into%/*}" 2>&1) || refuse "${into%/*} cannot be made: $trouble"
    { printf '%s\n' "$3" >>"$dir/.eagle3-put-back.sh"; } 2>/dev/null ||
      refuse "nothing can be written in $dir: it may not be written, or the disk is full"
    rename "$base/$1" "$into" || refuse "$base/$1 cannot be moved: $trouble"
    row moved "$1"
  fi
  shift 3
done
exit 0
