/* suite_modes.c - modes, the environment variables that change them, the log, and the progress line.

   The library reads the environment once per process, at its first use. So each test runs in its own process, and sets
   the environment before its first tuned call. */
#define _XOPEN_SOURCE 700 /* for pseudo-terminals */
#include "expect.h"
#include "fork.h"
#include "virtual_clock.h"
#include "decimal_comma.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#ifndef _WIN32
#include <termios.h>
#include <unistd.h>
#endif

/* ---- The kernel and the call sites ------------------------------------------------------------------------------- */

static size_t trials, final_launches;
static int final_id;
static autotune_status final_outcome;
static uint64_t trace; /* a hash of the launched configurations, in their order */

static autotune_status launch(int id, bool trial) {
    trace = (trace ^ (uint64_t)(id + 1)) * 1099511628211u;
    virtual_ns += 80000 - 10000 * (uint64_t)(id == 2) + 100 * (uint64_t)id; /* configuration 2 is the fastest */
    if (trial) {
        trials++;
        return AUTOTUNE_OK;
    }
    final_launches++;
    final_id = id;
    return final_outcome;
}
static autotune_result tune(int key, autotune_mode mode) {
    autotune_result result;
    trials = final_launches = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch(id, autotune_trial), .name = "mode", .key = KEY(key), .mode = mode,
             .backend = virtual_backend(), .result = &result);
    return result;
}
static autotune_result tune_elsewhere(int key, autotune_mode mode) { /* the same tuner at another call site */
    autotune_result result;
    trials = final_launches = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch(id, autotune_trial), .name = "mode", .key = KEY(key), .mode = mode,
             .backend = virtual_backend(), .result = &result);
    return result;
}
static autotune_result tune_with(int key, autotune_options o) {
    autotune_result result;
    trials = final_launches = 0;
    trace = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 39, 1)), 1, launch(id, autotune_trial), .key = KEY(key), .preset = o.preset,
             .max_seconds = o.max_seconds, .seed = o.seed, .mode = o.mode, .backend = virtual_backend(),
             .result = &result);
    return result;
}

static void was_tuned(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_OK && !result.cache_hit && result.index == 2 && result.tried == 4);
    cr_assert(trials > 4 && final_launches == 1 && final_id == 2);
}
static void was_a_hit(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_OK && result.cache_hit && result.index == 2 && result.launches == 1 &&
              result.tried == 0);
    cr_assert(trials == 0 && final_launches == 1 && final_id == 2);
}
static void was_the_first_configuration(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_OK && !result.cache_hit && result.index == 0 &&
              result.verdict == AUTOTUNE_DEFAULT && result.launches == 1);
    cr_assert(trials == 0 && final_launches == 1 && final_id == 0);
}
static void was_a_miss(autotune_result result) {
    cr_assert(result.status == AUTOTUNE_ERR_MISS && !result.cache_hit && result.launches == 0);
    cr_assert_eq(trials + final_launches, 0u);
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

Test(modes, off_launches_the_first_configuration_always) {
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    was_tuned(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    was_a_hit(tune(1, AUTOTUNE_ON));
}

Test(modes, off_returns_the_launch_s_own_failure) {
    final_outcome = AUTOTUNE_FAILED;
    const autotune_result result = tune(1, AUTOTUNE_OFF);
    cr_assert(result.status == AUTOTUNE_FAILED && final_launches == 1 && final_id == 0, "nothing else is tried");
}

Test(modes, cached_never_tunes) {
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_CACHED));
    was_the_first_configuration(tune(2, AUTOTUNE_CACHED));
    final_outcome = AUTOTUNE_FAILED;
    const autotune_result result = tune(2, AUTOTUNE_CACHED);
    cr_assert(result.status == AUTOTUNE_FAILED && final_launches == 1);
}

/* The first configurations may not work on a device: they reject their launch, and do nothing. */
static int refused_below;
static autotune_status launch_from(int id, bool trial) {
    return id < refused_below ? AUTOTUNE_REJECT("no %d here", id) : launch(id, trial);
}
static autotune_result tune_from(int key, autotune_mode mode) {
    autotune_result result;
    trials = final_launches = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch_from(id, autotune_trial), .key = KEY(key), .mode = mode,
             .backend = virtual_backend(), .result = &result);
    return result;
}
static void passes_on(autotune_mode mode) {
    autotune_set_log(keep_line, NULL);
    refused_below = 2;
    for (size_t call = 0; call < 3; call++) {
        const autotune_result result = tune_from(1, mode);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.verdict == AUTOTUNE_DEFAULT);
        cr_assert(result.launches == (call ? 1u : 3u) && final_launches == 1 && final_id == 2 && trials == 0,
                  "%zu launches", result.launches);
    }
    cr_assert_eq(count_of(logged, "does not run here: no 0 here; the next one"), 1u, "%s", logged);
    refused_below = 4;
    for (int call = 0; call < 2; call++) {
        const autotune_result result = tune_from(2, mode);
        cr_assert(result.status == AUTOTUNE_REJECTED && result.launches == 4 && final_launches == 0);
        EXPECT_CONTAINS(autotune_last_error(), "no 3 here");
    }
}
Test(modes, off_passes_on_what_does_not_run) { passes_on(AUTOTUNE_OFF); }
Test(modes, cached_passes_on_what_does_not_run) {
    passes_on(AUTOTUNE_CACHED);
    refused_below = 0;
    cr_assert_eq(tune_from(1, AUTOTUNE_ON).index, 2u);
    cr_assert(tune_from(1, AUTOTUNE_CACHED).cache_hit);
}

Test(modes, require_makes_no_call_on_a_miss) {
    autotune_set_log(keep_line, NULL);
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    cr_assert(contains(autotune_last_error(), "mode [key=1]") && contains(autotune_last_error(), "REQUIRE"), "%s",
              autotune_last_error());
    cr_assert(contains(logged, autotune_last_error()));
    (void)autotune_create(NULL);
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 2u);
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 2u, "it is said once for a key");
    cr_assert(contains(autotune_last_error(), "mode [key=1]"), "and can be asked for after every call");
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_REQUIRE));
    was_a_miss(tune(2, AUTOTUNE_REQUIRE));
}

