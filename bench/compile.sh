#!/usr/bin/env bash
# compile.sh - the cost of autotune.h at compile time, and the size of the code of a call site.
#
#     bench/compile.sh [compiler ...]        without arguments: those of gcc, clang, g++, clang++ that are installed
#     PAIRS=21 SITES=50 bench/compile.sh
#
# The script compares the header with an empty file, and a file with SITES tuned calls with a file that makes the same
# calls directly. The two compilations of a pair follow each other, and begin alternately. A time is the processor time
# (user and system) of the compiler and of the assembler that it starts. Each figure is the median of the differences.
# The implementation is compiled a third as often, since it takes seconds.
set -eu

pairs=${PAIRS:-21}
sites=${SITES:-50}
header=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

tuned='AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8), AXIS(order, 0, 1), WHERE(unroll <= tile)),
    1, kernel(n, m, tile, unroll, order + NUMBER), .key = KEY(n, m))'
direct='kernel(n, m, 16, 1, NUMBER)'

# source_of CALL COUNT: prints a file with COUNT functions, each of which makes the call once. All texts differ, since
# the compiler would keep only one of several equal functions.
source_of() {
    printf '#include "autotune.h"\nvoid kernel(int n, int m, int tile, int unroll, int order);\n'
    for ((i = 0; i < $2; i++)); do echo "void site_$i(int n, int m) { ${1/NUMBER/$i}; }"; done
}

: > "$work/empty"
echo '#include "autotune.h"' > "$work/header"
printf '#define AUTOTUNE_IMPLEMENTATION\n#include "autotune.h"\n' > "$work/implementation"
source_of "$direct" "$sites" > "$work/direct"
source_of "$tuned" "$sites" > "$work/tuned"
source_of "$tuned" $((2 * sites)) > "$work/twice"

language() { case $1 in *++*) echo c++ ;; *) echo c ;; esac; }

# build COMPILER LANGUAGE FILE: at -O2, in the compiler's default standard of the language. No warning is switched on.
build() { "$1" -O2 -I"$header" -x "$2" -c "$work/$3" -o "$work/$3.o"; }

# milliseconds COMPILER LANGUAGE FILE: the processor time of one compilation.
milliseconds() {
    local TIMEFORMAT='%3U %3S'
    { time build "$@"; } 2>&1 | awk '{ print 1000 * ($1 + $2) }'
}

# several COMPILER LANGUAGE FILE COUNT: the median of so many compilations.
several() { local i; for ((i = 0; i < $4; i++)); do milliseconds "$1" "$2" "$3"; done | median; }

median() { sort -n | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] }'; }

# difference COMPILER LANGUAGE FILE BASE: the median of the pairs.
difference() {
    local pair a b
    for ((pair = 0; pair < pairs; pair++)); do
        if ((pair % 2)); then b=$(milliseconds "$1" "$2" "$4"); fi
        a=$(milliseconds "$1" "$2" "$3")
        if ((pair % 2 == 0)); then b=$(milliseconds "$1" "$2" "$4"); fi
        awk -v a="$a" -v b="$b" 'BEGIN { print a - b }'
    done | median
}

# bytes FILE PATTERN: the sum of the sections whose names match. per_site PATTERN: what one more call site adds to it.
bytes() { size -A "$work/$1.o" | awk -v pattern="$2" '$1 ~ pattern { sum += $2 } END { print sum + 0 }'; }
per_site() { echo $((($(bytes twice "$1") - $(bytes tuned "$1")) / sites)); }

# row COMPILER TEXT VALUE [GOAL]
row() {
    printf '%-12s %-34s %10s %8s %6s\n' "$1" "$2" "$3" "${4:--}" \
        "$(awk -v value="$3" -v goal="${4:--}" 'BEGIN { print goal == "-" ? "-" : value + 0 <= goal + 0 ? "yes" : "NO" }')"
}

# Milliseconds per call site, and of the implementation. A figure without a goal is only for information.
site_goal() { case $1 in *++*) echo - ;; *clang*) echo 12 ;; *) echo 20 ;; esac; }
implementation_goal() { case $1 in *++* | *clang*) echo - ;; *) echo 4000 ;; esac; }

measure() {
    local language site
    language=$(language "$1")
    for file in empty header direct tuned twice implementation; do build "$1" "$language" $file; done
    row "$1" 'an empty file, ms' "$(several "$1" "$language" empty "$pairs")"
    row '' '#include "autotune.h", ms more' "$(difference "$1" "$language" header empty)" 60
    site=$(difference "$1" "$language" tuned direct)
    row '' 'a call site with 3 axes, ms' "$(awk -v ms="$site" -v n="$sites" 'BEGIN { printf "%.1f", ms / n }')" "$(site_goal "$1")"
    row '' 'its code, bytes' "$(per_site '^[.]text')" 1024
    row '' '  of it outside .text.unlikely' "$(per_site '^[.]text$')"
    row '' 'its constants and unwind table' "$(per_site '^[.](rodata|eh_frame)')"
    row '' 'the implementation, ms' "$(several "$1" "$language" implementation $(((pairs + 2) / 3)))" \
        "$(implementation_goal "$1")"
    row '' 'its code, bytes' "$(bytes implementation '^[.]text')"
}

if (($# == 0)); then
    for compiler in gcc clang g++ clang++; do if command -v "$compiler" > /dev/null; then set -- "$@" "$compiler"; fi; done
fi
printf '%s pairs, %s call sites, -O2, processor time\n\n%-12s %-34s %10s %8s %6s\n' "$pairs" "$sites" compiler '' value goal met
for compiler; do measure "$compiler"; done
