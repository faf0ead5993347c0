# Makes C from the page of `autotune report`: cmake -DFOLDER=… -DOUTPUT=… -P page.cmake
#
# The output has the three strings that report.h declares: page.html, where @…@ stands for parts, the style, and the
# script. The command puts them together with the data, and with the library of the charts from a file.
cmake_minimum_required(VERSION 3.16)

# A string becomes an array of numbers, since a string literal of this length is not portable. file(READ) and string()
# change no character, as long as the text is not used as a list.
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
