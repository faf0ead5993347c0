/* plain_programs.c - CC_CALL: the options of the compiler, the results of functions, and the failures of
   configurations. */
#define _DEFAULT_SOURCE
#include "compilers.h"
#include "../backends.h"
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

/* ---- What is compiled -------------------------------------------------------------------------------------------- */

/* The function add() moves the virtual clock by 8 - STEP ms. So the greatest STEP wins. */
void add(int *out, uint64_t *clock);
void nothing(void);
autotune_status answer(int number);
static autotune_cc_program adder = CC_PROGRAM("#include <stdint.h>\n"
                                              "void add(int *out, uint64_t *clock) {\n"
                                              "    *out = STEP;\n"
                                              "    *clock += (8 - STEP) * 1000000;\n"
                                              "}\n");

static int sum;
static autotune_result tune(autotune_backend *clock, int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4), AXIS(unused, 1, 2)), 1, CC_CALL(&adder, add, &sum, &virtual_time),
             .backend = clock, .key = KEY(key), .result = &result);
    return result;
}
static void axes_are_macros(void) {
    autotune_backend clock = virtual_backend("device of plain_programs");
    autotune_result result;
    compile_by(REAL_COMPILER);
    forget_compilations();
    result = tune(&clock, 1);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 6 && !result.failed && sum == 4);
    CHECK(autotune_get_int(&result.config, "STEP") == 4);
    CHECK(compilations() == 3);                 /* the axis `unused` is not in the source */
    sum = 0;
    result = tune(&clock, 1);
    CHECK(result.cache_hit && sum == 4 && compilations() == 3);
    result = tune(&clock, 2);                   /* a race of another key compiles nothing again */
    CHECK(result.tried == 6 && sum == 4 && compilations() == 3);
    CHECK(was_compiled_with("-shared -fPIC -fno-semantic-interposition") && was_compiled_with("-DSTEP=4"));
}
static void first_configuration_and_cached(void) {
    autotune_backend clock = virtual_backend("another device");
    autotune_result result;
    int i;
    for (i = 0; i < 3; i++) {
        sum = 0;
        AUTOTUNE(SPACE(AXIS(STEP, 2, 1, 4)), 1, CC_CALL(&adder, add, &sum, &virtual_time), .backend = &clock,
                 .mode = i == 2 ? AUTOTUNE_OFF : AUTOTUNE_CACHED, .result = &result);
        CHECK(result.status == AUTOTUNE_OK && sum == 2);
    }
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static autotune_cc_program with_flags = CC_PROGRAM("#include <stdint.h>\n"
                                                   "void add(int *out, uint64_t *clock) {\n"
                                                   "    *out = BASE + LEVEL_OF(0);\n"
                                                   "    *clock += (40 - *out) * 1000000;\n"
                                                   "}\n", "$FLAGS", "-DLEVEL_OF(x)=$LEVEL+x", "$SWITCH$LEVEL");
static void flags_are_an_axis(void) {
    autotune_backend clock = virtual_backend("device of flags");
    autotune_result result;
    forget_compilations();
    AUTOTUNE(SPACE(AXIS(FLAGS, "-DBASE=10", " -DBASE=20  -DMORE "), AXIS(LEVEL, 0, 2), AXIS(SWITCH, "-O")), 1,
             CC_CALL(&with_flags, add, &sum, &virtual_time), .backend = &clock, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 4 && !result.failed && sum == 22 && compilations() == 4);
    CHECK(was_compiled_with("-DBASE=20 -DMORE -DLEVEL_OF(x)=2+x -O2"));
}
static void names_of_axes_have_any_length(void) {
    static autotune_cc_program named_long = CC_PROGRAM("void add(int *out, unsigned long *clock) {\n"
                                                       "    *out = BASE; *clock += 1000000;\n"
                                                       "}\n",
        "-DBASE=$A_NUMBER_WHOSE_NAME_IS_LONGER_THAN_MOST_NAMES_OF_AXES_IN_THIS_WORLD_ARE");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(A_NUMBER_WHOSE_NAME_IS_LONGER_THAN_MOST_NAMES_OF_AXES_IN_THIS_WORLD_ARE, 7)), 1,
             CC_CALL(&named_long, add, &sum, &virtual_time), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && sum == 7);
}
static autotune_cc_program by_name = CC_PROGRAM("void nothing(void) {}\n", "--cc=$COMPILER");
static void compiler_is_an_axis(void) {
    autotune_result result;
    char another[400];
    snprintf(another, sizeof another, "%s -DANOTHER", make_compiler("another", REAL_COMPILER));
    forget_compilations();
    AUTOTUNE(SPACE(AXIS(COMPILER, "cc", (const char *)another, "no-such-compiler")), 1, CC_CALL(&by_name, nothing),
             .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 1);
    CHECK(compilations() == 1 && was_compiled_with("-DANOTHER"));
}
static autotune_cc_program defined_twice = CC_PROGRAM("void add(int *out, unsigned long *clock) {\n"
                                                      "    *out = STEP; *clock += 1000000;\n"
                                                      "}\n", "-DSTEP=3");
