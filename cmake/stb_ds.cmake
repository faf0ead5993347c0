# stb_ds.h is needed by the one unit that defines AUTOTUNE_IMPLEMENTATION. Systems keep it in different places; a
# program that brings its own need not have it anywhere, so not finding it is no error here.
find_path(AUTOTUNE_STB_DS_INCLUDE_DIR stb_ds.h PATH_SUFFIXES stb DOC "Where stb_ds.h is")
mark_as_advanced(AUTOTUNE_STB_DS_INCLUDE_DIR)

function(autotune_use_stb_ds target)
    if(AUTOTUNE_STB_DS_INCLUDE_DIR)
        # Not exported: the place holds for this machine only, and autotune-config.cmake looks again.
        target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${AUTOTUNE_STB_DS_INCLUDE_DIR}>)
    endif()
endfunction()
