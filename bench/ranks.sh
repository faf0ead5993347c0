#!/bin/sh
# What ranks that race together, or divide the race, need beside one rank alone. On a virtual clock, a table of launches
# and exchanges; with `real`, a table of times.
#
#     bench/ranks.sh [LATENCY_US [RANKS]]     what a level of a tree over so many ranks takes; 2 us and 10000
#     bench/ranks.sh real [RANKS]             on the real clock, with as many idle cores as ranks; 2
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=ranks
if [ "${1:-}" = real ]; then program=ranks_real; shift; fi
${CC:-cc} -std=gnu11 -O1 -I"$here/.." ${STB_DS_DIR:+-isystem "$STB_DS_DIR"} "$here/$program.c" -o "$work/$program" \
    -lm -lpthread
"$work/$program" "$@"
