# autotune::implementation links MPI::MPI_C, which is found only in a project that has C: one of C++ alone has that of
# C++.
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