/* A miss describes and judges the space. Later misses of the key do neither. */
static size_t judged;
static int admitted_from;
static autotune_result tune_judged(const char *key, const char *label, autotune_mode mode) {
    autotune_result result;
    trials = final_launches = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1), AXIS(name, label), WHERE((judged++, id >= admitted_from))), 1,
             launch(id, autotune_trial), .name = "judged", .key = KEY(key), .mode = mode, .backend = virtual_backend(),
             .result = &result);
    return result;
}
static void is_cheap_from_the_second_call_on(autotune_mode mode) {
    char key[8] = "a";
    admitted_from = 1;
    for (int i = 0; i < 2; i++, strcpy(key, "b")) {
        const autotune_result first = tune_judged(key, key, mode);
        cr_assert(first.status == AUTOTUNE_OK && final_id == 1 && judged > 0);
        judged = 0;
        const autotune_result second = tune_judged(key, key, mode);
        cr_assert(second.status == AUTOTUNE_OK && second.verdict == AUTOTUNE_DEFAULT && !second.cache_hit &&
                  second.index == 1 && second.launches == 1 && second.config.count == 2);
        cr_assert(!strcmp(autotune_get_string(&second.config, "name"), key) && judged == 0 && trials == 0);
        cr_assert(final_launches == 1 && final_id == 1);
    }
}
Test(modes, off_is_cheap_from_the_second_call_on) { is_cheap_from_the_second_call_on(AUTOTUNE_OFF); }
Test(modes, a_miss_of_cached_is_cheap_from_the_second_call_on) { is_cheap_from_the_second_call_on(AUTOTUNE_CACHED); }
Test(modes, what_stands_in_is_the_mode_s_own) {
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
}
Test(modes, a_winner_that_is_found_elsewhere_ends_the_misses) {
    for (int i = 0; i < 3; i++) {
        was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
        was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    }
    was_tuned(tune_elsewhere(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_CACHED));
    was_a_hit(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
}

Test(modes, require_makes_no_call_when_an_option_is_wrong) {
    const autotune_result result = tune_with(1, (autotune_options){.mode = AUTOTUNE_REQUIRE, .max_seconds = -1});
    cr_assert(result.status == AUTOTUNE_ERR_ARGUMENT && trials == 0 && final_launches == 0);
    cr_assert(contains(autotune_last_error(), ".max_seconds") &&
                  contains(autotune_last_error(), "so the call was not made"),
              "%s", autotune_last_error());
}

Test(modes, a_winner_is_known_at_every_place_of_its_tuner) {
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune_elsewhere(1, AUTOTUNE_REQUIRE));
    was_a_hit(tune_elsewhere(1, AUTOTUNE_CACHED));
    was_a_hit(tune_elsewhere(1, AUTOTUNE_ON));
    was_a_miss(tune_elsewhere(2, AUTOTUNE_REQUIRE));
}

Test(modes, force_tunes_again_once_per_key) {
    was_tuned(tune(1, AUTOTUNE_ON));
    was_tuned(tune(1, AUTOTUNE_FORCE));
    was_a_hit(tune(1, AUTOTUNE_FORCE));
    was_a_hit(tune(1, AUTOTUNE_ON));
    was_tuned(tune(2, AUTOTUNE_FORCE));
    was_a_hit(tune(2, AUTOTUNE_FORCE));
    was_a_hit(tune_elsewhere(2, AUTOTUNE_FORCE));
}

/* Mode FORCE: the winner of the earlier race stays if another configuration is faster by no more than the margin. The
   other configuration is the first, or has a lower index. So without the earlier winner it would be preferred. */
static uint64_t cost_of[3];
static void set_costs(uint64_t first, uint64_t second, uint64_t third) {
    const uint64_t costs[3] = {first, second, third};
    memcpy(cost_of, costs, sizeof costs);
}
static size_t winner_of(int key, autotune_mode mode, double margin) {
    size_t raced = 0;
    int called = -1;
    autotune_result result;
    for (int i = 0; i < 2; i++) { /* the second call is a hit */
        AUTOTUNE(SPACE(AXIS(id, 0, 1, 2)), 1,
                 (void)(raced += autotune_trial && i == 0, virtual_ns += cost_of[id], called = id), .name = "margin",
                 .key = KEY(key), .mode = mode, .margin = margin, .backend = virtual_backend(), .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && (int)result.index == called && result.cache_hit == (i == 1));
    }
    cr_assert_gt(raced, 2u);
    return result.index;
}
Test(modes, forced_the_known_winner_stays_within_the_margin) {
    static const struct {
        uint64_t first, second;
        double margin;
        size_t winner;
    } cases[] = {{130000, 98500, 0.02, 2}, {98500, 130000, 0.02, 2}, {130000, 97500, 0.01, 1},
                 {97500, 130000, 0.01, 0}, {130000, 98500, 0, 1},    {130000, 95000, 0.02, 1}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        set_costs(130000, 140000, 100000);
        cr_assert_eq(winner_of(i, AUTOTUNE_ON, cases[i].margin), 2u);
        set_costs(cases[i].first, cases[i].second, 100000);
        cr_assert_eq(winner_of(i, AUTOTUNE_FORCE, cases[i].margin), cases[i].winner, "case %d", i);
    }
}

/* A call that is no hit evaluates its options twice. So do the eight calls on probation, and all calls in mode FORCE.
   After the key was forced once, calls in mode FORCE make no trial. */
static int evaluations;
static size_t made;
static int counted(int key) { return evaluations++, key; }
static int evaluations_of(int key, autotune_mode mode) {
    autotune_result result;
    evaluations = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch(id, autotune_trial), .name = "mode", .key = KEY(counted(key)),
             .mode = mode, .backend = virtual_backend(), .result = &result);
    made = result.launches;
    return evaluations;
}
Test(modes, a_key_that_was_forced_is_known_like_any_other) {
    for (int key = 1; key <= 2; key++) {
        cr_assert(evaluations_of(key, AUTOTUNE_ON) == 2 && made > 4);
        for (int i = 0; i < 8; i++) cr_assert(evaluations_of(key, AUTOTUNE_ON) == 2 && made == 1);
        cr_assert(evaluations_of(key, AUTOTUNE_ON) == 1 && made == 1);
        cr_assert(evaluations_of(key, AUTOTUNE_FORCE) == 2 && made > 4); /* the key is known, but was not forced */
        for (int i = 0; i < 9; i++) cr_assert(evaluations_of(key, AUTOTUNE_FORCE) == 2 && made == 1);
        cr_assert(evaluations_of(key, AUTOTUNE_ON) == 1 && made == 1);
    }
    cr_assert(evaluations_of(1, AUTOTUNE_FORCE) == 2 && made == 1);
}

/* A call asks for a name that no axis has. The last error reports this in each call, the log once. */
static size_t lines_said;
static void count_line(void *user, autotune_log_level level, const char *line) {
    (void)user;
    lines_said += level == AUTOTUNE_LOG_ERRORS && strstr(line, "has no value 'idd'") != NULL;
}
Test(modes, a_name_that_no_axis_has_is_logged_once) {
    autotune_set_log(count_line, NULL);
    const autotune_result result = tune(1, AUTOTUNE_ON);
    for (int i = 0; i < 3; i++) {
        cr_assert(autotune_get_int(&result.config, "id") == 2 && autotune_get_int(&result.config, "idd") == 0);
        cr_assert(strstr(autotune_last_error(), "'idd'") != NULL);
        cr_assert_eq(lines_said, 1);
    }
}

