/* suite_cache_guesses.c - .unseen = AUTOTUNE_GUESS. A key that was never tuned launches a guess from keys of this
   process and of records on disk. The tests check how long a guess is used, and what it must not change. An earlier run
   of a program is a child process here. Allocations fail if a test asks for it. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "opened.h"
#include "expect.h"
#include "virtual_clock.h"
#include "cache_file.h"

/* ---- The tuner: how long its eight configurations take for a key ------------------------------------------------- */

enum { CONFIGS = 8, STEADY = 7 };
static int trials, calls, launched, failing = -1, refused = -1;
static autotune_mode mode;
static autotune_cache policy;
static autotune_unseen unseen;
static const char *kind, *version;
static bool transposed;

/* Each key has one fastest configuration, which is slow for other keys. STEADY is nearly as fast for every key. */
static uint64_t cost(int n, int id) {
    return id == STEADY ? 11000 : id == abs(n) / 10 % STEADY ? 10000 : (uint64_t)(20000 + 100 * id);
}
static autotune_status launch(bool trial, int n, int id) {
    virtual_ns += cost(n, id);
    if (trial) trials++;
    else calls++, launched = id;
    return id == failing ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static autotune_result tune(int n) {
    static char buffer[16];
    autotune_result result;
    trials = calls = 0;
    launched = -1;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGS - 1, 1), WHERE(id != refused)), 1, launch(autotune_trial, n, id),
             .name = "guess", .key = KEY(n, kind, transposed), .version = version, .mode = mode, .cache = policy,
             .unseen = unseen, .restore = BUFFERS({buffer, sizeof buffer}), .backend = virtual_backend(),
             .result = &result);
    return result;
}
static void race(int n) {
    const autotune_unseen asked = unseen;
    unseen = AUTOTUNE_RACE;
    const autotune_result result = tune(n);
    cr_assert(result.status == AUTOTUNE_OK && trials >= CONFIGS - 1 && (int)result.index == abs(n) / 10 % STEADY);
    unseen = asked;
}
static void race_four(void) {
    for (int n = 100; n <= 130; n += 10) race(n);
}
static void is_guessed(autotune_result result, int id, const char *from) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.verdict, AUTOTUNE_GUESSED);
    EXPECT_STRING(autotune_verdict_text(result.verdict), "guessed");
    EXPECT_STRING(result.guessed_from, from);
    EXPECT_INT(result.index, id);
    EXPECT_INT(launched, id);
    EXPECT_INT(calls, 1);
    EXPECT_INT(trials, 0);
    EXPECT_INT(result.launches, 1);
    cr_expect(result.cache_hit && is_nan(result.median_ns));
}
/* The second call tests the hit. */
static void guesses(int n, int id, const char *from) {
    is_guessed(tune(n), id, from);
    is_guessed(tune(n), id, from);
}
static void is_raced(int n) {
    const autotune_result result = tune(n);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    cr_expect(result.verdict != AUTOTUNE_GUESSED && !result.guessed_from && trials > 0);
}

static void run(void (*what)(void)) {           /* runs `what` in a new process */
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        alarm(600);                             /* if a check fails here, the process may hang */
        what();
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS,
              "status %x", (unsigned)status);
}
static void begin(void) {
    use_new_folder();
    unseen = AUTOTUNE_GUESS;
    autotune_set_log(keep_line, NULL);
}
static void end(void) {
    (void)autotune_shutdown(); /* otherwise the end of the process would write misses, and make the folder again */
    remove_folder();
}
TestSuite(guesses, .init = begin, .fini = end);
TestSuite(online, .init = begin, .fini = end);

/* Another process writes the same lines into the same file in another order; only the last line stays. A guess reads
   several lines, which are not at their old places. Later calls still find all keys. */
static void the_lines_move(void) {
    mode = AUTOTUNE_REQUIRE;
    cr_assert_eq(tune(130).status, AUTOTUNE_OK);
    const bytes all = cache_bytes();
    size_t ends[3], end = 0;
    for (int i = 0; i < 3; i++) ends[i] = end = (size_t)(strchr(all.at + end, '\n') + 1 - all.at);
    char *text = kept(all.count);
    memcpy(text, all.at + ends[1], ends[2] - ends[1]);
    memcpy(text + ends[2] - ends[1], all.at, ends[1]);
    memcpy(text + ends[2], all.at + ends[2], all.count - ends[2]);
    write_file(cache_file, text, all.count);
    mode = AUTOTUNE_CACHED;
    (void)tune(104);
    mode = AUTOTUNE_REQUIRE;
    for (int n = 100; n <= 120; n += 10) cr_assert(tune(n).cache_hit && launched == n / 10 % STEADY, "%d", n);
}
Test(guesses, of_a_file_whose_lines_moved) {
    run(race_four);
    run(the_lines_move);
}

