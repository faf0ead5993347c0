#!/usr/bin/env bash
# conformance.sh CONFORMANCE IMAGE ANSWERS: the driver's answers, as the program CONFORMANCE tells them, must be those
# of a real driver, which the file ANSWERS holds, call for call. What the file does not know yet may stand between them.
#
# To write the file, on a machine with that device: nvcc -cubin -arch=sm_90 saxpy.cu && conformance.sh CONFORMANCE
# saxpy.cubin > ANSWERS
set -euo pipefail
export LC_ALL=C
answers() { "$1" "$2" 2>/dev/null | sed -nE -e 's/ +$//' -e 's/^ *[0-9]+  //p' -e '/^----/p'; }     # without their numbers
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
