#!/bin/sh
# cmake/wine.sh WINE PROGRAM [ARGUMENT ...]: runs a test for Windows. Of programs that start at once where Wine's folder
# does not exist yet, some do not start: so the first makes it, while the others wait. And on a busy machine Wine now
# and then cannot start a process: it says so in its first line, and the program is tried twice again.
set -u
export WINEPREFIX="${WINEPREFIX:-$HOME/.wine}"
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT

mkdir -p "$WINEPREFIX"
(
    flock 9
    [ -e "$WINEPREFIX/system.reg" ] || "$1" wineboot --init 9>&-        # which leaves a server that would hold the lock
) 9>"$WINEPREFIX/lock" >"$said" 2>&1

for attempt in 1 2 3; do
    "$@" 2>"$said"
    status=$?
    cat "$said" >&2
    if [ $status = 0 ] || ! head -n 1 "$said" | grep '^wine: ' | grep -qv '^wine: Unhandled'; then break; fi
done
exit $status