/* After a statement, errno is what the call for real left. Trials leave no trace in errno. */
static void set_errno(int id, bool trial) {
    cr_assert_eq(errno, 7);
    (void)launch(id, trial);
    errno = trial ? ENOENT : errno + 1;
}
Test(modes, errno_is_what_the_call_for_real_left) {
    for (int i = 0; i < 3; i++) {
        errno = 7;
        AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, set_errno(id, autotune_trial), .name = "errno", .key = KEY(i / 2),
                 .backend = virtual_backend());
        cr_assert_eq(errno, 8);
    }
}

/* ---- The environment's mode -------------------------------------------------------------------------------------- */

Test(environment, off_rules_the_tuner_out) {
    setenv("AUTOTUNE_MODE", "off", 1);
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(2, AUTOTUNE_FORCE));
    was_the_first_configuration(tune(3, AUTOTUNE_CACHED));
}
Test(environment, cached_never_tunes) {
    setenv("AUTOTUNE_MODE", "cached", 1);
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(1, AUTOTUNE_FORCE));
}
Test(environment, require_makes_no_call) {
    setenv("AUTOTUNE_MODE", "require", 1);
    was_a_miss(tune(1, AUTOTUNE_ON));
    was_a_miss(tune(1, AUTOTUNE_FORCE));
    was_a_miss(tune(1, AUTOTUNE_CACHED));
}
Test(environment, on_is_the_default_for_those_who_said_nothing_else) {
    setenv("AUTOTUNE_MODE", "on", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
}
Test(environment, force_tunes_once) {
    setenv("AUTOTUNE_MODE", "force", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_ON));
    was_tuned(tune(2, AUTOTUNE_FORCE));
    was_a_hit(tune(2, AUTOTUNE_FORCE));
}

/* If the program says OFF, CACHED or REQUIRE, no value of AUTOTUNE_MODE causes a trial. */
static void never_a_trial(const char *mode) {
    static const autotune_mode written[] = {AUTOTUNE_OFF, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE};
    setenv("AUTOTUNE_MODE", mode, 1);
    setenv("AUTOTUNE_LOG", "off", 1);
    for (int i = 0; i < 3; i++)
        for (int call = 0; call < 2; call++) {
            const autotune_result result = tune(i, written[i]);
            cr_assert(trials == 0 && result.tried == 0 && result.launches == final_launches && final_launches <= 1,
                      "%s over mode %d", mode, (int)written[i]);
        }
}
Test(environment, on_gives_the_author_s_choice_no_trial) {
    never_a_trial("on");
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
}
Test(environment, force_gives_the_author_s_choice_no_trial) {
    never_a_trial("force");
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
    was_the_first_configuration(tune(1, AUTOTUNE_CACHED));
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_CACHED));
    was_a_hit(tune(1, AUTOTUNE_REQUIRE));
}
Test(environment, off_gives_the_author_s_choice_no_trial) {
    never_a_trial("off");
    was_a_miss(tune(1, AUTOTUNE_REQUIRE)); /* mode REQUIRE still makes no call on a miss */
}
Test(environment, cached_gives_the_author_s_choice_no_trial) {
    never_a_trial("cached");
    was_a_miss(tune(1, AUTOTUNE_REQUIRE));
}
Test(environment, require_gives_the_author_s_choice_no_trial) { never_a_trial("require"); }

/* ---- The environment's other variables --------------------------------------------------------------------------- */

/* Returns the rounds of a duel that ends undecided. The second configuration has one launch in the screen, one in the
   halving, and one in each round. In the rounds it is 2 % slower and 2 % faster in turn. */
static size_t undecided_rounds(autotune_preset preset) {
    size_t number = 0;
    static int calls;
    const int call = ++calls;
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 0, 1)), .key = KEY(call), .preset = preset, .backend = virtual_backend()) {
        if (autotune_trial) number += id == 1;
        virtual_ns += id == 0 ? 300000 : number <= 2 ? 300300 : number % 2 ? 306000 : 294000;
    }
    return number - 2;
}
Test(environment, preset_overrides_the_option) {
    setenv("AUTOTUNE_PRESET", "fast", 1);
    cr_assert_eq(undecided_rounds(AUTOTUNE_BALANCED), 16u);
    cr_assert_eq(undecided_rounds(AUTOTUNE_THOROUGH), 16u);
}
Test(environment, preset_thorough) {
    setenv("AUTOTUNE_PRESET", "thorough", 1);
    cr_assert_eq(undecided_rounds(AUTOTUNE_FAST), 200u);
}
Test(environment, preset_balanced) {
    setenv("AUTOTUNE_PRESET", "balanced", 1);
    cr_assert_eq(undecided_rounds(AUTOTUNE_FAST), 40u);
}

Test(environment, max_seconds_overrides_the_option) {
    /* six launches of some 80 us fit, and a seventh begins before the end */
    setenv("AUTOTUNE_MAX_SECONDS", "0.0005", 1);
    const autotune_result longer = tune_with(1, (autotune_options){.max_seconds = 100}),
                          none = tune_with(2, (autotune_options){.seed = 1});
    cr_assert(longer.seconds <= 0.0005 + 90e-6 && longer.seconds >= 0.0005 - 90e-6, "%g s", longer.seconds);
    cr_assert(none.seconds <= 0.0005 + 90e-6, "%g s", none.seconds);
    cr_assert_eq(longer.status, AUTOTUNE_OK);
}

/* The second configuration is 2.5 % faster than the first. */
static size_t winner_of_a_near_tie(int key, double margin) {
    set_costs(102500, 100000, 130000);
    return winner_of(key, AUTOTUNE_ON, margin);
}
Test(environment, margin_overrides_the_default_and_a_narrower_option) {
    setenv("AUTOTUNE_MARGIN", "0.03", 1);
    cr_assert_eq(winner_of_a_near_tie(1, 0), 0u);
    cr_assert_eq(winner_of_a_near_tie(2, 0.001), 0u);
}
Test(environment, margin_overrides_a_wider_option) {
    setenv("AUTOTUNE_MARGIN", "0.01", 1);
    cr_assert_eq(winner_of_a_near_tie(1, 0.5), 1u);
}
Test(environment, without_a_margin_the_option_counts) {
    cr_assert_eq(winner_of_a_near_tie(1, 0.5), 0u);
    cr_assert_eq(winner_of_a_near_tie(2, 0), 1u);
}

