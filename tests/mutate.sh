#!/usr/bin/env bash
# Do the tests notice an error in src/? The script makes mutants: it replaces one token of a random line. It compiles
# and runs the suites of the floor. Then it compiles the implementation, links the other suites and plain programs with
# it, and runs them until one fails: first the tests of the floor, last the slow tests. If no test fails, nothing
# depends on the token, or a test is missing. People have to decide which.
#
#   tests/mutate.sh COUNT [SEED] [ROOM ...]     makes COUNT mutants of these rooms, such as src/search/model.h; without ROOM,
#                                               of all floors that need no device
#
# It needs the tests built with the harness, which is faster than Criterion:
#
#   cmake --preset test -B build/mutate -DAUTOTUNE_CRITERION=OFF && make -C build/mutate
#
# The variable BUILD names another folder than build/mutate. A mutant that a test notices takes some ten seconds, any
# other mutant a minute. The script only writes to a folder that it removes. On a busy machine a plain program may fail
# without an error in src/.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
count=$1 seed=${2:-1}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- src/{site,base,space,device,search,race,online,registry,store,ranks,statement,collective,isolated,online_calls,created}/*.h
built=${BUILD:-build/mutate}/tests
[ -f "$built/CMakeFiles/suite_race.dir/link.txt" ] ||
    { echo "$built has no tests built by make: the first lines of this script say how to build them" >&2; exit 1; }
! grep -qs libcriterion "$built/CMakeFiles/suite_race.dir/link.txt" ||
    { echo "$built: Criterion runs these tests; build them with -DAUTOTUNE_CRITERION=OFF" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tests"
cp -r src "$work/src"
cp -r tests/rooms tests/opened.c tests/*.h "$work/tests"
noticed=0 missed=0 refused=0

# The first tests for each floor. The other suites follow in any order, and then the plain programs.
declare -A first=(
    [site]='call_site modes failures' [base]='functions keys modes cache' [space]='space keys functions'
    [device]='buffers clock failures' [search]='search strategies' [race]='race clock space' [online]='online cache_online'
    [registry]='functions modes call_site failures' [store]='cache cache_notes cache_online cache_seeds cache_misses'
    [ranks]='functions' [statement]='race modes failures functions' [created]='functions'
    [collective]='plain_ranks plain_ranks_cache' [isolated]='plain_isolation modes cache_notes'
    [online_calls]='online watch cache_online')
# These tests measure time, or wait.
slow='plain_(hit_path|waiting|stopped|openmp)'

# tests_of FLOOR: prints the names of all tests, in the order in which they run
tests_of() {
    { printf '%s\n' ${first[$1]-} | sed '/./!d; /^plain_/!s/^/suite_/'
      (cd tests && ls suite_*.c plain_*.c plain_*.cpp) | sed -E 's/\..*//' | grep -vE "$slow" | sort -r
    } | awk '!seen[$0]++'
}

# mutant SEED ROOM ...: prints "ROOM<tab>LINE<tab>the mutated line" for a random token of these rooms
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

compile() { cc -std=c11 -w -D_POSIX_C_SOURCE=200809L -I"$work" -isystem tests/harness -isystem "${STB_DS_DIRECTORY:-/usr/include/stb}" "$@" 2>/dev/null; }

# own OBJECT FLOOR: must the test's file be compiled again? Yes, if it has its own implementation, or for the floor
# site.
own() { [ "$2" = site ] || grep -qE 'define AUTOTUNE_(IMPLEMENTATION|STATIC)' "$1"; }

# make_test TEST FLOOR: links it with the mutant, to $work/TEST
make_test() {
    local test=$1 source link unit object flags
    source=$(echo "tests/$test".c*)
    link=$(sed "s| -o $test | -o $work/$test |; s, libimplementation.a , $work/libimplementation.a ," "$built/CMakeFiles/$test.dir/link.txt")
    if own "$source" "$2"; then
        unit=CMakeFiles/$test.dir/${source##*/}.o object=$work/unit.o
        flags=$(sed -nE 's/^C(XX)?_FLAGS = //p' "$built/CMakeFiles/$test.dir/flags.make" | tail -n 1)
        flags="-I$work $(sed -nE 's/^C(XX)?_(DEFINES|INCLUDES) = //p' "$built/CMakeFiles/$test.dir/flags.make" | tr '\n' ' ') $flags -w -O0"
        case $source in *.cpp) flags="g++ $flags" ;; *) flags="cc $flags" ;; esac
        $flags -c "$source" -o "$object" 2>/dev/null || return 1
        link=${link//$unit/$object}
    fi
    (cd "$built" && eval "$link")
}

# fails PROGRAM ARGUMENT ...: runs it in its own folder, with at most a minute of processor time
fails() { ! (ulimit -t 60; AUTOTUNE_CACHE=off timeout 300 "$@" >"$work/said" 2>&1 </dev/null || [ $? = 77 ]) 2>/dev/null; }

# long_ones TEST ARGUMENT: prints ARGUMENT before each part of the suite that computes for seconds
long_ones() {
    grep -ohE '^Test(Suite)?\((large_spaces|many_races),' "tests/$1.c" 2>/dev/null | sed -E "s/.*\\(//; s|,|/*|; s|^|$2 |" | sort -u || true
}

# notice FLOOR: prints the test that fails with the mutant; nothing, if no test fails
notice() {
    local test
    for test in "$work/tests/rooms/floor_$1"*.c; do
        [ -e "$test" ] || continue
        compile "$test" -o "$work/floor" -lm -pthread || continue
        ! fails "$work/floor" || { basename "$test"; return; }
    done
    compile -O0 -c "$work/tests/opened.c" -o "$work/implementation.o"
    rm -f "$work/libimplementation.a" && ar rcs "$work/libimplementation.a" "$work/implementation.o"
    for test in $(tests_of "$1"); do
        make_test "$test" "$1" || { echo "$test does not compile"; return; }
        # shellcheck disable=SC2046
        ! fails "$work/$test" $(long_ones "$test" --without) || { echo "$test"; return; }
    done
    for test in suite_race suite_strategies suite_functions suite_search suite_clock; do
        # shellcheck disable=SC2046
        ! fails "$work/$test" $(long_ones "$test" --only) || { echo "$test, what takes long"; return; }
    done
}

for ((i = 0; i < count; i++)); do
    IFS=$'\t' read -r room number text < <(mutant $((seed * 10007 + i)) "$@")
    awk -v number="$number" -v text="${text//\\/\\\\}" 'FNR == number { print text; next } { print }' "$room" >"$work/$room"
    "$work/src/headers.sh" "$work" >/dev/null
    if compile -fsyntax-only "$work/tests/opened.c"; then
        floor=${room#src/}
        test=$(notice "${floor%%/*}")
        if [ -n "$test" ]; then noticed=$((noticed + 1)); else missed=$((missed + 1)); fi
        printf '%s:%s: %s\n    - %s\n    + %s\n' "$room" "$number" "${test:-NOT NOTICED}" "$(sed -n "${number}s/^ *//p" "$room")" "${text#"${text%%[! ]*}"}"
    else
        refused=$((refused + 1))
    fi
    cp "$room" "$work/$room"
done
echo "$noticed noticed, $missed not, $refused did not compile"
