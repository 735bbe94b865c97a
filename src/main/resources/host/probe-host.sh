# Says what kind of machine this is and which tools it has. Changes nothing.
# Answers: host<TAB>system<TAB>machine<TAB>node name; home<TAB>folder; tool<TAB>name<TAB>yes|no
set -u
printf 'host\t%s\t%s\t%s\n' "$(uname -s)" "$(uname -m)" "$(uname -n)"
printf 'home\t%s\n' "${HOME:-}"
for tool in setsid nohup fuser nvidia-smi; do
  if command -v "$tool" >/dev/null 2>&1; then answer=yes; else answer=no; fi
  printf 'tool\t%s\t%s\n' "$tool" "$answer"
done
