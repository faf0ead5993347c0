#!/usr/bin/env bash
# matmul.sh PROGRAM > matmul.svg - runs examples/matmul and draws its configurations, sorted by time, each in the colour
# of the stage of the race that it reached, and the time of plain loops as a line. The picture's description is what the
# program printed in that run: README.md shows the same lines. Needs bash and awk.
set -euo pipefail
export LC_ALL=C

# nanoseconds, stage and text of each configuration, from the full log; the same of plain loops; and each line that the
# program prints, as the text of the stage "printed"
configurations() {
    AUTOTUNE_CACHE=off AUTOTUNE_LOG=full "$1" 2>&1 | awk '
        BEGIN { scale["ns"] = 1; scale["us"] = 1e3; scale["ms"] = 1e6; scale["s"] = 1e9 }
        $1 == "autotune:" && $3 == "min" && $4 != "-," { unit = $5; sub(",", "", unit); text = $0; sub(/.*launches  /, "", text); print $4 * scale[unit] "\t" $2 "\t" text }
        $1 == "plain" { print $2 * scale[$3] "\tplain\t" $5 }
        $1 != "autotune:" { print 0 "\tprinted\t" $0 }' |
        sort -s -g
}

configurations "$1" | awk -F '\t' '
    function x(rank) { return left + width * rank / (count + 1) }
    function y(ns) { return top + height * (1 - log(ns / low) / log(high / low)) }
    function text(at_x, at_y, anchor, words) { gsub("&", "\\&amp;", words); printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words }
    function legend(at, name, words) {
        printf "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n", left + 14, at, colour[name]
        text(left + 24, at + 4, "start", words)
    }
    BEGIN {
        left = 66; top = 40; width = 780; height = 300
        colour["screen"] = "#9aa5b1"; colour["halving"] = "#3b7dd8"; colour["duel"] = "#e08a1e"; colour["winner"] = "#c8102e"
    }
    $2 == "printed" { printed = printed "\n" $3; next }
    $2 == "plain" { plain = $1; next }
    { ns[++count] = $1; stage[count] = $2; stages[$2]++; if ($2 == "winner") { winner = count; chosen = $3 } }
    END {
        low = ns[1] / 1.25; high = ns[count] * 1.25
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 870 400\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#333\">"
        print "<desc>" printed "\n</desc>"
        print "<rect width=\"870\" height=\"400\" fill=\"#fff\"/>"
        text(left, 24, "start", sprintf("examples/matmul: time per launch of %d configurations; the line is a product by three plain loops", count))
        for (decade = 1; decade < 1e10; decade *= 10) for (step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            tick = decade * step
            if (tick < low || tick > high) continue
            printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e7eb\"/>\n", left, left + width, y(tick), y(tick)
            text(left - 8, y(tick) + 4, "end", tick / 1e3 " us")
        }
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#333\" stroke-dasharray=\"6 4\"/>\n", left, left + width, y(plain), y(plain)
        text(left + width - 6, y(plain) - 6, "end", sprintf("plain loops: %.1f us", plain / 1e3))
        for (i = count; i >= 1; i--) printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>\n", x(i), y(ns[i]), stage[i] == "winner" ? 5 : 3, colour[stage[i]]
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x(winner), y(ns[winner]), colour["winner"]
        legend(top + 18, "winner", sprintf("winner: %s, %.1f us", chosen, ns[winner] / 1e3))
        legend(top + 36, "duel", (stages["duel"] + 0) " others in the duel")
        legend(top + 54, "halving", (stages["halving"] + 0) " left in the halving")
        legend(top + 72, "screen", (stages["screen"] + 0) " left in the screening")
        text(left + width / 2, top + height + 34, "middle", "configurations, the fastest first (minimum of the launches that each was given)")
        print "</svg>"
    }'
