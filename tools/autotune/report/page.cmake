# The page of `autotune report` becomes C: cmake -DFOLDER=… -DOUTPUT=… -P page.cmake
#
# Three strings of report.h: page.html, which names its parts by @…@, its style, and its script. The command puts them
# together, with the data and the library of the charts, which is no part of it.
cmake_minimum_required(VERSION 3.16)

# An array of numbers, for a string literal of that length is not portable. file(READ) and string() leave all characters
# as they are, as long as the text is no list.
function(array_of text name)
    file(WRITE "${OUTPUT}.part" "${text}")
    file(READ "${OUTPUT}.part" digits HEX)
    file(REMOVE "${OUTPUT}.part")
    string(REPEAT "." 64 line)
    string(REGEX REPLACE "(${line})" "\\1\n" digits "${digits}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," digits "${digits}")
    file(APPEND "${OUTPUT}.new" "const unsigned char ${name}[] = {\n${digits}0};\n")
endfunction()

file(READ "${FOLDER}/page.html" page)
file(READ "${FOLDER}/style.css" style)
set(script "\"use strict\";\n")
foreach(part text data vega charts overview detail page)
    file(READ "${FOLDER}/${part}.js" source)
    string(APPEND script "${source}")
endforeach()
file(WRITE "${OUTPUT}.new" "/* Made from tools/autotune/report/ by page.cmake there. */\n#include \"report.h\"\n")
array_of("${page}" page_frame)
array_of("${style}" page_style)
array_of("${script}" page_script)
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
