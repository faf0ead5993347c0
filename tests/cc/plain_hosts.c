/* plain_hosts.c - programs in other languages, mode ONLINE, trials in child processes, forks, and the end of the
   library. */
#define _DEFAULT_SOURCE
#include "compilers.h"

void add(int *out, uint64_t *clock);
void nothing(void);
static int sum;

/* ---- Languages --------------------------------------------------------------------------------------------------- */

#define TUNE_FILE(program) (__extension__({ \
    autotune_backend clock = virtual_backend("device of " #program); \
    autotune_result tuned; \
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&program, add, &sum, &virtual_time), .backend = &clock, \
             .name = #program, .result = &tuned); \
    CHECK(tuned.status == AUTOTUNE_OK || (fprintf(stderr, "%s\n", autotune_last_error()), false)); \
    CHECK(tuned.tried == 2 && !tuned.failed && sum == 2); }))
static autotune_cc_program in_cpp = CC_PROGRAM_FILE("add.cpp", "-lstdc++"),
                           in_fortran = CC_PROGRAM_FILE("add.F90", "-lgfortran");
static void other_languages_compile(void) {
    if (has_compiler("empty.cpp", "int x;\n")) {
        write_text("add.cpp", "#include <vector>\n"
                              "extern \"C\" void add(int *out, unsigned long *clock) {\n"
                              "    static std::vector<int> steps(STEP, 1);\n"
                              "    *out = static_cast<int>(steps.size());\n"
                              "    *clock += (8 - STEP) * 1000000;\n"
                              "}\n");
        TUNE_FILE(in_cpp);
    } else puts("  not tried: no C++");
    if (has_compiler("empty.F90", "end program\n")) {
        write_text("add.F90", "subroutine add(out, clock) bind(c)\n"
                              "    use iso_c_binding\n"
                              "    integer(c_int) :: out\n"
                              "    integer(c_int64_t) :: clock\n"
                              "    out = STEP\n"
                              "    clock = clock + (8 - STEP) * 1000000\n"
                              "end subroutine\n");
        TUNE_FILE(in_fortran);
    } else puts("  not tried: no Fortran");
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

static autotune_cc_program online = CC_PROGRAM("/* online */ void add(int *out, unsigned long *clock) {\n"
                                               "    *out += STEP; *clock += (8 - STEP) * 1000000;\n"
                                               "}\n");
static void online_calls_are_real(void) {
    autotune_backend clock = virtual_backend("device of calls");
    autotune_result result;
    int calls, made = 0;
    sum = 0;
    for (calls = 0; calls < 60000; calls++) {
        const int before = sum;
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 1, CC_CALL(&online, add, &sum, &virtual_time), .backend = &clock,
                 .mode = AUTOTUNE_ONLINE, .result = &result);
        CHECK(result.status == AUTOTUNE_OK || (fprintf(stderr, "%s\n", autotune_last_error()), false));
        CHECK(sum - before == (int)autotune_get_int(&result.config, "STEP"));
        made++;
        if (result.verdict != AUTOTUNE_ONGOING) break;
        usleep(1000);                           /* the workers get at least a minute to compile */
    }
    CHECK(made < 60000 && autotune_get_int(&result.config, "STEP") == 4);
}
static autotune_cc_program crashing = CC_PROGRAM("/* child */ void nothing(void) {\n"
                                                 "    if (STEP == 2) *(volatile int *)0 = 1;\n"
                                                 "}\n");
static void children_make_trials(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&crashing, nothing), .isolate = AUTOTUNE_CHILD,
             .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 1);
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&crashing, nothing), .isolate = AUTOTUNE_CHILD, .key = KEY(1),
             .cache = AUTOTUNE_CACHE_OFF, .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 1);
}
static autotune_result tune_small(int key) {
    static autotune_cc_program small = CC_PROGRAM("/* small */ void nothing(void) {}\nint step = STEP;\n");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&small, nothing), .preset = AUTOTUNE_FAST, .key = KEY(key),
             .result = &result);
    return result;
}
static void forked_processes_compile(void) {
    pid_t child;
    int status = 0;
    CHECK(tune_small(1).status == AUTOTUNE_OK);
    CHECK((child = fork()) >= 0);
    if (!child) {
        const bool hit = tune_small(1).status == AUTOTUNE_OK;
        _exit(hit && tune_small(2).status == AUTOTUNE_OK ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(tune_small(3).status == AUTOTUNE_OK);
}
static void shutdown_begins_anew(void) {
    autotune_shutdown();
    CHECK(tune_small(1).status == AUTOTUNE_OK && tune_small(4).status == AUTOTUNE_OK);
}
static void many_functions_stay_apart(void) {
    enum { MANY = 24 };
    static autotune_cc_program numbered = CC_PROGRAM("void add(int *out, unsigned long *clock) {\n"
                                                     "    *out = STEP; *clock += 1000000;\n"
                                                     "}\n", "-O0");
    int i;
    for (i = 0; i < MANY; i++) {                /* the functions before it stay loaded */
        AUTOTUNE(SPACE(AXIS_OF(STEP, &i, 1)), 1, CC_CALL(&numbered, add, &sum, &virtual_time), .key = KEY(i),
                 .mode = AUTOTUNE_CACHED);
        CHECK(sum == i);
    }
}

int main(void) {
    static const plain_test tests[] = {
        {"other_languages_compile", other_languages_compile},
        {"online_calls_are_real", online_calls_are_real},
        {"children_make_trials", children_make_trials},
        {"forked_processes_compile", forked_processes_compile},
        {"shutdown_begins_anew", shutdown_begins_anew},
        {"many_functions_stay_apart", many_functions_stay_apart},
    };
    int status;
    use_new_folder();
    /* Processes that are killed leave files in TMPDIR, which is removed at the end. */
    CHECK(chdir(cache_folder) == 0 && setenv("TMPDIR", cache_folder, 1) == 0);
    compile_by(REAL_COMPILER);
    status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    CHECK(chdir("/") == 0);
    remove_folder();
    return status;
}
