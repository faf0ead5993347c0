/* suite_left_out.c - the implementation without any door (see src/README.md). If an option needs a door, one sentence
   says so, and the call goes on without the option. */
#define _POSIX_C_SOURCE 200809L
#define AUTOTUNE_LEAN
#define AUTOTUNE_STATIC
#include "virtual_clock.h"

#include "expect.h"

enum { FASTEST = 1 };
static size_t launches;
static int last_x, second_x;           /* second_x: the first x that was launched and is not the first of the space */

static void launch(int x) {
    launches++;
    last_x = x;
    if (!second_x && x != 3) second_x = x;
    virtual_ns += 1000000 * (uint64_t)x;
}
static autotune_result call_with(int key, autotune_mode mode, unsigned watch) {
    autotune_result result;
    launches = 0;
    AUTOTUNE(SPACE(AXIS(x, 3, FASTEST, 2)), 1, launch(x), .name = "here", .key = KEY(key), .mode = mode,
             .watch = watch, .backend = virtual_backend(), .result = &result);
    return result;
}
static autotune_result call_elsewhere(int key) {
    autotune_result result;
    launches = 0;
    AUTOTUNE(SPACE(AXIS(x, 3, FASTEST, 2)), 1, launch(x), .name = "elsewhere", .key = KEY(key),
             .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = &result);
    return result;
}
static void was_the_first(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_OK && result.verdict == AUTOTUNE_DEFAULT);
    cr_assert(launches == 1 && last_x == 3);
}
static const char sentence[] =
    "mode ONLINE is left out of this program (AUTOTUNE_WITHOUT_ONLINE): calls launch a known winner, or the first "
    "configuration untuned";
static void said(size_t times) {
    EXPECT_INT(logged_lines[AUTOTUNE_LOG_ERRORS], times);
    EXPECT_INT(count_of(logged, sentence), times);
}

Test(left_out, mode_online_launches_the_first_configuration_and_says_so_once_for_each_site) {
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 50; i++) was_the_first(call_with(1, AUTOTUNE_ONLINE, 0));
    was_the_first(call_with(2, AUTOTUNE_ONLINE, 0));
    said(1);
    EXPECT_CONTAINS(logged, "suite_left_out.c:call_with: mode ONLINE");
    EXPECT_CONTAINS(autotune_last_error(), sentence);
    was_the_first(call_elsewhere(1));
    said(2);
}
Test(left_out, mode_online_launches_a_known_winner) {
    autotune_set_log(keep_line, NULL);
    was_the_first(call_with(1, AUTOTUNE_ONLINE, 0));
    EXPECT_INT(call_with(1, AUTOTUNE_ON, 0).status, AUTOTUNE_OK);
    for (int i = 0; i < 50; i++) {
        /* with the door ONLINE each hit would be timed */
        const autotune_result result = call_with(1, AUTOTUNE_ONLINE, 1);
        cr_assert(result.status == AUTOTUNE_OK && result.cache_hit && launches == 1 && last_x == FASTEST);
    }
    said(1);
}
Test(left_out, the_environment_asks_for_mode_online) {
    setenv("AUTOTUNE_MODE", "online", 1);
    autotune_set_log(keep_line, NULL);
    was_the_first(call_with(1, AUTOTUNE_OFF, 0));
    was_the_first(call_with(1, AUTOTUNE_CACHED, 0));
    said(0);
    for (int i = 0; i < 3; i++) was_the_first(call_with(1, AUTOTUNE_ON, 0));
    said(1);
    EXPECT_INT(call_with(2, AUTOTUNE_REQUIRE, 0).status, AUTOTUNE_ERR_MISS);
}

static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    launch((int)config->values[0]);
    return AUTOTUNE_OK;
}
Test(left_out, steps_are_not_measured) {
    static const int64_t values[] = {3, FASTEST, 2};
    const autotune_axis axis = {.name = "x", .values = values, .count = 3};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    autotune_tuner *tuner = autotune_create(&desc);
    autotune_result result;
    const autotune_options options = {.key = KEY("steps"), .backend = virtual_backend(), .result = &result};
    autotune_step step;
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 20; i++) {
        EXPECT_INT(autotune_step_begin(tuner, &options, &step), AUTOTUNE_OK);
        EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
        EXPECT_INT(step.config.values[0], 3);
        EXPECT_INT(autotune_step_end(&step, 1e6), AUTOTUNE_OK);
    }
    EXPECT_INT(launches, 0);
    said(1);
    EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_OK);
    EXPECT_INT(autotune_step_begin(tuner, &options, &step), AUTOTUNE_OK);
    EXPECT_INT(step.config.values[0], FASTEST);
    EXPECT_INT(autotune_step_end(&step, 1e6), AUTOTUNE_OK);
    said(1);
    EXPECT_INT(autotune_step_end(&step, 1e6), AUTOTUNE_ERR_ARGUMENT);   /* the step has already ended */
    autotune_destroy(tuner);
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
}

