/* suite_failures.c - failure is data: configurations, winners and whole races that fail, bodies that are left, options
   that are wrong. Each failure must end in a status, one sentence, buffers as they were, and a program that goes on. */
#include "expect.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

enum { MOST = 16 };
static autotune_status outcome[MOST]; /* the status of each configuration's trials */
static size_t fails_from[MOST];       /* from which trial launch on a configuration fails; 0 counts as 1 */
static autotune_status final_outcome;
static size_t trials_of[MOST], trials, final_launches;
static int final_id;
static int32_t data[8]; /* each launch changes it */

static autotune_status launch(int id, bool trial) {
    virtual_ns += 50000 + 5000 * (uint64_t)id;
    for (int i = 0; i < 8; i++) data[i] += 100;
    if (!trial) {
        final_launches++;
        final_id = id;
        return final_outcome;
    }
    trials++;
    return ++trials_of[id] >= fails_from[id] ? outcome[id] : AUTOTUNE_OK;
}
static bool data_is(int32_t expected) {
    for (int i = 0; i < 8; i++)
        if (data[i] != expected + i) return false;
    return true;
}
static void start(void) { /* begins each test: keeps all lines of the log */
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 8; i++) data[i] = i;
}
static bool error_says(const char *part) { return contains(autotune_last_error(), part); }

static autotune_result tune(int key, int count, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1)), 1, launch(id, autotune_trial), .key = KEY(key), .mode = o.mode,
             .preset = o.preset, .strategy = o.strategy, .cache_state = o.cache_state, .max_seconds = o.max_seconds,
             .stop_at_ns = o.stop_at_ns, .margin = o.margin, .backend = o.backend ? o.backend : virtual_backend(),
             .restore = BUFFERS({data, sizeof data}), .result = &result);
    return result;
}
static const autotune_options no_options;

/* A text that is cut ends with dots, so a user sees that it is cut. */
Test(reasons, what_is_cut_shows_that) {
    cr_assert(autotune_reject("%0*d", 5000, 0) == AUTOTUNE_REJECTED);
    const char *const error = autotune_last_error();
    cr_assert(!strcmp(error + strlen(error) - 4, "0..."), "%s", error);
}
TestSuite(failures, .init = start);
TestSuite(online, .init = start);

/* ---- One configuration ------------------------------------------------------------------------------------------- */

Test(failures, a_failing_status_fails_its_configuration_alone) {
    outcome[0] = AUTOTUNE_FAILED;
    outcome[2] = AUTOTUNE_ERR_MEMORY;
    const autotune_result result = tune(1, 4, no_options);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 2 && result.tried == 4);
    cr_assert(trials_of[0] == 1 && trials_of[2] == 1, "a failed configuration is not launched again");
    cr_assert(contains(logged, "id=0  (the launch failed)") && contains(logged, "id=2  (out of memory)"), "%s", logged);
    cr_assert(data_is(100) && final_launches == 1);
}

static autotune_status reject_small(int id) {
    virtual_ns += 50000 - 1000 * (uint64_t)id;
    return id == 3 ? AUTOTUNE_REJECT("needs %d lanes, has %s", 8 * id, "16") : AUTOTUNE_OK;
}
Test(failures, a_rejected_configuration_is_recorded_with_its_reason) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, reject_small(id), .backend = virtual_backend(), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 1);
    cr_assert(contains(logged, "id=3  (needs 24 lanes, has 16)"), "%s", logged);
}

Test(failures, a_rejection_does_not_need_to_be_the_value_of_the_call) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, (void)reject_small(id), .backend = virtual_backend(), .result = &result);
    cr_assert(result.index == 2 && result.failed == 1);
}

Test(failures, a_block_rejects_and_continues) {
    autotune_result result;
    int finished = 0, started = 0;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 3, 1)), .backend = virtual_backend(), .result = &result) {
        started++;
        if (id == 2) {
            AUTOTUNE_REJECT("two is too much");
            continue;
        }
        virtual_ns += 50000 - 1000 * (uint64_t)id;
        finished++;
    }
    cr_assert(result.status == AUTOTUNE_OK && result.index == 3 && result.failed == 1);
    cr_assert_eq(started, finished + 1, "the rejected configuration was launched once");
    cr_assert_eq((size_t)started, result.launches);
    cr_assert(contains(logged, "id=2  (two is too much)"), "%s", logged);
}

