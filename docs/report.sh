#!/usr/bin/env bash
# report.sh COMMAND PROGRAM ... - runs programs with an empty cache of their own, and takes pictures of the page that
# `autotune report` makes of it: report.png, and report-key.png of the key for which most was tried. Needs Chromium.
set -euo pipefail
command=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export AUTOTUNE_CACHE_DIR=$scratch/cache
for program; do "$program" >&2; done
cd "$AUTOTUNE_CACHE_DIR"
"$command" report --file results.jsonl --output "$scratch/report.html"
key=$(grep -o '"tried":[0-9]*' "$scratch/report.html" | cut -d : -f 2 | awk '$1 > most { most = $1; at = NR - 1 } END { print at }')
picture() { # NAME WIDTH,HEIGHT PAGE
    chromium --headless=new $([ "$(id -u)" != 0 ] || echo --no-sandbox) --disable-gpu --hide-scrollbars --no-first-run \
        --user-data-dir="$scratch/profile" --virtual-time-budget=3000 --window-size="$2" --screenshot="$here/$1" \
        "file://$scratch/$3" 2>"$scratch/log"
}
picture report.png 1240,1240 report.html
picture report-key.png 1240,1530 "report.html#$key"
# Smaller by far, and hardly to be told from the original.
if command -v pngquant >/dev/null; then pngquant --force --ext .png 64 "$here/report.png" "$here/report-key.png"; fi
