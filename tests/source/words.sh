#!/usr/bin/env bash
# words.sh FILE ...: prints each sentence of comments and of Markdown that is hard to read, one a line:
#
#   long     more than 30 words
#   opening  the sentence begins with What, Who or Of
#   leading  the sentence begins with Where or That
#   bool     a comment begins with "True:" or "False:" in place of "Returns true if"
#
# In C, C++ and CUDA the script reads comments. In Markdown the script leaves out code, tables and headings. Text
# between backquotes counts as one word.
set -euo pipefail
export LC_ALL=C

awk '
function say(kind, sentence) { print kind "\t" file ":" line "\t" sentence }

function judge(sentence,    words, count) {
    gsub(/^[ \t*(-]+|[ \t]+$/, "", sentence)
    if (sentence ~ /^(expect:|Permission is hereby|THE SOFTWARE|IN NO EVENT)/) return      # golden messages, the licence
    count = split(sentence, words, /[ \t]+/)
    if (count > 30) say("long", sentence)
    if (sentence ~ /^(What|Who|Of) [a-z]/) say("opening", sentence)
    if (sentence ~ /^(Where|That) [a-z]/) say("leading", sentence)
    if (sentence ~ /^(True|False): /) say("bool", sentence)
}

# Judges each sentence of a paragraph. A sentence ends at a full stop, a question mark or an exclamation mark before a
# blank, unless the mark belongs to an abbreviation.
function flush(    text, at) {
    text = paragraph
    paragraph = ""
    gsub(/`[^`]*`/, "code", text)
    gsub(/e\.g\. |i\.e\. |cf\. |etc\. /, "", text)
    while ((at = match(text, /[.?!][)"]* /)) > 0) {
        judge(substr(text, 1, at))
        text = substr(text, at + RLENGTH)
    }
    judge(text)
}
function add(text) {
    if (text ~ /^[ \t*]*$/ || text ~ /^ *\/?\*?[ \t]*(-|[0-9]+\.) / || text ~ /^[ \t*]*    +[^ ]/) flush()
    if (text ~ /^[ \t*]*$/ || text ~ /^ *----/) return                       # also the titles of parts
    if (paragraph == "") line = FNR
    paragraph = paragraph " " text
}

FNR == 1 { flush(); file = FILENAME; commented = 0; coded = 0; markdown = FILENAME ~ /\.md$/ }

markdown && /^ *```/ { flush(); coded = !coded; next }
markdown && (coded || /^    / || /^ *\|/ || /^#/ || /^ *</) { flush(); next }
markdown {
    if (/^ *([*-]|[0-9]+\.) /) flush()
    gsub(/\]\([^)]*\)/, "]")
    gsub(/\*\*/, "")
    add($0)
    next
}

{
    text = $0
    if (!commented) {
        if (match(text, /\/\*[*!]?<?/) && substr(text, 1, RSTART - 1) !~ /"/) {
            margin = RSTART + RLENGTH
            text = substr(text, margin)
            flush()                                                          # which sets RSTART, too
            commented = 1
        }
        else if (match(text, /(^|[ \t])\/\/ /) && substr(text, 1, RSTART - 1) !~ /"/) {
            said = substr(text, RSTART + RLENGTH)
            if (substr(text, 1, RSTART - 1) !~ /^[ \t]*$/) flush()
            add(said)
            next
        }
        else { flush(); next }
    }
    else {
        if (match(text, /^ */) && RLENGTH > margin) RLENGTH = margin         # the comment may be indented
        text = substr(text, RLENGTH + 1)
        if (text !~ /^\*\//) sub(/^[ \t]*\*[ \t]?/, "", text)
    }
    if (match(text, /\*\//)) { add(substr(text, 1, RSTART - 1)); flush(); commented = 0 }
    else add(text)
}
END { flush() }
' "$@"