Test(failures, continue_alone_is_the_end_of_a_launch_that_works) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 3, 1)), .backend = virtual_backend(), .result = &result) {
        virtual_ns += id == 2 ? 10000 : 50000;
        if (id == 2) continue;
    }
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 0);
}

Test(failures, in_the_middle_of_a_batch_the_failing_launch_is_the_last) {
    size_t launches = 0, ones = 0;
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 1, 1)), .backend = virtual_backend(), .result = &result) {
        virtual_ns += id ? 100 : 110;
        launches++;
        if (id == 1 && ++ones == 500) AUTOTUNE_REJECT("the five hundredth"); /* in the middle of a batch */
    }
    cr_assert(result.index == 0 && result.failed == 1 && ones == 500, "%zu", ones);
    cr_assert_eq(result.launches, launches);
}

/* ---- Errors of the backend's functions --------------------------------------------------------------------------- */

static autotune_status prepare_two_fails(autotune_backend *self, const autotune_config *config, uint64_t *prepared) {
    (void)self;
    *prepared = 0;
    return autotune_get_int(config, "id") == 2 ? AUTOTUNE_REJECTED : AUTOTUNE_OK;
}
Test(failures, a_configuration_that_cannot_be_prepared_is_not_launched) {
    autotune_backend backend = *virtual_backend();
    backend.prepare = prepare_two_fails;
    const autotune_result result = tune(1, 4, (autotune_options){.backend = &backend});
    cr_assert(result.status == AUTOTUNE_OK && result.index == 0 && result.failed == 1 && trials_of[2] == 0);
    cr_assert_eq(result.tried, 3u, "launched ones");
    cr_assert(contains(logged, "id=2  (the configuration does not work here)"), "%s", logged);
}

