# Creates the package of packaging/conan with ${conan}, in its own home below ${build}. Then builds and runs its
# test_package. Nothing is downloaded.
cmake_minimum_required(VERSION 3.16)
include(${CMAKE_CURRENT_LIST_DIR}/../run.cmake)
if(NOT conan OR NOT stb_ds)
    message("SKIPPED: there is no conan, or no stb_ds.h")
    return()
endif()
file(REMOVE_RECURSE ${build})
set(ENV{CONAN_HOME} ${build}/home)
run(${conan} profile detect)
run(${conan} remote disable *)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/conanfile.py DESTINATION ${build}/header)     # it leaves files beside itself
set(ENV{AUTOTUNE_TEST_HEADER} ${stb_ds}/stb_ds.h)
run(${conan} export-pkg ${build}/header --name stb --version cci.20240213)
# Conan builds the test_package in its source folder, so a copy is used.
file(COPY ${autotune_source}/packaging ${autotune_source}/autotune.h ${autotune_source}/autotune_cuda.h
    ${autotune_source}/autotune_opencl.h ${autotune_source}/autotune_mpi.h ${autotune_source}/autotune_cc.h
    ${autotune_source}/LICENSE
    DESTINATION ${build}/source)
run(${conan} create ${build}/source/packaging/conan --version ${autotune_version})
