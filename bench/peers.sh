#!/usr/bin/env bash
# peers.sh - compares Kernel Tuner and Optuna with the strategies of autotune.h, on recorded spaces. Also compares
# Kernel Tuner's C backend with the race, on the matrix products of examples/matmul.c and of bench/cc.c; both sides
# compile them for each configuration. The script installs Kernel Tuner and Optuna from PyPI into a virtual environment.
#
#     bench/peers.sh FOLDER [SEEDS]      FOLDER: as for bench_search; SEEDS: 15 without it. An hour on one processor
#
# PEERS_ENVIRONMENT names a folder for a virtual environment that is kept. Without it a new one is made and removed.
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