static uint64_t trace_of(uint64_t seed) {
    static int calls;
    idle_before_warm_up();
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY); /* otherwise the race would begin with seeds of another key */
    tune_with(100 + ++calls, (autotune_options){.seed = seed});
    return trace;
}
Test(environment, seed_overrides_the_option) {
    setenv("AUTOTUNE_SEED", "0x2A", 1);
    const uint64_t seeded = trace_of(7);
    cr_assert_eq(trace_of(8), seeded);
    cr_assert_eq(trace_of(42), seeded);
}
Test(environment, without_a_seed_the_option_counts) {
    const uint64_t seeded = trace_of(7);
    cr_assert_eq(trace_of(7), seeded);
    cr_assert_neq(trace_of(8), seeded);
}
/* A process reads the environment once. So the comparison needs a second process. */
Test(environment, a_seed_is_the_number_that_the_option_would_be) {
    int ends[2];
    uint64_t seeded = 0;
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    cr_assert_neq(child, -1);
    if (child == 0) {
        setenv("AUTOTUNE_SEED", "9007199254740991", 1);
        seeded = trace_of(1);
        _exit(write(ends[1], &seeded, sizeof seeded) == (ssize_t)sizeof seeded ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    cr_assert_eq(read(ends[0], &seeded, sizeof seeded), (ssize_t)sizeof seeded);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    cr_assert_eq(trace_of(((uint64_t)1 << 53) - 1), seeded);
}

/* ---- Values that the environment cannot have --------------------------------------------------------------------- */

static char said[1 << 16];
static size_t said_lines;
static void read_stderr(void) {
    FILE *file = (fflush(stderr), cr_get_redirected_stderr());
    const size_t length = fread(said, 1, sizeof said - 1, file);
    said[length] = 0;
    said_lines = 0;
    for (size_t i = 0; i < length; i++) said_lines += said[i] == '\n';
}
/* Sets the variable, and tunes three times. The variable has no effect. One line of the log names the variable, its
   value, and the values that are accepted. */
static void is_reported_and_ignored(const char *variable, const char *value, const char *accepted) {
    setenv(variable, value, 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    was_a_hit(tune(1, AUTOTUNE_ON));
    was_tuned(tune(2, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 1u, "once: %s", said);
    cr_assert(contains(said, variable) && contains(said, value) && contains(said, accepted), "%s", said);
}
TestSuite(bad_environment, .init = cr_redirect_stderr);
Test(bad_environment, mode) {
    is_reported_and_ignored("AUTOTUNE_MODE", "sometimes", "on, cached, require, online, off, force");
}
Test(bad_environment, mode_in_capitals) {
    is_reported_and_ignored("AUTOTUNE_MODE", "OFF", "on, cached, require, online, off, force");
}
Test(bad_environment, margin) {
    is_reported_and_ignored("AUTOTUNE_MARGIN", "2",
                            "is out of range and is ignored: it is a share above 0 and up to 1");
}
Test(bad_environment, margin_of_zero) {
    is_reported_and_ignored("AUTOTUNE_MARGIN", "0", "a share above 0 and up to 1");
}
Test(bad_environment, margin_in_per_cent) {
    is_reported_and_ignored("AUTOTUNE_MARGIN", "50%",
                            "is no number and is ignored: it is a share above 0 and up to 1");
}
Test(bad_environment, beside_a_bad_margin_the_option_counts) {
    setenv("AUTOTUNE_MARGIN", "-0.5", 1);
    cr_assert_eq(winner_of_a_near_tie(1, 0.02), 0u);
    cr_assert_eq(winner_of_a_near_tie(2, 0.01), 1u);
    read_stderr();
    cr_assert(said_lines == 1 && contains(said, "AUTOTUNE_MARGIN=-0.5"), "once: %s", said);
}
Test(bad_environment, preset) { is_reported_and_ignored("AUTOTUNE_PRESET", "quick", "balanced, fast, thorough"); }
Test(bad_environment, cache_state) { is_reported_and_ignored("AUTOTUNE_CACHE_STATE", "warm", "hot, cold"); }
Test(bad_environment, log_level) { is_reported_and_ignored("AUTOTUNE_LOG", "loud", "off, errors, winner, full"); }
Test(bad_environment, max_seconds_of_letters) {
    is_reported_and_ignored("AUTOTUNE_MAX_SECONDS", "soon", "a number of seconds greater than 0");
}
Test(bad_environment, max_seconds_with_a_unit) {
    is_reported_and_ignored("AUTOTUNE_MAX_SECONDS", "2s", "a number of seconds greater than 0");
}
Test(environment, a_number_has_a_point_in_every_locale) {
    if (!use_decimal_comma_here()) cr_skip_test("no locale with a decimal comma is installed");
    setenv("AUTOTUNE_MAX_SECONDS", "0.0005", 1); /* as in the test with a decimal point */
    autotune_set_log(keep_line, NULL);
    tune(1, AUTOTUNE_ON);
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 0u, "%s", logged);
}
Test(bad_environment, max_seconds_of_zero) {
    is_reported_and_ignored("AUTOTUNE_MAX_SECONDS", "0", "a number of seconds greater than 0");
}
Test(bad_environment, max_seconds_negative) {
    is_reported_and_ignored("AUTOTUNE_MAX_SECONDS", "-1", "a number of seconds greater than 0");
}
Test(bad_environment, max_seconds_nan) {
    is_reported_and_ignored("AUTOTUNE_MAX_SECONDS", "nan", "a number of seconds greater than 0");
}
Test(bad_environment, seed_of_letters) {
    is_reported_and_ignored("AUTOTUNE_SEED", "lucky", "an integer from 0 to 2^53");
}
Test(bad_environment, seed_negative) {
    is_reported_and_ignored("AUTOTUNE_SEED", "-1", "an integer from 0 to 2^53");
}
Test(bad_environment, seed_too_large) {
    is_reported_and_ignored("AUTOTUNE_SEED", "9007199254740993", "an integer from 0 to 2^53 - 1");
}
Test(bad_environment, seed_with_a_fraction) {
    is_reported_and_ignored("AUTOTUNE_SEED", "12345678.5", "AUTOTUNE_SEED=12345678.5 is no integer");
}
Test(bad_environment, seed_negative_behind_a_space) {
    is_reported_and_ignored("AUTOTUNE_SEED", " -1", "an integer from 0 to 2^53");
}
Test(bad_environment, progress) { is_reported_and_ignored("AUTOTUNE_PROGRESS", "yes", "0, 1"); }
Test(bad_environment, isolate) { is_reported_and_ignored("AUTOTUNE_ISOLATE", "thread", "off, child"); }
Test(bad_environment, an_empty_value_is_none) {
    static const char *const variables[] = {"AUTOTUNE_MODE",        "AUTOTUNE_PRESET", "AUTOTUNE_LOG",
                                            "AUTOTUNE_MAX_SECONDS", "AUTOTUNE_SEED",   "AUTOTUNE_PROGRESS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i], "", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 0u, "%s", said);
}
Test(bad_environment, a_name_with_an_s_more) {
    is_reported_and_ignored("AUTOTUNE_MODES", "off", "is ignored: is AUTOTUNE_MODE meant?");
}
Test(bad_environment, a_name_that_lacks_a_letter) {
    is_reported_and_ignored("AUTOTUNE_CACHEDIR", "/tmp", "is AUTOTUNE_CACHE_DIR meant?");
}
Test(bad_environment, a_name_that_lacks_one_of_two_equal_letters) { /* progress lacks an s */
    is_reported_and_ignored("AUTOTUNE_PROGRES", "1", "is AUTOTUNE_PROGRESS meant?");
}
Test(bad_environment, names_of_others_are_theirs) {
    static const char *const names[] = {"AUTOTUNE_STB_DS_INCLUDE_DIR", "AUTOTUNE_BUILD_TESTS", "AUTOTUNE_SANITIZE",
                                        "AUTOTUNE_CACHE_DIRECTORY", "AUTOTUNE_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) setenv(names[i], "ON", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 0u, "%s", said);
}
Test(bad_environment, each_is_reported) {
    setenv("AUTOTUNE_MODE", "sometimes", 1);
    setenv("AUTOTUNE_PRESET", "quick", 1);
    setenv("AUTOTUNE_MAX_SECONDS", "soon", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 3u, "%s", said);
}
Test(bad_environment, a_quiet_log_is_quiet_about_the_environment_too) {
    setenv("AUTOTUNE_LOG", "off", 1);
    setenv("AUTOTUNE_MODE", "sometimes", 1);
    was_tuned(tune(1, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 0u, "%s", said);
}
Test(bad_environment, a_log_function_is_told_instead_of_stderr) {
    setenv("AUTOTUNE_MODE", "sometimes", 1);
    autotune_set_log(keep_line, NULL);
    was_tuned(tune(1, AUTOTUNE_ON));
    read_stderr();
    cr_assert_eq(said_lines, 0u, "%s", said);
    cr_assert(contains(logged, "AUTOTUNE_MODE=sometimes"), "%s", logged);
}

/* ---- The log ----------------------------------------------------------------------------------------------------- */

static void miss(void) { tune(99, AUTOTUNE_REQUIRE); }

Test(logging, off_is_silent) {
    setenv("AUTOTUNE_LOG", "off", 1);
    autotune_set_log(keep_line, NULL);
    tune(1, AUTOTUNE_ON);
    miss();
    cr_assert_eq(all_logged_lines(), 0u, "%s", logged);
    cr_assert(contains(autotune_last_error(), "REQUIRE"), "the error is there all the same");
}

Test(logging, errors_is_the_default) {
    autotune_set_log(keep_line, NULL);
    tune(1, AUTOTUNE_ON);
    cr_assert_eq(all_logged_lines(), 0u, "%s", logged);
    miss();
    cr_assert(logged_lines[AUTOTUNE_LOG_ERRORS] == 1 && all_logged_lines() == 1, "%s", logged);
    cr_assert(contains(logged, "mode [key=99]: "), "%s", logged);
}

/* A race with known times: the first configuration is 10 % slower than the best, one fails, and one is far slower. */
static autotune_status known_times(int id) {
    static const uint64_t ns[] = {44000, 40000, 110000, 1000, 400000};
    virtual_ns += id < 0 ? 4000000 : ns[id];
    return id == 3 ? AUTOTUNE_REJECT("odd") : AUTOTUNE_OK;
}
static autotune_result tune_known(int n) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 4, 1)), 1, known_times(id), .name = "known", .key = KEY(n, "text"),
             .backend = virtual_backend(), .result = &result);
    return result;
}
static void winner_line_is_right(autotune_result result) {
    char expected[512];
    snprintf(
        expected, sizeof expected,
        "known [n=7, text]: id=1: 40.00 us, 1.10 x the first configuration's speed, separated; 5 of 5 tried, 1 "
        "failed, %zu launches, "
        "%.3f s\n",
        result.launches, result.seconds);
    cr_assert(contains(logged, expected), "'%s' is not in '%s'", expected, logged);
}

Test(logging, winner_is_one_line_for_each_race) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    winner_line_is_right(tune_known(7));
    cr_assert(logged_lines[AUTOTUNE_LOG_WINNER] == 1 && all_logged_lines() == 1, "%s", logged);
    tune_known(7);
    cr_assert_eq(all_logged_lines(), 1u, "a hit says nothing");
    tune_known(8);
    cr_assert_eq(all_logged_lines(), 2u);
    miss();
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 1u, "and errors are seen");
}

