# run(COMMAND [ARGUMENT...]): a command that must succeed.
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result STREQUAL "0")
        message(FATAL_ERROR "this command ended with ${result}: ${ARGN}")
    endif()
endfunction()