static void an_axis_counts_more_than_an_option(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 5)), 1, CC_CALL(&defined_twice, add, &sum, &virtual_time), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && sum == 5);
}
/* Tunes a program whose two configurations fail. `part` is a part of the reason that is expected. */
#define EXPECT_FAILURE(program, function, part) \
    do { \
        autotune_result failed; \
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(program, function), .result = &failed); \
        CHECK(failed.status == AUTOTUNE_ERR_ALL_FAILED && failed.failed == 2); \
        CHECK(last_error_has(part) || (fprintf(stderr, "%s\n", autotune_last_error()), false)); \
    } while (0)
static void failures_have_reasons(void) {
    static autotune_cc_program missing = CC_PROGRAM_FILE("no-such-file.c"),
        wrong = CC_PROGRAM("\nvoid nothing(void) { int x = y; }\n"), no_axis = CC_PROGRAM("", "-O$LEVEL"),
        other_name = CC_PROGRAM("static void nothing(void) {}\nvoid other(void) { nothing(); }\n"),
        object = CC_PROGRAM("void nothing(void) {}\n", "-c"), output = CC_PROGRAM("", "-o", "file"),
        lacking = CC_PROGRAM("void lacks_this(void); void nothing(void) { lacks_this(); }\n"),
        library = CC_PROGRAM("void nothing(void) {}\n", "-lno-such-library");
    EXPECT_FAILURE(&missing, nothing, "no-such-file.c cannot be read");
    EXPECT_FAILURE(&wrong, nothing, "does not compile: <stdin>:2");
    EXPECT_FAILURE(&no_axis, nothing, "the option -O$LEVEL asks for $LEVEL, which is no axis");
    EXPECT_FAILURE(&other_name, nothing, "the program has no function nothing");
    EXPECT_FAILURE(&object, nothing, "the option -c is not for a library");
    EXPECT_FAILURE(&output, nothing, "the option -o is not for a library");
    EXPECT_FAILURE(&lacking, nothing, "cannot be loaded: undefined symbol: lacks_this; and 1 more");
    EXPECT_FAILURE(&library, nothing, "no-such-library");
}
static void some_configurations_do_not_compile(void) {
    static autotune_cc_program some = CC_PROGRAM("#if STEP == 2\n#error two\n#endif\nvoid nothing(void) {}\n");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&some, nothing), .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 1);
}
/* In modes without a race, a configuration that does not compile is replaced by the next configuration. It is not
   replaced if the call has already called a function. */
