# autotune_add_fortran(FOLDER): in a project with Fortran, adds the library autotune::fortran from the sources in
# FOLDER. If MPI::MPI_C is a target, also adds autotune::fortran_mpi; programs with MPI link it instead. Each library
# contains the module and the implementation in C. Only the compiler that made a module file can read it. So a library
# is compiled in the project, and only if a program links it.
function(autotune_add_fortran folder)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT Fortran IN_LIST languages)
        return()
    endif()
    foreach(name fortran fortran_mpi)
        if(TARGET autotune_${name} OR (name STREQUAL fortran_mpi AND NOT TARGET MPI::MPI_C))
            continue()
        endif()
        set(modules ${CMAKE_CURRENT_BINARY_DIR}/autotune_${name})
        add_library(autotune_${name} STATIC EXCLUDE_FROM_ALL ${folder}/autotune.f90 ${folder}/autotune_fortran.c)
        add_library(autotune::${name} ALIAS autotune_${name})
        set_target_properties(autotune_${name} PROPERTIES
            Fortran_MODULE_DIRECTORY ${modules} POSITION_INDEPENDENT_CODE ON C_EXTENSIONS ON)
        target_include_directories(autotune_${name} INTERFACE ${modules})
        target_link_libraries(autotune_${name} PUBLIC autotune::autotune)
        if(name STREQUAL fortran_mpi)
            target_compile_definitions(autotune_${name} PRIVATE AUTOTUNE_FORTRAN_MPI)
            target_link_libraries(autotune_${name} PUBLIC MPI::MPI_C)
        endif()
    endforeach()
endfunction()
