/* plain_created.c - created tuners whose launch() calls a compiled function: trials, hits, the next process, a hit
   within another statement, and another statement within launch(). */
#define _DEFAULT_SOURCE
#include "compilers.h"

void add(int *out, uint64_t *clock);
autotune_status judge(int *out);
static autotune_cc_program program = CC_PROGRAM("void add(int *out, unsigned long *clock) {\n"
                                                "    *out = STEP; *clock += (8 - STEP) * 1000000;\n"
                                                "}\n"
                                                "int judge(int *out) { *out += 100 * STEP; return 0; }\n");
static int sum;
static autotune_status launch(void *user, const autotune_config *config) {
    (void)user;
    const autotune_status status = CC_CALL_WITH(config, &program, add, &sum, &virtual_time);
    return status == AUTOTUNE_OK ? CC_CALL_WITH(config, &program, judge, &sum) : status;
}
static const int64_t steps[] = {1, 2, 4};
static autotune_tuner *create(void) {
    static const autotune_axis axis = {.name = "STEP", .values = steps, .count = 3};
    static const autotune_desc description = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch};
    autotune_tuner *tuner = autotune_create(&description);
    CHECK(tuner != NULL);
    return tuner;
}
static int call(autotune_tuner *tuner, autotune_options options, autotune_result *result) {
    static autotune_backend clock;
    clock = virtual_backend("device of plain_created");
    options.backend = &clock;
    options.result = result;
    sum = 0;
    CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK || (fprintf(stderr, "%s\n", autotune_last_error()), false));
    return sum;
}
/* The first hit stores the function of the winner, and later hits find it there. */
static void trials_and_hits_call_the_function(void) {
    autotune_tuner *tuner = create();
    const autotune_options options = {.key = KEY(1)};
    autotune_result result;
    int k;
    CHECK(call(tuner, options, &result) == 404 && result.tried == 3 && !result.failed && compilations() == 3);
    for (k = 0; k < 3; k++) CHECK(call(tuner, options, &result) == 404 && result.launches == 1);
    autotune_destroy(tuner);
}
static void first_configuration_and_online(void) {
    autotune_tuner *tuner = create();
    autotune_result result;
    const autotune_options cached = {.key = KEY(2), .mode = AUTOTUNE_CACHED},
                           online = {.key = KEY(3), .mode = AUTOTUNE_ONLINE};
    int k;
    CHECK(call(tuner, cached, &result) == 101 && call(tuner, cached, &result) == 101);
    for (k = 0; k < 60000; k++) {
        const int here = call(tuner, online, &result);
        CHECK(here == 101 * (int)autotune_get_int(&result.config, "STEP"));
        if (result.verdict != AUTOTUNE_ONGOING) break;
        usleep(1000);                           /* the workers get at least a minute to compile */
    }
    CHECK(k < 60000 && call(tuner, online, &result) == 404);
    autotune_destroy(tuner);
}
static void next_process_knows(void) {
    pid_t child;
    int status = 0;
    forget_compilations();
    CHECK((child = fork()) >= 0);
    if (!child) {
        const autotune_options options = {.key = KEY(1)};
        autotune_result result;
        autotune_shutdown();                    /* forgets all that is not on disk */
        _exit(call(create(), options, &result) == 404 && result.cache_hit && compilations() == 0 ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}
/* The body of a statement calls a created tuner, which is a hit. The hit uses the configuration of its own winner, and
   not that of the statement around it. */
static void hits_within_a_statement(void) {
    autotune_tuner *tuner = create();
    const autotune_options options = {.key = KEY(1)};
    autotune_backend clock = virtual_backend("device of plain_created");
    autotune_result result, inner;
    int outer = 0;
    CHECK(call(tuner, options, &inner) == 404);
    AUTOTUNE(SPACE(AXIS(STEP, 2, 1)), 1,
             (CHECK(call(tuner, options, &inner) == 404), CC_CALL(&program, add, &outer, &virtual_time)),
             .backend = &clock, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 2 && outer == 2);
    autotune_destroy(tuner);
}
/* launch() has a statement, whose body calls the compiled function. CC_CALL_WITH calls it with the configuration of
   launch(), and not with that of the statement. */
static autotune_status launch_within(void *user, const autotune_config *config) {
    const int step = (int)autotune_get_int(config, "STEP");
    autotune_backend clock = virtual_backend("device of plain_created");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(times, 1, 2)), 1,
             ((void)CC_CALL_WITH(config, &program, add, &sum, &virtual_time), CHECK(sum == step),
              spend((uint64_t)times)),
             .backend = &clock, .key = KEY(step), .result = &result);
    (void)user;
    return result.status;
}
static void statements_within_a_launch(void) {
    static const autotune_axis axis = {.name = "STEP", .values = steps, .count = 3};
    static const autotune_desc description = {.name = "around", .axes = &axis, .axis_count = 1,
                                              .launch = launch_within};
    autotune_tuner *tuner = autotune_create(&description);
    autotune_result result;
    int k;
    CHECK(tuner != NULL);
    for (k = 0; k < 3; k++) CHECK(call(tuner, (autotune_options){.key = KEY(4)}, &result) == 4 && !result.failed);
    autotune_destroy(tuner);
}

int main(void) {
    static const plain_test tests[] = {
        {"trials_and_hits_call_the_function", trials_and_hits_call_the_function},
        {"first_configuration_and_online", first_configuration_and_online},
        {"next_process_knows", next_process_knows},
        {"hits_within_a_statement", hits_within_a_statement},
        {"statements_within_a_launch", statements_within_a_launch},
    };
    int status;
    use_new_folder();
    CHECK(chdir(cache_folder) == 0);
    compile_by(REAL_COMPILER);
    status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    CHECK(chdir("/") == 0);
    remove_folder();
    return status;
}
