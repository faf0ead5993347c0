#!/bin/sh
# fit.sh COMMAND - tests `autotune fit` on the records of fit_program.c:
#   its table, which a brute force computes, too
#   its rule: in the cache, loaded by a program, and compiled into a program
#   its function in C
#   the arguments and records that it refuses
# Variables of the environment: CC, a C compiler; AUTOTUNE_CFLAGS, its options to find the headers; AUTOTUNE_LIBRARIES,
# the implementation.
set -u
command=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset AUTOTUNE_CACHE AUTOTUNE_LOG AUTOTUNE_UNSEEN XDG_CACHE_HOME
export AUTOTUNE_CACHE_DIR="$scratch/cache" AUTOTUNE_MISSES=off LC_ALL=C
failures=0
wrong() { echo "WRONG: $1"; failures=$((failures + 1)); }
is() { [ "$1" = "$2" ] || wrong "$3: '$1' instead of '$2'"; }
refuses() { # SENTENCE ARGUMENT ...: `autotune fit` with these arguments must print this error
    sentence=$1
    shift
    is "$("$command" fit "$@" 2>&1 >/dev/null)" "autotune: $sentence" "fit $*"
}
build() { # OUTPUT FLAG ...: compiles fit_program.c to OUTPUT
    output=$1
    shift
    $CC -std=gnu11 -Wall -Wextra -Wpedantic -Wconversion -Werror $AUTOTUNE_CFLAGS "$@" -o "$output" \
        "$here/fit_program.c" ${AUTOTUNE_LDFLAGS-} $AUTOTUNE_LIBRARIES || exit 1
}
sizes="16 24 40 64 100 160 240 400 640 1000 1600 2300"

build program
refuses "$AUTOTUNE_CACHE_DIR/results.jsonl: there is none yet
autotune: $AUTOTUNE_CACHE_DIR/results.jsonl: no record of the tuner 'fit'; 'autotune list' shows the names" fit
./program tune 64
refuses "fit: fit has one key: a rule is made from two and more; tune others first" fit
./program tune $sizes

# ---- records that lost their tables ----
AUTOTUNE_CACHE_DIR=$scratch/small AUTOTUNE_CACHE_MIB=0.02 ./program tune $sizes
bare=$(grep -v -c '"configurations"' small/results.jsonl)
[ "$bare" -gt 0 ] && [ "$bare" -lt 11 ] || wrong "$bare records lost their tables"
is "$("$command" fit --dir small fit | tail -n 1)" \
    "$bare records without times are left out: their tables went for want of room" 'records without tables'

# ---- the table, compared with a brute force ----
"$command" fit fit | tr '\t' '|' >table
./program expect $sizes >expected
grep -E '^(four|nearest|best)' table | diff expected - || wrong 'the table'
grep -q '^rule|12|' table && grep -q "^ANCHOR's bucket|" table && grep -q '^first configuration|12|' table || wrong 'its rows'
"$command" fit fit | tr '\t' '|' | diff table - || wrong 'it is not the same twice'
"$command" fit --at-most 2 --format c fit >two.h
is "$(sed -n 's/^        { \([0-9]*\) },$/\1/p' two.h | sort -n | tr '\n' ' ')" "$(./program pair $sizes) " 'the best pair'
# A record of a rebuilt program has few times of the new build. So the ratios of the older build count.
is "$("$command" fit --file "$here/rebuilt.jsonl" fit | grep -c 'lack a time')" 0 'what an older build launched'

# ---- a function of C ----
"$command" fit --format c --name fitted --output fitted.h fit >/dev/null
for compiler in "$CC -std=c99 -x c" "$CC -std=c++14 -x c++"; do
    $compiler -Wall -Wextra -Wconversion -Wpedantic -Werror -include fitted.h -c /dev/null -o /dev/null ||
        wrong "$compiler does not compile the function"
done
grep -q "from 12 keys in" fitted.h && grep -q "results.jsonl of 20.*, on " fitted.h && grep -q "% at worst" fitted.h ||
    wrong "the function's comment"
grep -q '    if (n <= ' fitted.h || wrong 'it is not read by people'

# ---- a line of the cache ----
./program guess 30 >before
grep -q '^30: tile [0-9]*, guessed from 3 keys, the nearest n=24$' before || wrong "without a rule: $(cat before)"
"$command" fit --format json --output rule.jsonl fit >/dev/null
"$command" fit --format json fit | diff rule.jsonl - || wrong 'the line is not the same twice'
"$command" check --file rule.jsonl >/dev/null || wrong 'the line is not sound'
"$command" merge --cache rule.jsonl
./program guess 30 50 130 >by_rule
is "$(grep -c ', guessed from 12 keys, by the rule of 20..-..-..$' by_rule)" 3 'guesses by the rule'
is "$(./program guess 5000)" '5000: tile 1, not measured from nothing' 'beyond the range'
is "$("$command" list fit | tr '\t' '|' | grep -c '|rule|')" 1 'the list'
"$command" list fit >/dev/null && "$command" show fit >/dev/null && "$command" report fit >/dev/null 2>&1
"$command" fit --format json fit | diff rule.jsonl - || wrong 'a rule is no key'
"$command" fit --format json --cache fit >/dev/null
is "$(grep -c '"kind":"rule"' cache/results.jsonl)" 2 'a second rule'
is "$("$command" list fit | grep -c 'rule')" 1 'the later rule counts'

