# jsmn.h is needed by the one unit that defines AUTOTUNE_IMPLEMENTATION, for the cache on disk. Without it that unit says so, and the
# cache is left out.
find_path(AUTOTUNE_JSMN_INCLUDE_DIR jsmn.h DOC "Where jsmn.h is")
mark_as_advanced(AUTOTUNE_JSMN_INCLUDE_DIR)

function(autotune_use_jsmn target)
    if(AUTOTUNE_JSMN_INCLUDE_DIR)
        # Not exported, for the same reason as that of stb_ds.
        target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${AUTOTUNE_JSMN_INCLUDE_DIR}>)
    endif()
endfunction()
