#!/usr/bin/env bash
# Compiles autotune_opencl.h in each standard without a warning, alone and with autotune_cuda.h, and checks the errors
# and the exported names.
#
#   headers.sh HEADER_DIRECTORY STB_DS_DIRECTORY OPENCL_DIRECTORY CUDA_DIRECTORY COMPILER
#
# If CUDA_DIRECTORY is empty, autotune_cuda.h is left out. Exit status 77: the compiler is not installed.
set -euo pipefail
export LC_ALL=C
headers=$1 stb_ds=$2 opencl=$3 cuda=$4 compiler=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v "$compiler" >/dev/null || { echo "$compiler: not found, NOT TRIED"; exit 77; }
case $compiler in *++) language=c++ standards=(c++14 c++20) ;; *) language=c standards=(c11 gnu11) ;; esac
casts=()        # warnings of casts, which are errors in some C++ programs
case $compiler in g++) casts=(-Wold-style-cast -Wuseless-cast) ;; clang++) casts=(-Wold-style-cast) ;; esac

# unit NAME FLAG ...: compiles standard input to $work/NAME.o
unit() {
    local name=$1
    shift
    cat > "$work/$name.c"
    "$compiler" -x $language -std="${standards[0]}" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -D_POSIX_C_SOURCE=200809L \
        -I"$headers" -isystem "$stb_ds" -isystem "$opencl" ${cuda:+-isystem "$cuda"} "$@" -c "$work/$name.c" -o "$work/$name.o"
}
use='
int launch(cl_event *event);
void use(cl_command_queue queue, cl_kernel kernel, size_t n, unsigned m);
void use(cl_command_queue queue, cl_kernel kernel, size_t n, unsigned m) {
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(local, 0, 64)), 1,
             AUTOTUNE_OPENCL_LAUNCH(kernel, AUTOTUNE_OPENCL_GLOBAL(n), AUTOTUNE_OPENCL_LOCAL(local)),
             .backend = AUTOTUNE_OPENCL(queue));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(local, 8u, 16u)), 1,
             AUTOTUNE_OPENCL_LAUNCH(kernel, AUTOTUNE_OPENCL_GLOBAL(n, m, 4), AUTOTUNE_OPENCL_LOCAL(local, local)),
             .backend = AUTOTUNE_OPENCL(queue));
    static autotune_opencl_program program = AUTOTUNE_OPENCL_PROGRAM("", "-w");
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(local, 0, 64)), 1,
             AUTOTUNE_OPENCL_RUN(&program, "k", AUTOTUNE_OPENCL_GLOBAL(n), AUTOTUNE_OPENCL_LOCAL(local), 1.5f, m, n,
                                 AUTOTUNE_OPENCL_LOCAL_BYTES(local)),
             .backend = AUTOTUNE_OPENCL(queue));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(local, 0, 64)), 1,
             AUTOTUNE_OPENCL_RUN(&program, "k", AUTOTUNE_OPENCL_GLOBAL(n), AUTOTUNE_OPENCL_LOCAL(local)),
             .backend = AUTOTUNE_OPENCL(queue));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(local, 8, 16)), local, launch(AUTOTUNE_OPENCL_EVENT), .backend = AUTOTUNE_OPENCL(queue));
}'
full_names='#define AUTOTUNE_NO_SHORT_NAMES
#include "autotune_opencl.h"
#ifdef OPENCL
#error "a short name is there"
#endif'

unit implementation -O0 <<< '#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"'
for standard in "${standards[@]}"; do
    unit use -std="$standard" "${casts[@]}" <<< "$full_names$use"
done
if "$compiler" "$work/use.o" -o "$work/use" 2> "$work/errors"; then
    echo "it links without the implementation" >&2
    exit 1
fi
for name in AUTOTUNE_IMPLEMENTATION AUTOTUNE_OPENCL_IMPLEMENTATION; do
    grep -q "autotune__define_${name}_in_one_file" "$work/errors" || { cat "$work/errors" >&2; exit 1; }
done

unit private -O0 <<< "#define AUTOTUNE_STATIC
#define AUTOTUNE_NO_SHORT_NAMES
#include \"autotune_opencl.h\"$use"
# A program includes both headers, in one order in C, and in the other order in C++. The code that both headers have
# must be compiled once.
if [ -n "$cuda" ]; then
    case $language in c) first=cuda second=opencl ;; *) first=opencl second=cuda ;; esac
    unit both -O0 <<< "#include \"autotune_$second.h\"
#define AUTOTUNE_CUDA_IMPLEMENTATION
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#include \"autotune.h\"
#include \"autotune_$first.h\"
#include \"autotune_$second.h\"
#include \"autotune_$first.h\""
fi
if unit wrong 2> "$work/errors" <<< '#include "autotune.h"
#include "autotune_opencl.h"
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"'; then
    echo "the implementation without the one of autotune.h was taken" >&2
    exit 1
fi
grep -q "define AUTOTUNE_OPENCL_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION" "$work/errors" || { cat "$work/errors" >&2; exit 1; }

# The implementation exports only names that begin with autotune_, and needs no function of OpenCL from the linker.
if nm -g --defined-only "$work/implementation.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^autotune_'; then
    echo "these names are exported" >&2
    exit 1
fi
if nm -u "$work/implementation.o" | grep -E ' cl[A-Z]'; then
    echo "these are to be linked" >&2
    exit 1
fi
if nm -g --defined-only "$work/private.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^use$\|^_Z3use'; then
    echo "a private copy exports these names" >&2
    exit 1
fi
