#!/bin/sh
# cmake/wine.sh WINE PROGRAM [ARGUMENT ...]: runs a test for Windows. If Wine's folder does not exist and several
# programs start at once, some of them fail. So the first one makes the folder, and the others wait. On a busy machine
# Wine sometimes cannot start a process. Then its first line says so, and the script tries the program at most twice
# again.
set -u
export WINEPREFIX="${WINEPREFIX:-$HOME/.wine}"
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT

mkdir -p "$WINEPREFIX"
(
    flock 9
    [ -e "$WINEPREFIX/system.reg" ] || "$1" wineboot --init 9>&-        # its server must not inherit the lock
) 9>"$WINEPREFIX/lock" >"$said" 2>&1

for attempt in 1 2 3; do
    "$@" 2>"$said"
    status=$?
    cat "$said" >&2
    if [ $status = 0 ] || ! head -n 1 "$said" | grep '^wine: ' | grep -qv '^wine: Unhandled'; then break; fi
done
exit $status