# ---- merged, exported, loaded and compiled in ----
"$command" merge cache/results.jsonl --output merged.jsonl
AUTOTUNE_CACHE_DIR="$scratch/other" "$command" merge --cache merged.jsonl
AUTOTUNE_CACHE_DIR="$scratch/other" ./program guess 30 50 130 | diff by_rule - || wrong 'merged'
"$command" export --format c fit >winners.h
build shipped -DWINNERS='"winners.h"' -DRULE='"fitted.h"' -I.
AUTOTUNE_CACHE=off ./shipped shipped 30 50 130 | diff by_rule - || wrong 'compiled in'
./shipped rule 30 50 130 >by_function
sed 's/, guessed.*//' by_rule | diff by_function - || wrong 'the rule and the function differ'
is "$(./shipped rule 7)" "7: tile -1" 'below the range'
is "$(./shipped rule 4601)" "4601: tile -1" 'above it'

# ---- rules of another version of the tuner ----
export FIT_VERSION=2
./program tune 24 40
./program guess 30 31 >guessed 2>said
unset FIT_VERSION
is "$(grep -c 'guessed from 2 keys, the nearest' guessed)" 2 'an old rule is not used'
is "$(cat said)" "autotune: fit: the rule in the cache is of another space or build of this tuner and is not used: \
'autotune fit' makes a new one" 'an old rule'
"$command" clear fit >/dev/null
grep -q '"kind":"rule"' cache/results.jsonl && wrong 'clear leaves the rule'

# ---- what it refuses ----
refuses "--format 'csv' is not known: it is c or json" --format csv fit
refuses "--guard '0.5': a number of times the best time, from 1 on" --guard 0.5 fit
refuses "--at-most 'x': a number of configurations, from 1 to 1000" --at-most x fit
refuses 'fit: --cache is for --format json, without --output and --file' --cache fit
refuses "--name is for --format c alone" --name x fit
refuses "--name 'a b' is no identifier of C" --name 'a b' --format c --file merged.jsonl fit
line() { # KEY CONFIGURATION NS [ROWS]: prints a record with its checksum
    head="{\"autotune\":1,\"id\":\"$(printf %016x "$(printf %s "$1" | cksum | cut -d' ' -f1)")\",\"fingerprint\":\"0000000000000001\",\"machine\":\"0000000000000001\""
    printf '%s,"date":"2026-01-02T03:04:05Z","tuner":"made","key":%s,"winner":%s,"median_ns":%s,"verdict":"tie","device":"d","configurations":[{"config":%s,"stage":"winner","state":"ok","launches":3,"min_ns":%s}%s]' \
        "$head" "$1" "$2" "$3" "$2" "$3" "${4:+,$4}" >text
    printf '%s,"crc":"%s"}\n' "$(cat text)" "$(gzip -c <text | tail -c8 | od -An -tx4 -N4 | tr -d ' ')"
}
{ line '{"n":1}' '{"t":1}' 5; line '{"n":2}' '{"t":2}' 5; } >missing.jsonl
refuses "fit: none of 2 configurations has a time at each of 2 keys: tune these with .strategy = AUTOTUNE_EXHAUSTIVE, \
which tries all" --file missing.jsonl made
row() { printf '{"config":{"t":%s},"stage":"duel","state":"ok","launches":3,"min_ns":%s}' "$1" "$2"; }
{ line '{"n":1}' '{"t":1}' 10 "$(row 2 20),$(row 3 13)"; line '{"n":2}' '{"t":2}' 10 "$(row 1 20),$(row 3 13)"; } >no_answer.jsonl
refuses "fit: the rule would answer no key, since each of its leaves has a key that would take too long: --guard allows \
more, --at-most allows more configurations" --at-most 1 --format c --file no_answer.jsonl made
"$command" fit --at-most 1 --guard 1.3 --format c --file no_answer.jsonl made | grep -q '{ 3 }' || wrong 'a guard that allows more'
{ line '{"s":"a"}' '{"t":1}' 5; line '{"s":"b"}' '{"t":1}' 5; } >strings.jsonl
refuses "fit: the keys differ in 's', which is no number: a rule is of numbers alone" --file strings.jsonl made
for longer in '{"1":64,"2":"k"}' '{"1":64,"2":8}' '{}'; do
    { line '{"1":64}' '{"t":1}' 5; line "$longer" '{"t":1}' 5; } >parts.jsonl
    refuses 'fit: the keys have different numbers of parts' --file parts.jsonl made
    { line "$longer" '{"t":1}' 5; line '{"1":64}' '{"t":1}' 5; } >parts.jsonl
    refuses 'fit: the keys have different numbers of parts' --file parts.jsonl made
done

# ---- a picture ----
if command -v gnuplot >/dev/null; then
    "$command" fit --plot regret.svg --file merged.jsonl fit >/dev/null && grep -q 'nearest key' regret.svg || wrong 'the plot'
fi
[ "$failures" = 0 ] && echo 'autotune fit: all is as expected'
exit "$failures"
