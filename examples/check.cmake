# cmake -DPROGRAM=path -DARGUMENTS=list -DEXPECTED=regex [-DLOG=regex] -P check.cmake: runs the program; it must exit
# with 0, its output must match, and so must what it says on stderr. (PASS_REGULAR_EXPRESSION of CTest would look at the
# output alone.) What an example prints depends on times that other programs may disturb: output that does not match is
# asked for again, three times in all.

foreach(try RANGE 1 3)
    execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    message("${output}${errors}")
    if(NOT result STREQUAL "0")
        message(FATAL_ERROR "the program ended with ${result}")
    elseif(output MATCHES "${EXPECTED}" AND errors MATCHES "${LOG}")
        return()
    endif()
    message("try ${try}: the output does not match: ${EXPECTED} ${LOG}")
endforeach()
message(FATAL_ERROR "no output matches")