/* The line says why it lacks the speed of the first configuration, and the reason is true. */
static const char *logged_of(int first, double stop_at_ns) {
    logged[0] = 0;
    AUTOTUNE(SPACE(RANGE(id, first, 4, 1)), 1, known_times(id), .name = "known", .key = KEY(first, stop_at_ns),
             .backend = virtual_backend(), .stop_at_ns = stop_at_ns);
    return logged;
}
Test(logging, the_winner_line_says_why_it_lacks_the_speed_of_the_first_configuration) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    cr_expect(contains(logged_of(4, 0), "]: id=4: the only configuration; 0 of 1 tried, 0 failed, 1 launches, "), "%s",
              logged);
    cr_expect(contains(logged_of(3, 0), "]: id=4: 400.00 us, the first configuration failed, "), "%s", logged);
    cr_expect(contains(logged_of(0, 5e4), "]: id=0: 44.00 us, 1.00 x the first configuration's speed, "), "%s", logged);
    cr_expect(contains(logged_of(0, 4.2e4), "]: id=1: 40.00 us, the first configuration has fewer than three rounds "
                                            "with the winner, unresolved; "), "%s", logged);
    cr_expect(contains(logged_of(-1, 0), "]: id=1: 40.00 us, the first configuration has fewer than three rounds "
                                         "with the winner (too slow), separated; "), "%s", logged);
}

/* The kernels of a GPU are compiled in another way. So the line says this only for launches on the CPU. */
Test(logging, a_race_on_the_processor_says_that_its_call_is_not_optimised) {
    const bool unoptimised = strstr(AUTOTUNE__BUILD, "unoptimised") != NULL;
    volatile int sum = 0;
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    AUTOTUNE(SPACE(AXIS(step, 1, 2)), 1, sum = step);
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_WINNER], 1u, "%s", logged);
    cr_assert_eq(contains(logged, " s; the call site is compiled without optimisation\n"), unoptimised, "%s", logged);
}

