# Says how much room is left where a run saves its samples, and what its GPUs are doing. Changes nothing.
# Arguments: 1 output folder, which need not be there yet.
# Answers: disk<TAB>free KiB<TAB>size KiB; gpu<TAB>index<TAB>used MiB<TAB>size MiB<TAB>busy percent for
# each GPU, as nvidia-smi says it; at last looked.
set -u
LC_ALL=C
export LC_ALL
folder=$1
while [ ! -d "$folder" ]; do
  case $folder in
    */?*) folder=${folder%/*} ;;
    *) break ;;
  esac
done
tab='	'
# The last line, since a long name of a device makes two of one.
timeout 10 df -P -k -- "${folder:-/}" 2>/dev/null | tail -n 1 | {
  read -r device size used free rest
  case ${size:-x}${free:-x} in
    *[!0-9]*) ;;
    *) printf 'disk\t%s\t%s\n' "$free" "$size" ;;
  esac
}
timeout 10 nvidia-smi --query-gpu=index,memory.used,memory.total,utilization.gpu \
  --format=csv,noheader,nounits 2>/dev/null | sed -e "s/, */$tab/g" -e "s/^/gpu$tab/"
echo looked
