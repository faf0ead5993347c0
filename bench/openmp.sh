#!/bin/bash
# openmp.sh LIBRARY [ROUNDS [LINES]] - the gain and the cost of libautotune_openmp.so.
#
# First the script measures a region that does nothing, without threads: untuned, with a pinned number of threads, and
# while it is tuned (see openmp_region.c). Then it runs the three programs of openmp.c, compiled by gcc and by clang:
# untuned, in a first run, and in a second run that knows the winners of the first run. Each round (3) has one of each.
# The lines of the table are combinations of OMP_NUM_THREADS (unset or 8), of waiting threads (spinning or sleeping),
# and of other load (none or four processes that compute).
#
# With other load, each run begins after a random pause. If spinning threads share processors, runs of one program
# differ by factors of hundreds, which depend on the moment at which a run begins. Without pauses this moment would
# depend on the run before.
#
# The script prints a table of medians, and the line that most exceeds 1.05 times the untuned median plus 0.1 s. LINES
# is a regular expression: only matching lines are made, for example '8 .*active .*nothing'. The lines without other
# load take a minute and a half; all lines take at least half an hour. COMPILERS names other compilers than gcc and
# clang: COMPILERS='gcc-13 clang-18'. On a larger machine, start the script by taskset -c 0,1 to use two processors.
set -eu
library=$(realpath "$1")
rounds=${2:-3}
lines=${3:-.}
sources=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
busy=()
stop_busy() { [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null || true; busy=(); }
trap 'stop_busy; rm -rf "$folder"' EXIT
cd "$folder"
export AUTOTUNE_CACHE=on AUTOTUNE_CACHE_DIR=$folder/cache

pause() { [ "$beside" = nothing ] || sleep "0.$((RANDOM % 10))"; }
start_busy() { for _ in 1 2 3 4; do (exec sh -c 'while :; do :; done') & busy+=($!); done; }
# seconds COMMAND...: prints the time of the command; its output goes to the file `output`
seconds() {
    local began=$EPOCHREALTIME
    "$@" >output
    awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { print ended - began }'
}
# compare LABEL COMMAND...: makes the rounds of the three runs, and prints a line of the table
compare() {
    local label=$1 round untuned first second expected
    shift
    [[ $label =~ $lines ]] || return 0
    [ "$beside" = nothing ] || start_busy
    : >times
    for ((round = 0; round < rounds; round++)); do
        rm -rf cache
        pause
        untuned=$(seconds "$@"); expected=$(cat output)
        pause
        first=$(LD_PRELOAD=$library seconds "$@")
        [ "$(cat output)" = "$expected" ] || echo "$label: the first run computed something else" >&2
        pause
        second=$(LD_PRELOAD=$library seconds "$@")
        [ "$(cat output)" = "$expected" ] || echo "$label: the second run computed something else" >&2
        echo "$untuned $first $second" >>times
    done
    stop_busy
    awk -v label="$label" '
    function median(values, count,    i, j, held) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
                held = values[j]; values[j] = values[j - 1]; values[j - 1] = held
            }
        return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
    }
    {
        untuned[NR] = $1; first[NR] = $2; second[NR] = $3
    }
    END {
        one = median(untuned, NR); two = median(first, NR); three = median(second, NR)
        printf "| %s | %.2f s | %.2f s | %.2f s |\n", label, one, two, three
        printf "%.3f %s\n", (two > three ? two : three) - 1.05 * one - 0.1, label >>"worst"
    }' times
}

gcc -O2 -shared -fPIC -ftls-model=initial-exec "$sources/../tests/openmp/standin.c" -o libstandin.so
gcc -O2 "$sources/openmp_region.c" -L. -lstandin "-Wl,-rpath,$folder" -o region
region() { env LD_PRELOAD="$library" "$@" ./region; }
# Prints the time of a region that is being tuned, as it is in its first 200,000 calls: the least of five processes.
tuned() { for _ in 1 2 3 4 5; do env LD_PRELOAD="$library" AUTOTUNE_CACHE=off ./region 1; done | sort -n | head -n 1; }
printf 'ns a region: %s without the library, %s with AUTOTUNE_MODE=off, %s known, %s while it is tuned\n\n' \
    "$(./region)" "$(region AUTOTUNE_MODE=off)" "$(region 'AUTOTUNE_USE=*=threads=1')" "$(tuned)"

for compiler in ${COMPILERS:=gcc clang}; do
    "$compiler" -O2 -fopenmp "$sources/openmp.c" -o "by_$compiler" -lm 2>/dev/null ||
        echo "$compiler has no OpenMP here"
done
echo "| program | compiler | threads | waiting | beside | untuned | first run | second run |"
echo "|---|---|---|---|---|---|---|---|"
for beside in nothing "four busy"; do
    for compiler in $COMPILERS; do
        [ -x "by_$compiler" ] || continue
        for threads in unset 8; do
            for waiting in active passive; do
                export OMP_WAIT_POLICY=$waiting OMP_NUM_THREADS=$threads
                [ "$threads" != unset ] || unset OMP_NUM_THREADS
                for program in "stencil 2000" "lookups 300" "hydro 40"; do
                    compare "${program% *} | $compiler | $threads | $waiting | $beside" "./by_$compiler" $program
                done
            done
        done
    done
done
: >>worst
sort -rn worst | sed -n '1s/^\([-0-9.]*\) \(.*\)/the worst line is \1 s beyond 1.05 x + 0.1 s: \2/p'
