#!/bin/sh
# elements.sh SOURCE_DIRECTORY: prints the kernel of src/opencl/elements.h as CUDA C++. The stand-in runs this kernel
# if the library loads the same kernel as PTX.
# elements.sh SOURCE_DIRECTORY ptx NVCC: prints the kernel as PTX, as the string in src/cuda/elements.h. It is the PTX
# of nvcc with shorter names, and with the oldest .version that has its instructions: older drivers load it, too.
# elements.sh SOURCE_DIRECTORY check: assembles the PTX of src/cuda/elements.h with ptxas, for each architecture. Exit
# status 77: ptxas is not installed.
set -eu
source=$1/src/opencl/elements.h
program() {
    cat << 'END'
#define ulong unsigned long long
#define uchar unsigned char
#define ushort unsigned short
#define uint unsigned
#define get_global_id(d) (blockIdx.x * (ulong)blockDim.x + threadIdx.x)
#define get_global_size(d) (gridDim.x * (ulong)blockDim.x)
#define as_double(x) __longlong_as_double((long long)(x))
#define as_ulong(x) ((ulong)__double_as_longlong(x))
#define popcount(x) ((ulong)__popcll((long long)(x)))
#define atom_max atomicMax
#ifndef __CUDACC__
#define fabs __builtin_fabs
#endif
END
    sed -n '/autotune__opencl_elements\[\]/,/^$/s/^    "\(.*\)\\n";*$/\1/p' "$source" | sed '/^#pragma/d
        s/^__kernel/extern "C" __global__/; s/__global //g; s/^\(ulong\|void\|double\|int\) /__device__ inline &/; s/UL;/ULL;/'
}
[ $# -gt 1 ] || { program; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$2" = check ]; then
    ptxas=$(command -v ptxas || command -v /usr/local/cuda/bin/ptxas) || { echo "ptxas: not found, NOT TRIED"; exit 77; }
    sed -n '/autotune__cuda_elements\[\]/,/;$/s/^    "\(.*\)";*$/\1/p' "$1/src/cuda/elements.h" > "$work/elements.ptx"
    for architecture in 75 80 86 89 90 100 120; do
        "$ptxas" --help | grep -q "sm_$architecture" || continue
        "$ptxas" -arch="sm_$architecture" -o "$work/elements.cubin" "$work/elements.ptx"
        echo "sm_$architecture"
    done
    exit
fi
# The PTX becomes one string of C, which may have at most 4095 characters. The asm statement keeps nvcc from making a
# copy of the loop for each kind of work.
program | sed '/^ *for /s/$/ asm volatile("" : "+l"(work));/' > "$work/elements.cu"
"$3" -ptx -arch=compute_75 -o "$work/elements.ptx" "$work/elements.cu"
sed -e 's,//.*,,; s/^\.version .*/.version 6.0/; s/^\.target .*/.target sm_50/' \
    -e 's/autotune_elements_param_/m/g; s/%rd\([0-9]\)/d\1/g; s/%fd\([0-9]\)/f\1/g; s/%r\([0-9]\)/r\1/g; s/%p\([0-9]\)/p\1/g' \
    -e 's/%rd</d</; s/%fd</f</; s/%r</r</; s/%p</p</; s/\$L__BB0_/L/g; s/bra.uni/bra/; s/cvta.to.global.u64/mov.b64/; s/\.global\././' "$work/elements.ptx" |
    tr -s '\t\n ' ' ' | sed 's/, /,/g; s/ \([];(){]\)/\1/g; s/\([;({]\) /\1/g; s/: /:/g; s/^ //; s/ $//' |
    awk '{                                      # makes lines of at most 114 characters
        while (length($0)) {
            n = length($0)
            if (n > 114) { n = 114; while (n > 1 && substr($0, n, 1) !~ /[;,({ ]/) n-- }
            printf "    \"%s\"%s\n", substr($0, 1, n), n == length($0) ? ";" : ""
            $0 = substr($0, n + 1)
        }
    }'
