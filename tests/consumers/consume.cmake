# Configures the project ${source} in the emptied folder ${build}, builds it and runs its program.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${build})
run(${CMAKE_COMMAND} -S ${source} -B ${build} -G ${generator}
    -DCMAKE_C_COMPILER=${cc} -DCMAKE_CXX_COMPILER=${cxx} -DCMAKE_PREFIX_PATH=${prefix}
    -DAUTOTUNE_SOURCE=${autotune_source} -DAUTOTUNE_VERSION=${autotune_version} --no-warn-unused-cli)
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)