static autotune_error_class failed_is_the_device(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_FAILED ? AUTOTUNE_ERROR_DEVICE : AUTOTUNE_ERROR_CONFIGURATION;
}
static autotune_error_class failed_is_the_environment(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_FAILED ? AUTOTUNE_ERROR_ENVIRONMENT : AUTOTUNE_ERROR_CONFIGURATION;
}
static void stops_the_race(autotune_error_class (*classify)(autotune_backend *, autotune_status),
                           autotune_status expected) {
    static autotune_backend backend;
    backend = *virtual_backend();
    backend.classify = classify;
    outcome[1] = AUTOTUNE_REJECTED;
    outcome[3] = AUTOTUNE_FAILED;
    const autotune_result result = tune(1, 6, (autotune_options){.backend = &backend, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert_eq(result.status, expected);
    cr_assert(trials_of[3] == 1 && trials_of[4] == 0 && trials_of[5] == 0, "nothing is launched after the error");
    cr_assert_eq(final_launches, 0u);
    cr_assert(error_says("suite_failures.c:tune [key=1]") && error_says("id=3") && error_says("the launch failed"),
              "%s", autotune_last_error());
    cr_assert(data_is(0), "the buffers are as before, on every error");
    cr_assert_eq(result.launches, trials, "every run counts");
    cr_assert(result.tried == 4 && result.failed == 2);

    memset(outcome, 0, sizeof outcome); /* the errors above are not remembered, and no lock is held */
    backend.classify = NULL;
    cr_assert_eq(tune(1, 6, (autotune_options){.backend = &backend}).tried, 6u);
    cr_assert_eq(tune(2, 6, no_options).tried, 6u);
}
Test(failures, an_error_of_the_device_stops_the_race) { stops_the_race(failed_is_the_device, AUTOTUNE_ERR_DEVICE); }
Test(failures, an_error_of_the_environment_stops_the_race) {
    stops_the_race(failed_is_the_environment, AUTOTUNE_ERR_ENVIRONMENT);
}

static autotune_status prepare_fails(autotune_backend *self, const autotune_config *config, uint64_t *prepared) {
    (void)self;
    *prepared = 0;
    return autotune_get_int(config, "id") == 1 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
Test(failures, an_error_of_the_environment_in_a_preparation_stops_the_race_too) {
    autotune_backend backend = *virtual_backend();
    backend.prepare = prepare_fails;
    backend.classify = failed_is_the_environment;
    const autotune_result result = tune(1, 4, (autotune_options){.backend = &backend, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert_eq(result.status, AUTOTUNE_ERR_ENVIRONMENT);
    cr_assert(trials_of[2] == 0 && trials_of[3] == 0 && final_launches == 0 && data_is(0));
}

/* A device with its own clock. Its stop() may fail for one configuration. */
static int running, fails_in_stop;
static autotune_status stop_status;
static uint64_t started_ns;
static autotune_status start_clock(autotune_backend *self) { return (void)self, started_ns = virtual_ns, AUTOTUNE_OK; }
static autotune_status stop_clock(autotune_backend *self, double *ns) {
    (void)self;
    *ns = (double)(virtual_ns - started_ns);
    if (running != fails_in_stop) return AUTOTUNE_OK;
    autotune_explain("stopped in %d", running);
    return stop_status;
}
static autotune_error_class device_errors(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE : AUTOTUNE_ERROR_CONFIGURATION;
}
static autotune_backend *device_with_clock(int failing, autotune_status status) {
    static autotune_backend backend;
    backend = *virtual_backend();
    backend.start = start_clock;
    backend.stop = stop_clock;
    backend.classify = device_errors;
    fails_in_stop = failing;
    stop_status = status;
    return &backend;
}
static autotune_status run_on_device(int id, bool explains) {
    running = id;
    if (explains && outcome[id] != AUTOTUNE_OK) autotune_explain("launched %d", id);
    return launch(id, true);
}
static autotune_result tune_on_device(autotune_backend *backend, bool explains) {
    autotune_result result;
    running = -1;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, run_on_device(id, explains), .backend = backend, .result = &result,
             .strategy = AUTOTUNE_EXHAUSTIVE, .restore = BUFFERS({data, sizeof data}));
    return result;
}
Test(failures, what_shows_when_the_clock_stops_fails_the_launch) {
    const autotune_result result = tune_on_device(device_with_clock(1, AUTOTUNE_FAILED), true);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 0 && result.failed == 1 && trials_of[1] == 1);
    cr_assert(contains(logged, "id=1  (stopped in 1)"), "%s", logged);
}
Test(failures, the_first_failure_of_a_launch_is_the_one_that_counts) {
    outcome[1] = AUTOTUNE_REJECTED;
    tune_on_device(device_with_clock(1, AUTOTUNE_FAILED), true);
    cr_assert(contains(logged, "id=1  (launched 1)"), "%s", logged);
}
Test(failures, a_failure_without_a_reason_takes_none_from_what_follows) {
    outcome[1] = AUTOTUNE_REJECTED;
    tune_on_device(device_with_clock(1, AUTOTUNE_FAILED), false);
    cr_assert(contains(logged, "id=1  (the configuration does not work here)"), "%s", logged);
}
Test(failures, a_lost_device_counts_more_than_the_failure_before_it) {
    outcome[1] = AUTOTUNE_REJECTED;
    const autotune_result result = tune_on_device(device_with_clock(1, AUTOTUNE_ERR_DEVICE), true);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && trials_of[2] == 0 && data_is(0));
    cr_assert(error_says("id=1, and the call was not made: stopped in 1"), "%s", autotune_last_error());
}
Test(failures, a_reason_outside_of_statements_is_not_kept) {
    autotune_explain("nobody asked");
    outcome[1] = AUTOTUNE_FAILED;
    tune(1, 3, no_options);
    cr_assert(contains(logged, "id=1  (the launch failed)") && !contains(logged, "nobody asked"), "%s", logged);
}

/* ---- Nothing works ----------------------------------------------------------------------------------------------- */

Test(failures, when_all_fail_the_call_is_not_made) {
    for (int id = 0; id < 5; id++) outcome[id] = id % 2 ? AUTOTUNE_REJECTED : AUTOTUNE_FAILED;
    autotune_result result = tune(7, 5, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && result.tried == 5 && result.failed == 5 &&
              result.launches == 5);
    cr_assert(trials == 5 && final_launches == 0 && data_is(0));
    cr_assert(error_says("suite_failures.c:tune [key=7]: none of 5 configurations works"), "%s", autotune_last_error());
    cr_assert(
        error_says(
            "id=0: the launch failed; id=1: the configuration does not work here; and 3 more"),
        "%s", autotune_last_error());
    cr_assert(contains(logged, autotune_last_error()), "and the log says it too");
}

/* The library remembers a key without a working configuration: calls of this key launch nothing. */
static void fails_again(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && result.launches == 0 && result.tried == 0 &&
              final_launches == 0);
    cr_assert(error_says("none of 5 configurations works"), "%s", autotune_last_error());
}
static autotune_result tune_elsewhere(int key, const char *version) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 4, 1)), 1, launch(id, autotune_trial), .name = "twice", .version = version,
             .key = KEY(key), .backend = virtual_backend(), .result = &result);
    return result;
}
static autotune_result tune_here(int key, const char *version, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 4, 1)), 1, launch(id, autotune_trial), .name = "twice", .version = version,
             .key = KEY(key), .mode = mode, .backend = virtual_backend(), .result = &result);
    return result;
}
static void fail_all(void) {
    for (int id = 0; id < 5; id++) outcome[id] = AUTOTUNE_FAILED;
    cr_assert(tune_here(1, NULL, AUTOTUNE_ON).status == AUTOTUNE_ERR_ALL_FAILED && trials == 5);
}
Test(failures, a_key_that_does_not_work_is_not_tried_again) {
    fail_all();
    const size_t lines = logged_lines[AUTOTUNE_LOG_ERRORS];
    for (int i = 0; i < 3; i++) {
        (void)autotune_create(NULL); /* sets another last error */
        fails_again(tune_here(1, NULL, AUTOTUNE_ON));
    }
    fails_again(tune_elsewhere(1, NULL));
    fails_again(tune_elsewhere(1, NULL));
    cr_assert(trials == 5 && logged_lines[AUTOTUNE_LOG_ERRORS] == lines + 3, "it was said once");
    memset(outcome, 0, sizeof outcome);
    cr_assert(tune_here(2, NULL, AUTOTUNE_ON).status == AUTOTUNE_OK, "another key is raced");
    final_launches = 0;
    fails_again(tune_here(1, NULL, AUTOTUNE_ON));
    cr_assert(tune_here(1, "2", AUTOTUNE_ON).status == AUTOTUNE_OK && final_launches == 1, "another version is tried");
}
Test(failures, force_tries_a_key_that_does_not_work_once_more) {
    fail_all();
    cr_assert(tune_here(1, NULL, AUTOTUNE_FORCE).status == AUTOTUNE_ERR_ALL_FAILED && trials == 10);
    fails_again(tune_here(1, NULL, AUTOTUNE_FORCE));
    fails_again(tune_here(1, NULL, AUTOTUNE_ON));
    cr_assert_eq(trials, 10u);
    memset(outcome, 0, sizeof outcome);
    cr_assert(tune_here(2, NULL, AUTOTUNE_ON).status == AUTOTUNE_OK, "something becomes known");
    trials = 10;
    final_launches = 0;
    fails_again(tune_here(1, NULL, AUTOTUNE_FORCE));
    cr_assert_eq(trials, 10u);
}
Test(failures, force_may_find_that_a_key_works_after_all) {
    fail_all();
    memset(outcome, 0, sizeof outcome);
    cr_assert(tune_here(1, NULL, AUTOTUNE_FORCE).status == AUTOTUNE_OK && final_launches == 1);
    cr_assert(tune_here(1, NULL, AUTOTUNE_ON).cache_hit && tune_elsewhere(1, NULL).cache_hit);
}
Test(failures, what_is_cleared_is_tried_again) {
    fail_all();
    memset(outcome, 0, sizeof outcome);
    cr_assert(autotune_clear("twice", NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    cr_assert(tune_here(1, NULL, AUTOTUNE_ON).status == AUTOTUNE_OK && final_launches == 1);
}

Test(failures, what_is_cleared_and_fails_again_says_why_it_failed_last) {
    fail_all();
    for (int id = 0; id < 5; id++) outcome[id] = AUTOTUNE_REJECTED;
    cr_assert(autotune_clear("twice", NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    for (int i = 0; i < 3; i++) {
        (void)autotune_create(NULL);            /* sets another last error */
        cr_assert(tune_here(1, NULL, AUTOTUNE_ON).status == AUTOTUNE_ERR_ALL_FAILED && trials == 10);
        cr_assert(error_says("id=0: the configuration does not work here"), "%s", autotune_last_error());
    }
}

Test(failures, an_empty_space_makes_no_call) {
    autotune_result result;
    const int limit = -1;
    AUTOTUNE(SPACE(RANGE(id, 0, 4, 1), WHERE(id <= limit)), 1, launch(id, autotune_trial), .key = KEY(3),
             .backend = virtual_backend(), .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_SPACE && result.space_size == 0 && result.launches == 0 &&
              trials + final_launches == 0);
    cr_assert(error_says("suite_failures.c:") && error_says("[3]") &&
                  error_says("leave none of 5 configurations that were looked at (5 by WHERE(id <= limit)), so"),
              "%s", autotune_last_error());
}

/* In the tests failures_on_stderr neither the environment nor the program sets the log. */

/* The library escapes characters that a terminal would obey: control characters below and above 127, and bytes that are
   no UTF-8. */
Test(failures_on_stderr, control_characters_are_escaped, .init = cr_redirect_stderr) {
    char line[1024] = "";
    AUTOTUNE(SPACE(AXIS(x, 1)), 1, (void)x, .max_seconds = -1,
             .name = "\x1b[2J bell\a \xc2\x9b \xff \xc3\xa9 \xe2\x82\xac");
    fflush(stderr);
    FILE *said = cr_get_redirected_stderr();
    cr_assert_not_null(fgets(line, sizeof line, said));
    static const char shown[] = "autotune: \\u001b[2J bell\\u0007 \\u009b \\udcff \xc3\xa9 \xe2\x82\xac: ";
    cr_assert(!strncmp(line, shown, sizeof shown - 1), "%s", line);
    cr_assert_not_null(strstr(autotune_last_error(), "\x1b[2J"), "what a program is told is not for a terminal");
}
Test(failures_on_stderr, a_statement_that_did_not_make_its_call_says_so_in_one_sentence, .init = cr_redirect_stderr) {
    char line[512] = "", rest[512] = "";
    outcome[0] = outcome[1] = AUTOTUNE_FAILED;
    tune(1, 2, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE});
    fflush(stderr);
    FILE *said = cr_get_redirected_stderr();
    cr_assert(fgets(line, sizeof line, said));
    cr_assert(
        contains(
            line,
            "autotune: suite_failures.c:tune [key=1]: none of 2 configurations works, so the call was not made: id=0: "
            "the launch failed"),
        "%s", line);
    cr_assert_not(fgets(rest, sizeof rest, said), "more than one line: %s", rest);
}

/* ---- Winners that fail ------------------------------------------------------------------------------------------- */

Test(failures, a_hit_that_fails_is_returned_as_it_is_and_tuned_again_next_time) {
    autotune_result result = tune(1, 3, no_options);
    cr_assert(result.index == 0 && final_launches == 1);
    const size_t before = trials;
    final_outcome = AUTOTUNE_FAILED;
    logged[0] = 0;
    result = tune(1, 3, no_options);
    cr_assert(result.status == AUTOTUNE_FAILED && result.cache_hit && result.launches == 1);
    cr_assert(trials == before && final_launches == 2, "it is not run again");
    cr_assert(error_says("tune") && error_says("the winner failed") && error_says("the launch failed"), "%s",
              autotune_last_error());
    cr_assert_eq(data[0], 200, "what the failed call did stays");
    final_outcome = AUTOTUNE_OK;
    outcome[0] = AUTOTUNE_FAILED; /* the old winner does not work now */
    result = tune(1, 3, no_options);
    cr_assert(result.status == AUTOTUNE_OK && !result.cache_hit && result.index == 1 && trials > before &&
              final_id == 1);
    result = tune(1, 3, no_options);
    cr_assert(result.cache_hit && result.index == 1);
}

Test(failures, a_failing_hit_leaves_other_keys_alone) {
    for (int key = 0; key < 20; key++) tune(key, 3, no_options);
    final_outcome = AUTOTUNE_FAILED;
    tune(7, 3, no_options);
    final_outcome = AUTOTUNE_OK;
    for (int key = 0; key < 20; key++) cr_assert_eq(tune(key, 3, no_options).cache_hit, key != 7, "key %d", key);
    for (int key = 0; key < 20; key++) cr_assert(tune(key, 3, no_options).cache_hit);
}

Test(failures, a_final_launch_that_fails_is_not_remembered) {
    final_outcome = AUTOTUNE_FAILED;
    autotune_result result = tune(1, 3, no_options);
    cr_assert(result.status == AUTOTUNE_FAILED && !result.cache_hit && final_launches == 1);
    cr_assert(error_says("suite_failures.c:tune [key=1]") && error_says("the launch failed"), "%s",
              autotune_last_error());
    cr_assert(data_is(100), "it was launched once, from the original");
    const size_t before = trials;
    final_outcome = AUTOTUNE_OK;
    result = tune(1, 3, no_options);
    cr_assert(result.status == AUTOTUNE_OK && !result.cache_hit && trials > before);
    cr_assert(tune(1, 3, no_options).cache_hit);
}

Test(failures, a_rejection_in_the_final_launch_is_its_status_and_reason) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1,
             ((void)id, virtual_ns += 50000, (void)(autotune_trial ? AUTOTUNE_OK : AUTOTUNE_REJECT("not for real"))),
             .backend = virtual_backend(), .result = &result);
    cr_assert_eq(result.status, AUTOTUNE_REJECTED);
    cr_assert(error_says("not for real"), "%s", autotune_last_error());
}

/* Two kinds of calls share a key. A configuration that works for one kind fails for the other kind. */
static autotune_result tune_kind(int kind) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1,
             (id > 0) != kind ? launch(id, autotune_trial) : AUTOTUNE_REJECT("%d is not of kind %d", id, kind),
             .backend = virtual_backend(), .result = &result);
    return result;
}
Test(failures, a_key_that_lacks_a_part_is_not_raced_each_time) {
    size_t races = 0;
    for (int call = 0; call < 20; call++) {
        const autotune_result result = tune_kind(call % 2);
        cr_assert(result.status == AUTOTUNE_OK && final_launches == (size_t)call + 1, "call %d is made once", call);
        cr_assert_eq(final_id > 0, call % 2 == 0);
        races += result.tried > 0;
    }
    cr_assert_eq(races, 3u);
    cr_assert_eq(count_of(logged, "1 is not of kind 1, the third time that a winner of this key fails after it was "
                                  "found: .key seems to lack a part"), 1u, "%s", logged);
}

