#!/bin/sh
# hit_path_calls.sh - finds in the machine code all functions that a hit can call.
#
#     hit_path_calls.sh COMPILER OBJDUMP [FLAG ...]       from any directory; the flags are for the implementation, to find stb_ds
#
# The script compiles a call site (hit_path/site.c; as C++ if COMPILER is a C++ compiler) and the implementation at -O2,
# and disassembles them. From the call site it follows calls and jumps through all functions of the library that are not
# declared cold. A hit may call the kernel, and functions that compare or copy memory. It must not take a lock, allocate
# memory, make a system call, or run an atomic read-modify-write instruction. The script also checks itself: it must
# find these things in a copy of the call site that has them.
#
# Exit status: 0: a hit does none of this; 1: it does; 77: this machine cannot run the check.
set -eu

compiler=$1 objdump=$2
shift 2
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() { echo "SKIPPED: $1"; exit 77; }
command -v "$compiler" > /dev/null || skip "there is no $compiler"
case $("$compiler" -dumpmachine) in
x86_64* | aarch64*) ;;
*) skip 'this script knows the calls of x86-64 and AArch64 only' ;;
esac
command -v "$objdump" > /dev/null || skip "there is no $objdump"

# Each function gets its own section, so that a relocation names the function that it leads to.
compile() { "$compiler" -O2 -ffunction-sections -D_POSIX_C_SOURCE=200809L -I"$tests/.." "$@"; }

cold=$(sed -n 's/^AUTOTUNE__COLD.*[ *]\(autotune_[a-z0-9_]*\)(.*/\1/p' "$tests/../autotune.h" | tr '\n' ' ')

# walk FUNCTION LISTING ...: prints a line for each thing that a hit of the call site in FUNCTION can reach, without
# cold functions.
walk() {
    start=$1
    shift
    cat "$@" | awk -v start="$start" -v cold="$cold" '
        function plain(target) {            # the name of a relocation: "strcmp-0x4", ".text.autotune__find+0x10"
            sub(/[-+]0x[0-9a-f]+$/, "", target)
            if (target ~ /^[.]text[.]unlikely/ || target ~ /[.]cold/) return ""
            if (target ~ /^[^.]+[.][0-9]+$/) return ""     # a static variable with the address of a label, by chance
            sub(/^[.]text[.]/, "", target)
            return target
        }
        function edge(target) { if (target != "" && target != inside) calls[inside] = calls[inside] " " target }
        BEGIN { n = split(cold, list, " "); for (i = 1; i <= n; i++) is_cold[list[i]] = 1 }
        /^[0-9a-f]+ <.*>:$/ { inside = $2; gsub(/[<>:]/, "", inside); defined[inside] = 1; leaving = 0; next }
        /R_[A-Z0-9_]+/ { if (leaving) edge(plain($NF)); leaving = 0; next }
        {
            leaving = $2 ~ /^(call|jmp|j[a-z]+|bl|b|b[.][a-z]+)$/ || ($2 == "notrack" && $3 == "jmp")
            # The listing may show a local label (.LC17) for a place that a relocation fills in. Then the relocation has
            # the target.
            if (leaving && $NF ~ /^<[^.+][^+]*>$/) { target = $NF; gsub(/[<>]/, "", target); edge(plain(target)) }
            if ($0 ~ /(call|jmp) +[*]/ || $2 ~ /^(blr|br)$/) edge("an-address-in-a-register")
            if ($2 == "lock" || ($2 ~ /^xchg/ && $0 ~ /\(/) || $2 ~ /^(ldadd|ldset|ldclr|swp|cas|stl?xr)/ || $0 ~ /__aarch64_(ldadd|swp|cas)/)
                edge("an-atomic-write")
        }
        END {
            queue[1] = start; last = 1
            for (at = 1; at <= last; at++) {
                if (!defined[queue[at]] || is_cold[queue[at]]) continue
                n = split(calls[queue[at]], list, " ")
                for (i = 1; i <= n; i++) if (!seen[list[i]]++) queue[++last] = list[i]
            }
            for (name in seen) if (!is_cold[name]) print name
        }' | LC_ALL=C sort
}

# A hit may reach the kernel, functions that only read or write the memory that they get, and functions of one room of
# the library. All other rooms are compiled for little code: a function of them would make the hit slow.
room=registry/hit.h
of_room=$(awk -v room="src/$room" '/^\/\* ---- src\// { inside = $3 == room } inside' "$tests/../autotune.h" |
    sed -n 's/^[A-Za-z].*[ *]\(autotune__[a-z0-9_]*\)(.*/\1/p' | tr '\n' '|')
outside() { grep -v -x -E "${of_room}kernel|strcmp|strlen|memcmp|memcpy|memset|bcmp" || true; }

failed=0
fail() { echo "FAILED: $1"; failed=1; }

# Leaves out the code that handles an exception of the kernel.
case $compiler in *++*) language=c++ ;; *) language=c ;; esac
compile -x $language -fno-exceptions -c "$tests/hit_path/site.c" -o "$work/site.o"
compile -x $language -fno-exceptions -DPLANTED -c "$tests/hit_path/site.c" -o "$work/planted.o"
compile -x c -std=gnu11 "$@" -c "$tests/implementation.c" -o "$work/implementation.o"
for object in site planted implementation; do
    "$objdump" -dr --no-show-raw-insn "$work/$object.o" >"$work/$object"
done

for function in tuned answered watched; do
    reached=$(walk $function "$work/site" "$work/implementation")
    echo "a hit in $function() can reach:" $reached
    for wanted in kernel autotune__find_two; do
        echo "$reached" | grep -q -x $wanted || fail "$function() does not seem to call $wanted: the walk went wrong"
    done
    for name in $(echo "$reached" | outside); do fail "a hit in $function() can reach $name, which is not in src/$room"; done
done
planted=$(walk tuned "$work/planted" "$work/implementation" | outside)
for deed in malloc pthread_mutex_lock an-atomic-write; do
    echo "$planted" | grep -q -x -e $deed || fail "$deed was planted on the hit path and not found"
done
exit $failed
