include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing here depends on the architecture, so all of it goes below share.
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/autotune)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(FILES autotune.h autotune_cuda.h autotune_opencl.h autotune_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# As sources: a compiled module can be read by the compiler alone that made it.
install(FILES fortran/autotune.f90 fortran/autotune_fortran.c DESTINATION ${CMAKE_INSTALL_DATADIR}/autotune/fortran)

# In the build of another project CMAKE_INSTALL_DOCDIR is the folder of that project, which has a LICENSE of its own.
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/autotune)
if(AUTOTUNE_IS_TOP_LEVEL)
    set(doc_dir ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${doc_dir})
install(FILES bench/README.md DESTINATION ${doc_dir}/bench)
install(FILES tools/autotune/report/licences.txt DESTINATION ${doc_dir}/tools/autotune/report)
install(DIRECTORY docs DESTINATION ${doc_dir})
install(DIRECTORY examples DESTINATION ${doc_dir} FILES_MATCHING
    PATTERN "*.c" PATTERN "*.cu" PATTERN "opencl.h" PATTERN "*.cl" PATTERN "*.f90")

install(TARGETS autotune EXPORT autotune INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT autotune NAMESPACE autotune:: FILE autotune-targets.cmake DESTINATION ${package_dir})

# Before 1.0.0 a minor version may break programs.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/autotune-config.cmake cmake/stb_ds.cmake cmake/fortran.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    DESTINATION ${package_dir})

# The prefix is given relative to the .pc file, so that the installed tree can be moved.
file(RELATIVE_PATH up_to_prefix ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up_to_prefix ${up_to_prefix})
set(include_dir ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${include_dir})
    set(include_dir "\${prefix}/${include_dir}")
endif()
configure_file(cmake/autotune.pc.in autotune.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune.pc DESTINATION ${pkgconfig_dir})