/* ---- Bodies that are left ---------------------------------------------------------------------------------------- */

static int leaves;        /* the configuration whose trials leave the body; -1: none */
static size_t left_after; /* how many launches of this test come before the body is left */
static bool leaves_calls; /* calls for real leave the body, too */
static size_t block_launches, block_of[4];

static autotune_result tune_block(autotune_mode mode) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 3, 1)), .backend = virtual_backend(), .mode = mode, .result = &result) {
        block_launches++;
        block_of[id]++;
        virtual_ns += 50000 - 2000 * (uint64_t)id;
        if ((autotune_trial || leaves_calls) && id == leaves && block_launches > left_after) break;
    }
    return result;
}

Test(failures, after_a_body_was_left_the_next_call_tunes_without_that_configuration) {
    leaves = 3;
    autotune_result result = tune_block(AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_ERR_LEFT && block_of[3] == 1);
    cr_assert(error_says("id=3") && error_says("left the body") && error_says("the next call tunes without it"), "%s",
              autotune_last_error());
    cr_assert_eq(result.launches, block_launches, "the launch that was left counts");
    result = tune_block(AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && block_of[3] == 1, "index %zu", result.index);
    cr_assert_eq(result.failed, 1u);
    cr_assert(contains(logged, "id=3  (left the body)"), "%s", logged);
    result = tune_block(AUTOTUNE_ON);
    cr_assert(result.cache_hit && result.index == 2);
}

