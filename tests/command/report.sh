#!/bin/sh
# report.sh COMMAND - checks the page of `autotune report` without a browser: its parts, the texts of records that it
# escapes, and that its data are JSON. The variable CC names a C compiler.
set -u
command=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.jsonl "$scratch" && cd "$scratch" || exit 1
unset AUTOTUNE_CACHE AUTOTUNE_LOG XDG_CACHE_HOME
export AUTOTUNE_CACHE_DIR="$scratch/cache" LC_ALL=C
failures=0
# A file that replaces Vega, so that Vega need not be installed.
library=$scratch/library.js
exported='exports.View="<b>"; exports.parse=0; exports.expressionInterpreter=0;'
printf '%s\n' "$exported" '//# sourceMappingURL=library.js.map' >"$library"
$CC -w -D_POSIX_C_SOURCE=200809L -o page "$here/page.c" || exit 1

wrong() { echo "WRONG: $1"; failures=$((failures + 1)); }
is() { [ "$1" = "$2" ] || wrong "$3: '$1' instead of '$2'"; }
report() { # FILE ARGUMENT ...: makes the page FILE; messages of the command go to the file err
    "$command" report --library "$library" --output "$@" 2>err >out
    is "$? $(cat out)" "${expected_status:-0} " "report $*"
}
data_of() { sed -n '/^<script type="application\/json" id="data">/,/^<\/script>/p' "$1" | sed '1s/^<script[^>]*>//; $d'; }
count() { grep -o "$1" "$2" | wc -l | tr -d ' '; } # PATTERN FILE: how often the file has the pattern

# ---- Hostile records -------------------------------------------------------------------------------------------------
report page.html scripts.jsonl hostile.jsonl
is "$(cat err)" '' 'sound files'
for tag in '<script' '</script' '<style' '</style' '<!DOCTYPE' '</html>'; do
    case $tag in *script*) expected=3 ;; *) expected=1 ;; esac
    is "$(count "$tag" page.html)" $expected "how many $tag the page has"
done
is "$(grep -ci '</script' page.html)" 3 'ends of scripts, however they are spelled'
data_of page.html >data
is "$(./page json <data)" 6 'a line for all records, and one for each of five'
is "$(grep -c '<' data)" 0 'a < in the data'
is "$(LC_ALL=C tr -d '\n\040-\377' <data | wc -c | tr -d ' ')" 0 'control characters in the data'
for part in 'u003c/script>\\u003cscript>document.title=1' '\\\\udcff\\\\udcc3(' '\\\\u001b\[31m' '@data@ @script@' \
            '"__proto__","constructor"' 'u003cimg src=x onerror=document.title=2>' 'f(\\"\\u003cb>\\"'; do
    grep -q -- "$part" data || wrong "the data does not have $part"
done

# ---- Calls in use ----------------------------------------------------------------------------------------------------
report used.html in_use.jsonl
data_of used.html >data
is "$(count '"in_use_ns":[0-9.e+]*' data)" 3 'times of calls in use'
is "$(count '"in_use_ns":43338.*"logged_in_use":true' data)" 1 'calls that take far longer'
is "$(count '"logged_in_use":true' data)" 2 'calls that do not take what the race measured'

# ---- What the page may do --------------------------------------------------------------------------------------------
base64_of_sha256() {
    for byte in $(sha256sum | cut -c -64 | sed 's/../0x& /g'); do printf "\\$(printf %03o "$byte")"; done | base64
}
sed -n 's/^<meta http-equiv="Content-Security-Policy" content="\(.*\)">$/\1/p' page.html >policy
grep -q "^default-src 'none'; script-src 'sha256-[^ ]*' 'sha256-[^ ]*'; style-src 'sha256-[^ ]*'; base-uri 'none'; form-action 'none'\$" \
    policy || wrong "the policy is $(cat policy)"
part() { # NUMBER: prints the text of the style (1) or of a script (2, 3), up to the line before its end tag
    awk -v part="$1" '/^<(style|script)>/ { inside = ++parts == part; sub(/^<[a-z]*>/, "") }
                      /^<\/(style|script)>$/ { inside = 0 }
                      inside' page.html
}
for number in 1 2 3; do
    grep -qF "'sha256-$(part $number | base64_of_sha256)'" policy || wrong "the policy does not allow part $number of the page"