Test(logging, full_tells_every_configuration) {
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    winner_line_is_right(tune_known(7));
    cr_assert(logged_lines[AUTOTUNE_LOG_WINNER] == 1 && logged_lines[AUTOTUNE_LOG_FULL] == 5 + 1, "%s", logged);
    cr_assert(contains(logged, "  winner   min 40.00 us, median 40.00 us, "), "%s", logged);
    cr_assert(contains(logged, "  screen   min 110.00 us, median -, 2 launches  id=2  (too slow)\n"), "%s", logged);
    cr_assert(contains(logged, "  failed   min -, median -, 1 launches  id=3  (odd)\n"), "%s", logged);
    cr_assert(contains(logged, "min 400.00 us, median -, 2 launches  id=4  (too slow)\n"),
              "the slowest, launched once more: %s", logged);
    cr_assert(contains(logged, "  duel     min 44.00 us, median 44.00 us, "), "%s", logged);
    cr_assert(contains(logged, "launches  id=0  (shown to be slower)\n") && contains(logged, "launches  id=1\n"), "%s",
              logged);
    cr_assert(contains(logged, "  the second: id=0, slower by 10.00 % (10.00 to 10.00 %) after 8 rounds\n"), "%s",
              logged);
}

Test(logging, stderr_is_the_default, .init = cr_redirect_stderr) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    tune_known(7);
    read_stderr();
    cr_assert_eq(said_lines, 1u, "%s", said);
    cr_assert(strncmp(said, "autotune: known [n=7, text]: id=1: 40.00 us",
                      strlen("autotune: known [n=7, text]: id=1: 40.00 us")) == 0,
              "%s", said);
}

Test(logging, null_puts_stderr_back, .init = cr_redirect_stderr) {
    autotune_set_log(keep_line, NULL);
    tune(1, AUTOTUNE_REQUIRE);
    autotune_set_log(NULL, NULL);
    tune(2, AUTOTUNE_REQUIRE);
    read_stderr();
    cr_assert(contains(logged, "[key=1]") && !contains(logged, "[key=2]"));
    cr_assert(said_lines == 1 && contains(said, "autotune: mode [key=2]: "), "%s", said);
}

static void remember_user(void *user, autotune_log_level level, const char *line) {
    *(const void **)user = line;
    cr_assert(level == AUTOTUNE_LOG_ERRORS && !strchr(line, '\n'), "a line without its line feed");
}
Test(logging, the_function_is_given_its_user) {
    const void *seen = NULL;
    autotune_set_log(remember_user, &seen);
    miss();
    cr_assert_not_null(seen);
}

/* A log function may make tuned calls, also calls that log. */
static size_t entered;
static void tune_while_logging(void *user, autotune_log_level level, const char *line) {
    static bool inside;
    autotune_result result;
    keep_line(user, level, line);
    if (inside) return;
    inside = true;
    entered++;
    const int key = (int)entered;
    AUTOTUNE(SPACE(AXIS(step, 3, 1, 2)), 1, (virtual_ns += 10000 * (uint64_t)step), .name = "inner", .key = KEY(key),
             .backend = virtual_backend(), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1, "inner: status %d, index %zu", (int)result.status,
              result.index);
    inside = false;
}
Test(logging, a_log_function_may_tune) {
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(tune_while_logging, NULL);
    was_tuned(tune(1, AUTOTUNE_ON));
    cr_assert_eq(entered, 6u, "four configurations, the second and the winner");
    cr_assert(contains(logged, "inner [key=6]: step=1: 10.00 us"), "%s", logged);
    cr_assert(contains(logged, "mode [key=1]: id=2: "), "%s", logged);
    was_a_hit(tune(1, AUTOTUNE_ON));
    miss();
    cr_assert_eq(entered, 7u);
}

/* ---- The progress line -------------------------------------------------------------------------------------------
   A race of more than half a second, by the clock of its backend, writes this line on a terminal, or with
   AUTOTUNE_PROGRESS=1. The line overwrites itself ten times a second, and is erased before anything else is written. */

static const char ERASED[] = "\r\033[K";

/* the last configuration is the fastest */
static autotune_result race_of(int configurations, double milliseconds, double seconds) {
    autotune_result result;
    static int calls;
    const int call = ++calls;
    AUTOTUNE(SPACE(RANGE(id, 0, configurations - 1, 1)), 1,
             virtual_ns += (uint64_t)llround(1e6 * milliseconds * (2 - (double)id / configurations)), .name = "slow",
             .key = KEY(call), .strategy = AUTOTUNE_EXHAUSTIVE, .preset = AUTOTUNE_THOROUGH, .max_seconds = seconds,
             .backend = virtual_backend(), .result = &result);
    return result;
}

/* Checks all progress lines in `said`. Each begins with a carriage return and erases the rest of the line. The last is
   erased. */
static size_t check_progress_lines(void) {
    size_t count = 0;
    for (const char *at = said, *end; *at; at = end + strlen(ERASED) - 1) {
        end = strstr(at, ERASED + 1);
        cr_assert(*at == '\r' && end, "'%s'", at);
        const size_t columns = (size_t)(end - at) - 1;
        const char *nameless = strstr(at, ":  ");
        cr_assert(columns <= 79, "%zu columns: '%s'", columns, at);
        cr_assert(!nameless || nameless > end, "a line without a stage: '%s'", at);
        for (const char *c = at + 1; c < end; c++)
            cr_assert(*c >= ' ' && *c != 127, "the character %d in '%s'", *c, at);
        count++;
    }
    const size_t length = strlen(said);
    cr_assert(count && length >= 2 * strlen(ERASED) && !strcmp(said + length - strlen(ERASED), ERASED),
              "not erased at the end: '%s'", said);
    return count - 1;
}
static bool said_begins(const char *at, const char *part) { return strncmp(at, part, strlen(part)) == 0; }

TestSuite(progress, .init = cr_redirect_stderr);

