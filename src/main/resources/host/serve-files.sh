# Serves files where a host offers no SFTP: says what they are, sends ranges of them, lists folders;
# and, asked to, writes one file whole (under another name first, checked, then renamed over the old
# one) or renames one, never over another. Ends with its standard input, so with the connection.
#
# Arguments: 1 a word that marks answers, which no file can know
# Requests on standard input, a line each, fields separated by tabs; in paths \0ooo is a byte:
#   stat PATH, lstat PATH            what it is, a link followed or not
#   list PATH                        the entries of a folder, links not followed
#   read PATH SAME BLOCK SKIP COUNT  COUNT blocks of BLOCK bytes after SKIP blocks, and three more
#                                    fields for each further range; SAME is yes to be told which file
#   write PATH TEMPORARY MODE BYTES SHA256   after the answer go, BYTES bytes of content follow
#   rename FROM TO
# Answers: bytes of files and names, and lines that begin with a control character and the word:
#   is MODE BYTES SECONDS            entry MODE BYTES SECONDS, followed by ./NAME and a line end
#   range                            the end of the bytes of one range
#   go                               ok [DEVICE:INODE]
#   no KIND TEXT                     missing, denied, exists or other, and the system's words
set -uf
LC_ALL=C
export LC_ALL
umask 077

newline='
'
tab=$(printf '\t')
mark=$(printf '\036')$1

exec 3>&1 5<&0 </dev/null
opened=/proc/self/fd/4
[ -e /proc/self/fd/5 ] || opened=

answer() { printf '%s %s\n' "$mark" "$1"; }

no() { answer "no$tab$1$tab${2##*"$newline"}"; }

# Answers what a program or this shell said of a path: the system's words stand at the end.
refuse() {
  case $1 in
    *': No such file or directory' | *': No such file' | *': Not a directory') no missing "$1" ;;
    *': Directory nonexistent' | *': nonexistent directory') no missing "$1" ;;
    *': Too many levels of symbolic links' | *': Symbolic link loop') no missing "$1" ;;
    *': Permission denied') no denied "$1" ;;
    *': File exists' | *': file exists' | *': cannot overwrite existing file') no exists "$1" ;;
    *) no other "$1" ;;
  esac
}

there() { [ -e "$1" ] || [ -L "$1" ]; }

# Sets decoded. The dot keeps a line end at the end of a name.
decode() {
  case $1 in
    *\\*)
      decoded=$(printf '%b.' "$1")
      decoded=${decoded%.}
      ;;
    *) decoded=$1 ;;
  esac
}

say_stat() {
  if said=$(stat "$@" 2>&1); then answer "is $said"; else refuse "$said"; fi
}

say_not_a() {
  if said=$(stat -L -c %F -- "$path" 2>&1); then no other "not a $1"; else refuse "$said"; fi
}

# Runs in the folder. Entries that vanish meanwhile are passed over.
each_entry() {
  format="$mark entry %f %s %Y$newline%n"
  if command -v find >/dev/null 2>&1; then
    find . ! -name . -prune -exec stat -c "$format" -- {} +
    return
  fi
  set +f
  set --
  for name in .* *; do
    case $name in . | ..) continue ;; esac
    there "./$name" && set -- "$@" "./$name"
    if [ $# -ge 200 ]; then
      stat -c "$format" -- "$@"
      set --
    fi
  done
  [ $# -eq 0 ] || stat -c "$format" -- "$@"
}

list() {
  [ -d "$path" ] || {
    say_not_a folder
    return
  }
  { [ -r "$path" ] && [ -x "$path" ]; } || {
    no denied 'may not be listed'
    return
  }
  said=$(
    { cd -P -- "$path" && each_entry >&3; } 2>&1 | {
      trouble=
      while IFS= read -r line; do
        case $line in
          *': No such file or directory') ;;
          *) trouble=$line ;;
        esac
      done
      printf %s "$trouble"
    }
  )
  if [ -n "$said" ]; then refuse "$said"; else answer ok; fi
}

# Runs with the file open as 4, so that all ranges are of one file even if it is replaced meanwhile.
send_ranges() {
  was_opened=yes
  inode=
  [ "$1" = yes ] && inode=" $(stat -L -c %d:%i -- "${opened:-$path}" 2>/dev/null)"
  shift
  while [ $# -ge 3 ]; do
    if ! said=$(dd if="${opened:-$path}" bs="$1" skip="$2" count="$3" 2>&1 >&3); then
      # Before the line that names the trouble there is nothing, after it dd counts.
      refuse "${said%%"$newline"*}"
      return
    fi
    answer range
    shift 3
  done
  answer "ok$inode"
}

read_file() {
  # A pipe without a writer would be waited for.
  [ -f "$path" ] || {
    say_not_a 'regular file'
    return
  }
  was_opened=
  { send_ranges "$@" 2>/dev/null; } 2>/dev/null 4<"$path"
  [ -n "$was_opened" ] || refuse "$(exec 2>&1; : <"$path")"
}

# Moves within one file system only: where mv would copy, it fails.
move() { (ulimit -f 0 && exec mv "$@") 2>&1 || { [ $? -le 128 ] || echo 'is on another file system'; }; }

# Whether the temporary file has a checksum; where none can be made, its size must do.
has_sum() {
  command -v sha256sum >/dev/null 2>&1 || return 0
  sum=$(sha256sum <"$temporary") && [ "${sum%% *}" = "$1" ]
}

write_file() {
  decode "$1"
  temporary=$decoded
  said=$(exec 2>&1; set -C; : >"$temporary") || {
    refuse "$said"
    return
  }
  answer go
  said=$(head -c "$3" <&5 2>&1 >"$temporary")
  if [ "$(wc -c <"$temporary")" -ne "$3" ] || ! has_sum "$4"; then
    rm -f -- "$temporary"
    no other "the content did not arrive whole${said:+: $said}"
    # What else arrives may be the rest of it, and is no request.
    exit 1
  fi
  # Where dd knows how, this brings it to the disk.
  dd if=/dev/null of="$temporary" conv=notrunc,fsync 2>/dev/null
  if [ -d "$path" ] && [ ! -L "$path" ]; then
    said='is a folder'
  elif said=$(chmod -- "$2" "$temporary" 2>&1) && said=$(move -f -T -- "$temporary" "$path"); then
    answer ok
    return
  fi
  rm -f -- "$temporary"
  refuse "$said"
}

rename() {
  decode "$1"
  if there "$decoded"; then
    no exists 'is there already'
    return
  fi
  said=$(move -n -T -- "$path" "$decoded")
  if there "$path"; then
    if there "$decoded"; then no exists 'is there already'; else refuse "$said"; fi
  elif there "$decoded"; then
    answer ok
  else
    refuse "${said:-: No such file or directory}"
  fi
}

while IFS=$tab read -r verb path rest <&5; do
  decode "$path"
  path=$decoded
  IFS=$tab
  set -- $rest
  IFS=" $tab$newline"
  case $verb in
    stat) say_stat -L -c '%f %s %Y' -- "$path" ;;
    lstat) say_stat -c '%f %s %Y' -- "$path" ;;
    list) list ;;
    read) read_file "$@" ;;
    write) write_file "$@" ;;
    rename) rename "$@" ;;
    *) no other 'unknown request' ;;
  esac
done
