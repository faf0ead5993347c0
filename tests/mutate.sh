#!/usr/bin/env bash
# Do the suites notice when src/ is wrong? One token of a random line is replaced, and the suites of its floor are
# compiled and run; then the implementation is compiled, and the other suites are linked with it and run, until one
# fails. For people: what no suite notices is a token on which nothing depends, or needs a test.
#
#   tests/mutate.sh COUNT [SEED] [ROOM ...]     so many mutants of these rooms, as src/search/model.h; without, of all
#                                               floors of the processor
#
# It needs the suites built: cmake --preset test && make -C build/test. It takes some ten seconds a mutant, and changes
# nothing outside of a folder that it removes. SUITES names the suites, in their order; without it those of tests/.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
count=$1 seed=${2:-1}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- src/{base,space,device,search,race,online,registry,store,ranks,statement,created}/*.h
built=build/test/tests
suites=${SUITES:-$(cd "$built" && ls suite_* | grep -v '\.')}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
cp -r src "$work/src"
cp -r tests/rooms tests/implementation.c tests/*.h "$work/tests"
noticed=0 missed=0 refused=0

# mutant SEED ROOM ...: "ROOM<tab>LINE<tab>the line, mutated", of a random token of these rooms
mutant() {
    awk -v seed="$1" '
    function other(token) {
        if (token == "<") return "<="; if (token == "<=") return "<"; if (token == ">") return ">="; if (token == ">=") return ">"
        if (token == "==") return "!="; if (token == "!=") return "=="; if (token == "&&") return "||"; if (token == "||") return "&&"
        if (token == "+") return "-"; if (token == "-") return "+"; if (token == "true") return "false"; if (token == "false") return "true"
        if (token == "0") return "1"; if (token == "1") return "2"; if (token == "break;") return ";"; if (token == "!") return ""
        if (token == "NULL") return ""; return ""
    }
    FNR == 1 { commented = 0 }
    commented { if (/\*\//) commented = 0; next }
    /\/\*/ && !/\*\// { commented = 1 }
    /^ *(#|\/\*|\*|static_assert)/ || /"/ || !/^ / { next }
    {
        line = $0; at = 0
        sub(/\/\*.*/, "", line)
        while (match(line, /(<=|>=|==|!=|&&|\|\|| [<>+-] |![a-zA-Z(]|break;|(^|[^A-Za-z0-9_.])(true|false|[01])([^A-Za-z0-9_.]|$))/)) {
            token = substr(line, RSTART, RLENGTH); start = RSTART
            if (match(token, /(<=|>=|==|!=|&&|\|\||[<>+!-]|break;|true|false|[01])/)) {
                places++
                room[places] = FILENAME; number[places] = FNR
                text[places] = substr($0, 1, at + start + RSTART - 2) other(substr(token, RSTART, RLENGTH)) \
                               substr($0, at + start + RSTART - 1 + RLENGTH)
            }
            past = start + (length(token) > 1 ? length(token) - 1 : 1)      # what follows a token may begin the next one
            at += past - 1
            line = substr(line, past)
        }
    }
    END { srand(seed); i = 1 + int(rand() * places); print room[i] "\t" number[i] "\t" text[i] }' "${@:2}"
}

compile() { cc -std=c11 -w -D_POSIX_C_SOURCE=200809L -I"$work" -isystem "${STB_DS_DIRECTORY:-/usr/include/stb}" "$@" 2>/dev/null; }

# notice FLOOR: which suite fails with the mutant? Nothing: none does.
notice() {
    local suite link
    for suite in "$work/tests/rooms/floor_$1"*.c; do
        [ -e "$suite" ] || continue
        compile "$suite" -o "$work/floor" -lcriterion -lm -pthread || continue
        AUTOTUNE_CACHE=off timeout 120 "$work/floor" --jobs 1 >/dev/null 2>&1 || { basename "$suite"; return; }
    done
    for suite in $suites; do
        link=$(sed "s| -o $suite | -o $work/$suite |; s| libimplementation.a | $work/implementation.o |" "$built/CMakeFiles/$suite.dir/link.txt")
        (cd "$built" && eval "$link")
        AUTOTUNE_CACHE=off timeout 120 "$work/$suite" --jobs 1 >/dev/null 2>&1 || { echo "$suite"; return; }
    done
}

for ((i = 0; i < count; i++)); do
    IFS=$'\t' read -r room number text < <(mutant $((seed * 10007 + i)) "$@")
    awk -v number="$number" -v text="${text//\\/\\\\}" 'FNR == number { print text; next } { print }' "$room" >"$work/$room"
    "$work/src/headers.sh" "$work" >/dev/null
    if compile -O1 -c "$work/tests/implementation.c" -o "$work/implementation.o"; then
        floor=${room#src/}
        suite=$(notice "${floor%%/*}")
        if [ -n "$suite" ]; then noticed=$((noticed + 1)); else missed=$((missed + 1)); fi
        printf '%s:%s: %s\n    - %s\n    + %s\n' "$room" "$number" "${suite:-NOT NOTICED}" "$(sed -n "${number}s/^ *//p" "$room")" "${text#"${text%%[! ]*}"}"
    else
        refused=$((refused + 1))
    fi
    cp "$room" "$work/$room"
done
echo "$noticed noticed, $missed not, $refused did not compile"
