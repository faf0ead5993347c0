#!/bin/sh
# report.sh COMMAND [RECORDS] - the time of `autotune report` for RECORDS records (10,000), and the time in which
# Chromium shows its page: from the request to the end of the page's script, without the start of the browser. Each time
# is the median of five. The script needs a C compiler, Chromium, and an idle machine.
set -eu
command=$(realpath "$1")
records=${2:-10000}
here=$(cd "$(dirname "$0")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"${CC:-cc}" -D_POSIX_C_SOURCE=200809L -o page "$here/../tests/command/page.c"
./page records "$records" >records.jsonl
sandbox=$([ "$(id -u)" = 0 ] && echo --no-sandbox || true)
for run in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$command" report --output page.html records.jsonl
    echo $((($(date +%s%N) - start) / 1000000)) >>made
    "$browser" --headless=new $sandbox --disable-gpu --no-first-run --disable-background-networking \
        --user-data-dir=profile --dump-dom "file://$scratch/page.html" 2>>browser.log |
        sed -n 's/.*data-ready-after="\([0-9]*\)".*/\1/p' >>shown
done
median() { sort -n "$1" | sed -n 3p; }
echo "$records records, $(($(wc -c <records.jsonl) / 1024)) KiB: a page of $(($(wc -c <page.html) / 1024)) KiB," \
     "made in $(median made) ms, shown in $(median shown) ms"
