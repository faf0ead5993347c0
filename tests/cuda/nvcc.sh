#!/usr/bin/env bash
# nvcc compiles files that include autotune_cuda.h, and have kernels and <<<...>>>: in each standard, and without a
# warning. A program that tunes on the CPU also runs: each instance of a template that has a statement is a tuner.
#
#   nvcc.sh SOURCE_DIRECTORY STB_DS_DIRECTORY
#
# Exit status 77: nvcc is not installed.
set -euo pipefail
export LC_ALL=C
sources=$1 stb_ds=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) || { echo "nvcc: not found, NOT TRIED"; exit 77; }
cp "$stb_ds/stb_ds.h" "$work"       # not as a system header, because a program may have its own copy

# compile STANDARD SOURCE: compiles SOURCE to $work/unit.o
compile() {
    echo "$1 $2"
    "$nvcc" -std="$1" -Xcompiler -Wall,-Wextra -I"$sources" -I"$work" -x cu -c "$sources/$2" -o "$work/unit.o" > "$work/said" 2>&1 ||
        { cat "$work/said"; exit 1; }
    if grep -q warning "$work/said"; then
        cat "$work/said"
        exit 1
    fi
}
for standard in c++14 c++20; do compile $standard examples/cuda_rows.cu; done
compile c++14 tests/cuda/templates.cu
compile c++14 tests/headers/instantiations.cpp
"$nvcc" -std=c++14 -I"$sources" -I"$work" -c "$sources/tests/implementation.c" -o "$work/implementation.o"
"$nvcc" "$work/unit.o" "$work/implementation.o" -Xcompiler -pthread -o "$work/instantiations"
AUTOTUNE_CACHE=off AUTOTUNE_MAX_SECONDS=0.02 "$work/instantiations"
