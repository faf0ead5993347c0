# A toolchain file for Windows on x86-64, with mingw-w64. Tests run under wine. On Debian: apt-get install
# gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)        # Wine does not find the DLLs of the compiler

# CMake searches libraries of Windows only. It may find stb_ds.h among the headers of the build machine.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(AUTOTUNE_WINE NAMES wine64 wine PATHS /usr/lib/wine DOC "What runs the tests")
mark_as_advanced(AUTOTUNE_WINE)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/wine.sh;${AUTOTUNE_WINE}")
