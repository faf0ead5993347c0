# An overlay port: it installs the headers of the repository in which it stands. stb_ds.h comes along as a
# dependency, because the file of the program that holds the implementation includes it.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release)           # nothing is compiled
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DAUTOTUNE_INSTALL=ON -DAUTOTUNE_BUILD_TESTS=OFF -DAUTOTUNE_BUILD_EXAMPLES=OFF -DAUTOTUNE_BUILD_BENCH=OFF
        -DAUTOTUNE_BUILD_COMMAND=OFF -DAUTOTUNE_BUILD_OPENMP=OFF -DAUTOTUNE_BUILD_IMPLEMENTATION=OFF)
vcpkg_cmake_install()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
