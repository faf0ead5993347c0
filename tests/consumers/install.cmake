# Installs the project of the build directory ${build}, then moves the result to ${prefix}. The license is there, and the files that the
# installed README.md leads to; ${doc_dir} is their folder below the prefix.
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(first ${prefix}-first)
file(REMOVE_RECURSE ${first} ${prefix})
run(${CMAKE_COMMAND} --install ${build} --prefix ${first})
file(RENAME ${first} ${prefix})

file(READ ${prefix}/${doc_dir}/README.md text)
string(REPLACE "](" "LINK " text "${text}")                     # a bracket in a list would change where its elements end
string(REGEX MATCHALL "LINK [A-Za-z][^:;)]*\\)" links "${text}")
if(NOT "LINK LICENSE)" IN_LIST links)
    message(FATAL_ERROR "the links of the installed README.md were not found")
endif()
list(REMOVE_ITEM links "LINK tools/autotune.1)")                # installed among the manuals of the system
list(REMOVE_ITEM links "LINK src/README.md)" "LINK CONTRIBUTING.md)")       # for those who change the library: in the repository alone
foreach(link ${links})
    string(REGEX REPLACE "LINK (.*).$" "\\1" file "${link}")
    if(NOT EXISTS ${prefix}/${doc_dir}/${file})
        message(FATAL_ERROR "the installed README.md leads to ${file}, which is not installed")
    endif()
endforeach()
