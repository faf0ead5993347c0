# Installs the project of the build directory ${build}, then moves the result to ${prefix}.
set(first ${prefix}-first)
file(REMOVE_RECURSE ${first} ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${first} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${first} ${prefix})
