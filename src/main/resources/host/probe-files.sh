# Says what the files of a job hold: script and packages (probe-job.py), model (probe-model.py),
# prepared data (probe-data.py). Those run under the job's own interpreter, with the standard library
# only; what is there before this in the same shell are functions with their texts. Changes nothing:
# nothing of the job is imported or run, and nothing is written, not even compiled Python.
#
# Arguments: PYTHON SECONDS PATHS PART... -- WORD VALUE...
#   PYTHON   the job's interpreter
#   SECONDS  how long one part may take
#   PATHS    PYTHONPATH of the job; empty: that of this session
#   PART     job, model or data
#   WORD     with its VALUE, as the parts say
# The model and the data are read by another python3 where that of the job is none.
#
# Answers, fields separated by tabs, beside those of the parts:
#   interpreter VERSION    what PYTHON says; - when it says nothing that a Python would say
#   reader PATH            the interpreter that ran the parts; - when there is none
#   part NAME CODE         how it ended; 124 when it took too long, 126 when its text did not arrive
set -u
python=$1 seconds=$2 paths=$3
shift 3
parts=
while [ "$1" != -- ]; do
  parts="$parts $1"
  shift
done
shift
[ -z "$paths" ] || PYTHONPATH=$paths
[ -z "$paths" ] || export PYTHONPATH

# A program that is no Python must not get the text of one to run.
version_of() {
  version=$(timeout -k 1 10 "$1" --version 2>&1 </dev/null | head -c 200 | head -n 1)
  case $version in 'Python 3.'[0-9]*) version=${version#Python } ;; *) version=- ;; esac
}

version_of "$python"
printf 'interpreter\t%s\n' "$version"
reader=$python
if [ "$version" = - ]; then
  reader=$(command -v python3) || reader=-
  [ "$reader" = - ] || version_of "$reader"
  [ "$version" != - ] || reader=-
fi
printf 'reader\t%s\n' "$reader"
[ "$reader" != - ] || exit 0
for part in $parts; do
  case $part in
    job)
      [ "$reader" = "$python" ] || continue
      text=$(probe_job_py)
      ;;
    model) text=$(probe_model_py) ;;
    data) text=$(probe_data_py) ;;
    *) continue ;;
  esac
  # Some shells keep such a text in a file under /tmp, which may be full.
  if [ -z "$text" ]; then
    printf 'part\t%s\t%s\n' "$part" 126
    continue
  fi
  timeout -k 2 "$seconds" "$reader" -B -c "$text" "$@" </dev/null
  printf 'part\t%s\t%s\n' "$part" "$?"
done
