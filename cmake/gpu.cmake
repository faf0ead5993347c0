# What tests, examples and benchmarks need on a GPU: NVIDIA's compiler and driver. libcuda.so may be the toolkit's stub
# for linking; libcuda.so.1, which programs load, is the driver's.
find_path(AUTOTUNE_CUDA_INCLUDE_DIR cuda.h HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include DOC
    "Where cuda.h is")
find_program(AUTOTUNE_NVCC nvcc HINTS ${AUTOTUNE_CUDA_INCLUDE_DIR}/../bin DOC "NVIDIA's compiler")
find_program(AUTOTUNE_COMPUTE_SANITIZER compute-sanitizer HINTS ${AUTOTUNE_CUDA_INCLUDE_DIR}/../bin DOC
    "NVIDIA's checker of memory on a GPU")
find_library(AUTOTUNE_CUDA_DRIVER cuda HINTS ${AUTOTUNE_CUDA_INCLUDE_DIR}/../lib64 PATH_SUFFIXES stubs DOC
    "libcuda.so, to link with")
mark_as_advanced(AUTOTUNE_CUDA_INCLUDE_DIR AUTOTUNE_NVCC AUTOTUNE_COMPUTE_SANITIZER AUTOTUNE_CUDA_DRIVER)
foreach(needed AUTOTUNE_CUDA_INCLUDE_DIR AUTOTUNE_NVCC AUTOTUNE_CUDA_DRIVER)
    if(NOT ${needed})
        message(FATAL_ERROR "The tests on a GPU need the CUDA Toolkit and NVIDIA's driver: -D${needed}=...")
    endif()
endforeach()

# By name, so that no program looks for its driver where the stub is.
get_filename_component(driver_folder ${AUTOTUNE_CUDA_DRIVER} DIRECTORY)
add_library(autotune_cuda_driver INTERFACE)
target_include_directories(autotune_cuda_driver SYSTEM INTERFACE ${AUTOTUNE_CUDA_INCLUDE_DIR})
target_link_directories(autotune_cuda_driver INTERFACE ${driver_folder})
target_link_libraries(autotune_cuda_driver INTERFACE cuda ${CMAKE_DL_LIBS})

# Of each test: libnvrtc and libcublas are found in the toolkit, too.
set(autotune_find_toolkit "LD_LIBRARY_PATH=path_list_append:${AUTOTUNE_CUDA_INCLUDE_DIR}/../lib64")