void put(int *out);
static void what_does_not_compile_gives_way(void) {
    static autotune_cc_program all = CC_PROGRAM("void put(int *out) { *out += STEP; }\n"),
        most = CC_PROGRAM("#if STEP < 3\n#error below three\n#endif\nvoid put(int *out) { *out += STEP; }\n");
    int i, made;
    for (i = 0; i < 3; i++) {
        autotune_result result;
        made = 0;
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&most, put, &made), .result = &result,
                 .mode = i ? AUTOTUNE_CACHED : AUTOTUNE_OFF);
        CHECK(result.status == AUTOTUNE_OK && result.index == 2 && made == 3);
        CHECK(result.launches == (i < 2 ? 3u : 1u));
    }
    for (i = 0; i < 2; i++) {
        autotune_result result;
        made = 0;
        AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 3)), .result = &result, .mode = AUTOTUNE_OFF) {
            CC_CALL(&all, put, &made);
            CC_CALL(&most, put, &made);
        }
        CHECK(result.status == AUTOTUNE_FAILED && result.index == 0 && made == 1);
    }
}
/* In mode ONLINE a call whose function does not compile is made with another configuration, also after other calls. */
static void online_calls_are_made_by_what_compiles(void) {
    static autotune_cc_program most = CC_PROGRAM("#if STEP == 2\n#error two\n#endif\n"
                                                 "void put(int *out) { for (int i = 0; i < 999; i++) *out += STEP; }\n",
                                                 "-O0");
    int i, made, replaced = 0;
    for (i = 0; i < 60000 && !replaced; i++) {
        autotune_result result;
        made = 0;
        usleep(1000);                           /* so that workers get on, for a minute at least */
        AUTOTUNE(SPACE(AXIS(STEP, 3, 1, 2)), 1, CC_CALL(&most, put, &made), .mode = AUTOTUNE_ONLINE, .max_loss = 0.9,
                 .result = &result);
        CHECK(result.status == AUTOTUNE_OK && (made == 3 * 999 || made == 999));
        replaced = result.launches == 2;
    }
    CHECK(replaced);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static autotune_cc_program answering = CC_PROGRAM("int answer(int number) { return number == STEP ? 0 : 100; }\n");
static void status_is_the_function_s(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&answering, answer, 3), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 2 && autotune_get_int(&result.config, "STEP") == 3);
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&answering, answer, 7), .key = KEY(1), .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED);
}
/* The block ignores the status of CC_CALL, but the status counts: a configuration fails in the race, and a call fails
   on a hit. */
static void status_counts_in_a_block(void) {
    autotune_result result;
    int i;
    for (i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 2, 3)), .result = &result) { CC_CALL(&answering, answer, i < 2 ? 3 : 2); }
        CHECK((result.status == AUTOTUNE_OK) == (i < 2));
        CHECK(autotune_get_int(&result.config, "STEP") == 3 && result.cache_hit == (i > 0));
    }
    AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 2, 3)), .key = KEY(1), .result = &result) { CC_CALL(&answering, answer, 7); }
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED);
}
/* The body calls two functions of one program, and calls one of the functions at two places. */
static autotune_cc_program two = CC_PROGRAM("static int so_far;\n"
                                            "void add(int *out, unsigned long *clock) { so_far += STEP; *out = so_far;"
                                            " *clock += (8 - STEP) * 1000000; }\n"
                                            "void nothing(void) { so_far = 0; }\n");
static void calls_of_two_functions(void) {
    autotune_backend clock = virtual_backend("device of two");
    int i;
    for (i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 4)), .backend = &clock) {
            CC_CALL(&two, nothing);
            CC_CALL(&two, add, &sum, &virtual_time);
            CC_CALL(&two, add, &sum, &virtual_time);
        }
        CHECK(sum == 8 || (fprintf(stderr, "%d\n", sum), false));  /* all calls share the variable so_far of STEP 4 */
    }
    AUTOTUNE_SELECT((.backend = &clock), CC_CALL(&two, nothing), CC_CALL(&two, add, &sum, &virtual_time));
}
/* The control is loaded a second time. This fourth loading takes 10 % longer, as if its code had a worse address. So
   the times cannot be trusted. */
#define PLACED                                              \
    "void add(int *loadings, unsigned long *clock) {\n"     \
    "    static int loading;\n"                             \
    "    if (!loading) loading = ++*loadings;\n"            \
    "    *clock += (loading > 3 ? 1100000 : 1000000) + STEP;\n" \
    "}\n"
