/* suite_cache_verify.c - AUTOTUNE_MODE=verify: is the winner of a record still the best? Every run of the program is a
   child process. The clock is virtual: the test sets the time of a configuration, and its noise. */
#define _DEFAULT_SOURCE
#include "expect.h"
#include "virtual_clock.h"
#include "cache_file.h"

#include <pthread.h>

/* ---- The program ------------------------------------------------------------------------------------------------- */

enum { TILES = 8 };
typedef struct seen { /* the figures of one run */
    autotune_result first, second;
    int trials, calls, called; /* trial launches, calls for real, and the tile of the last call for real */
    double value; /* the content of the buffer after the calls */
    char log[sizeof logged];
} seen;
static seen *now;
static double takes[TILES]; /* the time of each tile, in units of 10 microseconds */
/* fails: a tile that fails; works: the only tile that works; refuses: a tile that WHERE refuses. -1: none */
static int fails = -1, works = -1, refuses = -1;
static int first_trial_waits; /* the first trial waits so many milliseconds, so that another thread comes meanwhile */
static double value;
static autotune_mode mode;
static autotune_cache policy;
static autotune_status launch(int tile, bool trial) {
    while (trial && first_trial_waits-- > 0) usleep(1000);
    virtual_ns += (uint64_t)(1e4 * takes[tile]);
    value++;
    if (trial) now->trials++;
    else {
        now->calls++;
        now->called = tile;
    }
    return tile == fails || (works >= 0 && tile != works) ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void call(int key, autotune_result *result) {
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1), WHERE(tile != refuses)), 1, launch(tile, autotune_trial),
             .key = KEY(key), .name = "verified", .mode = mode, .cache = policy, .backend = virtual_backend(),
             .restore = BUFFERS({&value, sizeof value}), .result = result);
}
static void program(void) {
    call(0, &now->first);
    call(0, &now->second);
}
static seen run_of(void (*function)(void), const char *how) {
    seen *shared = (seen *)shared_memory(sizeof *shared), all;
    int status;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        alarm(300);
        now = shared;
        if (how) setenv("AUTOTUNE_MODE", how, 1);
        setenv("AUTOTUNE_LOG", "winner", 1);
        autotune_set_log(keep_line, NULL);
        function();
        now->value = value;
        memcpy(now->log, logged, sizeof logged);
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
static seen tune(void) { return run_of(program, "on"); }
static seen verify(void) { return run_of(program, "verify"); }

/* ---- What is written to verify.jsonl ----------------------------------------------------------------------------- */

static const char *line(void) { /* returns the last line of verify.jsonl, or "" if there is none */
    char path[300];
    bytes all;
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    all = read_file(path);
    if (!all.count) return "";
    cr_expect(sound_lines(all) == count_lines(all), "each line has its checksum");
    all.at[--all.count] = 0;
    return strrchr(all.at, '\n') ? strrchr(all.at, '\n') + 1 : all.at;
}
static size_t lines(void) {
    char path[300];
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    return count_lines(read_file(path));
}
static double number(const char *at, const char *name) {
    const char *member = strstr(at, name);
    cr_assert(member != NULL, "%s in %s", name, at);
    return strtod(member + strlen(name), NULL);
}
static char record[1 << 16];
static void keep_records(void) { snprintf(record, sizeof record, "%s", cache_bytes().at); }
static void records_are_as_before(void) { EXPECT_STRING(cache_bytes().at, record); }

static void begin(void) {
    const double distances[TILES] = {160, 130, 104, 100, 102, 115, 140, 300};
    use_new_folder();
    memcpy(takes, distances, sizeof takes);
}
TestSuite(verify, .init = begin, .fini = remove_folder);

Test(verify, a_winner_that_is_the_best_stays) {
    const seen tuned = tune();
    cr_assert(tuned.first.verdict == AUTOTUNE_SEPARATED || tuned.first.verdict == AUTOTUNE_TIE);
    keep_records();
    EXPECT_INT(lines(), 0);
    const seen s = verify();
    EXPECT_INT(s.first.status, AUTOTUNE_OK);
    EXPECT_INT(s.first.index, tuned.first.index);
    EXPECT_INT(s.first.verdict, tuned.first.verdict);
    EXPECT_INT(s.first.cache_hit, true);
    EXPECT_INT(s.first.median_ns, tuned.first.median_ns);
    EXPECT_INT(s.calls, 2);
    EXPECT_INT(s.second.launches, 1); /* a hit */
    EXPECT_INT((int)s.value, 2);      /* trials left no trace in the buffer */
    cr_expect(s.trials > 10 && s.trials < 1000);
    EXPECT_INT(lines(), 1);
    EXPECT_CONTAINS(line(), "{\"verified\":1,\"id\":\"");
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"rival\":{\"tile\":");
    cr_expect(number(line(), "\"lead\":") > 0);
    records_are_as_before();
}

