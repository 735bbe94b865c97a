# Says what kind of machine this is, which tools it has, and whether the files of the job are there, and
# the variables that it is to take over.
# Changes nothing.
#
# Arguments: pairs of a word and a path, for example: python /opt/env/bin/python3 script /opt/x.py; the
# word variable with the name of one. probe-machine follows in the same shell with the same arguments.
#
# Answers:
#   host<TAB>system<TAB>machine<TAB>node name<TAB>user
#   home<TAB>folder
#   tool<TAB>name<TAB>yes|no
#   variable<TAB>name<TAB>yes|no: whether it is set; its value is not told
#   path<TAB>word<TAB>program|file|folder|unreadable|missing<TAB>path
set -u

yes_or_no() {
  if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi
}

kind_of() {
  if [ -d "$1" ]; then
    if [ -r "$1" ] && [ -x "$1" ]; then echo folder; else echo unreadable; fi
  elif [ -f "$1" ]; then
    if [ ! -r "$1" ]; then
      echo unreadable
    elif [ -x "$1" ]; then
      echo program
    else
      echo file
    fi
  elif [ -e "$1" ]; then
    echo file
  else
    echo missing
  fi
}

printf 'host\t%s\t%s\t%s\t%s\n' "$(uname -s)" "$(uname -m)" "$(uname -n)" "$(id -un 2>/dev/null || id -u)"
printf 'home\t%s\n' "${HOME:-}"
for tool in setsid nohup tail timeout stat fuser nvidia-smi; do
  printf 'tool\t%s\t%s\n' "$tool" "$(yes_or_no command -v "$tool")"
done
printf 'tool\t%s\t%s\n' /proc "$(yes_or_no test -r /proc/self/stat)"
word=
for argument; do
  if [ -z "$word" ]; then
    word=$argument
    continue
  fi
  if [ "$word" = variable ]; then
    printf 'variable\t%s\t%s\n' "$argument" "$(yes_or_no printenv "$argument")"
  else
    printf 'path\t%s\t%s\t%s\n' "$word" "$(kind_of "$argument")" "$argument"
  fi
  word=
done