Test(progress, names_the_call_site_the_stage_and_what_is_left) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    const autotune_result result = race_of(40, 20, 30); /* the screen alone takes 1.2 s */
    read_stderr();
    const size_t lines = check_progress_lines();
    cr_assert((double)lines >= 6 * (result.seconds - 0.7) && (double)lines <= 10 * (result.seconds - 0.4) + 1,
              "%zu lines in %g s", lines, result.seconds);
    double best_before = HUGE_VAL, left_before = HUGE_VAL;
    size_t screened = 0, halved = 0, duelled = 0;
    for (const char *at = strchr(said, '\r'); at[1] != ERASED[1]; at = strchr(at + 1, '\r')) {
        char stage[20], unit[10];
        double best, left;
        unsigned long done, of;
        cr_assert(said_begins(at, "\rslow [call=1]: "), "%s", at);
        at += strlen("\rslow [call=1]: ");
        if (sscanf(at, "screening %lu of %lu, best %lf %9[a-z], %lf s left", &done, &of, &best, unit, &left) == 5) {
            /* done is 40 during second launches */
            cr_assert(of == 40 && (done > screened || done == 40) && done <= 40, "%s", at);
            const double running = fabs(best - 20 * (2 - (double)(done - 2) / 40)),
                         probing = fabs(best - 20 * (2 - (double)(done - 1) / 40));
            cr_assert(running < 0.001 || probing < 0.001, "the best before the %lu-th: %s", done, at);
            screened = done;
        } else {
            cr_assert_eq(sscanf(at, "%19[a-z ]%lu, best %lf %9[a-z], %lf s left", stage, &done, &best, unit, &left), 5,
                         "%s", at);
            cr_assert(said_begins(stage, "halving ") || said_begins(stage, "duel of "), "'%s'", stage);
            cr_assert(done >= 1 && done <= 40, "%s", at);
            (stage[0] == 'h' ? &halved : &duelled)[0]++;
        }
        cr_assert(!strcmp(unit, "ms") && best <= best_before && left < left_before && left > 0 && left <= 29.5, "%s",
                  at);
        best_before = best;
        left_before = left;
    }
    cr_assert(screened > 30 && duelled, "%zu, %zu, %zu", screened, halved, duelled);
}

Test(progress, a_race_of_half_a_second_shows_nothing) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    cr_assert(race_of(3, 6, 30).seconds < 0.5);
    tune(1, AUTOTUNE_ON);
    read_stderr();
    cr_assert_str_empty(said);
}
Test(progress, nothing_is_shown_where_there_is_no_terminal) {
    cr_assert(race_of(40, 20, 30).seconds > 1);
    read_stderr();
    cr_assert_str_empty(said);
}
Test(progress, a_hit_shows_nothing) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 9, 1)), 1, virtual_ns += 60000000 + (uint64_t)id, .backend = virtual_backend(),
                 .max_seconds = 1);
    read_stderr();
    check_progress_lines();
    cr_assert_eq(strstr(said, ERASED), said + strlen(said) - strlen(ERASED), "a single race: '%s'", said);
}

/* The end of a line is there, however long the names are. */
Test(progress, a_line_fits_80_columns) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    const size_t races = 30;
    static const char *const names[] = {"a", "thirty-six characters and not one more"};
    for (size_t n = 0; n < races; n++) {
        const char *part = n < 2 ? names[n] : "a long part of a key, of which there are several in this one here";
        AUTOTUNE(SPACE(RANGE(id, 0, 9, 1)), 1, virtual_ns += 123456789 + 1000 * (uint64_t)id,
                 .key = KEY(n, part, part + n), .name = names[n % 2], .backend = virtual_backend(), .max_seconds = 2);
    }
    read_stderr();
    const size_t lines = check_progress_lines();
    const size_t left = count_of(said, " s left\033"); /* in each race, the last line may have no time left */
    cr_assert(lines > 10 * races && left >= lines - races, "%zu of %zu lines say how long it takes: %s", left, lines,
              said);
    AUTOTUNE(SPACE(RANGE(id, 0, 999999, 1)), 1, virtual_ns += 123456789 + (uint64_t)id, .name = names[1],
             .backend = virtual_backend(), .max_seconds = 1.5);
    read_stderr();
    cr_assert(check_progress_lines() > 4 && contains(said, ": searching, 8 tried, best"), "%s", said);
}

/* While progress is shown, a configuration fails, the race logs a line, and another statement logs a line. No line
   begins behind the progress. */
Test(progress, is_erased_before_a_line_of_the_log) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    setenv("AUTOTUNE_LOG", "full", 1);
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(RANGE(id, 0, 19, 1)), 1,
                 (virtual_ns += 60000000 + (uint64_t)id, id == 15 ? tune(1, AUTOTUNE_REQUIRE).status : AUTOTUNE_OK),
                 .key = KEY(i), .strategy = AUTOTUNE_EXHAUSTIVE, .backend = virtual_backend(), .max_seconds = 2);
    }
    read_stderr();
    const char *line = strstr(said, "autotune: mode [key=1]: no winner is known");
    cr_assert_not_null(line, "%s", said);
    size_t lines = 0;
    for (line = said; (line = strstr(line, "autotune: ")); line++, lines++)
        cr_assert(line == said || line[-1] == '\n' || (line >= said + 4 && !strncmp(line - 4, ERASED, 4)), "'%s'",
                  line - 4);
    cr_assert(lines > 40, "%zu", lines);
}

Test(progress, is_erased_however_the_race_ends) {
    setenv("AUTOTUNE_PROGRESS", "1", 1);
    setenv("AUTOTUNE_LOG", "off", 1);
    for (int end = 0; end < 3; end++) {
        autotune_result result = {.status = AUTOTUNE_OK};
        for (int call = 0; call < 2; call++) { /* the second time that the body is left, the race ends in another way */
            size_t launches = 0;
            AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 19, 1)), .key = KEY(end), .backend = virtual_backend(), .max_seconds = 2,
                           .result = &result) {
                virtual_ns += 60000000 + (uint64_t)id;
                if (end == 0) AUTOTUNE_REJECT("all of them");
                if (end == 1 && ++launches == 15) break;
            }
        }
        cr_assert_eq(result.status, end == 0 ? AUTOTUNE_ERR_ALL_FAILED : end == 1 ? AUTOTUNE_ERR_LEFT : AUTOTUNE_OK);
        read_stderr();
        check_progress_lines();
        said[0] = 0;
    }
}