Test(verify, a_winner_that_became_slower_is_used_and_told_of) {
    const seen tuned = tune();
    EXPECT_INT(tuned.first.index, 3);
    keep_records();
    takes[3] *= 1.05;
    const seen s = verify();
    EXPECT_INT(s.first.index, 3);
    EXPECT_INT(s.called, 3);
    EXPECT_INT(s.second.index, 3);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},");
    EXPECT_CONTAINS(line(), "\"rival\":{\"tile\":4},");
    cr_expect(number(line(), "\"lead_high\":") < -0.02);
    records_are_as_before();
}
Test(verify, a_winner_that_is_three_times_as_slow_is_not_cut_before_the_duel) {
    tune();
    takes[3] *= 3.5;
    const seen s = verify();
    EXPECT_INT(s.called, 3);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"rival\":");
    cr_expect(number(line(), "\"lead_high\":") < -0.5);
}
Test(verify, the_first_configuration_is_compared_though_it_was_no_finalist) {
    takes[0] = 250; /* it is no finalist: it takes more than twice the time of the best */
    tune();
    cr_assert(strstr(cache_bytes().at, "{\"config\":{\"tile\":0},\"stage\":\"screen\"") ||
              strstr(cache_bytes().at, "{\"config\":{\"tile\":0},\"stage\":\"halving\""));
    takes[0] = 60;
    verify();
    EXPECT_CONTAINS(line(), "\"rival\":{\"tile\":0},");
    cr_expect(number(line(), "\"lead_high\":") < -0.3);
}
Test(verify, the_first_configuration_is_the_first_that_where_admits) {
    refuses = 0;
    tune();
    takes[1] = 60;
    verify();
    EXPECT_CONTAINS(line(), "\"rival\":{\"tile\":1},");
}
Test(verify, the_first_configuration_may_be_the_winner) {
    takes[0] = 90;
    tune();
    const seen s = verify();
    EXPECT_INT(s.first.index, 0);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":0},");
    cr_expect(number(line(), "\"lead\":") > 0);
    cr_expect(number(line(), "\"compared\":") >= 2);
}
Test(verify, a_key_without_a_record_has_no_race_and_is_told_of_once) {
    const seen s = verify();
    EXPECT_INT(s.first.status, AUTOTUNE_OK);
    EXPECT_INT(s.first.verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(s.called, 0);
    EXPECT_INT(s.calls, 2);
    EXPECT_INT(s.trials, 0);
    EXPECT_INT(lines(), 1);
    EXPECT_CONTAINS(line(), "\"winner\":null,\"version\":");
    cr_expect(!cache_bytes().at, "there is no record");
}
/* the winner that is found for one key makes the stand-ins of other keys out of date */
static void unknown_known_unknown(void) {
    call(1, &now->first);
    call(0, &now->first);
    call(1, &now->second);
}
Test(verify, it_is_told_of_once_though_there_is_news) {
    tune();
    const seen s = run_of(unknown_known_unknown, "verify");
    EXPECT_INT(s.first.index, 3);
    EXPECT_INT(s.second.index, 0);
    EXPECT_INT(lines(), 2);
}
static void in_no_time(void) {
    setenv("AUTOTUNE_MAX_SECONDS", "0.022", 1);
    program();
}
Test(verify, where_time_is_up_nothing_is_shown_and_the_winner_stays) {
    tune();
    takes[3] *= 1.05;
    const seen s = run_of(in_no_time, "verify");
    EXPECT_INT(s.called, 3);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"rival\":{\"tile\":4},\"lead\":-0.0");
    EXPECT_CONTAINS(line(), "\"lead_low\":null,\"lead_high\":null,");
}
Test(verify, a_winner_that_fails_is_told_of) {
    tune();
    keep_records();
    fails = 3;
    const seen s = verify();
    EXPECT_INT(s.first.status, AUTOTUNE_OK);
    EXPECT_INT(s.called, 4); /* as in mode CACHED, the next best configuration of the record is called */
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"failed\":\"the launch failed\",\"rival\":null,\"lead\":null,");
    records_are_as_before();
}
Test(verify, a_winner_that_alone_works_has_nothing_to_be_compared_with) {
    /* works = 0: only the first configuration works; works = 1: only another one */
    for (works = 0; works < 2; works++) {
        if (works) cr_assert(remove(cache_file) == 0);
        tune();
        const seen s = verify();
        EXPECT_INT(s.called, works);
        EXPECT_CONTAINS(line(), "\"rival\":null,\"lead\":null,");
        cr_expect(!contains(line(), "\"failed\""), "%s", line());
    }
}
Test(verify, a_winner_that_where_refuses_is_told_of) {
    tune();
    refuses = 3;
    const seen s = verify();
    EXPECT_INT(s.first.status, AUTOTUNE_OK);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"failed\":\"WHERE refuses it\",");
}
Test(verify, who_may_not_tune_does_not_verify) {
    tune();
    mode = AUTOTUNE_CACHED;
    EXPECT_INT(verify().trials, 0);
    mode = AUTOTUNE_REQUIRE;
    EXPECT_INT(verify().trials, 0);
    mode = AUTOTUNE_ON;
    policy = AUTOTUNE_CACHE_READONLY;
    EXPECT_INT(verify().trials, 0);
    EXPECT_INT(lines(), 0);
}
static void read_only(void) {
    setenv("AUTOTUNE_CACHE", "readonly", 1);
    program();
}
Test(verify, a_cache_that_may_not_be_written_is_an_error_of_its_own) {
    tune();
    const seen s = run_of(read_only, "verify");
    EXPECT_INT(s.trials, 0);
    EXPECT_INT(s.called, 3);
    EXPECT_CONTAINS(s.log, "AUTOTUNE_MODE=verify: with AUTOTUNE_CACHE=readonly nothing is verified");
}
Test(verify, a_file_that_cannot_be_written_is_named_with_its_folder) {
    char path[300], expected[400];
    tune();
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    cr_assert(mkdir(path, 0700) == 0);
    snprintf(expected, sizeof expected, "%s: ", path);
    EXPECT_CONTAINS(verify().log, expected);
    cr_assert(rmdir(path) == 0);
}
static int key_of_second; /* the key of the second thread */
static void *call_first(void *result) {
    call(0, (autotune_result *)result);
    return NULL;
}
static void *call_second(void *result) {
    call(key_of_second, (autotune_result *)result);
    return NULL;
}
static void two_threads(void) {
    pthread_t threads[2];
    autotune_result results[2];
    pthread_create(&threads[0], NULL, call_first, &results[0]);
    pthread_create(&threads[1], NULL, call_second, &results[1]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    now->first = results[0];
    now->second = results[1];
}
static void two_keys(void) {
    call(0, &now->first);
    call(1, &now->second);
}
Test(verify, threads_verify_each_key_once) {
    run_of(two_keys, "on");
    first_trial_waits = 50;
    for (key_of_second = 0; key_of_second < 2; key_of_second++) {
        const seen s = run_of(two_threads, "verify");
        EXPECT_INT(s.first.index, 3);
        EXPECT_INT(s.second.index, 3);
        EXPECT_INT(lines(), key_of_second ? 3 : 1);
    }
}
Test(verify, a_record_of_another_compiler_is_verified_and_used) {
    char fingerprint[40];
    tune();
    snprintf(fingerprint, sizeof fingerprint, "%.32s", strstr(cache_bytes().at, "\"fingerprint\""));
    EXPECT_INT(edit_records(cache_file, fingerprint, "\"fingerprint\":\"00000000000000f1\""), 1);
    EXPECT_INT(edit_records(cache_file, "\"compiler\":\"", "\"compiler\":\"another "), 1);
    keep_records();
    const seen s = verify();
    EXPECT_INT(s.first.index, 3);
    EXPECT_INT(s.calls, 2);
    EXPECT_INT(s.second.launches, 1);
    EXPECT_CONTAINS(line(), "\"winner\":{\"tile\":3},\"rival\":");
    records_are_as_before();
    EXPECT_INT(edit_records(cache_file, "\"call\":\"", "\"call\":\"another "), 1);
    EXPECT_INT(verify().called, 0);
    EXPECT_CONTAINS(line(), "\"winner\":null,");
}
Test(verify, each_process_verifies) {
    tune();
    verify();
    verify();
    EXPECT_INT(lines(), 2);
}
Test(verify, a_torn_last_line_costs_no_other_one) {
    char path[300];
    tune();
    verify();
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    write_file(path, line(), strlen(line()) - 20);
    for (size_t more = 1; more < 3; more++) {
        verify();
        EXPECT_INT(lines(), 1 + more);
        EXPECT_INT(sound_lines(read_file(path)), more);
    }
}
Test(verify, the_margin_of_the_call_site_is_written) {
    tune();
    verify();
    cr_expect_eq(number(line(), "\"margin\":"), (double)0.002);
    setenv("AUTOTUNE_MARGIN", "0.05", 1);
    verify();
    unsetenv("AUTOTUNE_MARGIN");
    cr_expect_eq(number(line(), "\"margin\":"), (double)0.05);
}

/* ---- Created tuners ---------------------------------------------------------------------------------------------- */

static autotune_status run_created(void *user, const autotune_config *config) {
    (void)user;
    /* the function is not told what is a trial, so trials count as calls */
    return launch((int)autotune_get_int(config, "tile"), false);
}
static bool only_tunes;
static void created(void) {
    const int64_t tiles[TILES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = TILES};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = run_created};
    autotune_tuner *tuner = autotune_create(&desc);
    autotune_options options = {.key = KEY(1), .backend = virtual_backend(), .result = &now->first};
    cr_assert(tuner != NULL);
    if (only_tunes) EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_OK);
    options.result = &now->second;
    EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_OK);
    autotune_destroy(tuner);
}
Test(verify, created_tuners_verify) {
    run_of(created, "on");
    takes[3] *= 1.05;
    for (int i = 0; i < 2; i++) {
        only_tunes = i;
        const seen s = run_of(created, "verify");
        EXPECT_INT(s.second.index, 3);
        EXPECT_INT(s.called, 3);
        EXPECT_INT(lines(), i + 1);
        cr_expect(number(line(), "\"lead_high\":") < -0.02);
    }
}
