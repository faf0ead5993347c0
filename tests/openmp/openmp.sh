#!/bin/bash
# openmp.sh LIBRARY COMMAND COMPILER - compiles programs with the compiler, and runs them unmodified, with the library
# and without it. Exit status 77: the compiler is not installed, or has no OpenMP.
set -u
library=$1 command=$2 compiler=$3
sources=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

export OMP_NUM_THREADS=8 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
export AUTOTUNE_CACHE=on AUTOTUNE_CACHE_DIR=$folder/cache
unset AUTOTUNE_MODE AUTOTUNE_LOG

fail() { echo "FAILED: $*" >&2; failed=1; }
# has TEXT PATTERN WHAT: fails if the text does not match the extended regular expression
has() { grep -qE -- "$2" <<<"$1" || fail "$3: no '$2' in:"$'\n'"$1"; }
lacks() { ! grep -qE -- "$2" <<<"$1" || fail "$3: '$2' in:"$'\n'"$1"; }
# with ...: runs a command line with the library; prints its standard output and its standard error
with() { LD_PRELOAD=$library timeout 120 "$@" 2>&1; }
forget() { rm -rf "$folder/cache"; }

compile() { "$compiler" -std=gnu11 -O1 -g -fopenmp "$@"; }
module() { compile -shared -fPIC "$sources/module.c" "$@"; }
build() {
    compile -rdynamic "$sources/program.c" -o program -lpthread -ldl &&
        module -DMANY=0 -o first.so && module -DMANY=1 -o second.so
}

