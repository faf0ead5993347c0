# The matrix: tests of the header with all compilers, standards, linkers and packages, and of programs that use it. If a
# shell or a compiler that a test needs is missing, the test says so, and is shown as skipped.

# Suites with NaN and infinity among times, keys and outputs, compiled again with -ffast-math, which lets the compiler
# assume that there are no such numbers. If gcc links with -ffast-math, the program also takes subnormal numbers for 0.
add_library(implementation_fast_math STATIC opened.c)
target_link_libraries(implementation_fast_math PUBLIC autotune::autotune)
target_compile_options(implementation_fast_math PRIVATE -O1 -ffast-math)
foreach(suite buffers keys race)
    set(name fast_math_${suite})
    add_executable(${name} suite_${suite}.c $<TARGET_OBJECTS:no_cache>)
    target_compile_options(${name} PRIVATE -O1 -ffast-math)
    target_link_options(${name} PRIVATE -ffast-math)
    target_link_libraries(${name} PRIVATE implementation_fast_math m criterion)
    autotune_without(arguments)
    add_test(NAME ${name} COMMAND ${name} ${arguments})
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "${AUTOTUNE_SUITE_FAILS}")
endforeach()

# The implementation without any door (see src/README.md). Tests of the parts `online`, `guesses`, `seeds`, `ranks` and
# `isolation` need doors, so they are left out, and also suites with only such tests. All other tests must pass.
add_library(implementation_lean STATIC opened.c)
target_link_libraries(implementation_lean PUBLIC autotune::autotune)
target_compile_definitions(implementation_lean PUBLIC AUTOTUNE_LEAN)
file(GLOB suite_sources CONFIGURE_DEPENDS suite_*.c)
list(FILTER suite_sources EXCLUDE REGEX "suite_(online|watch|cache_online|cache_guesses|cache_seeds|audit|left_out)")
foreach(source ${suite_sources})
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE suite_ lean_ name ${name})
    add_executable(${name} ${source} $<TARGET_OBJECTS:no_cache>)
    target_link_libraries(${name} PRIVATE implementation_lean m criterion)
    autotune_compile_quickly(${name} ${source})
    autotune_without(arguments large_spaces many_races online guesses seeds ranks isolation)
    add_test(NAME ${name} COMMAND ${name} ${arguments})
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "${AUTOTUNE_SUITE_FAILS}")
endforeach()

add_subdirectory(libraries)
find_package(MPI COMPONENTS C QUIET)         # its header, for the rooms of the floor mpi
foreach(directory cc cuda opencl mpi consumers fail headers hit_path source)
    add_subdirectory(${directory})
endforeach()
if(TARGET autotune_command)
    add_subdirectory(command)
endif()
if(TARGET autotune_command AND TARGET autotune_openmp)
    add_subdirectory(openmp)
endif()
