#!/usr/bin/env bash
# Compiles and links the headers with different compilers, standards and options.
#
#   check.sh HEADER_DIRECTORY STB_DS_DIRECTORY CHECK ARGUMENT ...
#
# The checks are the functions below the line "checks". Their comments name their arguments. The exit status is 77 if a
# compiler that the check needs is not installed.
set -euo pipefail
export LC_ALL=C

header_directory=$1 stb_ds_directory=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
readonly header_directory stb_ds_directory here work
trap 'rm -rf "$work"' EXIT

# From version 21 on, clang warns if -c stands beside -fsyntax-only.
readonly warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-unused-command-line-argument)

fail() { echo "$*" >&2; exit 1; }

need() {
    local compiler
    for compiler in "$@"; do
        command -v "$compiler" >/dev/null || { echo "$compiler: not found, NOT TRIED"; exit 77; }
    done
}

# language COMPILER: the language in which this compiler reads each file, whatever the file's name
language() { case $1 in *++*) echo c++ ;; *) echo c ;; esac; }

# The oldest standard that the header supports.
oldest() { case $1 in *++*) echo c++14 ;; *) echo c11 ;; esac; }

# unit COMPILER SOURCE FLAG ...: compiles SOURCE to $work/SOURCE.o. If -std is given twice, the last one counts.
unit() {
    local compiler=$1 source=$2
    shift 2
    "$compiler" -x "$(language "$compiler")" -std="$(oldest "$compiler")" "${warnings[@]}" -I"$header_directory" -isystem "$stb_ds_directory" \
        "$@" -c "$here/$source" -o "$work/$source.o"
}

# holder COMPILER SOURCE FLAG ...: compiles a unit that contains the implementation. Strict standards hide clock_gettime
# without the definition. The hash of stb_ds shifts bytes into the sign bit of an int.
holder() { unit "$@" -D_POSIX_C_SOURCE=200809L -fno-sanitize=shift-base; }

