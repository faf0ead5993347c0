# The CUDA backend on this machine's GPU, by its own driver: the option AUTOTUNE_TEST_GPU, and the preset gpu.
#
# These run here:
#   plain_default_stream, plain_no_compiler     as they stand: they ask nothing of the stand-in
#   plain_cpp, plain_threads, plain_cache_threads       without what only the stand-in sees (SEEN in standin.h)
#   plain_device_faults, plain_device_choices   what goes wrong, and how winners are chosen, on a real device
#   plain_device_outputs                        that large outputs are compared on the device as on the CPU
#   conformance, compile_examples, nvcc.sh, templates.cu, absent.c with no GPU visible
# These do not, and why:
#   suite_*.c                                   virtual times choose their winners, and faults come from the stand-in
#   plain_churn, plain_shutdown                 count compilations, modules and memory that the stand-in alone tells
#   plain_hit_path                              launches are emulated; bench_cuda_hit measures a hit here
#   opencl_plain_race_length                    compares with the stand-in

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
# Which have the implementation in themselves.
foreach(source plain_device_faults.c plain_device_choices.c plain_device_outputs.c compile_examples.c)
    get_filename_component(name ${source} NAME_WE)
    autotune_add_gpu_test(cuda_${name} ${source})
endforeach()

add_executable(cuda_absent absent.c $<TARGET_OBJECTS:no_cache>)
target_include_directories(cuda_absent PRIVATE ..)
target_link_libraries(cuda_absent PRIVATE cuda_implementation m)
add_test(NAME cuda_absent.no_device COMMAND cuda_absent "no GPU is visible")
set_tests_properties(cuda_absent.no_device PROPERTIES ENVIRONMENT CUDA_VISIBLE_DEVICES=)

# The answers that are known are an H200's, by the driver of CUDA 13.0.
add_executable(cuda_conformance conformance.c $<TARGET_OBJECTS:no_cache>)
target_link_libraries(cuda_conformance PRIVATE autotune::autotune autotune_cuda_driver m)
autotune_compile_quickly(cuda_conformance conformance.c)
add_dependencies(cuda_conformance saxpy_cubin)
add_test(NAME cuda_conformance COMMAND sh -c "nvidia-smi -L | grep H200 || exit 77; exec \"$@\"" sh
    ${CMAKE_CURRENT_SOURCE_DIR}/conformance.sh $<TARGET_FILE:cuda_conformance> saxpy.cubin
    ${CMAKE_CURRENT_SOURCE_DIR}/conformance_h200.txt)
set_tests_properties(cuda_conformance PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON
    ENVIRONMENT_MODIFICATION "${autotune_find_toolkit}")

# Call sites that nvcc compiles: each standard, and statements in templates and classes, which run.
add_test(NAME cuda_nvcc COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/nvcc.sh ${PROJECT_SOURCE_DIR}
    ${AUTOTUNE_STB_DS_INCLUDE_DIR})
add_custom_command(OUTPUT templates COMMAND ${AUTOTUNE_NVCC} -std=c++14 -O2 -DREAL_DEVICE -I${PROJECT_SOURCE_DIR}
    -I${AUTOTUNE_STB_DS_INCLUDE_DIR} -o templates ${CMAKE_CURRENT_SOURCE_DIR}/templates.cu
    DEPENDS templates.cu VERBATIM)
add_custom_target(cuda_templates ALL DEPENDS templates)
add_test(NAME cuda_templates COMMAND templates)
set_tests_properties(cuda_templates PROPERTIES RUN_SERIAL ON)
