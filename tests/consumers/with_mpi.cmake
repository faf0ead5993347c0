# Links an implementation with MPI by pkg-config alone into a program without MPI. A project in C++ alone finds the
# implementation, too.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${build})
run(${CMAKE_COMMAND} -S ${autotune_source} -B ${build}/autotune -DCMAKE_C_COMPILER=${cc} -DCMAKE_INSTALL_LIBDIR=lib
    -DCMAKE_INSTALL_PREFIX=${build}/installed -DAUTOTUNE_STB_DS_INCLUDE_DIR=${stb_ds} -DAUTOTUNE_WITH_MPI=ON
    -DAUTOTUNE_BUILD_TESTS=OFF -DAUTOTUNE_BUILD_EXAMPLES=OFF -DAUTOTUNE_BUILD_BENCH=OFF
    -DAUTOTUNE_BUILD_COMMAND=OFF -DAUTOTUNE_BUILD_OPENMP=OFF)
run(${CMAKE_COMMAND} --build ${build}/autotune --target install)
run(${CMAKE_COMMAND} -E chdir ${build} ${CMAKE_COMMAND} -E env
    PKG_CONFIG_PATH=${build}/installed/share/pkgconfig:${build}/installed/lib/pkgconfig
    make --file ${CMAKE_CURRENT_LIST_DIR}/pkg_config/Makefile CC=${cc} VERSION=${autotune_version} check)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/cplusplus -B ${build}/cplusplus -DCMAKE_CXX_COMPILER=${cxx}
    -DCMAKE_PREFIX_PATH=${build}/installed -DAUTOTUNE_VERSION=${autotune_version})
run(${CMAKE_COMMAND} --build ${build}/cplusplus)
run(${build}/cplusplus/consumer)
