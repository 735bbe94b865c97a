# A test's: says COUNT letters.
# Arguments: COUNT
set -u
head -c "$1" /dev/zero | tr '\0' x
