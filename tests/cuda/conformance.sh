#!/usr/bin/env bash
# conformance.sh CONFORMANCE IMAGE ANSWERS: runs the program CONFORMANCE, which prints a line for each call of the
# driver. The file ANSWERS has the lines of a real driver. The program must print each of these lines, in the same
# order. It may print more lines between them, for calls that the file does not have yet.
#
# Without ANSWERS the script prints the lines. To write the file, on a machine with that device:
#   nvcc -cubin -arch=sm_90 saxpy.cu && conformance.sh CONFORMANCE saxpy.cubin > ANSWERS
set -euo pipefail
export LC_ALL=C
# answers CONFORMANCE IMAGE: the lines of the program CONFORMANCE that have a number, without this number
answers() { "$1" "$2" 2>/dev/null | sed -nE -e 's/ +$//' -e 's/^ *[0-9]+  //p' -e '/^----/p'; }
if [ $# -lt 3 ]; then answers "$1" "$2"; exit; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
answers "$1" "$2" > "$work/told"
[ -s "$3" ]
diff "$3" "$work/told" > "$work/difference" || true
if grep -q '^<' "$work/difference"; then
    cat "$work/difference"
    echo "a real driver answers otherwise: its answers are marked <" >&2
    exit 1
fi