Test(failures, after_a_body_was_left_twice_the_key_stays_on_the_first_configuration) {
    leaves = 3;
    cr_assert_eq(tune_block(AUTOTUNE_ON).status, AUTOTUNE_ERR_LEFT);
    leaves = 1;
    cr_assert_eq(tune_block(AUTOTUNE_ON).status, AUTOTUNE_ERR_LEFT);
    cr_assert(error_says("id=1") && error_says("stays on the first configuration"), "%s", autotune_last_error());
    const size_t before = block_launches;
    leaves = -1;
    for (size_t call = 1; call <= 3; call++) {
        const autotune_result result = tune_block(AUTOTUNE_ON);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 0 && result.verdict == AUTOTUNE_DEFAULT &&
                  result.launches == 1);
        cr_assert_eq(block_launches, before + call);
    }
}

Test(online, after_a_call_left_its_body_a_race_leaves_out_that_configuration) {
    autotune_result result;
    leaves = 3;
    leaves_calls = true;
    do {
        result = tune_block(AUTOTUNE_ONLINE);
        cr_assert_lt(block_launches, 100u);
    } while (result.status == AUTOTUNE_OK);
    cr_assert(result.status == AUTOTUNE_ERR_LEFT && block_of[3] == 1);
    result = tune_block(AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 1, "index %zu", result.index);
    cr_assert(block_of[3] == 1 && contains(logged, "id=3  (left the body)"), "%s", logged);
}

