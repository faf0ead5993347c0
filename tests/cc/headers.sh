#!/usr/bin/env bash
# Compiles autotune_cc.h in each standard without a warning, alone and with autotune_opencl.h, and checks the errors and
# the exported names.
#
#   headers.sh HEADER_DIRECTORY STB_DS_DIRECTORY COMPILER
#
# Exit status 77: the compiler is not installed.
set -euo pipefail
export LC_ALL=C
headers=$1 stb_ds=$2 compiler=$3
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
    "$compiler" -x $language -std="${standards[0]}" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
        -D_POSIX_C_SOURCE=200809L -I"$headers" -isystem "$stb_ds" "$@" -c "$work/$name.c" -o "$work/$name.o"
}
use='
#ifdef __cplusplus
extern "C" {
#endif
void none(void);
void some(int n, const float *x, double *y);
autotune_status told(unsigned n);
#ifdef __cplusplus
}
#endif
void use(int n, const float *x, double *y);
void use(int n, const float *x, double *y) {
    static autotune_cc_program text = AUTOTUNE_CC_PROGRAM(""), file = AUTOTUNE_CC_PROGRAM_FILE("a.c", "-O2", "$FLAGS");
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(TILE, 8, 64)), 1, AUTOTUNE_CC_CALL(&text, none));
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(TILE, 8, 64), AUTOTUNE_AXIS(FLAGS, "", "-ffast-math")), 1,
             AUTOTUNE_CC_CALL(&file, some, n, x, y), .key = KEY(n));
    AUTOTUNE_BLOCK(AUTOTUNE_SPACE(AUTOTUNE_AXIS(TILE, 8, 64))) {
        (void)AUTOTUNE_CC_CALL(&text, some, n + 1, x, y);
        if (AUTOTUNE_CC_CALL(&text, told, 4u) != AUTOTUNE_OK) (void)AUTOTUNE_CC_CALL(&file, none);
    }
    AUTOTUNE_SELECT((), AUTOTUNE_CC_CALL(&text, told, 1u), AUTOTUNE_CC_CALL(&file, none));
}
autotune_status use_launch(void *user, const autotune_config *config);
autotune_status use_launch(void *user, const autotune_config *config) {
    static autotune_cc_program text = AUTOTUNE_CC_PROGRAM("");
    (void)user;
    return AUTOTUNE_CC_CALL_WITH(config, &text, none) == AUTOTUNE_OK ? AUTOTUNE_CC_CALL_WITH(config, &text, told, 2u)
                                                                     : AUTOTUNE_FAILED;
}'
full_names='#define AUTOTUNE_NO_SHORT_NAMES
#include "autotune_cc.h"
#ifdef CC_CALL
#error "a short name is there"
#endif
#define KEY(...) AUTOTUNE_KEY(__VA_ARGS__)'

unit implementation -O0 <<< '#define AUTOTUNE_CC_IMPLEMENTATION
#define AUTOTUNE_CC_DEFAULT "/usr/bin/gcc"
#include "autotune_cc.h"'
for standard in "${standards[@]}"; do
    unit use -std="$standard" "${casts[@]}" <<< "$full_names$use"
done
if "$compiler" "$work/use.o" -o "$work/use" 2> "$work/errors"; then
    echo "it links without the implementation" >&2
    exit 1
fi
for name in AUTOTUNE_IMPLEMENTATION AUTOTUNE_CC_IMPLEMENTATION; do
    grep -q "autotune__define_${name}_in_one_file" "$work/errors" || { cat "$work/errors" >&2; exit 1; }
done
unit private -O0 <<< "#define AUTOTUNE_STATIC
#include \"autotune_cc.h\"$use"
if unit wrong 2> "$work/errors" <<< '#include "autotune.h"
#include "autotune_cc.h"
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"'; then
    echo "the implementation without the one of autotune.h was taken" >&2
    exit 1
fi
grep -q "define AUTOTUNE_CC_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION" "$work/errors" ||
    { cat "$work/errors" >&2; exit 1; }

# Two errors must name the line of the user: the function returns a wrong type, and the program is not static.
if unit returns 2> "$work/errors" <<< '#include "autotune_cc.h"
#ifdef __cplusplus
extern "C"
#endif
double measured(void);
static autotune_cc_program text = CC_PROGRAM("");
void use(void);
void use(void) { AUTOTUNE(SPACE(AXIS(TILE, 8, 64)), 1, CC_CALL(&text, measured)); }'; then
    echo "a function that returns a double was taken" >&2
    exit 1
fi
if ! grep -q "the function returns void or an autotune_status" "$work/errors" || ! grep -q "returns.c:8:" "$work/errors"; then
    cat "$work/errors" >&2
    exit 1
fi
if unit passed 2> "$work/errors" <<< '#include "autotune_cc.h"
void none(void);
void use(autotune_cc_program *program);
void use(autotune_cc_program *program) { AUTOTUNE(SPACE(AXIS(TILE, 8, 64)), 1, CC_CALL(program, none)); }'; then
    echo "a program that is no constant was taken" >&2
    exit 1
fi

# The implementation exports only names that begin with autotune_.
if nm -g --defined-only "$work/implementation.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^autotune_'; then
    echo "these names are exported" >&2
    exit 1
fi
if nm -g --defined-only "$work/private.o" | awk '$2 !~ /[VWu]/ {print $3}' | grep -v '^use\(_launch\)*$\|^_Z[0-9]*use'; then
    echo "a private copy exports these names" >&2
    exit 1
fi