# implementation COMPILER FLAG ...: makes the unit implementation.c. Without flags it copies the unit that the check
# `shared` left in the working directory, so that it is compiled once for many checks.
implementation() {
    if [ $# = 1 ]; then cp "implementation.$1.o" "$work/implementation.c.o"; else holder "$1" implementation.c "${@:2}"; fi
}

# program COMPILER FLAG ...: links all units that were compiled, and runs the program. Races are short, since their
# results do not matter here.
program() {
    "$@" "$work"/*.o -pthread -lm -o "$work/program"
    AUTOTUNE_CACHE=off AUTOTUNE_PRESET=fast AUTOTUNE_MAX_SECONDS=0.02 "$work/program"
}

# exported OBJECT: prints the names that an object file defines for other files. Weak names are left out: C++ compiles
# inline functions in each unit, and the linker merges them.
exported() { nm -gC --defined-only "$work/$1" | sed -n '/ [VWu] /!s/^[^ ]* . //p'; }


# ---- checks ----------------------------------------------------------------------------------------------------------

# standard COMPILER STANDARD: the units of users and the implementation compile without a warning. Only the front end of
# a compiler sees the differences of a later standard. So the checks below compile in the oldest standard.
standard() {
    need "$1"
    local source
    for source in spellings.c full_names.c; do unit "$1" "$source" -std="$2" -fsyntax-only; done
    holder "$1" implementation.c -std="$2" -fsyntax-only
}

# too_old COMPILER STANDARD: the first error names the standards that the header supports.
too_old() {
    need "$1"
    local output
    if output=$(unit "$1" spellings.c -std="$2" -Wno-error -fsyntax-only 2>&1); then fail "it compiles"; fi
    grep -m 1 'error: ' <<<"$output" | grep 'needs C11, or C++14 or later' || fail "$output"
}

# shared COMPILER: the implementation compiles without flags. Other checks find its object file in the working
# directory.
shared() {
    need "$1"
    holder "$1" implementation.c
    mv "$work/implementation.c.o" "implementation.$1.o"
}

# limits COMPILER: the promised limits
limits() {
    need "$1"
    unit "$1" limits.c
}

# build COMPILER FLAG ...: every spelling runs right if the program and the implementation are built with these flags
build() {
    need "$1"
    local compiler=$1
    shift
    unit "$compiler" spellings.c "$@"
    implementation "$compiler" "$@"
    program "$compiler" "$@"
}

# A part of the next two checks. Each FILE compiles without changes. Files for CUDA, OpenCL and MPI are compiled if
# their headers are installed. The implementation that most files contain is left out, since other checks compile it.
# Files that use private functions keep it.
# syntax_of_each COMPILER CUDA_DIRECTORY FILE...
syntax_of_each() {
    need "$1"
    local file
    for file in "${@:3}"; do
        local further=() implemented=(-DAUTOTUNE__IMPLEMENTED -DAUTOTUNE__CUDA_IMPLEMENTED -DAUTOTUNE__OPENCL_IMPLEMENTED
                                  -DAUTOTUNE__MPI_IMPLEMENTED -DAUTOTUNE__CC_IMPLEMENTED)
        if grep -q autotune__ "$file"; then implemented=(); fi
        case $file in
        */cuda*) [ -e "$2/nvrtc.h" ] || continue ;;
        */opencl*) has_header "$1" CL/cl.h || continue ;;
        */openblas*) has_header "$1" openblas_config.h || continue ;;
        */openmp.c) further=(-fopenmp) ;;
        */mpi_*) read -ra further < <(mpicc --showme:compile 2>/dev/null) || continue ;;
        esac
        "$1" -std=gnu11 "${warnings[@]}" -I"$header_directory" -isystem "$stb_ds_directory" ${2:+-isystem "$2"} \
            "${further[@]/#-I/-isystem}" "${implemented[@]}" -fsyntax-only "$file"
    done
}
# examples COMPILER [CUDA_DIRECTORY]
examples() {
    syntax_of_each "$1" "${2-}" "$header_directory"/examples/*.c
}
# benches COMPILER [CUDA_DIRECTORY]
benches() {
    syntax_of_each "$1" "${2-}" "$header_directory"/bench/*.c
}

has_header() { "$1" -include "$2" -x c -fsyntax-only /dev/null 2>/dev/null; }

# sites COMPILER FLAG ...: like `build`, but only the units of users are built with these flags
sites() {
    need "$1"
    local compiler=$1
    shift
    unit "$compiler" spellings.c "$@"
    implementation "$compiler"
    program "$compiler" "$@"
}

# narrow COMPILER: like `build`, with pointers of 32 bits, if the compiler has libraries for them
narrow() {
    need "$1"
    # Debian's gcc-multilib links /usr/include/asm, but excludes the cross compilers; gcc-12-multilib does neither.
    local asm="/usr/include/$("$1" -print-multiarch 2>/dev/null || gcc -print-multiarch)"
    "$1" -m32 -idirafter "$asm" -x c - -o "$work/program" <<<'#include <errno.h>
        int main(void) { return 0; }' || { echo "$1 -m32: does not link, NOT TRIED"; exit 77; }
    build "$1" -m32 -idirafter "$asm"
}

# defines COMPILER: the defines that change how the header is compiled
defines() {
    need "$1"
    unit "$1" spellings.c -DAUTOTUNE_CHECKS
    holder "$1" implementation.c -DAUTOTUNE_CHECKS -include stdlib.h -D'AUTOTUNE_STB_DS_H=<stb_ds.h>' \
        -D'AUTOTUNE_REALLOC(old, bytes)=realloc(old, bytes)' -D'AUTOTUNE_FREE(old)=free(old)'
    program "$1"
}

# functions COMPILER: a program calls every function. A compiler without GNU C is refused in one error.
functions() {
    need "$1"
    local missing
    unit "$1" functions.c
    implementation "$1"
    missing=$(comm -13 <(nm -uC "$work/functions.c.o" | sed 's/^ *U //' | sort) \
        <(exported implementation.c.o | grep '^autotune_[^_]' | sort))
    [ -z "$missing" ] || fail "functions.c does not call $missing"
    program "$1"
    printf '%s\n' '#include <stdbool.h>' '#include <stddef.h>' '#include <stdint.h>' '#include <string.h>' \
        '#undef __GNUC__' '#undef __clang_major__' '#include "autotune.h"' >"$work/other.c"
    if "$1" -x "$(language "$1")" -I"$header_directory" -fsyntax-only "$work/other.c" 2>"$work/errors"; then
        fail "it compiles without GNU C"
    fi
    one_error 'autotune.h needs gcc or clang'
}
# one_error SENTENCE: $work/errors has one error, with this sentence
one_error() {
    grep -F 'error: ' "$work/errors" >"$work/error"
    grep -qF "$1" "$work/error" || fail "$(cat "$work/errors")"
    [ "$(wc -l <"$work/error")" = 1 ] || fail "more than one error: $(cat "$work/errors")"
}

# many_times COMPILER: a file includes the header several times, in the worst order
many_times() {
    need "$1"
    holder "$1" many_times.c
    program "$1"
}

# own_names COMPILER: a program uses the names of items for itself
own_names() {
    need "$1"
    unit "$1" own_names.c
}

# units USERS IMPLEMENTATION: several units use one implementation, each compiled by its own compiler
units() {
    need "$1" "$2"
    unit "$1" units_one.c
    unit "$1" units_two.c
    implementation "$2"
    case "$1 $2" in *clang++*) program clang++ ;; *g++*) program g++ ;; *) program "$1" ;; esac
}

# instantiations COMPILER: each instantiation of a template, and each overload, is a tuner
instantiations() {
    need "$1"
    unit "$1" instantiations.cpp
    implementation "$1"
    program "$1"
}

# casts COMPILER: a statement has no cast that a C++ program may forbid. Only gcc warns of useless casts
casts() {
    need "$1"
    local flags=(-Wold-style-cast)
    case $1 in g++*) flags+=(-Wuseless-cast) ;; esac
    unit "$1" casts.cpp "${flags[@]}"
}

# analysed: cppcheck has no complaint about a statement, but finds an error in its body
analysed() {
    need cppcheck
    local flags=(--quiet --enable=warning --suppress=toomanyconfigs --error-exitcode=1 -I"$header_directory")
    cppcheck "${flags[@]}" "$here/full_names.c" "$here/limits.c" "$here/casts.cpp"
    cat >"$work/wrong.c" <<'END'
#include "autotune.h"
int wrong(int n) {
    int v[4] = { 0 };
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .key = KEY(n)) { v[4] = tile; }
    return v[0];
}
END
    if cppcheck "${flags[@]}" "$work/wrong.c" 2>"$work/errors"; then fail "an index out of bounds was not found"; fi
    grep -q 'wrong.c:4:.*arrayIndexOutOfBounds' "$work/errors" || fail "$(cat "$work/errors")"
}

# manual COMPILER: the examples of README.md and docs/manual.md compile as C, and as C++20, which has designators
manual() {
    need "$1"
    local flags=(-Wsign-conversion -I"$work")
    case $1 in *++*) flags+=(-std=c++20) ;; esac
    shown 'insertion_sort' >"$work/sort.inc"
    shown 'sort_radix' >"$work/select.inc"
    shown 'autotune_get_int(&r' >"$work/result.inc"
    shown 'autotune_search_create' >"$work/search.inc"
    shown 'autotune_create(' | sed '/^$/,$d' >"$work/callbacks.inc"
    shown 'autotune_create(' | sed '1,/^$/d' >"$work/created.inc"
    unit "$1" manual.c "${flags[@]}"
}
# shown TEXT: prints the block of C in README.md or docs/manual.md that contains this text
shown() {
    awk -v text="$1" '/^```/ { if (index(block, text)) printf "%s", block; inside = $0 == "```c"; block = ""; next } inside { block = block $0 "\n" }' \
        "$header_directory/README.md" "$header_directory/docs/manual.md" | grep '' ||
        fail "neither README.md nor docs/manual.md shows '$1'"
}

# symbols COMPILER: an implementation exports only its own names, and no name of stb_ds. A unit that uses the header
# exports only its own names
symbols() {
    need "$1"
    local names foreign
    implementation "$1"
    names=$(exported implementation.c.o)
    grep -q '^autotune_' <<<"$names" || fail "the implementation exports nothing"
    foreign=$(grep -v '^autotune_' <<<"$names") && fail "exported beside autotune_: $foreign"
    unit "$1" full_names.c -O2
    foreign=$(exported full_names.c.o | grep -v '^every_full_name') && fail "exported by a unit that only uses the header: $foreign"
    return 0
}

# static_units COMPILER: with AUTOTUNE_STATIC nothing is exported, so a program may contain several implementations
static_units() {
    need "$1"
    local foreign
    holder "$1" static_one.c
    holder "$1" static_two.c
    foreign=$({ exported static_one.c.o; exported static_two.c.o; } | grep -Ev '^(main|static_two(\(int\))?)$') &&
        fail "exported in spite of AUTOTUNE_STATIC: $foreign"
    program "$1"
}

# own_stb_ds COMPILER: a program with its own stb_ds. In C stb_ds needs typeof, which strict standards do not have.
own_stb_ds() {
    need "$1"
    local standard=gnu11
    case $1 in *++*) standard=gnu++14 ;; esac
    unit "$1" own_stb_ds.c -std=$standard
    holder "$1" implementation.c -DAUTOTUNE_NO_STB_DS_IMPL
    grep -q stbds_ <<<"$(nm -u "$work/implementation.c.o")" || fail "the implementation does not use the program's stb_ds"
    program "$1"
}

# no_implementation COMPILER: if no file defines AUTOTUNE_IMPLEMENTATION, the error of the linker says what to do
no_implementation() {
    need "$1"
    local level
    for level in -O0 -O2; do
        unit "$1" units_one.c $level
        unit "$1" units_two.c $level
        if "$1" "$work"/*.o -o "$work/program" 2>"$work/errors"; then fail "it links without the implementation"; fi
        grep -q 'autotune__define_AUTOTUNE_IMPLEMENTATION_in_one_file' "$work/errors" || fail "$(cat "$work/errors")"
    done
}

# versions COMPILER: call sites and an implementation of two versions do not link. The error of the linker names the
# version that the call sites need. Versions that differ only in their patch number link
versions() {
    need "$1"
    local other=$work/other
    mkdir "$other"
    unit "$1" units_one.c
    implementation "$1"
    sed 's/^\(#define AUTOTUNE_VERSION_PATCH\) .*/\1 99/' "$header_directory/autotune.h" >"$other/autotune.h"
    unit "$1" units_two.c -include "$other/autotune.h"
    "$1" "$work"/*.o -pthread -lm -o "$work/program" || fail "a patch does not link"
    sed 's/^\(#define AUTOTUNE_VERSION_MINOR\) .*/\1 99/' "$header_directory/autotune.h" >"$other/autotune.h"
    unit "$1" units_two.c -include "$other/autotune.h"
    if "$1" "$work"/*.o -pthread -lm -o "$work/program" 2>"$work/errors"; then fail "two versions link"; fi
    grep -q 'autotune__define_AUTOTUNE_IMPLEMENTATION_in_one_file_of_version_0_99' "$work/errors" ||
        fail "$(cat "$work/errors")"
}

# posix COMPILER: strict C without POSIX 2008 is refused in one error, which says what to define. -pthread alone selects
# an older POSIX.
posix() {
    need "$1"
    local flag
    for flag in -O0 -pthread; do
        if unit "$1" implementation.c $flag 2>"$work/errors"; then fail "it compiles without _POSIX_C_SOURCE"; fi
        one_error 'define _POSIX_C_SOURCE 200809L'
    done
}

"$@"
