#!/usr/bin/env bash
# autotune_cuda.h as nvcc meets it, in a file with kernels and <<<...>>>: in each standard, and without a warning. Runs nothing.
#
#   nvcc.sh SOURCE_DIRECTORY STB_DS_DIRECTORY
#
# Exit status 77 when nvcc is not installed.
set -euo pipefail
export LC_ALL=C
sources=$1 stb_ds=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) || { echo "nvcc: not found, NOT TRIED"; exit 77; }
cp "$stb_ds/stb_ds.h" "$work"       # no system header: a program may have its own copy

for standard in c++14 c++17 c++20; do
    echo "$standard"
    "$nvcc" -std=$standard -Xcompiler -Wall,-Wextra -I"$sources" -I"$work" -c "$sources/examples/cuda_rows.cu" -o "$work/rows.o" \
        > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    if grep -q warning "$work/said"; then
        cat "$work/said"
        exit 1
    fi
done