Test(failures, a_body_that_is_left_later_in_the_race) {
    leaves = 2;
    left_after = 12;
    autotune_result result = tune_block(AUTOTUNE_ON);
    cr_assert_eq(result.status, AUTOTUNE_ERR_LEFT);
    cr_assert_eq(result.launches, block_launches);
    cr_assert(block_launches > 12);
    result = tune_block(AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 3);
}

static int return_from_a_trial(autotune_result *result) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 3, 1)), .backend = virtual_backend(), .result = result) {
        virtual_ns += 50000 + (uint64_t)id;
        if (autotune_trial) return 1;
    }
    return 0;
}
Test(failures, return_leaves_the_tuner_usable) {
    autotune_result result;
    cr_assert_eq(return_from_a_trial(&result), 1);
    cr_assert_eq(result.status, AUTOTUNE_ERR_LEFT);
    cr_assert_eq(return_from_a_trial(&result), 1);
    cr_assert_eq(result.status, AUTOTUNE_ERR_LEFT);
    cr_assert_eq(return_from_a_trial(&result), 0, "the first configuration, for real");
    cr_assert(result.status == AUTOTUNE_OK && result.index == 0);
    cr_assert_eq(tune(1, 3, no_options).status, AUTOTUNE_OK, "and nothing stays locked");
}

