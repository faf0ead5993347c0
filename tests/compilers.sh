#!/usr/bin/env bash
# Compiles the header, the implementation and the examples with every gcc and clang of this machine, in C and in C++, in
# each standard that the compiler knows, with all warnings as errors. Then it runs a program with every spelling.
#
#   tests/compilers.sh [COMPILER ...]       these compilers; without arguments all of version 9 to 29, such as gcc-9
#
# STB_DS_DIRECTORY is the folder of stb_ds.h (default: /usr/include/stb). The script prints a line for each compiler. If
# a compiler reports something, the script prints its messages, and the exit status is 1.
set -uo pipefail
export LC_ALL=C

root=$(cd "$(dirname "$0")/.." && pwd)
stb_ds_directory=${STB_DS_DIRECTORY:-/usr/include/stb}
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failed=0

found() {
    local name version
    for name in gcc g++ clang clang++; do
        for version in {9..29}; do
            if command -v "$name-$version" >/dev/null; then echo "$name-$version"; fi
        done
    done
}

# knows COMPILER LANGUAGE STANDARD
knows() { "$1" -x "$2" -std="$3" -fsyntax-only /dev/null 2>/dev/null; }

# passes COMPILER CHECK ARGUMENT ...: runs a check of tests/headers/check.sh, and keeps its output
passes() {
    local compiler=$1 check=$2
    shift 2
    "$root/tests/headers/check.sh" "$root" "$stb_ds_directory" "$check" "$compiler" "$@" >>"$output" 2>&1 && return
    wrong+=("$check${*:+ $*}")
}

compiler() {
    local compiler=$1 language=c standards=(c11 gnu11 c17 c2x c2y) checks=(limits defines examples) standard check
    local tried=() wrong=()
    case $compiler in *++*) language=c++ standards=(c++14 gnu++14 c++17 c++20 c++23 c++26) checks=(limits casts) ;; esac
    : >"$output"
    for standard in "${standards[@]}"; do
        knows "$compiler" "$language" "$standard" || continue
        tried+=("$standard")
        passes "$compiler" standard "$standard"
    done
    for check in "${checks[@]}"; do passes "$compiler" "$check"; done
    passes "$compiler" build -O1
    printf '%-12s %-8s %s: ' "$compiler" \
        "$("$compiler" -dumpfullversion 2>/dev/null || "$compiler" -dumpversion)" "${tried[*]}"
    if [ ${#wrong[@]} = 0 ]; then echo "right"; return; fi
    printf 'WRONG: %s\n' "$(printf '%s; ' "${wrong[@]}")"
    sed 's/^/    /' "$output"
    failed=1
}

if [ $# = 0 ]; then
    mapfile -t compilers < <(found)
    set -- "${compilers[@]}"
fi
[ $# != 0 ] || { echo "no compiler is called gcc-N or clang-N here: name some" >&2; exit 1; }
for name in "$@"; do
    command -v "$name" >/dev/null || { echo "$name: not found" >&2; failed=1; continue; }
    compiler "$name"
done
exit $failed
