# The file that defines AUTOTUNE_IMPLEMENTATION needs stb_ds.h. Its folder differs between systems. A program may have
# its own copy, so it is no error if stb_ds.h is not found here.
find_path(AUTOTUNE_STB_DS_INCLUDE_DIR stb_ds.h PATH_SUFFIXES stb DOC "Where stb_ds.h is")
mark_as_advanced(AUTOTUNE_STB_DS_INCLUDE_DIR)

function(autotune_use_stb_ds target)
    if(AUTOTUNE_STB_DS_INCLUDE_DIR)
        # The folder is not exported, because it holds for this machine only: autotune-config.cmake searches again.
        target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${AUTOTUNE_STB_DS_INCLUDE_DIR}>)
    endif()
endfunction()
