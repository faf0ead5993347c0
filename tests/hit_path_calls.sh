#!/bin/sh
# hit_path_calls.sh - reads in the machine code what a hit can call.
#
#     hit_path_calls.sh COMPILER OBJDUMP [FLAG ...]       from any directory; the flags are for the implementation, to find stb_ds
#
# A call site (hit_path/site.c), as C++ where COMPILER is such, and the implementation are compiled at -O2 and
# disassembled. From the call site's function, calls and jumps are followed through every function of the library that
# is not declared cold, down to what the library calls outside itself. That may be the kernel and what compares or
# copies memory; no lock, no allocation, no system call. Nor may there be an atomic read-modify-write instruction on the
# way. The same call site with such things planted in its body must be found out.
#
# Exit status: 0 all as promised, 1 not so, 77 cannot be told here.
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

# Every function in a section of its own, so that a relocation names the function that it leads to.
compile() { "$compiler" -O2 -ffunction-sections -D_POSIX_C_SOURCE=200809L -I"$tests/.." "$@"; }

cold=$(sed -n 's/^AUTOTUNE__COLD.*[ *]\(autotune_[a-z0-9_]*\)(.*/\1/p' "$tests/../autotune.h" | tr '\n' ' ')

# walk FUNCTION LISTING ...: one line for each thing that a hit of the call site in FUNCTION can reach, cold functions
# left out.
walk() {
    start=$1
    shift
    cat "$@" | awk -v start="$start" -v cold="$cold" '
        function plain(target) {            # the name in what a relocation leads to: "strcmp-0x4", ".text.autotune__find+0x10"
            sub(/[-+]0x[0-9a-f]+$/, "", target)
            if (target ~ /^[.]text[.]unlikely/ || target ~ /[.]cold/) return ""
            if (target ~ /^[^.]+[.][0-9]+$/) return ""     # a static variable, at whose address a label stands by chance
            sub(/^[.]text[.]/, "", target)
            return target
        }
        function edge(target) { if (target != "" && target != inside) calls[inside] = calls[inside] " " target }
        BEGIN { n = split(cold, list, " "); for (i = 1; i <= n; i++) is_cold[list[i]] = 1 }
        /^[0-9a-f]+ <.*>:$/ { inside = $2; gsub(/[<>:]/, "", inside); defined[inside] = 1; leaving = 0; next }
        /R_[A-Z0-9_]+/ { if (leaving) edge(plain($NF)); leaving = 0; next }
        {
            leaving = $2 ~ /^(call|jmp|j[a-z]+|bl|b|b[.][a-z]+)$/ || ($2 == "notrack" && $3 == "jmp")
            # What a relocation is to fill in may by chance stand at a local label (.LC17): the relocation tells where
            # it leads.
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

# What a hit may reach: the kernel, functions that touch nothing but the memory which they are given, and of the library
# those of one room. All other rooms are compiled for little code: a function of theirs would make the hit slow.
room=registry/hit.h
of_room=$(awk -v room="src/$room" '/^\/\* ---- src\// { inside = $3 == room } inside' "$tests/../autotune.h" |
    sed -n 's/^[A-Za-z].*[ *]\(autotune__[a-z0-9_]*\)(.*/\1/p' | tr '\n' '|')
outside() { grep -v -x -E "${of_room}kernel|strcmp|strlen|memcmp|memcpy|memset|bcmp" || true; }

failed=0
fail() { echo "FAILED: $1"; failed=1; }

# The way of an exception of the kernel is left out.
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
