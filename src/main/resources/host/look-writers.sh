# Says which of some files a process has open for writing, as far as the user who asks may see. Changes
# nothing.
# Arguments: the files.
# Answers: open<TAB>number of the file among the arguments, from 1<TAB>process id; at last looked.
set -u
LC_ALL=C
QUOTING_STYLE=literal
export LC_ALL QUOTING_STYLE
cd /proc || exit 1
process=
# One question for all processes; few files are open for writing. Which file it is tells the inode:
# in a container its path may be another one.
ls -l -- [0-9]*/fd 2>/dev/null |
  grep -e '^[0-9]*/fd:$' -e '^l.w.* -> /' | grep -v ' -> /dev/' |
  while IFS= read -r line; do
    case $line in
      [0-9]*/fd:)
        process=${line%/fd:}
        continue
        ;;
    esac
    descriptor=${line%% -> *}
    descriptor=/proc/$process/fd/${descriptor##* }
    number=0
    for file; do
      number=$((number + 1))
      [ ! "$descriptor" -ef "$file" ] || printf 'open\t%s\t%s\n' "$number" "$process"
    done
  done
echo looked