done
sed '/^<script type="application/,$d' page.html >frame
is "$(grep -ciE 'src=|@import|url\(|<link|<iframe|<img|<base| on[a-z]*="' frame)" 0 'what the frame loads, or runs'
grep -qF 'BSD 3-Clause License' frame || wrong 'the page does not name the licence of its charts'

# ---- The library of the charts ---------------------------------------------------------------------------------------
grep -qF 'libraryParts["vega"] = function(exports, module, require) {' page.html || wrong 'no module of one file'
grep -qF "$exported" page.html || wrong 'the library is not in the page as it is'
is "$(grep -c 'sourceMappingURL' page.html)" 0 'a source map, which a browser would look for'
mkdir parts
for name in util time format loader dataflow scale encode statistics transforms canvas scenegraph view-transforms \
            expression selection functions event-selector parser runtime view interpreter; do
    echo "exports.$name" >parts/vega-$name.min.js
done
echo "$exported" >parts/vega-interpreter.min.js
"$command" report --library parts --output page.html sound.jsonl || wrong 'a library in parts'
is "$(grep -c '^libraryParts\["vega-[a-z-]*"\] = ' page.html)" 20 'parts of the library'
rm parts/vega-runtime.min.js page.html
for absent in parts /nowhere; do
    "$command" report --library $absent --output page.html sound.jsonl >out 2>err
    is "$? $(cat out err)" "2 autotune: report: Vega, which draws the charts, is not in $absent (No such file or \
directory). On Debian: apt-get install libjs-vega. Elsewhere: --library FILE" 'no library'
    [ ! -e page.html ] || wrong 'a page without its library'
done
for name in View parse expressionInterpreter; do
    sed "s/exports.$name=/exports.other=/" "$library" >another.js
    "$command" report --library another.js --output page.html sound.jsonl >out 2>err
    is "$? $(cat out err)" \
        "2 autotune: report: another.js is not Vega 5 with its interpreter: '.$name' does not occur in it" \
        "a library without $name"
    [ ! -e page.html ] || wrong 'a page with another library'
done
for text in '</SCRIPT >' '<!--' '<script'; do
    echo "$exported var text = '$text';" >unfit.js
    "$command" report --library unfit.js --output page.html sound.jsonl >out 2>err
    is "$? $(cat out err)" \
        "2 autotune: report: unfit.js has '<!--' or the tag of a script, so it cannot stand in a page" "the text $text"
done
if [ -e /usr/share/javascript/vega ]; then
    "$command" report --output page.html sound.jsonl || wrong 'the library of the package'
    is "$(count '</script' page.html) $(grep -c 'University of Washington\|UW Interactive' page.html | sed 's/[1-9].*/some/')" \
        '3 some' 'scripts with the library of the package, and its copyright'
else
    echo 'libjs-vega is not installed: its library was NOT TRIED'
fi

# ---- What is in it ---------------------------------------------------------------------------------------------------
report page.html --file sound.jsonl
data_of page.html >data
is "$(./page json <data)" 5 'four records'
is "$(head -n 1 data | grep -o '"tuner":"[a-z.]*' | tr '\n' ' ')" \
    '"tuner":"long.c "tuner":"matmul.c "tuner":"matmul.c "tuner":"sort ' 'the order'
is "$(sed -n 4p data)" '{"rows":[[2,1,61,null,10790,10834.5,0,0],[3,1,61,null,10950,11020,1,0],[4,5,16,null,40100,null,0,1],'\
'[0,5,1,null,199010,null,2,1],[0,6,1,null,null,null,1,1]],"axes":[["tile",["32","64","16"]],["unroll",["4","1"]]],'\
'"reasons":{"4":"needs 1 MiB, has \"512\" KiB"}}' 'the launch table of a record'
is "$(head -n 1 data | grep -o '"left_out":"[a-z]*"')" '"left_out":"time"' 'what a race left out'
is "$(head -n 1 data | grep -o '"words":[^]]*')" '"words":["screen","ok","winner","duel","halving","slow","failed"' \
    'the words of its rows'
