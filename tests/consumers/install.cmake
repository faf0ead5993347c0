# Installs the project of the build directory ${build}, then moves the result to ${prefix}. Checks that the license is
# there. Checks that each link of the installed README.md and docs/manual.md leads to a file and heading that exist.
# ${doc_dir} is the folder of these documents below the prefix.
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(first ${prefix}-first)
file(REMOVE_RECURSE ${first} ${prefix})
run(${CMAKE_COMMAND} --install ${build} --prefix ${first})
file(RENAME ${first} ${prefix})

# Installed among the manuals of the system; for those who change the library, and so in the repository alone.
set(elsewhere tools/autotune.1 src/README.md CONTRIBUTING.md)

# Checks if FILE has the heading HEADING, in the spelling of links.
function(check_heading file heading)
    file(READ ${file} text)
    string(REGEX MATCHALL "\n#+ [^\n]*" titles "${text}")
    string(TOLOWER "${titles}" titles)
    string(REGEX REPLACE "\n#+ " "" titles "${titles}")
    string(REGEX REPLACE "[^a-z0-9 ;_-]" "" titles "${titles}")
    string(REPLACE " " "-" titles "${titles}")
    if(NOT heading IN_LIST titles)
        message(FATAL_ERROR "${file} has no heading #${heading}, to which a link leads")
    endif()
endfunction()

# Checks that the files and headings exist to which DOCUMENT has links. One of its links must be to EXPECTED.
function(check_links document expected)
    get_filename_component(folder ${document} DIRECTORY)
    file(READ ${prefix}/${doc_dir}/${document} text)
    # A bracket in a list would change where its elements end. The target of a link has no blank, as a lambda of C++ may
    # have.
    string(REPLACE "](" "LINK " text "${text}")
    string(REGEX MATCHALL "LINK [^:;) ]*\\)" links "${text}")
    if(NOT "LINK ${expected})" IN_LIST links)
        message(FATAL_ERROR "the links of the installed ${document} were not found")
    endif()
    foreach(link ${links})
        string(REGEX MATCH "LINK ([^#]*)#?(.*).$" link "${link}")
        set(heading "${CMAKE_MATCH_2}")
        get_filename_component(file "${prefix}/${doc_dir}/${folder}/${CMAKE_MATCH_1}" ABSOLUTE)
        if(CMAKE_MATCH_1 STREQUAL "")
            set(file ${prefix}/${doc_dir}/${document})
        endif()
        file(RELATIVE_PATH name ${prefix}/${doc_dir} ${file})
        if(name IN_LIST elsewhere)
            continue()
        elseif(NOT EXISTS ${file})
            message(FATAL_ERROR "the installed ${document} leads to ${name}, which is not installed")
        elseif(heading)
            check_heading(${file} "${heading}")
        endif()
    endforeach()
endfunction()

check_links(README.md LICENSE)
check_links(docs/manual.md cache-format.md)
check_links(docs/fortran.md manual.md)
