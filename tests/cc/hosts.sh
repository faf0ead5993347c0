#!/usr/bin/env bash
# Compiled functions in a program that is linked statically, in a program that uses musl, and in a setuid program.
#
#   hosts.sh HEADER_DIRECTORY STB_DS_DIRECTORY static|musl|setuid
#
# Exit status 77: such a program cannot be made or started here.
set -euo pipefail
export LC_ALL=C AUTOTUNE_CACHE=off AUTOTUNE_CC=cc
headers=$1 stb_ds=$2 kind=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(dirname "$0")

build() {               # build COMPILER FLAG ...
    command -v "$1" >/dev/null || { echo "$1: not found, NOT TRIED"; exit 77; }
    "$@" -O0 -w -DAUTOTUNE_CC_IMPLEMENTATION -I"$headers" -idirafter "$stb_ds" "$here/host.c" -o "$work/host" \
        -pthread -ldl 2> "$work/errors" || { cat "$work/errors"; echo "cannot be linked, NOT TRIED"; exit 77; }
}
expect() {
    case $1 in *"$2"*) ;; *) echo "$kind: '$1' does not have '$2'" >&2; exit 1 ;; esac
}
case $kind in
    static)
        build cc -static
        expect "$("$work/host" 2>&1)" "this program is linked statically, and loads no machine code" ;;
    musl)
        build musl-gcc
        expect "$(AUTOTUNE_CC=musl-gcc "$work/host" 2>&1)" "success, 5, " ;;
    setuid)
        [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null || { echo "needs root and setpriv, NOT TRIED"; exit 77; }
        build cc
        mkdir -m 1777 "$work/tmp"
        chmod 711 "$work"
        chmod 4711 "$work/host"
        as_nobody=(env TMPDIR="$work/tmp" setpriv --reuid=65534 --regid=65534 --clear-groups)
        said=$("${as_nobody[@]}" "$work/host" 2>&1)
        case $said in "success, 5, "*) echo "no program has other rights in this folder, NOT TRIED"; exit 77 ;; esac
        expect "$said" "a process with more rights than the user who started it compiles nothing"
        chmod 711 "$work/host"          # without the rights of another user the same program compiles
        expect "$("${as_nobody[@]}" "$work/host" 2>&1)" "success, 5, " ;;
esac
