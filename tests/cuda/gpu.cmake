# Tests of the CUDA backend on the GPU of this machine, with its own driver. The option AUTOTUNE_TEST_GPU, which the
# preset gpu sets, selects them.
#
# These tests run here:
#   plain_default_stream, plain_no_compiler         they call no function of the stand-in
#   plain_cpp, plain_threads, plain_cache_threads   without the conditions that only the stand-in can check (SEEN)
#   plain_device_faults                             errors on a real device
#   plain_device_choices                            how winners are chosen on a real device
#   plain_device_outputs                            comparison of large outputs on the device and on the CPU
#   conformance, compile_examples, nvcc.sh, templates.cu
#   absent.c                                        while no GPU is visible
# These tests do not run here:
#   suite_*.c                       virtual times choose their winners, and faults come from the stand-in
#   plain_churn, plain_shutdown     they count compilations, modules and memory, which only the stand-in can count
#   plain_hit_path                  it replaces the driver's functions; here bench_cuda_hit measures a hit
#   opencl_plain_race_length        it compares an OpenCL stand-in with the CUDA stand-in

# autotune_add_cubin(FILE.cu): compiles kernels for the GPU of this machine, to FILE.cubin.
function(autotune_add_cubin file)
    get_filename_component(name ${file} NAME_WE)
    add_custom_command(OUTPUT ${name}.cubin
        COMMAND ${AUTOTUNE_NVCC} -cubin -arch=native -o ${name}.cubin ${CMAKE_CURRENT_SOURCE_DIR}/${file}
        DEPENDS ${file} VERBATIM)
    add_custom_target(${name}_cubin ALL DEPENDS ${name}.cubin)
endfunction()
autotune_add_cubin(saxpy.cu)

target_compile_definitions(backends PRIVATE WITH_CUDA)
target_include_directories(backends SYSTEM PUBLIC ${AUTOTUNE_CUDA_INCLUDE_DIR})
add_library(cuda_implementation ALIAS backends)

# autotune_add_gpu_test(NAME SOURCE [LIBRARY...])
function(autotune_add_gpu_test name source)
    add_executable(${name} ${source} $<TARGET_OBJECTS:no_cache>)
    add_dependencies(${name} saxpy_cubin)
    target_include_directories(${name} PRIVATE ..)
    target_compile_definitions(${name} PRIVATE REAL_DEVICE KERNELS="${CMAKE_CURRENT_BINARY_DIR}"
        SOURCES="${CMAKE_CURRENT_SOURCE_DIR}" EXAMPLES="${PROJECT_SOURCE_DIR}/examples"
        TOOLKIT="${AUTOTUNE_CUDA_INCLUDE_DIR}")
    target_link_libraries(${name} PRIVATE ${ARGN} autotune::autotune autotune_cuda_driver m)
    autotune_compile_quickly(${name} ${source})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON
        ENVIRONMENT_MODIFICATION "${autotune_find_toolkit}")
endfunction()
foreach(source plain_default_stream.c plain_no_compiler.c plain_cpp.cpp plain_threads.c plain_cache_threads.c)
    get_filename_component(name ${source} NAME_WE)
    autotune_add_gpu_test(cuda_${name} ${source} cuda_implementation)
endforeach()
# These programs contain the implementation.
foreach(source plain_device_faults.c plain_device_choices.c plain_device_outputs.c compile_examples.c)
    get_filename_component(name ${source} NAME_WE)
    autotune_add_gpu_test(cuda_${name} ${source})
endforeach()

add_executable(cuda_absent absent.c $<TARGET_OBJECTS:no_cache>)
target_include_directories(cuda_absent PRIVATE ..)
target_link_libraries(cuda_absent PRIVATE cuda_implementation m)
add_test(NAME cuda_absent.no_device COMMAND cuda_absent "no GPU is visible")
set_tests_properties(cuda_absent.no_device PROPERTIES ENVIRONMENT CUDA_VISIBLE_DEVICES=)

# conformance_h200.txt has the answers of an H200 with the driver of CUDA 13.0. On other devices the test is skipped.
add_executable(cuda_conformance conformance.c $<TARGET_OBJECTS:no_cache>)
target_link_libraries(cuda_conformance PRIVATE autotune::autotune autotune_cuda_driver m)
autotune_compile_quickly(cuda_conformance conformance.c)
add_dependencies(cuda_conformance saxpy_cubin)
add_test(NAME cuda_conformance COMMAND sh -c "nvidia-smi -L | grep H200 || exit 77; exec \"$@\"" sh
    ${CMAKE_CURRENT_SOURCE_DIR}/conformance.sh $<TARGET_FILE:cuda_conformance> saxpy.cubin
    ${CMAKE_CURRENT_SOURCE_DIR}/conformance_h200.txt)
set_tests_properties(cuda_conformance PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON
    ENVIRONMENT_MODIFICATION "${autotune_find_toolkit}")

# nvcc compiles call sites in each standard of C++. The program `templates` runs statements in templates and classes.
add_test(NAME cuda_nvcc COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/nvcc.sh ${PROJECT_SOURCE_DIR}
    ${AUTOTUNE_STB_DS_INCLUDE_DIR})
add_custom_command(OUTPUT templates COMMAND ${AUTOTUNE_NVCC} -std=c++14 -O2 -DREAL_DEVICE -I${PROJECT_SOURCE_DIR}
    -I${AUTOTUNE_STB_DS_INCLUDE_DIR} -o templates ${CMAKE_CURRENT_SOURCE_DIR}/templates.cu
    DEPENDS templates.cu VERBATIM)
add_custom_target(cuda_templates ALL DEPENDS templates)
add_test(NAME cuda_templates COMMAND templates)
set_tests_properties(cuda_templates PROPERTIES RUN_SERIAL ON)
