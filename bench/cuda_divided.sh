#!/bin/sh
# cuda_divided.sh [N] - the time of a race that GPUs divide (examples/cuda_divided.c), with 1, 2, 4 and more GPUs of
# this machine. In the first races all kernels are compiled. In the later races all kernels are on disk. N is 4096 by
# default.
#
# The script needs cc, cuda.h, libcuda and libnvrtc. CPPFLAGS, LDFLAGS and LD_LIBRARY_PATH name their folders. It takes
# up to two minutes.
set -eu
bench=$(cd "$(dirname "$0")" && pwd)
n=${1:-4096}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -I"$bench/.." -I/usr/local/cuda/include ${CPPFLAGS:-} "$bench/../examples/cuda_divided.c" \
    -o "$work/cuda_divided" ${LDFLAGS:-} -lcuda -lm -ldl -pthread
cd "$bench/../examples"
export AUTOTUNE_CACHE=on AUTOTUNE_LOG=errors

# seconds GPUS MODE FOLDER: prints the seconds of a race
seconds() {
    AUTOTUNE_MODE=$2 AUTOTUNE_CACHE_DIR=$3 "$work/cuda_divided" "$n" "$1" | sed -n 's/^[0-9]* GPUs.*: \([0-9.]*\) s,.*/\1/p'
}
gpus=$(AUTOTUNE_MODE=off "$work/cuda_divided" 64 | sed -n 's/^\([0-9]*\) GPUs.*/\1/p')
printf 'product of %s, seconds of a race\n%8s%18s%9s%18s%9s\n' "$n" GPUs 'compiled anew' ratio 'kernels on disk' ratio
count=1
while [ "$count" -le "$gpus" ]; do
    anew=$(seconds "$count" on "$work/$count")
    known=$(for i in 1 2 3; do seconds "$count" force "$work/$count"; done | sort -n | sed -n 2p)
    [ "$count" -gt 1 ] || alone="$anew $known"
    echo "$count $anew $known $alone" | awk '{ printf "%8d%18.2f%9.2f%18.2f%9.2f\n", $1, $2, $2 / $4, $3, $3 / $5 }'
    count=$((count * 2))
done
