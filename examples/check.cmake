# cmake -DPROGRAM=path -DARGUMENTS=list -DEXPECTED=regex -P check.cmake: runs the program; it must exit with 0 and its
# output must match. (PASS_REGULAR_EXPRESSION of CTest would look at the output alone.)

execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
message("${output}${errors}")
if(NOT result STREQUAL "0")
    message(FATAL_ERROR "the program ended with ${result}")
elseif(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "the output does not match: ${EXPECTED}")
endif()
