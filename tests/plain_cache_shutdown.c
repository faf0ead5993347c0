/* plain_cache_shutdown.c - autotune_shutdown() frees all memory: valgrind and the address sanitizer check this.
   Statements after it begin as in a new run. */
#define _DEFAULT_SOURCE
#include "plain.h"
#include "cache_file.h"
#include "sanitized.h"
#include <pthread.h>

static autotune_backend clock_one, clock_two;
static int trials, fails_for_real;

static autotune_status launch(int tile) {
    spend((uint64_t)abs(tile - 2) * MILLISECOND + MILLISECOND);
    return AUTOTUNE_OK;
}
static autotune_status try_or_launch(int tile, bool trial) {
    trials += trial;
    return !trial && fails_for_real ? AUTOTUNE_FAILED : launch(tile);
}
static autotune_result tune(int key, const char *word, autotune_backend *clock) {
    autotune_result result;
    trials = 0;
    AUTOTUNE(SPACE(RANGE(tile, 0, 3, 1)), 1, try_or_launch(tile, autotune_trial), .name = "shut down",
             .key = KEY(key, word), .backend = clock, .result = &result);
    return result;
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    return launch((int)autotune_get_int(config, "tile"));
}
static autotune_tuner *create(void) {
    static const int64_t tiles[] = {0, 1, 2, 3};
    static const autotune_axis axis = {.name = "tile", .values = tiles, .count = 4};
    return autotune_create(
        &(autotune_desc){.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created});
}
static void count_result(void *user, const autotune_known *known) {
    (void)known;
    ++*(int *)user;
}
static int results(void) {
    int count = 0;
    autotune_each(count_result, &count);
    return count;
}

/* Makes the library hold memory for everything that it can hold: many keys, strings, two backends, a winner that
   failed, a loaded file, and a queued case. */
static autotune_tuner *hold_something_of_everything(void) {
    autotune_tuner *tuner = create();
    char path[300];
    CHECK(tuner != NULL);
    for (int key = 0; key < 100; key++) CHECK(tune(key, key % 2 ? "odd" : "even", &clock_one).status == AUTOTUNE_OK);
    CHECK(tune(7, "odd", &clock_two).status == AUTOTUNE_OK && trials == 0);
    fails_for_real = 1;
    CHECK(tune(8, "even", &clock_one).status == AUTOTUNE_FAILED);
    fails_for_real = 0;
    CHECK(autotune_call(tuner, &(autotune_options){.key = KEY(1), .backend = &clock_one}) == AUTOTUNE_OK);
    CHECK(autotune_add(tuner, &(autotune_options){.key = KEY(2), .backend = &clock_one}) == AUTOTUNE_OK);
    CHECK(autotune_add(tuner, &(autotune_options){.key = KEY("a string"), .backend = &clock_one}) == AUTOTUNE_OK);
    snprintf(path, sizeof path, "%s/saved", cache_folder);
    CHECK(autotune_save(path) == AUTOTUNE_OK && autotune_load(path) == AUTOTUNE_OK);
    CHECK(results() > 90);
    return tuner;
}
static void everything_is_freed_and_statements_start_anew(void) {
    for (int time = 0; time < 3; time++) {
        autotune_tuner *tuner = hold_something_of_everything();
        CHECK(autotune_shutdown() == AUTOTUNE_OK);
        CHECK(results() == 0);
        CHECK(tune(3, "odd", &clock_one).status == AUTOTUNE_OK && trials == 0); /* the winner is in the cache on disk */
        CHECK(autotune_call(tuner, &(autotune_options){.key = KEY(1), .backend = &clock_one}) == AUTOTUNE_OK);
        CHECK(results() == 2);
        /* a created tuner may be destroyed after the shutdown, as in the first round, or before it */
        if (time == 1) CHECK(autotune_shutdown() == AUTOTUNE_OK);
        autotune_destroy(tuner);
        CHECK(autotune_shutdown() == AUTOTUNE_OK);
    }
}
/* docs/manual.md says how much stack a thread needs. Some systems give each thread more, and sanitizers take more. */
static void *hold_and_forget_everything(void *unused) {
    autotune_tuner *tuner = hold_something_of_everything();
    CHECK(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK) == AUTOTUNE_OK);
    autotune_destroy(tuner);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    return unused;
}
static void a_thread_needs_little_stack(void) {
    pthread_attr_t small;
    pthread_t thread;
    CHECK(pthread_attr_init(&small) == 0);
    if (SANITIZED || pthread_attr_setstacksize(&small, 32 << 10) != 0) { printf("    not tried\n"); return; }
    CHECK(pthread_create(&thread, &small, hold_and_forget_everything, NULL) == 0 && pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&small);
}
static autotune_status shut_down_within(void) {
    const autotune_status status = autotune_shutdown();
    spend(MILLISECOND);
    return status == AUTOTUNE_ERR_ARGUMENT && last_error_has("a statement, or autotune_each(), is in progress")
               ? AUTOTUNE_OK
               : AUTOTUNE_FAILED;
}
static void not_within_a_statement(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, ((void)tile, shut_down_within()), .backend = &clock_one, .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}
/* Calls autotune_shutdown() in one call, and fails. The library does not know of a hit while the hit is in progress.
   The same holds for later calls of a key without a winner, which are only counted. So autotune_shutdown() succeeds
   within such a call. The failure must not use freed memory. */
static autotune_status shut_down_and_fail(int *calls, bool now) {
    if (!now) return spend(MILLISECOND), AUTOTUNE_OK;
    const autotune_status status = autotune_shutdown();
    CHECK(status == AUTOTUNE_OK || last_error_has("a statement, or autotune_each(), is in progress"));
    *calls += 1 + 1000 * (status == AUTOTUNE_OK);
    return AUTOTUNE_FAILED;
}
static void a_missed_call_may_fail_after_it(void) {
    for (int within = 2; within < 5; within++) {
        int calls = 0;
        for (int call = 0; call < within + 3; call++) {
            autotune_result result = {.status = AUTOTUNE_OK};
            AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1,
                     ((void)tile, shut_down_and_fail(&calls, call == within)), .name = "missed",
                     .mode = AUTOTUNE_CACHED, .backend = &clock_one, .result = &result);
            CHECK(result.status == (call == within ? AUTOTUNE_FAILED : AUTOTUNE_OK));
        }
        CHECK(calls == 1001);
        CHECK(autotune_shutdown() == AUTOTUNE_OK);
    }
}
static void a_hit_may_fail_after_it(void) {
    for (int call = 0; call < 3; call++) {
        autotune_result result = {.status = AUTOTUNE_OK};
        int calls = 0;
        AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, ((void)tile, shut_down_and_fail(&calls, call == 1)),
                 .name = "hit", .backend = &clock_one, .result = &result);
        CHECK(result.status == (call == 1 ? AUTOTUNE_FAILED : AUTOTUNE_OK));
        CHECK(call != 1 || calls == 1001);
    }
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}

int main(void) {
    static const plain_test tests[] = {
        {"everything is freed, and statements start anew", everything_is_freed_and_statements_start_anew},
        {"a thread needs little stack", a_thread_needs_little_stack},
        {"not within a statement", not_within_a_statement},
        {"a missed call may fail after it", a_missed_call_may_fail_after_it},
        {"a hit may fail after it", a_hit_may_fail_after_it},
    };
    use_new_folder();
    clock_one = virtual_backend("a clock");
    clock_two = clock_one;
    const int status = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return status;
}
