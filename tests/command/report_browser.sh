#!/bin/sh
# report_browser.sh COMMAND - opens the page of `autotune report` in Chromium without a window. It checks what the page
# shows, that hostile records run no script, and that the page makes no request. Exit status 77: Chromium or libjs-vega
# is not installed. The variable CC names a C compiler.
set -u
command=$1
here=$(cd "$(dirname "$0")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo 'no Chromium is installed, NOT TRIED'; exit 77; }
[ -e /usr/share/javascript/vega ] || { echo 'libjs-vega is not installed, NOT TRIED'; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
$CC -w -D_POSIX_C_SOURCE=200809L -o page "$here/page.c" || exit 1

wrong() { echo "WRONG: $1"; failures=$((failures + 1)); }
is() { [ "$1" = "$2" ] || wrong "$3: '$1' instead of '$2'"; }
# browse PAGE[#N]: opens a page, and writes these files:
#   dom           the document after all scripts have run
#   complaints    messages of the page to the console
#   requests      requests of the page over the network; requests of the browser itself have no page as their initiator
browse() {
    sandbox=$([ "$(id -u)" = 0 ] && echo --no-sandbox)
    timeout 100 "$browser" --headless=new $sandbox --disable-gpu --no-first-run --disable-background-networking \
        --user-data-dir="$scratch/profile" --enable-logging=stderr --log-net-log="$scratch/net.json" \
        --window-size=1400,1000 --dump-dom "file://$scratch/$1" >dom 2>err || wrong "the browser ended with $?"
    grep 'CONSOLE' err >complaints
    grep '"initiator":' net.json | grep -v '"initiator":"not an origin"' | grep -o '"url":"[^"]*"' >requests
}
open_page() { # PAGE[#N]: opens a page of `autotune report`, which must have no complaints and no requests
    browse "$1"
    is "$(cat complaints)" '' "complaints of $1"
    is "$(cat requests)" '' "requests of $1"
    grep -q 'data-ready-after="[0-9]' dom || wrong "$1 did not come to its end"
}
echo '<img src="http://autotune.invalid/x">' >asks.html
browse asks.html
is "$(cat requests)" '"url":"http://autotune.invalid/x"' 'a page that does ask'

# ---- Hostile records -------------------------------------------------------------------------------------------------
"$command" report --output page.html "$here/scripts.jsonl" || wrong 'report'
for view in '' '#0' '#1' '#2' '#999'; do
    open_page "page.html$view"
    title=$(grep -o '<title>[^<]*' dom)
    [ "$title" != "${title%autotune report}" ] || wrong "the title at $view is $title"
    is "$(grep -c '<img\|<svg\|<textarea' dom)" 0 "elements of the records at $view"
done
# If a script were in the data in spite of the escapes, the policy of the page would refuse it.
sed 's/^<script type="application\/json"/<script>document.title = "owned"<\/script>&/' page.html >owned.html
browse owned.html
is "$(grep -o '<title>[^<]*' dom)" '<title>autotune report' 'a script that the policy does not name'

# ---- What it shows ---------------------------------------------------------------------------------------------------
"$command" report --output page.html "$here/sound.jsonl"
open_page page.html
is "$(grep -o '<a href="#[0-9]*">[^<]*' dom | sort | tr '\n' ' ')" \
    '<a href="#0">– <a href="#1">n=64 <a href="#2">n=512 <a href="#3">n=1024, type=f32, \u001b[31mred, 1=-3 ' 'the keys'
open_page page.html#2
for text in 'tile=32, unroll=4</strong> takes' '10.8&nbsp;µs' '18.4&nbsp;×' 'needs 1 MiB, has "512" KiB' '<canvas'; do
    grep -qF -- "$text" dom || wrong "the view of a key does not have $text"
done
is "$(grep -o '<canvas' dom | wc -l | tr -d ' ')" 3 'charts: bars, heat map, all axes; no search without its order'

# ---- Records of the same key, with other ranks and of other builds ---------------------------------------------------
"$command" report --output page.html "$here/alike.jsonl"
open_page page.html
is "$(grep -o '<a href="#[0-9]*">n=64</a><div class="quiet small">[^<]*' dom | grep -c 'L2 512 KiB, 2 ranks')" 1 \
    'what tells records of the same key apart'
is "$(grep -o '<a href="#[0-9]*">n=64</a><div class="quiet small">[^<]*' dom | sed 's/.*>//' | sort -u | grep -c '')" 3 \
    'records of one device that differ in the call alone'

# ---- Many records ----------------------------------------------------------------------------------------------------
./page records 10000 >many.jsonl
"$command" report --output page.html many.jsonl
open_page page.html
is "$(grep -o '<a href="#[0-9]*">' dom | wc -l | tr -d ' ')" 100 'rows that are shown at first'
grep -q '10,000 records' dom || wrong 'the number of records'
echo "10,000 records are shown $(grep -o 'data-ready-after="[0-9]*' dom | tr -dc 0-9) ms after the page was asked for"
open_page page.html#9999
is "$(grep -o '<canvas' dom | wc -l | tr -d ' ')" 4 'charts of a key with its search'

[ "$failures" = 0 ] && echo 'all right'
exit "$failures"