static void said_once(const char *words) {
    EXPECT_INT(count_of(logged, words), 1);
    EXPECT_CONTAINS(logged, "suite_left_out.c:");
}
static autotune_status reach(autotune_ranks *self, double *values, size_t count) {
    (void)self, (void)values, (void)count;
    cr_assert(false);
    return AUTOTUNE_FAILED;
}
static autotune_status share(autotune_ranks *self, void *bytes, size_t count) {
    (void)self, (void)bytes, (void)count;
    cr_assert(false);
    return AUTOTUNE_FAILED;
}
Test(left_out, ranks_launch_the_first_configuration_and_exchange_nothing) {
    autotune_ranks ranks = {.rank = 1, .count = 2, .max = reach, .share = share};
    autotune_result result;
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 3; i++) {
        launches = 0;
        AUTOTUNE(SPACE(AXIS(x, 3, FASTEST, 2)), 1, launch(x), .ranks = &ranks, .backend = virtual_backend(),
                 .result = &result);
        cr_assert(result.status == AUTOTUNE_ERR_ARGUMENT && launches == 1 && last_x == 3);
    }
    said_once(".ranks is left out of this program (AUTOTUNE_WITHOUT_RANKS); the first configuration is launched "
              "untuned");
    EXPECT_INT(autotune_agree(&ranks), AUTOTUNE_ERR_ENVIRONMENT);
    EXPECT_CONTAINS(autotune_last_error(), "autotune_agree(): ranks are left out of this program");
    ranks.count = 1;
    EXPECT_INT(autotune_agree(&ranks), AUTOTUNE_OK);
}
Test(left_out, trials_for_a_child_process_are_made_here) {
    autotune_result result;
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(x, 3, FASTEST, 2)), 1, launch(x), .isolate = AUTOTUNE_CHILD, .key = KEY(i),
                 .result = &result);
        EXPECT_INT(result.status, AUTOTUNE_OK);
    }
    cr_assert(launches > 3 * 3);                /* the trials ran in this process */
#ifdef _WIN32
    said_once("AUTOTUNE_CHILD has no effect, and the launches are made in this process: Windows has no fork()");
#else
    said_once("AUTOTUNE_CHILD is left out of this program (AUTOTUNE_WITHOUT_CHILD): the launches are made in this "
              "process");
#endif
}
Test(left_out, the_environment_asks_for_an_audit) {
    setenv("AUTOTUNE_MODE", "audit", 1);
    autotune_set_log(keep_line, NULL);
    EXPECT_INT(call_with(1, AUTOTUNE_ON, 0).tried, 3);
    EXPECT_CONTAINS(logged, "AUTOTUNE_MODE=audit is not known and is ignored");
}
Test(left_out, keys_that_were_never_tuned_are_raced) {
    autotune_result result;
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(x, 3, FASTEST, 2)), 1, launch(x), .unseen = AUTOTUNE_GUESS, .key = KEY(100 + i),
                 .backend = virtual_backend(), .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && result.verdict != AUTOTUNE_GUESSED && result.tried == 3);
    }
    said_once("guesses are left out of this program (AUTOTUNE_WITHOUT_GUESSES): a key that was never tuned is raced");
}
Test(left_out, races_begin_with_nothing_of_another_key) {
    for (int key = 1; key <= 2; key++) {
        autotune_result result;
        second_x = 0;
        AUTOTUNE(SPACE(AXIS(x, 3, 2, FASTEST)), 1, launch(x), .key = KEY(key), .backend = virtual_backend(),
                 .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && last_x == FASTEST);
        EXPECT_INT(second_x, 2);                /* the next in the order of the space */
    }
}
