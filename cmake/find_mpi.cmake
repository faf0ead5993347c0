# autotune::implementation links MPI::MPI_C. CMake finds this target only in a project with the language C. In a project
# with only C++, this file makes the target from MPI::MPI_CXX.
get_property(autotune_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(C IN_LIST autotune_languages)
    find_dependency(MPI COMPONENTS C)
else()
    find_dependency(MPI COMPONENTS CXX)
    if(NOT TARGET MPI::MPI_C)
        add_library(MPI::MPI_C INTERFACE IMPORTED)
        target_link_libraries(MPI::MPI_C INTERFACE MPI::MPI_CXX)
    endif()
endif()