/* ---- Which configuration ----------------------------------------------------------------------------------------- */

Test(guesses, the_least_mean_at_the_four_nearest_keys) {
    race(60);
    race_four();
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    EXPECT_INT(all_logged_lines(), 0);
}
Test(guesses, and_of_records) {
    run(race_four);
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    race(115);
    /* from the race in this process and from the records, each key once */
    guesses(114, STEADY, "4 keys, the nearest n=115, kind=NULL, transposed=0");
}
Test(guesses, and_of_what_another_build_measured) {
    run(race_four);
    cr_assert_eq(edit_records(cache_file, "{\"config\":{\"id\":7},\"stage\"", "{\"moved\":{\"id\":7},\"stage\""), 4u);
    cr_assert_eq(edit_records(cache_file, ",\"configurations\":[",
                              ",\"former\":[{\"config\":{\"id\":7},\"ratio\":1.1}],\"configurations\":["), 4u);
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
}
Test(guesses, and_of_what_was_loaded) {
    run(race_four);
    const bytes all = cache_bytes();
    remove(cache_file);
    EXPECT_INT(autotune_load_text(all.at, all.count), AUTOTUNE_OK);
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
}
Test(guesses, without_the_cache_too) {
    policy = AUTOTUNE_CACHE_OFF;
    race_four();
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
}
static void race_one(void) { race(100); }
Test(guesses, the_winner_of_the_only_key) {
    run(race_one);
    guesses(104, 100 / 10 % STEADY, "1 key, the nearest n=100, kind=NULL, transposed=0");
}
Test(guesses, configurations_without_a_time_at_one_of_the_keys_do_not_count) {
    race(110), race(120);
    refused = STEADY;
    race(80);
    refused = -1;
    /* At the three keys STEADY has only two times, so other configurations are guessed. 80 / 10 % 7 is 1, 110 is 4, 120
       is 5. */
    guesses(114, 1, "3 keys, the nearest n=110, kind=NULL, transposed=0");
}
static int only_at;
/* while only_at is not 0, a key has only the configurations only_at and n / 100 */
static autotune_result tune_apart(int n) {
    autotune_result result;
    trials = calls = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGS - 1, 1), WHERE(!only_at || id == only_at || id == n / 100)), 1,
             launch(autotune_trial, n, id), .name = "apart", .key = KEY(n),
             .unseen = only_at ? AUTOTUNE_RACE : AUTOTUNE_GUESS, .backend = virtual_backend(), .result = &result);
    return result;
}
Test(guesses, two_keys_where_four_have_nothing_in_common_and_else_the_nearest) {
    only_at = 5, (void)tune_apart(110);
    only_at = 6, (void)tune_apart(260);         /* n / 100 is 2, so configuration 2 has a time here */
    only_at = 5, (void)tune_apart(280);
    only_at = 0;
    is_guessed(tune_apart(200), 2, "2 keys, the nearest n=260");
    /* the second key with a time is n=260, which is farther */
    is_guessed(tune_apart(140), 1, "1 key, the nearest n=110");
}

/* ---- Which keys are near ----------------------------------------------------------------------------------------- */

