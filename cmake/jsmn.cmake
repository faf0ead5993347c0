# jsmn.h is needed by the one unit that defines AUTOTUNE_IMPLEMENTATION, for the cache on disk. Without it that unit
# says so, and the cache is left out.
find_path(AUTOTUNE_JSMN_INCLUDE_DIR jsmn.h DOC "Where jsmn.h is")
mark_as_advanced(AUTOTUNE_JSMN_INCLUDE_DIR)

# Where jsmn.h stands among all headers of the machine that builds, those would be found, too, in place of the headers
# of the machine that the program is for.
if(AUTOTUNE_JSMN_INCLUDE_DIR AND CMAKE_CROSSCOMPILING)
    configure_file("${AUTOTUNE_JSMN_INCLUDE_DIR}/jsmn.h" "${CMAKE_CURRENT_BINARY_DIR}/jsmn/jsmn.h" COPYONLY)
    set(AUTOTUNE_JSMN_INCLUDE_DIR "${CMAKE_CURRENT_BINARY_DIR}/jsmn")
endif()

function(autotune_use_jsmn target)
    if(AUTOTUNE_JSMN_INCLUDE_DIR)
        # Not exported, for the same reason as that of stb_ds.
        target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${AUTOTUNE_JSMN_INCLUDE_DIR}>)
    endif()
endfunction()
