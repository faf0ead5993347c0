#!/bin/sh
# compile.sh COMPILER SOURCE OUTPUT [OPTION...]: compiles a .cu file to a shared object. The stand-in loads the object
# as a cubin. The script finds kernels by their text: __global__, the name and its parenthesis must be in one line.
#
#   -D, -I, --include-path=     as for NVRTC
#   --expression=NAME=TEXT      exports the kernel TEXT as NAME; TEXT may be an instance of a template
#   --minimal                   defines the macro STANDIN_MINIMAL
#   --kept=FOLDER               keeps the results in this folder, and takes a result from there if text, headers and
#                               definitions are the same
#
# All other options are ignored.
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
    echo '__attribute__((used)) __shared__ char standin_mark[16];'      # the section must exist in each kernel
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
if [ -n "$kept" ]; then     # if the preprocessor fails, the compiler below fails, too, and prints the error
    seen=$("$compiler" -x c++ -std=c++14 -E -P -w -I"$here" "$@" "$unit" 2>&1 | sha256sum) || seen=unknown
    kept=$kept/${seen%% *}
    if cp "$kept" "$output" 2>/dev/null; then exit; fi
fi
# A kernel needs no library. It may call memcpy(), which the program that loads it has.
"$compiler" -x c++ -std=c++14 -O1 -w -fPIC -shared -nostdlib -I"$here" "$@" -o "$output" "$unit"
if [ -n "$kept" ]; then     # mv replaces the file at once: another process may read the same file now
    mkdir -p "${kept%/*}"
    cp "$output" "$kept.$$" && mv "$kept.$$" "$kept"
fi
