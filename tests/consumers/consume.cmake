# Configures the project ${source} afresh in ${build}, builds it and runs its program.
file(REMOVE_RECURSE ${build})
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${generator}
    -DCMAKE_C_COMPILER=${cc} -DCMAKE_CXX_COMPILER=${cxx} -DCMAKE_PREFIX_PATH=${prefix}
    -DAUTOTUNE_SOURCE=${autotune_source} -DAUTOTUNE_VERSION=${autotune_version} --no-warn-unused-cli)
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_COMMAND} --build ${build})
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${build}/consumer)
