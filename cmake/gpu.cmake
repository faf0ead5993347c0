# Finds NVIDIA's compiler and driver, for tests, examples and benchmarks on a GPU. The linker may use libcuda.so of the
# toolkit, which is a stub. Programs load libcuda.so.1, which belongs to the driver.
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

# Links by the name `cuda`, so that no program contains the path of the stub.
get_filename_component(driver_folder ${AUTOTUNE_CUDA_DRIVER} DIRECTORY)
add_library(autotune_cuda_driver INTERFACE)
target_include_directories(autotune_cuda_driver SYSTEM INTERFACE ${AUTOTUNE_CUDA_INCLUDE_DIR})
target_link_directories(autotune_cuda_driver INTERFACE ${driver_folder})
target_link_libraries(autotune_cuda_driver INTERFACE cuda ${CMAKE_DL_LIBS})

# For the environment of each test: the folder of the toolkit, so that tests find libnvrtc and libcublas.
set(autotune_find_toolkit "LD_LIBRARY_PATH=path_list_append:${AUTOTUNE_CUDA_INCLUDE_DIR}/../lib64")
