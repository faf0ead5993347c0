# CTest reads this file before the tests. It unsets the AUTOTUNE_* variables of the user, since the library in the tests
# would obey them.
execute_process(COMMAND env OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "AUTOTUNE_[A-Z0-9_]+=" names "${environment}")
foreach(name ${names})
    string(REPLACE "=" "" name ${name})
    unset(ENV{${name}})
endforeach()
# Tests must not use the user's cache. Tests of the cache set their own folder.
set(ENV{AUTOTUNE_CACHE} off)
