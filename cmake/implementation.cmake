# autotune::implementation: a library with the implementation, which otherwise one file of a program compiles. It is
# static, or shared with BUILD_SHARED_LIBS. On Windows it is always static, because programs would have to import its
# data by name. It contains CUDA and OpenCL if their headers are found, since it opens both at run time. It contains MPI
# only on request, since MPI has to be linked. A project that includes autotune as a subdirectory compiles this library
# only if it links it.
find_path(AUTOTUNE_CUDA_INCLUDE_DIR cuda.h HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include
    DOC "Where cuda.h and nvrtc.h are")
find_path(AUTOTUNE_OPENCL_INCLUDE_DIR CL/cl.h DOC "Where CL/cl.h is")
mark_as_advanced(AUTOTUNE_CUDA_INCLUDE_DIR AUTOTUNE_OPENCL_INCLUDE_DIR)
set(has_cuda OFF)
set(has_opencl OFF)
if(EXISTS "${AUTOTUNE_CUDA_INCLUDE_DIR}/nvrtc.h")
    set(has_cuda ON)
endif()
if(AUTOTUNE_OPENCL_INCLUDE_DIR)
    set(has_opencl ON)
endif()
option(AUTOTUNE_WITH_CUDA "autotune::implementation has that of autotune_cuda.h" ${has_cuda})
option(AUTOTUNE_WITH_OPENCL "autotune::implementation has that of autotune_opencl.h" ${has_opencl})
option(AUTOTUNE_WITH_MPI "autotune::implementation has that of autotune_mpi.h, and links MPI" OFF)

set(kind)
if(WIN32)
    set(kind STATIC)
endif()
set(when EXCLUDE_FROM_ALL)
if(AUTOTUNE_BUILD_IMPLEMENTATION)
    set(when)
endif()
add_library(autotune_implementation ${kind} ${when} ${CMAKE_CURRENT_LIST_DIR}/implementation.c)
add_library(autotune::implementation ALIAS autotune_implementation)
set_target_properties(autotune_implementation PROPERTIES
    OUTPUT_NAME autotune EXPORT_NAME implementation POSITION_INDEPENDENT_CODE ON C_EXTENSIONS ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(autotune_implementation PUBLIC autotune PRIVATE ${CMAKE_DL_LIBS})
# Compiled functions use the compiler that builds the library, unless the environment names another compiler.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND NOT CMAKE_CROSSCOMPILING AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_definitions(autotune_implementation PRIVATE "AUTOTUNE_CC_DEFAULT=\"${CMAKE_C_COMPILER}\"")
endif()
get_target_property(kind autotune_implementation TYPE)
if(kind STREQUAL SHARED_LIBRARY)        # symbols of stb_ds stay hidden
    set_target_properties(autotune_implementation PROPERTIES C_VISIBILITY_PRESET hidden)
    target_compile_definitions(autotune_implementation PRIVATE
        "AUTOTUNE_API=__attribute__((__visibility__(\"default\")))")
endif()
if(AUTOTUNE_WITH_CUDA)
    target_include_directories(autotune_implementation SYSTEM PRIVATE ${AUTOTUNE_CUDA_INCLUDE_DIR})
    target_compile_definitions(autotune_implementation PRIVATE AUTOTUNE_WITH_CUDA)
endif()
if(AUTOTUNE_WITH_OPENCL)
    target_include_directories(autotune_implementation SYSTEM PRIVATE ${AUTOTUNE_OPENCL_INCLUDE_DIR})
    target_compile_definitions(autotune_implementation PRIVATE AUTOTUNE_WITH_OPENCL)
endif()
if(AUTOTUNE_WITH_MPI)
    find_package(MPI REQUIRED COMPONENTS C)
    target_compile_definitions(autotune_implementation PRIVATE AUTOTUNE_WITH_MPI)
    target_link_libraries(autotune_implementation PUBLIC MPI::MPI_C)
endif()
