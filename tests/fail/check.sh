#!/usr/bin/env bash
# A misuse of the header must end in one sentence at the user's own line.
#
#   check.sh INCLUDE_DIRECTORY PROGRAM.c              every compiler found must refuse the program, in the words that it expects
#   check.sh INCLUDE_DIRECTORY control.c COMPILER     this compiler must accept the program without a warning: the same flags, the
#                                                     same spellings used rightly
#
# Exit status 77 when there is no compiler to try.
#
# What a program says about itself, in comments before its #include:
#
#   expect: SENTENCE            stands in one of the errors, whatever the compiler
#   expect-c: SENTENCE          the same for gcc and clang; expect-c++ for g++ and clang++; expect-gcc and so on for one of them, of
#                               any version; expect-gcc-11 for one version. The narrowest is taken. For misuses in which the
#                               compiler's own error serves, and differs
#   flags: FLAG ...             further flags
#   errors: N                   so many different errors are the most there may be; 3 without this
#   elsewhere: COMPILER ...     compilers whose first error names a line of the header, and the user's in a note only
#
# The first error names the line of the misuse, which is the first line of the program that begins with AUTOTUNE. Beside
# the header's sentence there are few other errors. Where the compiler's own error serves, how it goes on after it is
# its own affair.
set -euo pipefail
export LC_ALL=C     # plain quotes in messages

readonly include=$1 program=$2
cd "$(dirname "$program")"
file=$(basename "$program")

# says WORD: the text after "WORD:" in the program's comments, or nothing
says() { sed -n "1,/#include/s|^/\* $1: \(.*\) \*/\$|\1|p" "$file"; }

# family COMPILER: without its version
family() { echo "${1%-[0-9]*}"; }

language() { case $1 in *++*) echo c++ ;; *) echo c ;; esac; }

# Only the line counts, not the trail of macros that leads to it.
compile() {
    local compiler=$1; shift
    local -a flags=(-fsyntax-only -I"$include")
    case $compiler in *++*) flags+=(-x c++ -std=c++17) ;; *) flags+=(-x c -std=c11) ;; esac
    case $compiler in clang*) flags+=(-fmacro-backtrace-limit=1) ;; *) flags+=(-ftrack-macro-expansion=0) ;; esac
    "$compiler" "${flags[@]}" "$@" "$file" 2>&1
}

expected() {
    local word sentence
    for word in "expect-$1" "expect-$(family "$1")" "expect-$(language "$1")" expect; do
        sentence=$(says "$word")
        if [ -n "$sentence" ]; then echo "$sentence"; return; fi
    done
}

# complaint COMPILER OUTPUT: what is wrong with this refusal, in one line; nothing when it is as it should be
complaint() {
    local compiler=$1 output=$2 errors sentence place where most
    sentence=$(expected "$compiler")
    if [ -z "$sentence" ]; then echo "the program does not say what to expect"; return; fi
    errors=$(grep -F 'error: ' <<<"$output" | sed 's/\\\(.\)/\1/g') || true     # gcc writes \' for ' in an assertion's text
    if ! grep -qF -- "$sentence" <<<"$errors"; then echo "no error says: $sentence"; return; fi
    place=$file:$(grep -nm1 '^ *AUTOTUNE' "$file" | cut -d: -f1):
    where=${errors%%$'\n'*}
    if [[ " $(says elsewhere) " == *" $(family "$compiler") "* ]]; then where=$output; fi
    if ! grep -qF "$place" <<<"$where"; then echo "the first error does not name $place"; return; fi
    most=$(says errors)
    if [ -n "$(says expect)" ] && (( $(sort -u <<<"$errors" | wc -l) > ${most:-3} )); then echo "more than ${most:-3} different errors"; fi
}

refuse() {
    local compiler=$1 output wrong
    local -a flags; read -ra flags <<<"$(says flags)"
    if output=$(compile "$compiler" "${flags[@]}"); then wrong="it compiles"; else wrong=$(complaint "$compiler" "$output"); fi
    if [ -z "$wrong" ]; then echo "$compiler: refused as expected"; return; fi
    printf '%s: %s\n%s\n' "$compiler" "$wrong" "$output"
    return 1
}

accept() {
    if ! command -v "$1" >/dev/null; then echo "$1: not found, NOT TRIED"; exit 77; fi
    compile "$1" -Wall -Wextra -Werror
}

status=0
if [ $# = 3 ]; then accept "$3"; exit; fi
tried=0
for compiler in gcc gcc-11 clang g++ g++-11 clang++; do
    if ! command -v "$compiler" >/dev/null; then echo "$compiler: not found, NOT TRIED"; continue; fi
    tried=$((tried + 1))
    refuse "$compiler" || status=1
done
if [ $tried = 0 ]; then exit 77; fi
exit $status
