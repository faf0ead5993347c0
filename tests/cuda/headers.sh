#!/usr/bin/env bash
# Compiles autotune_cuda.h in each standard without a warning, and checks the errors and the exported names.
#
#   headers.sh HEADER_DIRECTORY STB_DS_DIRECTORY CUDA_DIRECTORY COMPILER
#
# Exit status 77: the compiler is not installed.
set -euo pipefail
export LC_ALL=C
headers=$1 stb_ds=$2 cuda=$3 compiler=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v "$compiler" >/dev/null || { echo "$compiler: not found, NOT TRIED"; exit 77; }
case $compiler in *++) language=c++ standards=(c++14 c++17 c++20) ;; *) language=c standards=(c11 c17 gnu11) ;; esac
casts=()        # warnings of casts, which are errors in some C++ programs
case $compiler in g++) casts=(-Wold-style-cast -Wuseless-cast) ;; clang++) casts=(-Wold-style-cast) ;; esac
case $compiler in g++) level=1 ;; *) level=0 ;; esac       # the presets already compile C with optimisation

# unit NAME FLAG ...: compiles standard input to $work/NAME.o
unit() {
    local name=$1
    shift
    cat > "$work/$name.c"
    "$compiler" -x $language -std="${standards[0]}" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -D_POSIX_C_SOURCE=200809L \
        -I"$headers" -isystem "$stb_ds" -isystem "$cuda" "$@" -c "$work/$name.c" -o "$work/$name.o"
}
use='
CUresult launch(int block);
CUresult launch_function(CUfunction function);
unsigned number(int block);
void use(CUstream stream);
void use(CUstream stream) {
    static autotune_cuda_program program = AUTOTUNE_CUDA_PROGRAM("", "-w");
    int code = 0;
    const unsigned long long many = 256;
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128)), 1, launch(block), .backend = AUTOTUNE_CUDA(stream));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128)), 1, launch_function(AUTOTUNE_CUDA_FUNCTION(&program, "k")),
             .backend = AUTOTUNE_CUDA(stream));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128)), 1, (code += block), .backend = AUTOTUNE_CUDA(stream));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128)), 1, number(block), .backend = AUTOTUNE_CUDA(stream));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128), AUTOTUNE_AXIS(cluster, 1u, 2u)), AUTOTUNE_GRID(cluster, 2),
             AUTOTUNE_CUDA_LAUNCH(&program, "k", AUTOTUNE_CUDA_COOPERATIVE(AUTOTUNE_CUDA_CLUSTER(AUTOTUNE_CUDA_THREADS(block), cluster, 2)),
                                  AUTOTUNE_CUDA_SHARED(0), code, 1.5f),
             .backend = AUTOTUNE_CUDA(stream));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(block, 64, 128)), block,
             AUTOTUNE_CUDA_LAUNCH(&program, "k", AUTOTUNE_CUDA_CLUSTER(many, 2), AUTOTUNE_CUDA_SHARED(block)),
             .backend = AUTOTUNE_CUDA(stream));
}'
full_names='#define AUTOTUNE_NO_SHORT_NAMES
#include "autotune_cuda.h"
#ifdef CUDA
#error "a short name is there"
#endif'

implementation='#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"'
unit implementation -O$level <<< "$implementation"
for standard in "${standards[@]}"; do       # without optimisation: its warnings do not depend on the standard
    unit use -std="$standard" "${casts[@]}" <<< "$full_names$use"
    unit use -std="$standard" -DCUDA_API_PER_THREAD_DEFAULT_STREAM <<< "$full_names$use"
    [ "$standard" = "${standards[0]}" ] || unit later -std="$standard" -fsyntax-only <<< "$implementation"
done

# If no file has the implementations, the error of the linker names the macros to define, with and without
# optimisation.
for level in -O0 -O2; do
    unit use $level <<< "$full_names$use"
    if "$compiler" "$work/use.o" -o "$work/use" 2> "$work/errors"; then
        echo "it links without the implementation" >&2
        exit 1
    fi
    for name in AUTOTUNE_IMPLEMENTATION AUTOTUNE_CUDA_IMPLEMENTATION; do
        grep -q "autotune__define_${name}_in_one_file" "$work/errors" || { cat "$work/errors" >&2; exit 1; }
    done
done

# The headers may be included in any order and more than once. The two implementations may be requested one after the
# other, or be static. autotune_cuda.h refuses its implementation if the file lacks that of autotune.h.
unit again -fsyntax-only <<< '#include "autotune.h"
#include "autotune_cuda.h"
#define AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune.h"
#include "autotune_cuda.h"
#include "autotune.h"
#include "autotune_cuda.h"'
unit private <<< "#define AUTOTUNE_STATIC
#define AUTOTUNE_NO_SHORT_NAMES
#include \"autotune_cuda.h\"$use"
if unit wrong 2> "$work/errors" <<< '#include "autotune.h"
#include "autotune_cuda.h"
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"'; then
    echo "the implementation without the one of autotune.h was taken" >&2
    exit 1
fi
grep -q "define AUTOTUNE_CUDA_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION" "$work/errors" || { cat "$work/errors" >&2; exit 1; }

# Without SHARED(bytes) the first argument of the kernel would be taken for the bytes of shared memory.
if unit forgotten 2> "$work/errors" <<< '#include "autotune_cuda.h"
autotune_status use(int n, const autotune__run *autotune__this);
autotune_status use(int n, const autotune__run *autotune__this) {
    static autotune_cuda_program program = CUDA_PROGRAM("");
    const autotune_grid blocks = GRID(1);
    return CUDA_LAUNCH(&program, "k", THREADS(32), n, 1.5f);
}'; then
    echo "a launch without SHARED was taken" >&2
    exit 1
fi
grep -q "shared is SHARED(bytes)" "$work/errors" || { cat "$work/errors" >&2; exit 1; }
if [ "$(grep -c 'error: ' "$work/errors")" != 1 ]; then
    echo "not one error but these:" >&2
    cat "$work/errors" >&2
    exit 1
fi

# The implementation exports only names that begin with autotune_, and needs no function of CUDA from the linker.
if nm -g --defined-only "$work/implementation.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^autotune_'; then
    echo "these names are exported" >&2
    exit 1
fi
if nm -u "$work/implementation.o" | grep -E ' (cu[A-Z]|nvrtc)'; then
    echo "these are to be linked" >&2
    exit 1
fi
if nm -g --defined-only "$work/private.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^use$\|^_Z3use'; then
    echo "a private copy exports these names" >&2
    exit 1
fi