# More threads make this region slower, so it gets one thread. The next run knows this from the first call on, although
# the program is loaded to another address.
test_small() {
    local plain first second third
    plain=$(./program few)
    has "$plain" 'few: first 8, last 8, from 8 to 8' 'without the library'
    first=$(AUTOTUNE_LOG=winner with ./program small)
    has "$first" 'small: first 8, last 1, from 1 to 8' 'the first run'
    has "$first" 'times as fast with 1 of 8 threads; its line in the source: addr2line -e' 'the first run'
    second=$(AUTOTUNE_LOG=winner with ./program small)
    has "$second" 'small: first 1, last 1, from 1 to 1' 'the second run'
    has "$second" 'times as fast with 1 of 8 threads; its line' 'the second run'
    has "$(sh -c "$(sed -n 's/.*source: //p' <<<"$second")")" 'program\.c:[0-9]' 'the line in the source'
    [ "$(tail -n 1 <<<"$plain")" = "$(grep sum <<<"$second")" ] || fail "the results differ"
    has "$("$command" list)" 'program(:[a-z_]+)?\+0x[0-9a-f]+	asked=8	threads=1	200[0-9]{2}	' 'autotune list'
    third=$(OMP_NUM_THREADS=4 with ./program small)
    has "$third" 'small: first 4, last 1, from 1 to 4' 'another number of threads'
}
# A run ends before the winner is found. The next run begins with the best number of threads so far.
test_few() {
    local said
    said=$(AUTOTUNE_LOG=winner with ./program few)
    has "$said" 'few: first 8, last [12]' 'the first short run'
    lacks "$said" 'times as fast with' 'the first short run'
    has "$("$command" list)" 'threads=1	200[0-9]{2}	7\.99.*	ongoing' 'autotune list after a short run'
    has "$(with ./program few)" 'few: first 1, ' 'the second short run'
    forget
    with ./program cut >/dev/null
    has "$("$command" list)" 'threads=1	10[0-9]{2}	-	ongoing' 'a run that ends in the middle of a batch'
}
# bounded WHAT SECONDS OUTPUT: the program's own number of threads is the best, and gives SECONDS. With the library the
# regions may take 5 % and 0.1 s longer.
bounded() {
    awk -v plain="$2" '/ s$/ { seen = $1 } END { exit !(seen > 0 && seen <= 1.05 * plain + 0.1) }' <<<"$3" ||
        fail "$1 lost too much, $2 s without the library: $3"
}
test_large() {
    local said
    said=$(with ./program large)
    has "$said" 'large: first 8, last 8, from 1' 'all threads are best'
    bounded large 1.0 "$said"
    bounded steep 0.12 "$(with ./program steep)"
    bounded 'the second run of steep' 0.12 "$(with ./program steep)"
    bounded dear 1.2 "$(with ./program dear)"
    bounded 'the second run of dear' 1.2 "$(with ./program dear)"
    bounded brief 0.3 "$(with ./program brief)"
    bounded 'the second run of brief' 0.3 "$(with ./program brief)"
    bounded 'a region whose work has grown' 6 "$(with ./program grown | grep -A1 '^grown')"      # 8 threads: 32 s
}
# After the first call of a region the library takes no lock and allocates no memory, whether the winner is known or
# not. libgomp itself does both if a region has another number of threads than before. So the test is repeated with
# standin.c in the place of libgomp.
test_counts() {
    local said runtime costly
    [ "$compiler" = gcc ] || return 0           # libomp itself allocates memory in each region
    gcc -std=gnu11 -O1 -shared -fPIC "$sources/count.c" -o count.so -ldl
    gcc -std=gnu11 -O1 -shared -fPIC "$sources/standin.c" -o libstandin.so
    for runtime in '' ./libstandin.so; do
        [ -z "$runtime" ] && costly='[0-9]' || costly=0
        counting() { LD_PRELOAD="./count.so $library $runtime" timeout 120 ./program small; }
        said=$(AUTOTUNE_USE='*=threads=2' counting)
        has "$said" 'small: first 2, last 2, from 2 to 2' 'a pinned region'
        has "$said" 'allocations or locks in 0 calls' 'a pinned region'
        said=$(counting)
        has "$said" 'small: first 8, last 1, from 1 to 8' 'a region that is tuned'
        has "$said" "allocations or locks in $costly calls" 'a region that is tuned'
        has "$(counting)" 'allocations or locks in 0 calls' 'a region that is known'
        forget
    done
}
# If a program has no build id, the library identifies it by its file.
test_no_build_id() {
    compile -rdynamic -Wl,--build-id=none "$sources/program.c" -o nameless -lpthread -ldl
    has "$(with ./nameless small)" 'small: first 8, last 1' 'without a build id'
    has "$(with ./nameless small)" 'small: first 1, last 1' 'the second run without a build id'
}
# With AUTOTUNE_MODE=off the library does nothing. With AUTOTUNE_MODE=cached it tunes nothing, and counts misses.
test_modes() {
    has "$(AUTOTUNE_MODE=off with ./program few)" 'from 8 to 8' 'mode off'
    [ ! -e cache ] || fail "mode off left $(ls -R cache)"
    has "$(AUTOTUNE_MODE=cached with ./program few)" 'from 8 to 8' 'mode cached'
    has "$("$command" misses)" 'program.*	asked=8	500	1' 'autotune misses'
    has "$(AUTOTUNE_MODE=of with ./program few)" 'AUTOTUNE_MODE=of is not known' 'a wrong mode'
}
# The library leaves regions alone that have num_threads or a false `if`, or are inside another region.
test_left_alone() {
    local said
    said=$(with ./program given)
    has "$said" 'one: first 1, last 1, from 1 to 1' 'num_threads(1)'
    has "$said" 'three: first 3, last 3, from 3 to 3' 'num_threads(3)'
    has "$said" 'closed: first 1, last 1, from 1 to 1' 'if (false)'
    has "$(with ./program nested)" 'inner: first 3, last 3, from 3 to 3' 'nested regions'
    [ -z "$("$command" list 2>/dev/null)" ] || fail "what is left alone was tuned: $("$command" list)"
}
# A program that asks for the maximum of threads may divide the work of its next region by this number. So the library
# leaves this region alone, and no other region.
test_parts() {
    local said
    said=$(with ./program parts)
    has "$said" '^0 parts are missing$' 'a region for each thread'
    has "$said" 'parts: first 8, last 8, from 8 to 8' 'a region for each thread'
    has "$said" 'other: first 8, last 1, from 1 to 8' 'a region after it'
}
# A program of clang can set the number of threads of a region in several ways. kmpc.c uses all of them, also those of
# newer runtimes. The library leaves such regions alone, and sets 2 threads for the others.
test_said() {
    local said
    [ "$compiler" = gcc ] || return 0           # kmpc.c does not depend on the compiler, so it runs once
    gcc -O1 -shared -fPIC -DRUNTIME "$sources/kmpc.c" -o libkmpc.so
    gcc -O1 "$sources/kmpc.c" -L. -lkmpc "-Wl,-rpath,$folder" -o said
    said=$(AUTOTUNE_USE='*=threads=2' with ./said)
    for way in plain next if '(small|middle|large) region' 'after it'; do
        has "$said" "^$way: 2$" 'a region that says nothing'
    done
    for way in number 'strict number' list 'strict list' 'number if' 'huge region'; do
        has "$said" "^$way: 3$" 'a region that says it'
    done
    has "$said" '^if not: 1$' 'a region whose if is false'
    has "$said" '^larger region: 8$' 'a region with too many variables'
}
# sum_of_variables COUNT: runs a program whose region uses so many variables. clang passes each variable as an argument.
# The library leaves a region with too many arguments alone.
sum_of_variables() {
    local numbers
    numbers=$(seq "$1")
    {
        echo '#include <stdio.h>'
        echo 'int main(void) { long sum = 0;'
        printf 'long v%d = %d;\n' $(for n in $numbers; do echo "$n $n"; done)
        printf 'long *volatile p%d = &v%d;\n' $(for n in $numbers; do echo "$n $n"; done)
        echo 'for (int i = 0; i < 100; i++) {'
        printf '#pragma omp parallel\n#pragma omp master\n{\n'
        printf 'sum += v%d; v%d++;\n' $(for n in $numbers; do echo "$n $n"; done)
        echo '} } printf("sum %ld\n", sum); return 0; }'
    } >"variables_$1.c"
    compile "variables_$1.c" -o "variables_$1"
    with "./variables_$1"
}
test_variables() {
    [ "$compiler" = clang ] || return 0
    has "$(sum_of_variables 100)" '^sum 1000000$' 'a region of 100 variables'
    has "$(sum_of_variables 1000)" '^sum 55000000$' 'a region of 1,000 variables'
    has "$("$command" list)" '^variables_100[:+]' 'a region of 100 variables'
    lacks "$("$command" list)" '^variables_1000' 'a region of 1,000 variables'
}
# Two regions run in turn. With 4 threads the first region is faster, but then 4 threads have to be started again for
# the second region. This costs more than the first region saves, so the first region keeps 8 threads. Alone it gets 4.
test_turns() {
    local said
    said=$(with ./program turns)
    has "$said" 'turns: first 8, last 8' 'regions by turns'
    has "$said" 'alone: first 8, last 4' 'the same region without another one'
}
# In a child of fork() the library leaves all regions alone. A program that the child executes runs as usual.
test_fork() {
    local said
    said=$(with ./program fork)
    has "$said" 'child: first 8, last 8, from 8 to 8' 'the child'
    has "$said" 'parent: first 8, last [124], from 1 to 8' 'the parent'
    has "$said" 'sh ended with 3' 'exec'
}
# exit() in a region, threads that begin regions at the same time, cancellation and signals work as without the library.
# The thread of the library has the policy SCHED_BATCH, so it does not preempt other threads when it wakes up.
test_ends() {
    local said
    said=$(with ./program leave; echo "status $?")
    has "$said" 'leaving' 'exit() in a region'
    has "$said" 'status 7' 'exit() in a region'
    has "$(with ./program threads)" 'all ended, last [1248]$' 'threads at once'
    has "$(OMP_CANCELLATION=true with ./program cancel)" 'cancelled 1' 'cancellation'
    has "$(with ./program signal)" 'signals 100' 'signals'
    has "$(with ./program scheduling)" 'threads with SCHED_BATCH: 1$' 'the scheduling of the thread of the library'
}
# The main thread of a program calls pthread_exit(). The program ends with the last of its own threads, or at SIGTERM,
# as without the library.
test_main_ends() {
    local said
    [ "$compiler" = gcc ] || return 0           # the threads of libomp never end, even without the library
    compile "$sources/ends.c" -o ends -lpthread || fail ends.c
    said=$(with timeout -k 1 20 ./ends returns; echo "status $?")
    has "$said" '^returns: 2$' 'a thread goes on'
    has "$said" '^status 0$' 'the last thread returns'
    said=$(with timeout -k 1 20 ./ends executes; echo "status $?")
    has "$said" '^status 3$' 'the last thread executes another program'
    said=$(with timeout -k 5 --preserve-status 4 ./ends waits; echo "status $?")
    has "$said" '^waits: 2$' 'a thread goes on'
    has "$said" '^status 143$' 'SIGTERM while a thread waits'
}
# The program uses each entry point of the runtime that begins a region, and regions with many variables. Its result is
# the same as without the library.
test_loops() {
    local plain
    plain=$(./program loops)
    [ "$plain" = "$(with ./program loops)" ] || fail "loops: without '$plain', with '$(with ./program loops)'"
    has "$("$command" list | wc -l)" '^1[0-9]$' 'the number of regions'
}
# Two modules are loaded to the same address, in turn. Each module has its own region. The race of a region goes on when
# its module is loaded again.
test_modules() {
    local said
    has "$(./program modules)" 'module 15: 8' 'modules without the library'
    said=$(AUTOTUNE_LOG=winner with ./program modules)
    has "$said" 'module 14: 1' 'a module that is loaded again'
    has "$said" 'module 15: 8' 'the other module'
    has "$said" 'second.so:.*: threads=8: .* 4 of 4 tried' 'the race of a module that is loaded again'
    lacks "$said" 'autotune_step' 'a module that is loaded again'
    has "$("$command" list)" 'first.so:module_sweep\+0x[0-9a-f]+	asked=8	threads=1' 'the region of a module'
    has "$("$command" list)" 'second.so:module_sweep\+0x[0-9a-f]+	asked=8	threads=8' 'the region of the other one'
}
# A module is loaded again to another address. The race of its region goes on, and the log has no error about steps.
test_moved_module() {
    local said
    said=$(AUTOTUNE_LOG=winner with ./program moved)
    has "$said" 'at another place: 1' 'a module that is loaded to another place'
    has "$said" 'first.so:.*: threads=1: .* 4 of 4 tried' 'the race of a module that is loaded to another place'
    lacks "$said" 'autotune_step' 'a module that is loaded to another place'
}
# A program unloads a module that is linked with the library. The library stays loaded, since its thread runs its code.
test_linked_module() {
    local said
    [ "$compiler" = gcc ] || return 0           # one compiler is enough
    module -DMANY=0 -o linked.so -Wl,--no-as-needed "$library" "-Wl,-rpath,${library%/*}" &&
        gcc -O1 -rdynamic "$sources/host.c" -o host -lpthread -ldl || fail host.c
    said=$(timeout -k 1 20 ./host; echo "status $?")
    has "$said" '^status 0$' 'a program that unloads such a module'
    has "$("$command" list)" '^linked.so' 'the region of such a module'
}
# One process has two OpenMP runtimes. The library then leaves all regions alone, and the log says so once.
test_two_runtimes() {
    local said
    [ "$compiler" = gcc ] && clang -fopenmp try.c -o other 2>/dev/null || return 0
    clang -O1 -shared -fPIC -fopenmp -DMANY=0 "$sources/module.c" -o other.so
    said=$(with ./program mixed)
    has "$said" 'own: first 8, last 8, from 8 to 8' 'two runtimes'
    has "$said" 'others: first 8, last 8, from 8 to 8' 'two runtimes'
    [ "$(grep -c 'the process has two OpenMP runtimes, .*libomp.*libgomp' <<<"$said")" = 1 ] ||
        fail "two runtimes: $said"
    lacks "$(AUTOTUNE_MODE=off with ./program mixed)" 'autotune' 'mode off with two runtimes'
}
# In a program that traps invalid floating-point operations, the library must not cause such a trap by a NaN.
test_traps() {
    compile "$sources/traps.c" -o traps -lm || fail "traps.c"
    has "$(with ./traps)" '^not trapped$' 'the first run'
    has "$(with ./traps)" '^not trapped$' 'the second run'
}
# A program without OpenMP runs as usual. The regions of a program in Fortran are tuned.
test_others() {
    has "$(with sh -c 'echo spoken')" '^spoken$' 'a program without OpenMP'
    [ "$compiler" = gcc ] && command -v gfortran >/dev/null || return 0
    gfortran -O1 -fopenmp "$sources/sum.f90" -o sum && has "$(with ./sum)" '^ *500500$' 'Fortran'
    has "$("$command" list)" '^sum[:+].*asked=8' 'the region of a program in Fortran'
}

printf 'int main(void) { return 0; }\n' >try.c
"$compiler" -fopenmp try.c -o try 2>/dev/null || { echo "$compiler has no OpenMP here: NOT TRIED"; exit 77; }
build || exit 1
for test in $(declare -F | sed -n 's/^declare -f \(test_\)/\1/p'); do
    forget
    "$test"
done
exit $failed
