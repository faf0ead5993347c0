include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Except for the implementation, no file depends on the architecture. So these files go to folders in share.
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/autotune)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(FILES autotune.h autotune_cuda.h autotune_opencl.h autotune_mpi.h autotune_cc.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Installs the sources, because only the compiler that made a compiled module can read it.
install(FILES fortran/autotune.f90 fortran/autotune_fortran.c DESTINATION ${CMAKE_INSTALL_DATADIR}/autotune/fortran)

# If another project includes this project, CMAKE_INSTALL_DOCDIR is a folder of that project, with its own LICENSE.
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/autotune)
if(AUTOTUNE_IS_TOP_LEVEL)
    set(doc_dir ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${doc_dir})
install(FILES bench/README.md DESTINATION ${doc_dir}/bench)
install(DIRECTORY docs DESTINATION ${doc_dir})
install(DIRECTORY examples DESTINATION ${doc_dir} FILES_MATCHING
    PATTERN "*.c" PATTERN "*.cu" PATTERN "*.h" PATTERN "*.cl" PATTERN "*.f90")

install(TARGETS autotune EXPORT autotune INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT autotune NAMESPACE autotune:: FILE autotune-targets.cmake DESTINATION ${package_dir})

# Before version 1.0.0, a new minor version may be incompatible.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/autotune-config.cmake cmake/stb_ds.cmake cmake/fortran.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    DESTINATION ${package_dir})

# The .pc file has the prefix as a relative path, so that users can move the installed tree.
file(RELATIVE_PATH up_to_prefix ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up_to_prefix ${up_to_prefix})
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${include_dir})
    set(include_dir "\${prefix}/${include_dir}")
endif()
configure_file(cmake/autotune.pc.in autotune.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune.pc DESTINATION ${pkgconfig_dir})

# Installs the implementation, if it is built, with its CMake and pkg-config files. The files in share include the files
# beside the library.
if(NOT (AUTOTUNE_BUILD_IMPLEMENTATION AND TARGET autotune_implementation))
    return()
endif()
set(library_dir ${CMAKE_INSTALL_LIBDIR}/cmake/autotune)
install(TARGETS autotune_implementation EXPORT autotune-implementation
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT autotune-implementation NAMESPACE autotune:: FILE autotune-implementation-targets.cmake
    DESTINATION ${library_dir})
file(RELATIVE_PATH to_library_dir ${CMAKE_INSTALL_PREFIX}/${package_dir} ${CMAKE_INSTALL_PREFIX}/${library_dir})
set(find_mpi)
if(AUTOTUNE_WITH_MPI)
    file(READ cmake/find_mpi.cmake find_mpi)
endif()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/autotune-implementation.cmake
    "${find_mpi}include(\${CMAKE_CURRENT_LIST_DIR}/${to_library_dir}/autotune-implementation-targets.cmake)\n")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune-implementation.cmake DESTINATION ${package_dir})

set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH up_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up_to_prefix ${up_to_prefix})
set(lib_dir ${CMAKE_INSTALL_LIBDIR})
if(NOT IS_ABSOLUTE ${lib_dir})
    set(lib_dir "\${prefix}/${lib_dir}")
endif()
# A program with the static library needs its libraries, with or without --static of pkg-config.
set(libraries)
get_target_property(type autotune_implementation TYPE)
if(type STREQUAL STATIC_LIBRARY)
    foreach(library ${CMAKE_DL_LIBS})
        string(APPEND libraries " -l${library}")
    endforeach()
    if(AUTOTUNE_WITH_MPI)
        string(REPLACE ";" " " mpi "${MPI_C_LIBRARIES}")
        string(APPEND libraries " ${mpi}")
    endif()
endif()
configure_file(cmake/autotune-implementation.pc.in autotune-implementation.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune-implementation.pc DESTINATION ${pkgconfig_dir})
