# CTest gives its tests a folder for temporary files, by TMPDIR. The last test checks that they left no file in it.
set(folder ${PROJECT_BINARY_DIR}/tmp)
file(WRITE ${PROJECT_BINARY_DIR}/temporary_folder.cmake
    "file(MAKE_DIRECTORY \"${folder}\")\nset(ENV{TMPDIR} \"${folder}\")\n")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/temporary_folder.cmake)

function(autotune_tests_below directory result)
    get_property(all DIRECTORY ${directory} PROPERTY TESTS)
    get_property(directories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
    foreach(below ${directories})
        autotune_tests_below(${below} tests)
        list(APPEND all ${tests})
    endforeach()
    set(${result} ${all} PARENT_SCOPE)
endfunction()
autotune_tests_below(${PROJECT_SOURCE_DIR} tests)
add_test(NAME temporary_folder COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder}
    -P ${PROJECT_SOURCE_DIR}/tests/temporary_folder_is_empty.cmake)
set_tests_properties(temporary_folder PROPERTIES DEPENDS "${tests}")