/* A body may be left in the call for real: this is no failure. */
Test(failures, a_break_out_of_the_final_launch_is_no_failure) {
    autotune_result result[2];
    for (int call = 0; call < 2; call++)
        AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 1, 1)), .backend = virtual_backend(), .result = &result[call]) {
            virtual_ns += 50000 + (uint64_t)id;
            if (!autotune_trial) break;
        }
    cr_assert(result[0].status == AUTOTUNE_OK && !result[0].cache_hit);
    cr_assert(result[1].status == AUTOTUNE_OK && result[1].cache_hit);
}

/* ---- The error of a thread --------------------------------------------------------------------------------------- */

static char error_elsewhere[1024], error_before[1024];
static void *fail_elsewhere(void *unused) {
    (void)unused;
    snprintf(error_before, sizeof error_before, "%s", autotune_last_error());
    tune(22, 2, no_options);
    snprintf(error_elsewhere, sizeof error_elsewhere, "%s", autotune_last_error());
    return NULL;
}
Test(failures, the_last_error_is_the_thread_s_own) {
    pthread_t thread;
    cr_assert_str_empty(autotune_last_error());
    outcome[0] = outcome[1] = AUTOTUNE_FAILED;
    tune(11, 2, no_options);
    cr_assert(error_says("[key=11]"), "%s", autotune_last_error());
    cr_assert_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_str_empty(error_before);
    cr_assert(contains(error_elsewhere, "[key=22]"), "%s", error_elsewhere);
    cr_assert(error_says("[key=11]"), "%s", autotune_last_error());
}

/* ---- Options that are wrong -------------------------------------------------------------------------------------- */

