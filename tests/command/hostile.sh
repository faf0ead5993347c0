#!/bin/sh
# hostile.sh COMMAND - runs the command on records whose strings have quotes, ends of comments, escapes, formulas and
# blanks. Each output must be correct in its language, and must not contain these strings as code. The variable CC names
# a C compiler.
set -u
command=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset AUTOTUNE_CACHE AUTOTUNE_LOG AUTOTUNE_USE XDG_CACHE_HOME
export AUTOTUNE_CACHE_DIR="$scratch/cache" LC_ALL=C
failures=0
wrong() { echo "WRONG: $1"; failures=$((failures + 1)); }
is() { [ "$1" = "$2" ] || wrong "$3: '$1' instead of '$2'"; }
$CC -w -o hostile "$here/hostile.c" && $CC -w -D_POSIX_C_SOURCE=200809L -o page "$here/page.c" || exit 1
plain() { ./hostile plain <"$1" >why || wrong "$2: $(cat why)"; }
makes() { # FILE ARGUMENT ...: writes the output of the command to FILE, and checks it for control characters
    output=$1
    shift
    "$command" "$@" >"$output" 2>err
    [ $? -le 1 ] || wrong "$*: $(tail -n 1 err)"
    plain "$output" "$*" && plain err "what is said of $*"
}
compiles() { # FILE: the header must compile in C and C++, and have no directive but those of the command
    for compiler in "$CC -std=c99 -x c" "$CC -std=c++14 -x c++"; do
        $compiler -Wall -Wextra -Wpedantic -Werror -Wno-unused-variable -fsyntax-only -include "$1" /dev/null >out 2>&1 ||
            wrong "$1: $(head -n 5 out)"
    done
    $CC -fpreprocessed -dD -E "$1" 2>/dev/null | grep '^ *#' | grep -v '^#pragma \|^#include <stddef.h>$\|^# [0-9]' >out &&
        wrong "$1: $(cat out)"
}
is_json() { # FILE: the file must be one value of JSON
    tr -d '\n' <"$1" | ./page json >out || wrong "$1: $(cat out)"
}

./hostile records >records.jsonl && ./hostile keys >keys.jsonl && ./hostile verified >verified.jsonl &&
    ./hostile missed >missed.jsonl || exit 1
for file in records keys; do
    sound=$("$command" check $file.jsonl | sed -n 's/.*: records \([0-9]*\),.*/\1/p')
    [ "$sound" -gt 80 ] || wrong "records of $file.jsonl: $sound"
    makes list list --file $file.jsonl
    is "$(wc -l <list | tr -d ' ')" "$sound" 'lines of a list'
    makes shown show '*' --file $file.jsonl
    makes checked check $file.jsonl
    makes all.csv export --format csv --file $file.jsonl
    ./hostile csv <all.csv >why || wrong "$file.jsonl as csv: $(cat why)"
    makes all.json export --format json --file $file.jsonl
    is_json all.json
    makes all.h export --format c --file $file.jsonl
    compiles all.h
    printf '#include <stdio.h>\n#include "all.h"\nint main(void) { return fputs(autotune_winners, stdout) < 0; }\n' >all.c
    $CC -std=c99 all.c -o all && ./all >all.jsonl
    is "$("$command" check all.jsonl)" "all.jsonl: records $sound, replaced by later ones 0, unsound lines 0" 'records in C'
    # The pins that the command printed, without the comments, pin as many records.
    makes pins list --as-pins --file $file.jsonl
    AUTOTUNE_USE=@pins "$command" list --file $file.jsonl 2>/dev/null >pinned
    is "$(cut -f 6 pinned | grep -c '^pinned$')" "$(grep -vc '^#' pins)" "pins of $file.jsonl"
    [ "$(grep -vc '^#' pins)" -gt "$((sound / 3))" ] || wrong 'few pins'
done
"$command" list --as-pins --file records.jsonl 2>/dev/null >pins
is "$(grep -v '^#' pins | sed 's/.*]=/]=/' | grep -c '^ \|= \| $\|=.* ,')" 0 'pins that lose their blanks'

