# The page of `autotune report` becomes C: cmake -DFOLDER=… -DOUTPUT=… -P page.cmake
#
# page.html names the other files by @…@. What it has before and behind @data@ become the two strings of report.h; the
# command writes them with its data between. The policy of the page (CSP) allows these scripts and this style by their
# hashes, and nothing else: no request, no script that comes from the data.
cmake_minimum_required(VERSION 3.16)

# SHA-256 in base 64, as a policy has it: of six digits of base 16 (3 bytes) four characters are made. CMake 3.16 makes
# no base 64 itself.
function(hash_of text result)
    set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
    string(SHA256 digits "${text}")
    string(APPEND digits 00)                    # 32 bytes and one of zeros are 33
    set(encoded "")
    foreach(start RANGE 0 60 6)
        string(SUBSTRING "${digits}" ${start} 6 part)
        math(EXPR bits "0x${part}")
        foreach(shift 18 12 6 0)
            math(EXPR at "(${bits} >> ${shift}) & 63")
            string(SUBSTRING "${alphabet}" ${at} 1 character)
            string(APPEND encoded "${character}")
        endforeach()
    endforeach()
    string(SUBSTRING "${encoded}" 0 43 encoded)
    set(${result} "'sha256-${encoded}='" PARENT_SCOPE)
endfunction()

# file(READ) and string(REPLACE) leave all characters as they are, as long as the text is no list.
file(READ "${FOLDER}/style.css" style)
file(READ "${FOLDER}/echarts.min.js" echarts)
file(READ "${FOLDER}/licences.txt" licences)
set(script "\"use strict\";\n")
foreach(part text data charts overview detail page)
    file(READ "${FOLDER}/${part}.js" source)
    string(APPEND script "${source}")
endforeach()
string(REPLACE "&" "&amp;" licences "${licences}")
string(REPLACE "<" "&lt;" licences "${licences}")
hash_of("${style}" style_hash)
hash_of("${echarts}" echarts_hash)
hash_of("${script}" script_hash)

file(READ "${FOLDER}/page.html" page)
string(REPLACE "@policy@" "default-src 'none'; script-src ${echarts_hash} ${script_hash}; style-src ${style_hash}; \
base-uri 'none'; form-action 'none'" page "${page}")
foreach(part style licences echarts script)
    string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
string(FIND "${page}" "@data@" middle)
string(SUBSTRING "${page}" 0 ${middle} until_data)
math(EXPR middle "${middle} + 6")
string(SUBSTRING "${page}" ${middle} -1 from_data)

# An array of numbers, for a string literal of that length is not portable.
function(array_of text name)
    file(WRITE "${OUTPUT}.part" "${text}")
    file(READ "${OUTPUT}.part" digits HEX)
    file(REMOVE "${OUTPUT}.part")
    string(REPEAT "." 64 line)
    string(REGEX REPLACE "(${line})" "\\1\n" digits "${digits}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," digits "${digits}")
    file(APPEND "${OUTPUT}.new" "const unsigned char ${name}[] = {\n${digits}0};\n")
endfunction()
file(WRITE "${OUTPUT}.new" "/* Made from tools/autotune/report/ by page.cmake there. */\n#include \"report.h\"\n")
array_of("${until_data}" page_until_data)
array_of("${from_data}" page_from_data)
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