static autotune_cc_program placed = CC_PROGRAM(PLACED), placed_once = CC_PROGRAM("/* once */ " PLACED);
static void control_is_another_loading(void) {
    autotune_backend clock = virtual_backend("device of the control");
    autotune_result result;
    int loadings = 0, i;
    uint64_t began = 0;
    for (i = 0; i < 2; i++) {
        began = virtual_time;
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&placed, add, &loadings, &virtual_time), .backend = &clock,
                 .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.verdict == AUTOTUNE_UNRELIABLE && loadings == 4);
    }
    CHECK(result.cache_hit && virtual_time - began < 1100000);      /* the hit does not use the slow loading */
}
/* A body calls one of two functions, in turns. The control has a second loading of each function. */
#define SHORT \
    "void add(int *loadings, unsigned long *clock) {\n"     \
    "    static int loading;\n"                             \
    "    if (!loading) loading = ++*loadings;\n"            \
    "    *clock += 1000 + STEP;\n"                          \
    "}\n"
static autotune_cc_program even = CC_PROGRAM("/* even */ " SHORT), odd = CC_PROGRAM("/* odd */ " SHORT);
/* With .setup each batch has one launch. */
static void set_up(void *user, const autotune_config *config) { (void)user, (void)config; }
static void control_has_a_loading_of_each_function(void) {
    autotune_backend clock = virtual_backend("device of two functions");
    autotune_result result;
    int loadings = 0, call = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 2, 3)), .backend = &clock, .setup = set_up, .result = &result) {
        if (call++ % 2) CC_CALL(&odd, add, &loadings, &virtual_time);
        else CC_CALL(&even, add, &loadings, &virtual_time);
    }
    CHECK(result.status == AUTOTUNE_OK && loadings == 8);           /* of each function: 3, and one for the control */
}
/* The library loads machine code from files of memfd_create(). The loading after `loadings_before_failure` loadings
   fails; -1: no loading fails. */
static int loadings_before_failure = -1;
int memfd_create(const char *name, unsigned flags);
int memfd_create(const char *name, unsigned flags) {
    if (!loadings_before_failure--) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_memfd_create, name, flags);
}
/* The second loading of the control fails. So the control uses the first loading in all rounds: with two loadings in
   some rounds only, the rounds could not be compared. */
static void control_that_cannot_be_loaded_is_none_in_all_rounds(void) {
    autotune_backend clock = virtual_backend("device of the failing control");
    autotune_result result;
    int loadings = 0;
    loadings_before_failure = 3;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&placed_once, add, &loadings, &virtual_time), .backend = &clock,
             .result = &result);
    CHECK(loadings_before_failure == -1);
    CHECK(result.status == AUTOTUNE_OK && result.verdict != AUTOTUNE_UNRELIABLE && result.failed == 0 && loadings == 3);
    loadings_before_failure = -1;
}
static void *call_in_thread(void *out) {
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 1, CC_CALL(&adder, add, (int *)out, &virtual_time), .name = "in threads");
    return NULL;
}
static void threads_call_at_once(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int out[THREADS] = {0}, i;
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, call_in_thread, &out[i]) == 0);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (i = 0; i < THREADS; i++) CHECK(out[i] == 1 || out[i] == 2 || out[i] == 4);
}
/* The compiler takes 0.3 s, which must not be a part of the time of a call. Other processes may delay a call as long.
   So the test makes up to five attempts. */
