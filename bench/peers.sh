#!/usr/bin/env bash
# peers.sh - Kernel Tuner and Optuna themselves, beside the strategies of autotune.h, on recorded spaces; and Kernel
# Tuner's C backend beside the race, on the matrix product of examples/matmul.c and on the one of bench/cc.c, which both
# sides compile for each configuration. Installs both from PyPI into a virtual environment.
#
#     bench/peers.sh FOLDER [SEEDS]      FOLDER: as for bench_search; SEEDS: 15 without it. An hour on one processor
#
# PEERS_ENVIRONMENT names a folder for the environment that is kept; without it there is a new one, which is removed.
set -eu

folder=${1:?usage: peers.sh FOLDER [SEEDS]}
seeds=${2:-15}
bench=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
environment=${PEERS_ENVIRONMENT:-$work/environment}
read -ra stb_ds <<< "$(pkg-config --cflags stb 2> /dev/null || true)"

[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet kernel_tuner optuna
for program in bench/search bench/cc examples/matmul; do
    cc -std=gnu11 -O2 -I"$bench/.." "${stb_ds[@]}" "$bench/../$program.c" -o "$work/$(basename "$program")" -lm -ldl -pthread
done

"$work/search" --ours --seeds "$seeds" "$folder"
"$environment/bin/python" "$bench/peers.py" spaces "$folder" --seeds "$seeds"
"$environment/bin/python" "$bench/peers.py" matmul "$work/matmul"
"$environment/bin/python" "$bench/peers.py" compiled "$work/cc"
