# Makes the folder that is its argument the root of a machine of its own, and stays until its input
# ends. The second argument is a folder with further programs. Programs are this machine's, and cannot be written; /mnt/volume is another file system.
set -eu
root=$1
mount --make-rprivate /
for name in usr bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then
    ln -s "$(readlink "/$name")" "$root/$name"
  elif [ -d "/$name" ]; then
    mkdir "$root/$name"
    mount --rbind "/$name" "$root/$name"
    mount -o remount,bind,ro "$root/$name"
  fi
done
if [ -d "$2" ]; then
  mkdir -p "$root$2"
  mount --rbind "$2" "$root$2"
fi
mkdir "$root/dev" "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mkdir "$root/mnt/volume"
mount -t tmpfs volume "$root/mnt/volume"
exec chroot "$root" /bin/sh -c 'cd / && echo ready && exec cat'
