#!/usr/bin/env bash
# online.sh PROGRAM > online.svg - runs examples/online and draws the time of each of its steps, tuned while it runs and
# untuned. What the program prints in that run goes to stderr. Needs bash and awk.
set -euo pipefail
export LC_ALL=C
steps=$(mktemp)
trap 'rm -f "$steps"' EXIT
AUTOTUNE_CACHE=off OMP_WAIT_POLICY=passive "$1" "$steps" >&2

awk '
    function x(step) { return left + width * step / NR }
    function y(us) { us = us < low ? low : us > high ? high : us
                     return top + height * (1 - log(us / low) / log(high / low)) }
    function text(at_x, at_y, anchor, words) {
        printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words
    }
    function dots(times, colour, step, k, sum) {        # the mean of five steps
        printf "<g fill=\"%s\">\n", colour
        for (step = 0; step + 5 <= NR; step += 5) {
            for (sum = k = 0; k < 5; k++) sum += times[step + k]
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>\n", x(step + 2), y(sum / 5)
        }
        print "</g>"
    }
    { tuned[$1] = $2; untuned[$1] = $3; all += $2; first += $3 }
    END {
        left = 66; top = 40; width = 780; height = 300
        low = first / NR / 6; high = first / NR * 6
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 870 400\" " \
              "font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#333\">"
        print "<rect width=\"870\" height=\"400\" fill=\"#fff\"/>"
        text(left, 24, "start", sprintf("examples/online: time of each of %d steps; all took %.0f ms tuned, " \
                                        "%.0f ms untuned", NR, all / 1e3, first / 1e3))
        for (decade = 1; decade < 1e7; decade *= 10) for (step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            tick = decade * step
            if (tick < low || tick > high) continue
            printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e7eb\"/>\n",
                   left, left + width, y(tick), y(tick)
            text(left - 8, y(tick) + 4, "end", tick " us")
        }
        dots(untuned, "#9aa5b1")
        dots(tuned, "#c8102e")
        printf "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"#9aa5b1\"/>\n", left + width - 150, top + 14
        text(left + width - 140, top + 18, "start", "as the first configuration")
        printf "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"#c8102e\"/>\n", left + width - 150, top + 32
        text(left + width - 140, top + 36, "start", "tuned while it runs")
        for (step = 0; step <= NR; step += 500) text(x(step), top + height + 18, "middle", step)
        text(left + width / 2, top + height + 40, "middle", "steps; a dot is the mean of five")
        print "</svg>"
    }' "$steps"