static bool compiles_beside_the_race(autotune_mode mode, int attempt) {
    static autotune_cc_program program = CC_PROGRAM("int attempt = ATTEMPT; void nothing(void) {}\n", "--cc=$COMPILER");
    autotune_result result;
    char late[400];
    snprintf(late, sizeof late, "%s", make_compiler("late", "sleep 0.3\n" REAL_COMPILER));
    AUTOTUNE(SPACE(AXIS(COMPILER, (const char *)late, "cc"), AXIS(ATTEMPT, attempt)), 1, CC_CALL(&program, nothing),
             .mode = mode, .key = KEY(attempt), .preset = AUTOTUNE_FAST, .compile_threads = 1, .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    if (mode == AUTOTUNE_ONLINE) return result.verdict == AUTOTUNE_ONGOING && result.seconds < 0.15;
    return result.tried == 2 && result.default_ns < 150e6 && result.slowest_ns < 150e6;
}
static void compiling_takes_no_time_of_the_call(void) {
    int raced = 0, online = 10;                 /* the first attempt in mode ON, and in mode ONLINE */
    while (raced < 5 && !compiles_beside_the_race(AUTOTUNE_ON, raced)) raced++;
    while (online < 15 && !compiles_beside_the_race(AUTOTUNE_ONLINE, online)) online++;
    CHECK(raced < 5 && online < 15);
}
static autotune_status start(autotune_backend *self) {
    (void)self;
    return AUTOTUNE_OK;
}
static autotune_status stop(autotune_backend *self, double *ns) {
    (void)self;
    *ns = 1000;
    return AUTOTUNE_OK;
}
static void device_backend_is_refused(void) {
    static autotune_cc_program plain = CC_PROGRAM("void nothing(void) {}\n");
    autotune_backend device = autotune_cpu();
    autotune_result result;
    device.start = start;                       /* the backend has its own clock, so it is not the CPU */
    device.stop = stop;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&plain, nothing), .backend = &device, .mode = AUTOTUNE_OFF,
             .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && last_error_has("CC_CALL is for statements on the CPU"));
}
static void timeouts_are_checked(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&adder, add, &sum, &virtual_time), .compile_timeout = -1,
             .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && last_error_has(".compile_timeout is -1"));
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void no_allocation_is_missed(void) {
    static autotune_cc_program plain = CC_PROGRAM("void nothing(void) {}\n", "-DSTEP_OF=$STEP");
    static autotune_backend clock;
    autotune_result result;
    long fails;
    int key = 0;
    clock = virtual_backend("device without memory");
    for (fails = 0; fails < 400; fails += 1 + fails / 12) {
        __atomic_store_n(&allocations_before_failure, fails, __ATOMIC_RELAXED);
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&plain, nothing), .backend = &clock, .key = KEY(key),
                 .compile_threads = 1, .preset = AUTOTUNE_FAST, .max_trials = 2, .result = &result);
        __atomic_store_n(&allocations_before_failure, -1, __ATOMIC_RELAXED);
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&plain, nothing), .backend = &clock, .key = KEY(key++),
                 .preset = AUTOTUNE_FAST, .max_trials = 2, .result = &result);
        CHECK(result.status == AUTOTUNE_OK);
    }
}

int main(void) {
    static const plain_test tests[] = {
        {"axes_are_macros", axes_are_macros},
        {"first_configuration_and_cached", first_configuration_and_cached},
        {"flags_are_an_axis", flags_are_an_axis},
        {"names_of_axes_have_any_length", names_of_axes_have_any_length},
        {"compiler_is_an_axis", compiler_is_an_axis},
        {"an_axis_counts_more_than_an_option", an_axis_counts_more_than_an_option},
        {"failures_have_reasons", failures_have_reasons},
        {"some_configurations_do_not_compile", some_configurations_do_not_compile},
        {"what_does_not_compile_gives_way", what_does_not_compile_gives_way},
        {"online_calls_are_made_by_what_compiles", online_calls_are_made_by_what_compiles},
        {"status_is_the_function_s", status_is_the_function_s},
        {"status_counts_in_a_block", status_counts_in_a_block},
        {"calls_of_two_functions", calls_of_two_functions},
        {"control_is_another_loading", control_is_another_loading},
        {"control_has_a_loading_of_each_function", control_has_a_loading_of_each_function},
        {"control_that_cannot_be_loaded_is_none_in_all_rounds", control_that_cannot_be_loaded_is_none_in_all_rounds},
        {"threads_call_at_once", threads_call_at_once},
        {"compiling_takes_no_time_of_the_call", compiling_takes_no_time_of_the_call},
        {"device_backend_is_refused", device_backend_is_refused},
        {"timeouts_are_checked", timeouts_are_checked},
        {"no_allocation_is_missed", no_allocation_is_missed},
    };
    int status;
    use_new_folder();
    status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    remove_folder();
    return status;
}
