/* suite_left_out.c - the implementation without mode ONLINE. A call of this mode launches a known winner, or the first
   configuration, and one sentence says so. */
#define _POSIX_C_SOURCE 200809L
#define AUTOTUNE_WITHOUT_ONLINE
#define AUTOTUNE_STATIC
#include "virtual_clock.h"

#include "expect.h"

enum { FASTEST = 1 };
static size_t launches;
static int last_x;

static void launch(int x) {
    launches++;
    last_x = x;
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
        const autotune_result result = call_with(1, AUTOTUNE_ONLINE, 1);        /* each hit would be timed */
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
    EXPECT_INT(autotune_step_end(&step, 1e6), AUTOTUNE_ERR_ARGUMENT);   /* it was ended */
    autotune_destroy(tuner);
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
}
