#!/usr/bin/env bash
# run.sh - builds and runs the benchmarks with each compiler, and prints one table per benchmark, with the compilers
# side by side.
#
#     bench/run.sh [compiler ...]        without arguments: those of gcc and clang that are installed
#
# Then it prints the cost of compiling, by compile.sh.
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if (($# == 0)); then
    for compiler in gcc clang; do if command -v "$compiler" > /dev/null; then set -- "$@" "$compiler"; fi; done
fi
read -ra stb_ds <<< "$(pkg-config --cflags stb 2> /dev/null || true)"

# build PROGRAM COMPILER OUTPUT
build() {
    "$2" -std=gnu11 -O2 -I"$bench/.." "${stb_ds[@]}" "$bench/$1.c" "$bench/kernel.c" "$bench/implementation.c" -o "$3" -pthread
}

# side_by_side TITLES FIELDS TABLE ...: prints the names of the rows once, and then the other fields of every table.
# TITLES and FIELDS are the names of the tables and of the fields, separated by commas.
side_by_side() {
    awk -F '\t' -v titles="$1" -v fields="$2" '
        function left(text, width) { return sprintf("%-" width "s", text) }
        function right(text) { return sprintf("%9s", text) }
        function line(name, row,    t, f) {
            printf "%s", left(name, 29)
            for (t = 1; t <= tables; t++) { printf " |"; for (f = 1; f <= count; f++) printf "%s", right(row ? cell[row, t, f] : field[f]) }
            printf "\n"
        }
        BEGIN { count = split(fields, field, ","); split(titles, title, ",") }
        FNR == 1 { tables++ }
        { name[FNR] = $1; rows = FNR; for (f = 1; f <= count; f++) cell[FNR, tables, f] = $(f + 1) }
        END {
            printf "%s", left("", 29); for (t = 1; t <= tables; t++) printf " | %s", left(title[t], 9 * count - 1); printf "\n"
            line("", 0)
            for (row = 1; row <= rows; row++) line(name[row], row)
        }' "${@:3}"
}

# table PROGRAM TITLE FIELDS COMPILER ...
table() {
    local program=$1 title=$2 fields=$3 tables=() k
    shift 3
    for ((k = 1; k <= $#; k++)); do
        build "$program" "${!k}" "$work/$program-$k"
        "$work/$program-$k" --tabs > "$work/$program-$k.tabs"
        tables+=("$work/$program-$k.tabs")
    done
    printf '\n%s\n\n' "$title"
    (IFS=,; titles="$*"; side_by_side "$titles" "$fields" "${tables[@]}")
}

date -u +%Y-%m-%d
sed -n 's/^model name[^:]*: //p; s/^Processor[^:]*: //p' /proc/cpuinfo 2> /dev/null | head -n 1
echo "$(getconf _NPROCESSORS_ONLN) cores, $(uname -sm)"
for compiler; do "$compiler" --version | head -n 1; done

table hit 'A hit: ns per call, directly, and what it costs more (hit.c)' direct,cost,low,high,goal,met "$@"
table threads 'Two threads at one call site: time per thread over one alone (threads.c)' 'alone ns,ratio,low,high,goal,met' "$@"
table space 'The first call with a space of a million points: milliseconds (space.c)' 'admitted,1st run,whole,cost,goal,met' "$@"

table cache 'The cache on disk: kilobytes per record, first call of a process and another key (cache.c)' 'KB each,1st ms,other us,goal ms,met' "$@"

printf '\nCompiling (compile.sh): '
"$bench/compile.sh"
