#!/bin/sh
# compile.sh COMPILER SOURCE OUTPUT [OPTION...]: a .cu file as a shared object that the stand-in loads as a cubin.
# Kernels are found by their text: __global__, the name and its parenthesis stand in one line. Options are -D, -I and
# --include-path=, as NVRTC takes them, and --expression=NAME=TEXT, which exports the kernel that TEXT names, an
# instance of a template perhaps, as NAME; --minimal, which becomes the macro STANDIN_MINIMAL; --kept=FOLDER, where
# results are kept: what was compiled before with the same text, headers and definitions is taken from there. Others
# are ignored.
set -eu
compiler=$1 source=$2 output=$3
shift 3
here=${0%/*}
unit=$output.cpp
trap 'rm -f "$unit" "$output.cu"' EXIT

# A dynamic shared array is a pointer here. Kernels are static, whatever their linkage was.
{
    echo "#line 1 \"${source##*/}\""
    sed -E 's/extern +__shared__ +([A-Za-z_ ]+[ ])([A-Za-z_0-9]+)\[\];/STANDIN_DYNAMIC_SHARED(\1, \2);/; s/extern +"C" +__global__/__global__/' \
        "$source"
} > "$output.cu"
{
    echo '#include "device.h"'
    echo 'struct standin_device standin_device;'
    echo '__attribute__((used)) __shared__ char standin_mark[16];'      # so that the section exists
    echo 'extern "C" char __start_standin_shared[], __stop_standin_shared[];'
    echo 'extern "C" size_t standin_static_shared() { return size_t(__stop_standin_shared - __start_standin_shared) - sizeof standin_mark; }'
    echo "#include \"$output.cu\""
    sed -nE '/template/d; s/.*__global__[^;{]*[ )]([A-Za-z_][A-Za-z0-9_]*)\(.*/STANDIN_KERNEL(\1, \1)/p' "$output.cu"
    for option; do
        case $option in
        --expression=*)
            expression=${option#--expression=}
            echo "STANDIN_KERNEL(${expression%%=*}, ${expression#*=})"
            ;;
        esac
    done
} > "$unit"
kept=
for option; do
    shift
    case $option in
    -D* | -I*) set -- "$@" "$option" ;;
    --include-path=*) set -- "$@" "-I${option#*=}" ;;
    --minimal) set -- "$@" -DSTANDIN_MINIMAL ;;
    --kept=*) kept=${option#*=} ;;
    esac
done
if [ -n "$kept" ]; then     # an error of the preprocessor is one of the compiler, which says it
    seen=$("$compiler" -x c++ -std=c++14 -E -P -w -I"$here" "$@" "$unit" 2>&1 | sha256sum) || seen=unknown
    kept=$kept/${seen%% *}
    if cp "$kept" "$output" 2>/dev/null; then exit; fi
fi
# Of libraries a kernel needs none, but memcpy() perhaps, which whoever loads it has.
"$compiler" -x c++ -std=c++14 -O1 -w -fPIC -shared -nostdlib -I"$here" "$@" -o "$output" "$unit"
if [ -n "$kept" ]; then     # whole, or not at all: others compile the same at the same time
    mkdir -p "${kept%/*}"
    cp "$output" "$kept.$$" && mv "$kept.$$" "$kept"
fi
