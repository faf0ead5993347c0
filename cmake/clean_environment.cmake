# Read by CTest before the tests: the library obeys AUTOTUNE_* variables, and the tests must not see those of whoever
# runs them.
execute_process(COMMAND env OUTPUT_VARIABLE environment)
string(REGEX MATCHALL "AUTOTUNE_[A-Z0-9_]+=" names "${environment}")
foreach(name ${names})
    string(REPLACE "=" "" name ${name})
    unset(ENV{${name}})
endforeach()
# Nor may they read or write the cache of whoever runs them. Those that test the cache name a folder of their own.
set(ENV{AUTOTUNE_CACHE} off)