/* If stderr is a terminal, progress is shown by default. */
#ifdef _WIN32
static size_t said_to_a_terminal(const char *progress) {
    (void)progress;
    cr_skip_test("Windows has no pseudo-terminal that a test can read");
    return 0;
}
#else
static size_t said_to_a_terminal(const char *progress) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    const bool is_open = terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0;
    /* many containers have no pseudo-terminal */
    const int slave = is_open ? open(ptsname(terminal), O_RDWR | O_NOCTTY) : -1;
    if (slave < 0) cr_skip_test("no pseudo-terminal can be opened here: %s", strerror(errno));
    const int stderr_before = dup(STDERR_FILENO);
    cr_assert_eq(dup2(slave, STDERR_FILENO), STDERR_FILENO);
    if (progress) setenv("AUTOTUNE_PROGRESS", progress, 1);
    race_of(12, 50, 2); /* some 15 lines: the terminal buffers only 4 KiB */
    cr_assert_eq(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
    size_t length = 0;
    for (ssize_t more; (more = read(terminal, said + length, sizeof said - 1 - length)) > 0; length += (size_t)more) {}
    said[length] = 0;
    cr_assert_eq(dup2(stderr_before, STDERR_FILENO), STDERR_FILENO);
    close(slave);
    close(terminal);
    return *said ? check_progress_lines() : 0;
}
#endif
Test(terminals, show_progress_by_themselves) { cr_assert(said_to_a_terminal(NULL) > 5, "%s", said); }
Test(terminals, can_be_silenced) { cr_assert_eq(said_to_a_terminal("0"), 0u, "%s", said); }

/* AUTOTUNE_ISOLATE overrides .isolate. The counters of trials in a child are lost. */
static size_t trials_here(autotune_isolate isolate) {
    autotune_result result;
    trials = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch(id, autotune_trial), .backend = virtual_backend(),
             .isolate = isolate, .result = &result);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index, 2u);
    return trials;
}
Test(isolation, by_default_trials_are_made_in_the_process) { cr_assert_neq(trials_here(AUTOTUNE_IN_PROCESS), 0u); }
#ifdef _WIN32
Test(isolation, windows_has_no_fork) {
    autotune_set_log(keep_line, NULL);
    cr_assert_neq(trials_here(AUTOTUNE_CHILD), 0u);
    cr_assert_eq(logged_lines[AUTOTUNE_LOG_ERRORS], 1u, "%s", logged);
    cr_assert(contains(logged, "AUTOTUNE_CHILD has no effect, and the launches are made in this process: Windows has "
                               "no fork()"),
              "%s", logged);
}
#else
Test(isolation, by_option) { cr_assert_eq(trials_here(AUTOTUNE_CHILD), 0u); }
Test(isolation, by_environment) {
    setenv("AUTOTUNE_ISOLATE", "child", 1);
    cr_assert_eq(trials_here(AUTOTUNE_IN_PROCESS), 0u);
}
#endif
Test(isolation, not_by_environment) {
    setenv("AUTOTUNE_ISOLATE", "off", 1);
    cr_assert_neq(trials_here(AUTOTUNE_CHILD), 0u);
}

/* ---- autotune_open_keys() ---------------------------------------------------------------------------------------- */

static autotune_result fail_all(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(x, 1, 2)), 1, (autotune_status)(x ? AUTOTUNE_FAILED : AUTOTUNE_OK), .key = KEY(key),
             .backend = virtual_backend(), .result = &result);
    return result;
}
Test(modes, open_keys_are_those_that_calls_asked_for_and_that_have_no_winner) {
    EXPECT_INT(autotune_open_keys(), 0);
    was_the_first_configuration(tune(1, AUTOTUNE_OFF));
    was_tuned(tune(1, AUTOTUNE_ON));
    EXPECT_INT(autotune_open_keys(), 0);
    was_a_miss(tune(2, AUTOTUNE_REQUIRE));
    for (int i = 0; i < 3; i++) was_the_first_configuration(tune(3, AUTOTUNE_CACHED));
    EXPECT_INT(autotune_open_keys(), 2);
    was_tuned(tune(3, AUTOTUNE_ON));
    EXPECT_INT(autotune_open_keys(), 1);
    EXPECT_INT(fail_all(5).status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(autotune_open_keys(), 1);
    EXPECT_INT(autotune_clear("mode", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    EXPECT_INT(autotune_open_keys(), 3);
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
    EXPECT_INT(autotune_open_keys(), 0);
}
Test(online, a_key_is_open_until_the_calls_have_found_its_winner) {
    EXPECT_INT(tune(4, AUTOTUNE_ONLINE).verdict, AUTOTUNE_ONGOING);
    EXPECT_INT(autotune_open_keys(), 1);
    for (int i = 0; i < 3000 && !tune(4, AUTOTUNE_ONLINE).cache_hit;) i++;
    EXPECT_INT(autotune_open_keys(), 0);
    EXPECT_INT(autotune_clear("mode", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    EXPECT_INT(autotune_open_keys(), 1);
}

/* ---- A limit for all races of a process -------------------------------------------------------------------------- */

Test(modes, races_end_with_the_time_of_the_run) {
    setenv("AUTOTUNE_MAX_RUN_SECONDS", "0.02", 1);
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    int raced = 0;
    while (tune(raced, AUTOTUNE_ON).tried && raced < 100) raced++;
    cr_expect(raced >= 1 && raced < 30, "%d keys", raced);
    cr_expect(virtual_ns >= 20000000 && virtual_ns < 80000000, "the last race ends");
    EXPECT_CONTAINS(logged, "AUTOTUNE_MAX_RUN_SECONDS: races took 0.0");
    EXPECT_INT(autotune_open_keys(), 1);
    was_the_first_configuration(tune(raced, AUTOTUNE_ON));
    was_the_first_configuration(tune(101, AUTOTUNE_ON));
    was_the_first_configuration(tune(101, AUTOTUNE_ON));
    was_the_first_configuration(tune_elsewhere(101, AUTOTUNE_FORCE));
    was_a_hit(tune(0, AUTOTUNE_ON));
    was_a_hit(tune_elsewhere(0, AUTOTUNE_ON));
    was_a_miss(tune(103, AUTOTUNE_REQUIRE));
    const char *line = strstr(logged, "AUTOTUNE_MAX_RUN_SECONDS");
    cr_expect(line && !strstr(line + 1, "AUTOTUNE_MAX_RUN_SECONDS"), "once");
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
    was_tuned(tune(101, AUTOTUNE_ON));
}
Test(modes, no_time_is_no_race) {
    setenv("AUTOTUNE_MAX_RUN_SECONDS", "0", 1);
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
    was_the_first_configuration(tune(1, AUTOTUNE_FORCE));
}
Test(online, the_time_of_the_run_limits_no_calls) {
    setenv("AUTOTUNE_MAX_RUN_SECONDS", "0", 1);
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
    EXPECT_INT(tune(2, AUTOTUNE_ONLINE).verdict, AUTOTUNE_ONGOING);
}
Test(modes, a_failed_race_counts_for_the_time_of_the_run) {
    setenv("AUTOTUNE_MAX_RUN_SECONDS", "1e-9", 1);
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(x, 1, 2)), 1, (launch(x, autotune_trial), (autotune_status)AUTOTUNE_FAILED),
             .backend = virtual_backend(), .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    was_the_first_configuration(tune(1, AUTOTUNE_ON));
}
