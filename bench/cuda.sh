#!/bin/sh
# cuda.sh - runs the CUDA backend, Triton's autotuner and cuBLAS on this machine's GPU, and prints one table.
#
#     bench/cuda.sh [--picks]          --picks: the choice of each tuning, and its time by the judge
#
# The script needs cc, cuda.h, libcuda and libnvrtc. The columns of Triton need python3 with PyTorch and Triton; those
# of cuBLAS need libcublas. CPPFLAGS, LDFLAGS and LD_LIBRARY_PATH name their folders. CUBLAS may name the file of
# libcublas. It takes two to four minutes.
set -eu
bench=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export AUTOTUNE_CACHE=off

# build SOURCE OUTPUT
build() {
    ${CC:-cc} -O2 -I"$bench/.." -I/usr/local/cuda/include ${CPPFLAGS:-} "$1" -o "$2" ${LDFLAGS:-} -lcuda -lm -ldl -pthread
}
# triton PART: runs this part with an empty cache of Triton
triton() {
    TRITON_CACHE_DIR=$work/triton-$1 python3 "$bench/cuda_triton.py" "$1" "$work" || echo "without Triton's $1"
}

build "$bench/cuda.c" "$work/cuda"
build "$bench/../examples/cuda_gemm.c" "$work/gemm"
build "$bench/../examples/cuda_gemm_fp16.c" "$work/gemm_fp16"
cd "$bench/../examples"
"$work/gemm" 4096 ${CUBLAS:+"$CUBLAS"} | tee "$work/gemm.txt"
sed -n 's/.*: \([0-9]*\) % of its speed/gemm percent\t\1/p' "$work/gemm.txt" > "$work/figures.tsv"
for n in 4096 8192; do                                  # needs an H100 or H200, else prints a message
    echo
    "$work/gemm_fp16" $n ${CUBLAS:+"$CUBLAS"} | tee "$work/gemm.txt" || true
    sed -n "s/.*: \([0-9]*\) % of its speed/gemm fp16 $n percent\t\1/p" "$work/gemm.txt" >> "$work/figures.tsv"
done
echo
for part in matmul softmax softmax-ahead; do triton $part; done
"$work/cuda" "$work" "$@"