Test(guesses, up_to_a_factor_of_two) {
    race(100);
    guesses(200, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    guesses(50, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    is_raced(201);
    is_raced(49);
    race(-100);
    guesses(-150, 3, "1 key, the nearest n=-100, kind=NULL, transposed=0");
    is_raced(0);
    is_raced(-1);
}
static void race_strings(void) {
    kind = "a\"b";
    race(100);
    transposed = true;
    race(110);
}
static void what_is_no_number_is_equal(void) {
    kind = "a\"b";
    transposed = true;
    guesses(104, 110 / 10 % STEADY, "1 key, the nearest n=110, kind=a\"b, transposed=1");
    transposed = false;
    guesses(104, 3, "1 key, the nearest n=100, kind=a\"b, transposed=0");
    kind = "ab";
    is_raced(105);
    kind = NULL;
    is_raced(105);
}
Test(guesses, what_is_no_number_is_equal) {
    policy = AUTOTUNE_CACHE_OFF;
    race_strings();
    what_is_no_number_is_equal();
}
Test(guesses, what_is_no_number_is_equal_in_records) {
    run(race_strings);
    what_is_no_number_is_equal();
}
Test(guesses, what_is_known_from_both_counts_once_with_strings_too) {
    race_strings();
    what_is_no_number_is_equal();
}
static autotune_result tune_string(int n, const char *string) {
    autotune_result result;
    trials = calls = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGS - 1, 1)), 1, launch(autotune_trial, n, id), .name = "strings shown",
             .key = KEY(n, string), .unseen = AUTOTUNE_GUESS, .backend = virtual_backend(), .result = &result);
    return result;
}
Test(guesses, what_a_terminal_would_obey_is_escaped_in_a_result) {
    static const char hostile[] = "\x1b[2J\n\xc2\x9b\xe2\x80\xae\xff";
    cr_assert(tune_string(100, hostile).tried == CONFIGS);
    const autotune_result first = tune_string(104, hostile), hit = tune_string(104, hostile);
    EXPECT_STRING(first.guessed_from, "1 key, the nearest n=100, string=\\u001b[2J\\u000a\\u009b\\u202e\\udcff");
    EXPECT_STRING(hit.guessed_from, first.guessed_from);
}
static autotune_result tune_typed(int which, double x, uint64_t n) {
    autotune_result result;
    trials = calls = 0;
#define TYPED(...)                                                                                                  \
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGS - 1, 1)), 1, launch(autotune_trial, (int)x, id), .name = "typed",           \
             .key = KEY(__VA_ARGS__), .unseen = AUTOTUNE_GUESS, .backend = virtual_backend(), .result = &result)
    if (which == 0) TYPED(x, n);
    else if (which == 1) TYPED(x, (int)n);
    else TYPED(n);
#undef TYPED
    return result;
}
static void race_typed(void) { cr_assert(tune_typed(0, 100.5, UINT64_C(0x8000000000000001)).tried == CONFIGS); }
static void keys_have_the_same_parts(void) {
    EXPECT_INT(tune_typed(0, 104, UINT64_C(0x8000000000000002)).verdict, AUTOTUNE_GUESSED);
    EXPECT_INT(tune_typed(0, 104, UINT64_C(0x3000000000000002)).tried, CONFIGS);
    EXPECT_INT(tune_typed(1, 104, 77).tried, CONFIGS);
    EXPECT_INT(tune_typed(2, 104, UINT64_C(0x8000000000000002)).tried, CONFIGS);
}
Test(guesses, keys_have_the_same_parts) {
    setenv("AUTOTUNE_CACHE", "off", 1);
    race_typed();
    keys_have_the_same_parts();
}
Test(guesses, keys_have_the_same_parts_in_records) {
    run(race_typed);
    keys_have_the_same_parts();
}
static void race_of_a_version(void) {
    version = "2";
    race(100);
}
Test(guesses, other_versions_and_devices_do_not_count) {
    run(race_of_a_version);
    virtual_backend()->device = "another";
    version = "3";
    run(race_one);
    virtual_backend()->device = "virtual";
    is_raced(104);
}

/* ---- How long it lasts ------------------------------------------------------------------------------------------- */

