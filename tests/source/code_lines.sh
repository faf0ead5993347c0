#!/bin/sh
# code_lines.sh SRC [WORDS [ROOMS]]: the code lines of each floor of SRC, and their sum. A line is code unless it is
# blank, a comment, an #include "…" or #pragma once.
#
# With WORDS, an extended regular expression: only code lines that match WORDS outside of strings, in rooms whose path
# below SRC does not match the expression ROOMS.
set -eu
cd "$1"
LC_ALL=C find . -name '*.h' | sed 's/^\.\///' | LC_ALL=C sort | LC_ALL=C awk -v words="${2-}" -v rooms="${3-^$}" '
# A line without its comments and with nothing in its strings; `commented` says whether a comment that began on a line
# above goes on.
function code_of(line,    code, found) {
    while (line != "") {
        if (commented) {
            if (!match(line, /\*\//)) return code
            line = substr(line, RSTART + 2)
            commented = 0
        }
        else if (match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\//)) {
            found = substr(line, RSTART, 2)
            code = code substr(line, 1, RSTART - 1)
            line = substr(line, RSTART + RLENGTH)
            if (found == "//") return code
            if (found == "/*") commented = 1
            else code = code "\"\""
        }
        else return code line
    }
    return code
}
{
    room = floor = $0
    if (!sub(/\/[^\/]*$/, "", floor)) floor = "frames"
    commented = 0
    for (number = 1; (getline line < room) > 0; number++) {
        line = code_of(line)
        if (line ~ /^[ \t\r]*$/ || line ~ /^[ \t]*#[ \t]*(include[ \t]+"|pragma once)/) continue
        if (words == "") { count[floor]++; sum++ }
        else if (room !~ rooms && line ~ words) { print room ":" number ":" line; sum++ }
    }
    close(room)
}
END {
    for (floor in count) print count[floor], floor | "sort -rn"
    close("sort -rn")
    print sum + 0, words == "" ? "code lines in src/" : "lines outside their rooms"
}'