# Records of one race each, and a rule for each tuner.
fitted=0
for tuner in $("$command" list --file keys.jsonl 2>/dev/null | cut -f 1 | uniq); do
    key=$("$command" list "$tuner" --file keys.jsonl 2>/dev/null | head -n 1 | cut -f 2)
    makes race.json export --format t4 "$tuner" "$key" --file keys.jsonl
    is_json race.json
    makes fit.h fit --format c "$tuner" --file keys.jsonl
    compiles fit.h
    makes fit.jsonl fit --format json "$tuner" --file keys.jsonl --output rule.jsonl
    is "$("$command" check rule.jsonl)" 'rule.jsonl: records 1, replaced by later ones 0, unsound lines 0' "a rule of $tuner"
    fitted=$((fitted + 1))
done
[ "$fitted" -gt 40 ] || wrong "rules: $fitted"

# A function in C must return the hostile texts byte for byte.
printf '#include "fit.h"\n#include <stdio.h>\nint main(void) { const struct autotune_rule_choice *it = autotune_rule(64);
return it && it->p5 ? fputs(it->p5, stdout) < 0 : 1; }\n' >fit.c
value_in_c() { # NUMBER: prints the bytes of this hostile text, as a function in C returns them
    "$command" fit --format c "t$1_-1" --file keys.jsonl >fit.h 2>/dev/null
    sed -i 's/\(const char \*\)[a-z_A-Z0-9]*;/\1p5;/' fit.h && $CC -std=c99 fit.c -o fit && ./fit | od -An -tx1 | tr -d ' \n'
}
is "$(value_in_c 7)" 0a 'an escaped line feed'
is "$(value_in_c 8)" 0a 'a line feed by its letter'
is "$(value_in_c 12)" 1b5d303b7807 'bytes as they are'
is "$(value_in_c 32)" f09f9880 'a surrogate pair'
is "$(value_in_c 33)" ff 'a byte that is no UTF-8'

# `verify` as JUnit, and `misses`.
makes verified verify --file verified.jsonl --junit verified.xml
plain verified.xml JUnit
if command -v xmllint >/dev/null; then xmllint --noout verified.xml 2>out || wrong "JUnit: $(head -n 3 out)"; fi
is "$(grep -c '<testcase ' verified.xml)" "$(($(wc -l <verified) + $(grep -c '<skipped ' verified.xml)))" 'cases'
makes missed misses --file missed.jsonl
mkdir cache && cp records.jsonl cache/results.jsonl && cp missed.jsonl cache/misses.jsonl && cp verified.jsonl cache/verify.jsonl
echo 'exports.View=1; exports.parse=1; exports.expressionInterpreter=1;' >library.js
makes page.html report --library library.js --output -
sed -n '/^<script type="application\/json" id="data">/,/^<\/script>/p' page.html | sed '1s/^<script[^>]*>//; $d' >data
./page json <data >out || wrong "the page: $(cat out)"
is "$(grep -o '</script' page.html | wc -l | tr -d ' ')" 3 'ends of scripts'

# The script for gnuplot. A stand-in for gnuplot prints it.
mkdir bin && printf '#!/bin/sh\ncat\n' >bin/gnuplot && chmod +x bin/gnuplot
for number in $(seq 0 45); do
    PATH=$scratch/bin:$PATH "$command" plot "t${number}_-1" --file keys.jsonl --terminal >plot 2>/dev/null
    [ -s plot ] || PATH=$scratch/bin:$PATH "$command" plot "t${number}_-1" \
        "$("$command" list "t${number}_-1" --file keys.jsonl 2>/dev/null | head -n 1 | cut -f 2)" \
        --file keys.jsonl --terminal --axes tile,tile >plot 2>/dev/null
    plain plot "plot $number"
    ./hostile strings <plot >why || wrong "plot $number: $(cat why)"
done

# On a terminal all output is escaped, even formats that keep the bytes in a file.
if script -qec true /dev/null </dev/null >out 2>&1; then
    for arguments in 'list' 'show *' 'check' 'export --format json' 'export --format c' 'list --as-pins' 'verify' 'misses'; do
        set -f
        case $arguments in verify) file=verified.jsonl ;; misses) file=missed.jsonl ;; *) file=records.jsonl ;; esac
        script -qec "'$command' $arguments --file $file" /dev/null </dev/null 2>&1 | tr -d '\r' >out
        set +f
        plain out "on a terminal: $arguments"
    done
    script -qec "'$command' merge records.jsonl" /dev/null </dev/null 2>&1 | tr -d '\r' >out
    plain out 'on a terminal: merge'
fi
[ ! -e made ] || wrong 'a part of a string was run'

[ "$failures" = 0 ] && echo 'all right'
exit "$failures"