Test(guesses, until_a_nearer_key_is_raced) {
    race(100);
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    guesses(90, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    race(110), race(120);
    guesses(114, STEADY, "3 keys, the nearest n=110, kind=NULL, transposed=0");
    guesses(90, STEADY, "3 keys, the nearest n=100, kind=NULL, transposed=0");
}
static void race_all(void) { race_four(), race(114); }
Test(guesses, until_a_file_is_loaded) {
    run(race_all);
    const bytes all = cache_bytes();
    remove(cache_file);
    race(100);
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    guesses(115, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    EXPECT_INT(autotune_load_text(all.at, all.count), AUTOTUNE_OK);
    guesses(115, STEADY, "4 keys, the nearest n=114, kind=NULL, transposed=0");
    for (int i = 0; i < 2; i++) {
        const autotune_result result = tune(114);
        cr_expect(result.verdict != AUTOTUNE_GUESSED && result.cache_hit && trials == 0);
        EXPECT_INT(launched, 4);
    }
}
static void race_far_keys(void) { race(2000), race(100), race(20000), race(7000); }
/* Changes the record of n=7000 into a rule that fits no key. */
static void make_a_rule(void) {
    const char *const of = "\"tuner\":\"guess\",\"key\":{\"n\":7000,";
    char id[17], of_rule[64], old[64], unfinished[96];
    const char *line = strstr(cache_bytes().at, of);
    while (line[-1] != '\n') line--;
    snprintf(id, sizeof id, "%s", strstr(line, "\"id\":\"") + 6);
    snprintf(old, sizeof old, "\"id\":\"%s\"", id);
    snprintf(of_rule, sizeof of_rule, "\"id\":\"%016llx\"", (unsigned long long)id_of_rule("\"guess\""));
    snprintf(unfinished, sizeof unfinished, "\"unfinished\":true,%s", of);
    EXPECT_INT(edit_records(cache_file, of, unfinished), 1);
    EXPECT_INT(edit_records(cache_file, old, of_rule), 1);
}
Test(guesses, after_another_process_rewrote_the_file) {
    run(race_far_keys);
    make_a_rule();
    mode = AUTOTUNE_CACHED;
    (void)tune(1); /* the process reads the file */
    const bytes all = cache_bytes();
    const char *second = strchr(all.at, '\n') + 1;
    write_file(cache_file, second, all.count - (size_t)(second - all.at));
    /* and the library looks for the rule in the new file */
    guesses(104, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
}
Test(guesses, until_the_key_is_cleared) {
    const autotune_key near = KEY(114, kind, transposed);
    race(100);
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    EXPECT_INT(autotune_clear("guess", &near, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    EXPECT_INT(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK), AUTOTUNE_OK);
    is_raced(114);
}
Test(guesses, until_it_fails) {
    race_four();
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    failing = STEADY;
    EXPECT_INT(tune(114).status, AUTOTUNE_FAILED);
    EXPECT_INT(calls, 1);
    is_raced(114);
}
Test(guesses, of_this_process_alone) {
    autotune_config winner;
    race(100);
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    EXPECT_INT(autotune_lookup("guess", KEY(114, kind, transposed), &winner), AUTOTUNE_ERR_MISS);
    EXPECT_INT(count_lines(cache_bytes()), 1);
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

Test(guesses, in_modes_that_do_not_tune) {
    run(race_four);
    mode = AUTOTUNE_CACHED;
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    EXPECT_INT(tune(300).verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(tune(300).verdict, AUTOTUNE_DEFAULT);
    mode = AUTOTUNE_REQUIRE;
    guesses(115, STEADY, "4 keys, the nearest n=120, kind=NULL, transposed=0");
    EXPECT_INT(tune(300).status, AUTOTUNE_ERR_MISS);
    mode = AUTOTUNE_OFF;
    EXPECT_INT(tune(116).verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(tune(115).verdict, AUTOTUNE_DEFAULT);
    mode = AUTOTUNE_FORCE;
    is_raced(117);
    is_raced(115);
}
Test(guesses, a_stand_in_gives_way) {
    mode = AUTOTUNE_CACHED;
    for (int i = 0; i < 2; i++) EXPECT_INT(tune(114).verdict, AUTOTUNE_DEFAULT);
    mode = AUTOTUNE_ON;
    race(100);
    mode = AUTOTUNE_CACHED;
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
}
Test(online, online_tries_what_was_best_for_the_nearest_key_after_the_first_configuration) {
    race_four();
    mode = AUTOTUNE_ONLINE;
    do (void)tune(114); while (launched == 0 && virtual_ns < 1000000000);
    EXPECT_INT(launched, 4);
    while (tune(114).verdict == AUTOTUNE_ONGOING) cr_assert(virtual_ns < 1000000000);
    EXPECT_INT(launched, 4);
}
Test(guesses, the_environment_asks_for_them) {
    unseen = AUTOTUNE_RACE;
    setenv("AUTOTUNE_UNSEEN", "guess", 1);
    (void)tune(100);
    guesses(104, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
}
Test(guesses, or_for_races) {
    setenv("AUTOTUNE_UNSEEN", "race", 1);
    race(100);
    is_raced(104);
}
Test(guesses, what_is_no_way_to_answer_is_a_sentence) {
    unseen = (autotune_unseen)7;
    EXPECT_INT(tune(100).status, AUTOTUNE_ERR_ARGUMENT);
    EXPECT_CONTAINS(logged, ".unseen is 7: it is one of AUTOTUNE_RACE, AUTOTUNE_GUESS");
}
Test(guesses, the_log_says_so_once) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    race(100);
    logged[0] = 0;
    guesses(114, 3, "1 key, the nearest n=100, kind=NULL, transposed=0");
    EXPECT_STRING(logged, "guess [n=114, kind=NULL, transposed=0]: id=3, a guess from 1 key, the nearest n=100, "
                          "kind=NULL, transposed=0\n");
}

/* ---- What does not work here ------------------------------------------------------------------------------------- */

Test(guesses, what_where_refuses_is_passed_over) {
    race_four();
    refused = STEADY;
    is_guessed(tune(114), 3, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    EXPECT_INT(all_logged_lines(), 0);
}
static void all_is_refused(int n) {
    autotune_result result;
    trials = calls = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGS - 1, 1), WHERE(n > 105 ? id < 2 : id > 1)), 1, launch(autotune_trial, n, id),
             .name = "refused", .key = KEY(n), .unseen = AUTOTUNE_GUESS, .backend = virtual_backend(),
             .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    cr_expect(result.verdict != AUTOTUNE_GUESSED && trials > 0);
}
Test(guesses, where_all_is_refused_the_key_is_raced) {
    all_is_refused(100);
    all_is_refused(110);
    EXPECT_INT(all_logged_lines(), 0);
}
Test(guesses, what_fails_is_passed_over) {
    race_four();
    failing = STEADY;
    const autotune_result result = tune(114);
    EXPECT_INT(calls, 2);
    EXPECT_INT(result.verdict, AUTOTUNE_GUESSED);
    EXPECT_INT(result.index, 3);
    EXPECT_CONTAINS(logged, "the guess names id=7, which no longer works");
    is_guessed(tune(114), 3, "4 keys, the nearest n=110, kind=NULL, transposed=0");
}
Test(guesses, records_without_memory_are_no_guess) {
    run(race_four);
    for (long n = 0; n < 4000; n++) {
        const pid_t child = fork();
        int status;
        if (child == 0) {
            autotune_result result;
            allocator.until_failure = n;
            result = tune(114);
            cr_assert(result.status == AUTOTUNE_ERR_MEMORY || calls == 1, "%s", logged);
            allocator.until_failure = -1;
            result = tune(114);
            cr_assert(result.status == AUTOTUNE_OK && calls == 1, "%s", logged);
            _exit(allocator.failed ? EXIT_SUCCESS : 77);
        }
        cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status), "allocation %ld", n);
        if (WEXITSTATUS(status) == 77) return;
        cr_assert(WEXITSTATUS(status) == EXIT_SUCCESS, "allocation %ld", n);
    }
    cr_assert(false, "no end");
}

/* ---- Tuning what was guessed ------------------------------------------------------------------------------------- */

static autotune_status launch_created(void *user, const autotune_config *config) {
    return launch(false, *(const int *)user, (int)autotune_get_int(config, "id"));
}
Test(guesses, created_tuners_guess_and_tune_where_they_are_asked_to) {
    static const int64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const autotune_axis axes[] = {{.name = "id", .type = AUTOTUNE_I64, .values = ids, .count = CONFIGS}};
    autotune_desc desc = {.name = "created", .axes = axes, .axis_count = 1, .launch = launch_created};
    autotune_tuner *tuner = autotune_create(&desc);
    autotune_result result;
    int n;
    autotune_options options = {.backend = virtual_backend(), .result = &result, .user = &n};
    options.unseen = AUTOTUNE_GUESS;
    for (n = 100; n <= 130; n += 10) {
        options.key = KEY(n);
        EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_OK);
        EXPECT_INT(result.tried, CONFIGS);
    }
    n = 114;
    options.key = KEY(n);
    for (int i = 0; i < 2; i++) {
        calls = trials = 0;
        EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_OK);
        is_guessed(result, STEADY, "4 keys, the nearest n=110");
    }
    EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_OK);
    EXPECT_INT(result.tried, CONFIGS);
    EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_OK);
    EXPECT_INT(launched, 4);
    cr_expect(result.verdict != AUTOTUNE_GUESSED);
    autotune_destroy(tuner);
}
static void guess_114(void) {
    guesses(114, STEADY, "4 keys, the nearest n=110, kind=NULL, transposed=0");
    guesses(115, STEADY, "4 keys, the nearest n=120, kind=NULL, transposed=0");
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
}
static void tune_missed(void) {
    setenv("AUTOTUNE_MODE", "missed", 1);
    is_raced(114);
    guesses(116, STEADY, "4 keys, the nearest n=114, kind=NULL, transposed=0");
}
static void know_114(void) {
    const autotune_result result = tune(114);
    cr_assert(result.cache_hit && result.verdict != AUTOTUNE_GUESSED && launched == 4);
}
Test(guesses, count_as_misses_that_are_tuned_later) {
    char path[300];
    run(race_four);
    run(guess_114);
    snprintf(path, sizeof path, "%s/misses.jsonl", cache_folder);
    EXPECT_INT(count_lines(read_file(path)), 2);
    run(tune_missed);
    run(know_114);
}
