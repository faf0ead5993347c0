# Criterion runs the suites if pkg-config finds it, else tests/harness does. Suites link the target `criterion`, which
# stands for one of them. Criterion does not work under the thread sanitizer, and is slow under the address sanitizer.
# tests/mutate.sh needs the harness, which takes less processor time.
option(AUTOTUNE_CRITERION "Run the suites by Criterion where pkg-config finds it, else by tests/harness" ON)

add_subdirectory(harness)
set(why_harness)
if(NOT AUTOTUNE_CRITERION)
    set(why_harness "AUTOTUNE_CRITERION is OFF")
elseif(CMAKE_CROSSCOMPILING OR AUTOTUNE_SANITIZE)
    set(why_harness "Criterion does not run cross-compiled or sanitized tests")
else()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(CRITERION QUIET IMPORTED_TARGET criterion)
    endif()
    if(NOT CRITERION_FOUND)
        set(why_harness "pkg-config does not find Criterion: on Debian apt-get install pkg-config libcriterion-dev")
    endif()
endif()
add_library(criterion INTERFACE)
if(why_harness)
    target_link_libraries(criterion INTERFACE harness)
    message(STATUS "tests/harness runs the suites: ${why_harness}")
else()
    target_link_libraries(criterion INTERFACE PkgConfig::CRITERION)
    message(STATUS "Criterion ${CRITERION_VERSION} runs the suites")
endif()

# Texts in the output of a failed suite. The report of a sanitizer may come from a process for which no test waits.
# Criterion exits with 0 if no test ran, or if a check in .fini failed.
set(AUTOTUNE_SUITE_FAILS "Sanitizer: ;runtime error: ;Tested: 0 ;Assertion Failed")

# autotune_only(OUT PART...), autotune_without(OUT PART...): set OUT to the arguments of a suite that select these
# parts, or leave them out. A part is the first argument of Test(). Without --jobs 1, Criterion would use all
# processors, while CTest runs other tests.
function(autotune_only out)
    if(why_harness)
        list(TRANSFORM ARGN REPLACE "(.+)" "--only;\\1/*" OUTPUT_VARIABLE arguments)
    else()
        list(JOIN ARGN "|" parts)
        set(arguments --jobs 1 --verbose --filter "@(${parts})/*")
    endif()
    set(${out} ${arguments} PARENT_SCOPE)
endfunction()
function(autotune_without out)
    if(why_harness)
        list(TRANSFORM ARGN REPLACE "(.+)" "--without;\\1/*" OUTPUT_VARIABLE arguments)
    else()
        set(arguments --jobs 1)
        if(ARGN)
            list(JOIN ARGN "|" parts)
            list(APPEND arguments --filter "!(${parts})/*")
        endif()
    endif()
    set(${out} ${arguments} PARENT_SCOPE)
endfunction()

# Runs the tests of the harness by Criterion, too. A test that calls exit() passes in Criterion, but fails in the
# harness.
if(NOT why_harness)
    add_executable(criterion_verdicts harness/verdicts.c)
    target_link_libraries(criterion_verdicts PRIVATE criterion)
    add_test(NAME criterion.status COMMAND criterion_verdicts --jobs 1 --filter "verdicts/@(passes|skips|what_*)")
    set_tests_properties(criterion.status PROPERTIES FAIL_REGULAR_EXPRESSION "${AUTOTUNE_SUITE_FAILS}")
    foreach(wrong fails fails_later fails_at_its_end crashes nobody)
        add_test(NAME criterion.${wrong} COMMAND criterion_verdicts --jobs 1 --filter "verdicts/${wrong}")
        set_tests_properties(criterion.${wrong} PROPERTIES WILL_FAIL ON
            FAIL_REGULAR_EXPRESSION "${AUTOTUNE_SUITE_FAILS}")
    endforeach()
endif()

# autotune_add_suite(NAME SOURCE): adds the tests of a suite. Some parts compute for seconds: they judge millions of
# points, or run hundreds of races. These parts become a stress test. They do not run under a sanitizer, where they
# would take minutes. They do not run on Windows either, since they use nothing of the system.
function(autotune_add_suite name source)
    file(STRINGS ${source} long_ones REGEX "^Test(Suite)?.(large_spaces|many_races),")
    string(REGEX MATCHALL "large_spaces|many_races" long_ones "${long_ones}")
    list(REMOVE_DUPLICATES long_ones)
    autotune_without(without_long_ones ${long_ones})
    add_test(NAME ${name} COMMAND ${name} ${without_long_ones})
    set(tests ${name})
    if(long_ones AND NOT AUTOTUNE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
        autotune_only(only_long_ones ${long_ones})
        add_test(NAME ${name}.long CONFIGURATIONS stress COMMAND ${name} ${only_long_ones})
        set_tests_properties(${name}.long PROPERTIES LABELS stress)
        list(APPEND tests ${name}.long)
    endif()
    # In the stress test, one of three allocations fails in turn; in the ordinary test, one of seven.
    file(STRINGS ${source} fail_in_turn REGEX "NEXT_FAILURE")
    if(fail_in_turn AND NOT AUTOTUNE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
        add_test(NAME ${name}.failures CONFIGURATIONS stress COMMAND ${name} ${without_long_ones})
        set_tests_properties(${name}.failures PROPERTIES LABELS stress ENVIRONMENT NEXT_FAILURE=3)
        list(APPEND tests ${name}.failures)
    endif()
    set_tests_properties(${tests} PROPERTIES FAIL_REGULAR_EXPRESSION "${AUTOTUNE_SUITE_FAILS}")
endfunction()
