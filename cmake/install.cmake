include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing here depends on the architecture, so all of it goes below share.
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/autotune)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(FILES autotune.h autotune_cuda.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS autotune EXPORT autotune INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT autotune NAMESPACE autotune:: FILE autotune-targets.cmake DESTINATION ${package_dir})

# Before 1.0.0 a minor version may break programs.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/autotune-config.cmake cmake/stb_ds.cmake cmake/jsmn.cmake ${CMAKE_CURRENT_BINARY_DIR}/autotune-config-version.cmake
    DESTINATION ${package_dir})

# The prefix is given relative to the .pc file, so that the installed tree can be moved.
cmake_path(ABSOLUTE_PATH pkgconfig_dir BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE pkgconfig_full_dir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_full_dir} OUTPUT_VARIABLE up_to_prefix)
set(include_dir "\${prefix}")
cmake_path(APPEND include_dir ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/autotune.pc.in autotune.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autotune.pc DESTINATION ${pkgconfig_dir})