report page.html --file resources.jsonl
is "$(data_of page.html | sed -n 2p | grep -o '"resources":.*')" \
    '"resources":{"0":[40,0,2048],"1":[255,1024,2048],"3":[40,0,2048]}}' 'what kernels of CUDA need'
./page records 1 >many.jsonl
report page.html many.jsonl
is "$(data_of page.html | sed -n 2p | grep -o '^{"rows":\[\[[^]]*')" '{"rows":[[0,1,1234567,1,1000,null,0,0' 'a large count is written in full'
cp sound.jsonl again.jsonl
report one.html sound.jsonl hostile.jsonl again.jsonl
report two.html sound.jsonl hostile.jsonl again.jsonl
cmp -s one.html two.html || wrong 'two runs make different pages'
is "$(data_of one.html | ./page json)" 7 'a record that two files have is one'
report two.html hostile.jsonl again.jsonl sound.jsonl
for page in one two; do data_of $page.html | sed '1s/"files":.*//' >$page; done
cmp -s one two || wrong 'the order of the files changes what the page says'
mkdir -p cache/notes && cp sound.jsonl cache/results.jsonl && cp lost.jsonl cache/notes/5d0c6f1b2a9e4478-0f343b0931126a20.jsonl
report page.html
data_of page.html >data
is "$(./page json <data; grep -c '"lost":\[\["' data)" "5
1" 'the cache on disk, with its launch notes'
is "$(head -n 1 data | grep -o '"missed":\[\]')" '"missed":[]' 'nothing was missed'
sed 6d missed.jsonl >cache/misses.jsonl
report page.html
is "$(data_of page.html | tee data | ./page json; head -n 1 data | grep -o '"missed":.*kernel\|"missed":\[\[[^]]*')" "5
"'"missed":[["gpu.cu:copy","n=4096","2026-01-02T03:04:05Z","A processor, 16 cores",5000000,3' \
    'what was missed beside the cache'
AUTOTUNE_MISSES=off report page.html
is "$(data_of page.html | grep -o '"missed":\[\]'; cat err)" '"missed":[]' 'misses that nobody wants'

report page.html checked.jsonl
is "$(data_of page.html | grep -o '"checked":[0-9]*')" '"checked":16' 'how many were checked'

# ---- Winners that were verified or pinned ----------------------------------------------------------------------------
mkdir verified && cp sound.jsonl verified/results.jsonl && cp verified.jsonl verified/verify.jsonl
AUTOTUNE_USE='matmul* [n=64]=tile=8, unroll=1' report page.html --dir verified
is "$(data_of page.html | head -n 1 | grep -o '"\(verified\|verified_date\|pinned\)":"[^"]*"')" \
    '"verified":"the best"
"verified_date":"2026-01-03T03:04:05Z"
"pinned":"tile=8,unroll=1"
"verified":"5.26 % slower than tile=64,unroll=4 (at least 4.17 %)"
"verified_date":"2026-01-03T03:04:05Z"
"verified":"no longer works: the launch failed"
"verified_date":"2026-01-02T03:04:05Z"' 'what is said of three winners'
report page.html verified/results.jsonl
is "$(data_of page.html | grep -c '"verified"')" 0 'what is said of winners of a file'

# ---- No records, and errors ------------------------------------------------------------------------------------------
: >empty.jsonl
report page.html empty.jsonl
is "$(data_of page.html | ./page json)" 1 'no record'
expected_status=1 report page.html broken.jsonl
is "$(grep -c 'is skipped' err) $(data_of page.html | ./page json)" '5 4' 'a damaged file is shown as far as it is sound'
expected_status=2 report page.html absent.jsonl
expected_status=2 report page.html --file sound.jsonl hostile.jsonl
"$command" report --library "$library" sound.jsonl >out 2>err
is "$? $(cat out err)" '2 autotune: report: --output FILE is needed; a browser opens that file' 'no --output'
"$command" report --library "$library" --output - sound.jsonl >one.html
report two.html sound.jsonl
cmp -s one.html two.html || wrong 'standard output has another page'

[ "$failures" = 0 ] && echo 'all right'
exit "$failures"
