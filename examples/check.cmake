# cmake -DPROGRAM=path -DARGUMENTS=list -DEXPECTED=regex [-DLOG=regex] -P check.cmake: runs the program, which must exit
# with 0. Its stdout must match EXPECTED, and its stderr must match LOG. (PASS_REGULAR_EXPRESSION of CTest would not
# check the exit status.) The output depends on times that other programs may disturb. So if the output does not match,
# the program runs again, at most three times in all.

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
