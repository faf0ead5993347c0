#!/bin/sh
# Compares ranks that race together, and ranks that divide a race, with one rank alone. On a virtual clock it prints a
# table of launches and exchanges; with `real`, a table of times.
#
#     bench/ranks.sh [LATENCY_US [RANKS]]     LATENCY_US: of one level of a tree over all ranks; 2 and 10000
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
