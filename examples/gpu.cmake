# The examples of CUDA and OpenCL on the GPU of this machine, at their default sizes. Each example runs twice: the
# second run knows the winner of the first run. If compute-sanitizer is installed, each example also runs under its
# tools memcheck and racecheck.

# compute-sanitizer does not report errors of the driver: up to CUDA 13.1, autotune asks for one parameter more than a
# kernel has, and the driver returns an error for it.
set(sanitizer ${AUTOTUNE_COMPUTE_SANITIZER} --error-exitcode 9 --report-api-errors no)

# add_gpu_example(NAME PROGRAM EXPECTED SMALL [ARGUMENT...]): SMALL has the arguments under compute-sanitizer; none: the
# example does not run under compute-sanitizer
function(add_gpu_example name program expected small)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/known_${name})
    set(environment "AUTOTUNE_CACHE=on;AUTOTUNE_CACHE_DIR=${folder};AUTOTUNE_LOG=winner")
    add_test(NAME example_${name}.new COMMAND ${CMAKE_COMMAND} -E remove_directory ${folder})
    foreach(run first again)
        set(log "tried, ([0-9]+ refused .*, )?0 failed")
        if(run STREQUAL again)
            set(log "known from an earlier run|best of an earlier run compared again")    # finalists may be raced again
        endif()
        add_test(NAME example_${name}.${run} COMMAND ${CMAKE_COMMAND} -DPROGRAM=${program} "-DARGUMENTS=${ARGN}"
            "-DEXPECTED=${expected}" "-DLOG=${log}" -P ${PROJECT_SOURCE_DIR}/examples/check.cmake)
        set_tests_properties(example_${name}.${run} PROPERTIES RUN_SERIAL ON ENVIRONMENT "${environment}"
            ENVIRONMENT_MODIFICATION "${autotune_find_toolkit}")
    endforeach()
    set_tests_properties(example_${name}.new PROPERTIES FIXTURES_SETUP ${name}_new)
    set_tests_properties(example_${name}.first PROPERTIES FIXTURES_REQUIRED ${name}_new FIXTURES_SETUP ${name}_first)
    set_tests_properties(example_${name}.again PROPERTIES FIXTURES_REQUIRED ${name}_first)

    if(AUTOTUNE_COMPUTE_SANITIZER AND NOT small STREQUAL "none")
        foreach(tool memcheck racecheck)
            add_test(NAME example_${name}.${tool} COMMAND ${sanitizer} --tool ${tool} ${program} ${small})
            set_tests_properties(example_${name}.${tool} PROPERTIES RUN_SERIAL ON ENVIRONMENT "AUTOTUNE_PRESET=fast"
                ENVIRONMENT_MODIFICATION "${autotune_find_toolkit}")
        endforeach()
    endif()
endfunction()

function(add_gpu_program name)
    add_executable(example_${name} ${name}.c)
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} C_STANDARD 11 C_EXTENSIONS ON)
    target_link_libraries(example_${name} PRIVATE autotune::autotune ${ARGN} m ${CMAKE_DL_LIBS})
    target_compile_options(example_${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -O2)
endfunction()
foreach(name cuda_saxpy cuda_gemm cuda_gemm_fp16 cuda_divided cuda_reduce)
    add_gpu_program(${name} autotune_cuda_driver)
endforeach()
foreach(name cuda_gemm cuda_gemm_fp16)
    target_compile_definitions(example_${name} PRIVATE GEMM_FILE="${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu")
endforeach()
target_compile_definitions(example_cuda_divided PRIVATE GEMM_FILE="${CMAKE_CURRENT_SOURCE_DIR}/cuda_gemm.cu")
add_custom_command(OUTPUT cuda_saxpy.cubin
    COMMAND ${AUTOTUNE_NVCC} -cubin -arch=native -o cuda_saxpy.cubin ${CMAKE_CURRENT_SOURCE_DIR}/cuda_saxpy.cu
    DEPENDS cuda_saxpy.cu VERBATIM)
add_custom_command(OUTPUT cuda_rows
    COMMAND ${AUTOTUNE_NVCC} -O2 -I${PROJECT_SOURCE_DIR} -I${AUTOTUNE_STB_DS_INCLUDE_DIR} -o cuda_rows
        ${CMAKE_CURRENT_SOURCE_DIR}/cuda_rows.cu
    DEPENDS cuda_rows.cu ${PROJECT_SOURCE_DIR}/autotune_cuda.h ${PROJECT_SOURCE_DIR}/autotune.h VERBATIM)
add_custom_target(example_cuda_by_nvcc ALL DEPENDS cuda_saxpy.cubin cuda_rows)
set(folder ${CMAKE_CURRENT_BINARY_DIR})

add_gpu_example(cuda_saxpy $<TARGET_FILE:example_cuda_saxpy> "threads a block.* right" "cuda_saxpy.cubin;100000"
    ${folder}/cuda_saxpy.cubin)
add_gpu_example(cuda_gemm $<TARGET_FILE:example_cuda_gemm> "error +0, right.*% of its speed" "64;none" 4096)
add_gpu_example(cuda_gemm_fp16 $<TARGET_FILE:example_cuda_gemm_fp16> "error +0 elements.*% of its speed" "512;none"
    4096)
set_tests_properties(example_cuda_gemm_fp16.first example_cuda_gemm_fp16.again PROPERTIES
    SKIP_REGULAR_EXPRESSION "for compute capability 9.0")
add_gpu_example(cuda_divided $<TARGET_FILE:example_cuda_divided> "GPUs, n = 2048.*all ranks are right" none 2048)
add_gpu_example(cuda_reduce $<TARGET_FILE:example_cuda_reduce> "sum .*, right" 100000)
add_gpu_example(cuda_rows ${folder}/cuda_rows " 0 wrong" "1000;64")
if(AUTOTUNE_OPENCL_INCLUDE_DIR AND AUTOTUNE_OPENCL_LIBRARY)
    foreach(name opencl_saxpy opencl_matmul opencl_registry)
        add_gpu_program(${name} ${AUTOTUNE_OPENCL_LIBRARY})
        target_include_directories(example_${name} SYSTEM PRIVATE ${AUTOTUNE_OPENCL_INCLUDE_DIR})
    endforeach()
    target_compile_definitions(example_opencl_matmul PRIVATE MATMUL_FILE="${CMAKE_CURRENT_SOURCE_DIR}/opencl_matmul.cl")
    add_gpu_example(opencl_saxpy $<TARGET_FILE:example_opencl_saxpy> "local size .* right" none)
    add_gpu_example(opencl_matmul $<TARGET_FILE:example_opencl_matmul> " 0 failed.* right" none)
    add_gpu_example(opencl_registry $<TARGET_FILE:example_opencl_registry> "all right" none)
endif()
