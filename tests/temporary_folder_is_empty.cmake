# cmake -D FOLDER=... -P temporary_folder_is_empty.cmake - fails if the folder is not empty, and empties it.
file(GLOB left RELATIVE ${FOLDER} ${FOLDER}/* ${FOLDER}/.[!.]*)
if(left)
    file(REMOVE_RECURSE ${FOLDER})
    list(JOIN left "\n  " left)
    message(FATAL_ERROR "Tests of this run, or of one that was interrupted, left in ${FOLDER}:\n  ${left}")
endif()