static void is_refused(autotune_options o, const char *part, const char *other_part) {
    static int key;
    trials = final_launches = 0;
    const autotune_result result = tune(++key, 3, o);
    cr_assert_eq(result.status, AUTOTUNE_ERR_ARGUMENT, "'%s': status %d", part, (int)result.status);
    cr_assert(trials == 0 && final_launches == 1 && final_id == 0,
              "the call is made once, with the first configuration");
    cr_assert(result.verdict == AUTOTUNE_DEFAULT && result.index == 0 && result.launches == 1 && result.tried == 0 &&
              !result.cache_hit);
    cr_assert(error_says("suite_failures.c:tune") && error_says(part) && error_says(other_part), "%s",
              autotune_last_error());
    cr_assert_not(tune(key, 3, no_options).cache_hit, "nothing was remembered");
}

Test(failures, wrong_options_are_named_and_nothing_is_tuned) {
    is_refused((autotune_options){.mode = (autotune_mode)99}, ".mode is 99",
               "AUTOTUNE_ON, _OFF, _CACHED, _REQUIRE, _FORCE");
    is_refused((autotune_options){.preset = (autotune_preset)7}, ".preset is 7", "AUTOTUNE_BALANCED, _FAST, _THOROUGH");
    is_refused((autotune_options){.strategy = (autotune_strategy)12}, ".strategy is 12",
               "AUTOTUNE_AUTO, _EXHAUSTIVE, _RANDOM");
    is_refused((autotune_options){.cache_state = (autotune_cache_state)3}, ".cache_state is 3", "AUTOTUNE_HOT, _COLD");
    is_refused((autotune_options){.max_seconds = -0.5}, ".max_seconds is -0.5", "seconds");
    is_refused((autotune_options){.max_seconds = NAN}, ".max_seconds", "seconds");
    is_refused((autotune_options){.max_seconds = INFINITY}, ".max_seconds", "seconds");
    is_refused((autotune_options){.margin = -0.01}, ".margin is -0.01", "as 0.02");
    is_refused((autotune_options){.margin = 2}, ".margin is 2", "up to 1");
    is_refused((autotune_options){.stop_at_ns = -1}, ".stop_at_ns is -1", "nanoseconds");
    is_refused((autotune_options){.stop_at_ns = NAN}, ".stop_at_ns", "nanoseconds");
}

Test(failures, a_backend_needs_all_its_functions) {
    for (int missing = 0; missing < 9; missing++) {
        autotune_backend backend = *virtual_backend();
        switch (missing) {
        case 0: backend.device = NULL; break;
        case 1: backend.now = NULL; break;
        case 2: backend.allocate = NULL; break;
        case 3: backend.release = NULL; break;
        case 4: backend.copy = NULL; break;
        case 5: backend.fill = NULL; break;
        case 6: backend.read = NULL; break;
        case 7: backend.write = NULL; break;
        default: backend.flush = NULL; break;
        }
        is_refused((autotune_options){.backend = &backend}, ".backend lacks", "autotune_cpu()");
    }
    autotune_backend half = *virtual_backend();
    half.start = start_clock;
    is_refused((autotune_options){.backend = &half}, ".backend has start() and no stop()", "");
    autotune_backend empty = {0};
    is_refused((autotune_options){.backend = &empty}, ".backend lacks", "autotune_cpu()");
}

Test(failures, a_wrong_option_is_logged_once_for_each_call_site) {
    for (int key = 0; key < 5; key++) tune(key, 3, (autotune_options){.max_seconds = -1});
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 1u, "%s", logged);
    cr_assert(error_says("[key=4]"), "the last error is that of the last call: %s", autotune_last_error());
}

Test(failures, the_first_configuration_of_an_untuned_call_is_one_that_is_admitted) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 5, 1), WHERE(id >= 2), PRIORITY(id == 2 ? -1 : 0)), 1, launch(id, autotune_trial),
             .backend = virtual_backend(), .max_seconds = -1, .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_ARGUMENT && result.index == 3 && final_id == 3 && final_launches == 1 &&
              trials == 0);
    cr_assert_eq(autotune_get_int(&result.config, "id"), 3);
}

Test(failures, an_untuned_call_that_fails_says_how) {
    final_outcome = AUTOTUNE_FAILED;
    const autotune_result result = tune(1, 3, (autotune_options){.max_seconds = -1});
    cr_assert(result.status == AUTOTUNE_FAILED && final_launches == 1);
}

Test(failures, a_status_of_the_calls_own_is_handed_on, .init = start) {
    final_outcome = (autotune_status)200;
    cr_assert_eq((int)tune(1, 2, no_options).status, 200);
}
