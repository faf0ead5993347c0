/* suite_race.c - the race: which configuration wins, after which launches, and what the result says.

   The kernel is virtual: the test sets the time of a launch, and only launches move the clock. These tests see the
   rules through call sites. rooms/floor_race.c tests the arithmetic of the duel, and which configurations are left
   after each round. suite_clock.c tests how devices and clocks can disturb a race. */
#include "virtual_clock.h"

#include "expect.h"
#include <math.h>
#include <time.h>

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

enum { MOST = 128 };
static const double MILLISECOND = 1e6;

/* The variables that a test sets. */
static double cost_ns[MOST];
static size_t fails_from[MOST]; /* from this trial launch on, the configuration fails; 0: it never fails */
static double (*cost_of)(int id, size_t number); /* if not NULL, the time of a launch, in place of cost_ns */
static double preparation_ns;                    /* the time of .setup */
static int64_t group_of[MOST], intra_of[MOST];   /* PRIORITY */
static double model_of[MOST];                    /* MODEL */

/* The counts of the kernel. */
static size_t trials_of[MOST], trials, final_launches;
/* first_trials: the configurations in the order of their first trials; final_id: the configuration of the call for
   real */
static int first_trials[MOST], final_id;
static size_t first_count;
static uint64_t trace;                   /* a hash of all launches in their order */
static uint64_t began_ns, last_trial_ns; /* when the call began; when its last trial began */
static double trial_ns[1024];            /* the time of each of the first trials */

static autotune_status launch(int id, bool trial) {
    const uint64_t before = virtual_ns;
    size_t number = 0;
    trace = (trace ^ (uint64_t)(id + 1)) * 1099511628211u;
    if (trial) {
        number = ++trials_of[id];
        if (number == 1) first_trials[first_count++] = id;
        trials++;
        last_trial_ns = virtual_ns;
    } else {
        final_launches++;
        final_id = id;
    }
    virtual_ns += (uint64_t)llround(cost_of ? cost_of(id, number) : cost_ns[id]);
    if (trial && trials <= sizeof trial_ns / sizeof *trial_ns) trial_ns[trials - 1] = (double)(virtual_ns - before);
    return fails_from[id] && number >= fails_from[id] ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void prepare(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    virtual_ns += (uint64_t)preparation_ns;
}
static bool is_idle_before = true; /* true: the device is idle before each race */
static void forget_launches(void) {
    if (is_idle_before) idle_before_warm_up();
    memset(trials_of, 0, sizeof trials_of);
    trials = final_launches = first_count = 0;
    trace = 0;
    began_ns = virtual_ns;
}

/* ---- The call sites. Each call has a new key --------------------------------------------------------------------- */

static int calls;

static autotune_result tune(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1)), 1, launch(id, autotune_trial), .key = KEY(call),
             .backend = virtual_backend(), .preset = o.preset, .strategy = o.strategy, .max_seconds = o.max_seconds,
             .max_trials = o.max_trials, .top_k = o.top_k, .seed = o.seed, .stop_at_ns = o.stop_at_ns, .setup = o.setup,
             .margin = o.margin, .result = &result);
    return result;
}
static autotune_result tune_model(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1), MODEL(model_of[id])), 1, launch(id, autotune_trial), .key = KEY(call),
             .backend = virtual_backend(), .top_k = o.top_k, .max_trials = o.max_trials, .seed = o.seed,
             .result = &result);
    return result;
}
static autotune_result tune_priority(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1), PRIORITY(group_of[id], intra_of[id])), 1, launch(id, autotune_trial),
             .key = KEY(call), .backend = virtual_backend(), .max_trials = o.max_trials, .seed = o.seed,
             .result = &result);
    return result;
}
static const autotune_options no_options;

static void set_costs(size_t count, const double *ns) {
    for (size_t id = 0; id < count; id++) cost_ns[id] = ns[id];
}
#define SET_COSTS(...) set_costs(sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

/* Random numbers of this test. */
static uint64_t dice;
static uint64_t roll(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}
static double uniform(void) { return (double)(roll() >> 11) / 9007199254740992.0; }

/* How many launches a configuration has if nothing is odd: in the screen, in the halving, and how often the control has
   a second sample in the duel. */
enum { SCREEN = 1, HALVING = 1, CONTROLS = 4 };

/* ---- The winner -------------------------------------------------------------------------------------------------- */

Test(many_races, the_fastest_wins_and_its_time_is_exact) {
    for (int count = 2; count <= 40; count++)
        for (int fastest = 0; fastest < count; fastest += 1 + count / 4) {
            for (int id = 0; id < count; id++) cost_ns[id] = 100003.0 + 3001.0 * ((id - fastest + count) % count);
            const autotune_result result = tune(count, (autotune_options){.seed = (uint64_t)count});
            cr_assert_eq(result.status, AUTOTUNE_OK);
            cr_assert(result.index == (size_t)fastest, "of %d: %zu won, not %d", count, result.index, fastest);
            cr_assert_eq(autotune_get_int(&result.config, "id"), fastest);
            cr_assert_eq(result.verdict, AUTOTUNE_SEPARATED);
            cr_assert(result.median_ns == 100003.0 && result.min_ns == 100003.0, "median %.17g", result.median_ns);
            cr_assert_eq(final_launches, 1u);
            cr_assert_eq(final_id, fastest);
        }
}

Test(race, launches_that_are_shorter_than_the_clock_likes_are_batched_exactly) {
    SET_COSTS(130, 70, 90, 110);
    const autotune_result result = tune(4, no_options);
    cr_assert_eq(result.index, 1u);
    cr_assert(result.median_ns == 70 && result.runner_up_ns == 90 && result.default_ns == 130,
              "median %g, runner-up %g", result.median_ns, result.runner_up_ns);
}

/* Noise as on real machines: launches are never faster than the kernel, mostly a little slower, and sometimes far
   slower. */
static double noisy_cost(int id, size_t number) {
    const double u = uniform();
    (void)number;
    return cost_ns[id] * (1 + 0.04 * u * u) * (uniform() < 0.02 ? 1 + 4 * uniform() : 1);
}

Test(many_races, noise_does_not_lead_it_astray) {
    enum { SEEDS = 200, COUNT = 24 };
    int right = 0;
    cost_of = noisy_cost;
    for (int seed = 1; seed <= SEEDS; seed++) {
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        for (int id = 0; id < COUNT; id++) cost_ns[id] = MILLISECOND * (1 + 0.007 * ((id * 7 + seed) % COUNT));
        const autotune_result result = tune(COUNT, (autotune_options){.seed = (uint64_t)seed, .max_seconds = 1000});
        if (cost_ns[result.index] <= 1.01 * MILLISECOND) right++;
    }
    cr_assert(right >= SEEDS * 95 / 100, "the pick was within 1 %% of the best for %d of %d seeds", right, SEEDS);
}

Test(many_races, equal_configurations_are_seldom_called_different) {
    enum { SEEDS = 400 };
    int separated = 0, doubted = 0;
    cost_of = noisy_cost;
    for (int seed = 1; seed <= SEEDS; seed++) {
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        cost_ns[0] = cost_ns[1] = MILLISECOND;
        const autotune_result result = tune(2, (autotune_options){.seed = (uint64_t)seed, .max_seconds = 1000});
        if (result.verdict == AUTOTUNE_SEPARATED) separated++;
        if (result.doubt) doubted++;
    }
    cr_assert(doubted <= SEEDS * 5 / 100, "%d of %d races were doubted", doubted, SEEDS);
    cr_assert(separated <= SEEDS * 5 / 100, "%d of %d pairs of equals were SEPARATED, at a 5 %% risk", separated,
              SEEDS);
}

/* TIE promises that no configuration is more than 1 % faster than the winner, with a risk of 5 %. It is not enough that
   the winner is near the lowest median. */
Test(many_races, a_tie_is_what_it_says) {
    enum { SEEDS = 400 };
    static const double slower[] = {1.012, 1.015, 1.02};
    cost_of = noisy_cost;
    for (size_t i = 0; i < sizeof slower / sizeof *slower; i++) {
        int broken = 0;
        SET_COSTS(slower[i] * MILLISECOND, MILLISECOND);
        for (int seed = 1; seed <= SEEDS; seed++) {
            dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
            const autotune_result result = tune(2, (autotune_options){.seed = (uint64_t)seed, .max_seconds = 1000});
            if (result.verdict == AUTOTUNE_TIE && result.index == 0) broken++;
        }
        cr_assert(broken <= SEEDS * 5 / 100, "%d of %d races ended in a TIE whose winner takes %g times as long",
                  broken, SEEDS, slower[i]);
    }
}

Test(race, same_seed_same_launches_and_winner) {
    uint64_t traces[4];
    size_t winners[4];
    cost_of = noisy_cost;
    for (int i = 0; i < 4; i++) {
        dice = 88172645463325252u;
        for (int id = 0; id < 20; id++) cost_ns[id] = MILLISECOND * (1 + 0.01 * id);
        autotune_clear(NULL, NULL, AUTOTUNE_MEMORY); /* otherwise the race would begin with seeds of another key */
        winners[i] = tune(20, (autotune_options){.seed = i < 3 ? 42 : 43}).index;
        traces[i] = trace;
    }
    cr_assert(traces[0] == traces[1] && traces[1] == traces[2]);
    cr_assert(winners[0] == winners[1] && winners[1] == winners[2]);
    cr_assert_neq(traces[2], traces[3], "another seed, another order");
}

Test(race, equal_configurations_are_a_tie_and_the_lowest_index_wins) {
    for (int count = 2; count <= 20; count += 3) {
        for (int id = 0; id < count; id++) cost_ns[id] = 50000;
        const autotune_result result = tune(count, (autotune_options){.seed = (uint64_t)count});
        cr_assert_eq(result.verdict, AUTOTUNE_TIE);
        cr_assert(result.index == 0 || count > 6, "%zu of %d", result.index, count);
    }
    SET_COSTS(80000, 70000, 60000, 50000, 90000, 50000, 50000);
    const autotune_result result = tune(7, no_options);
    cr_assert_eq(result.verdict, AUTOTUNE_TIE);
    cr_assert_eq(result.index, 3u);
}

Test(race, a_tie_within_one_percent_stays_with_the_incumbent) {
    SET_COSTS(100500, 100000, 130000);
    for (uint64_t seed = 0; seed < 20; seed++) {
        const autotune_result result = tune(3, (autotune_options){.seed = seed});
        cr_assert(result.verdict == AUTOTUNE_SEPARATED || result.index == 0, "seed %d: verdict %d, index %zu",
                  (int)seed, (int)result.verdict, result.index);
    }
}

/* ---- The margin, and the order ----------------------------------------------------------------------------------- */

/* Another configuration wins if it is faster than the first by two margins, and never if it is faster by less than one
   margin. Between them the boundary of 1.7 margins decides. */
Test(order, another_has_to_be_faster_than_the_first_by_the_margin) {
    static const struct { double margin; size_t winner; }
        cases[] = {{0, 1}, {0.01, 1}, {0.0144, 1}, {0.0151, 0}, {0.02, 0}, {0.03, 0}, {0.5, 0}};
    SET_COSTS(1.025 * MILLISECOND, MILLISECOND, 1.3 * MILLISECOND);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            const autotune_result result = tune(3, (autotune_options){.seed = seed, .margin = cases[i].margin});
            cr_assert(result.index == cases[i].winner, "margin %g: %zu", cases[i].margin, result.index);
            cr_assert(result.default_ns >= result.median_ns, "%g, %g", result.default_ns, result.median_ns);
            if (!cases[i].winner) cr_assert_eq(result.verdict, AUTOTUNE_TIE);
        }
}
/* The log says how near a tie is: 1 %, or the boundary if it is larger. */
Test(order, the_log_says_within_how_much_a_tie_is) {
    static const struct { double ns, margin; const char *tie; }
        cases[] = {{10000, 0, ", a tie within 1 %;"}, {10300, 0.05, ", a tie within 8.5 %;"}};
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SET_COSTS(cases[i].ns, 10000);
        logged[0] = 0;
        const autotune_result result = tune(2, (autotune_options){.margin = cases[i].margin});
        cr_assert(result.index == 0 && result.verdict == AUTOTUNE_TIE);
        cr_assert(contains(logged, cases[i].tie), "%s", logged);
        EXPECT_STRING(autotune_verdict_text(result.verdict), "a tie");
    }
}
/* The lowest index within the margin wins, however many configurations there are, and whichever are excluded before. */
Test(order, of_those_within_the_margin_the_lowest_index_wins) {
    enum { COUNT = 60 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int id = 0; id < COUNT; id++) cost_ns[id] = MILLISECOND * (1 + 0.0002 * (COUNT - id));
        for (int id = 0; id < 5; id++) cost_ns[id] = (2.5 - 0.2 * id) * MILLISECOND;
        const autotune_options o = {.seed = seed, .margin = 0.02, .strategy = AUTOTUNE_EXHAUSTIVE};
        const autotune_result result = tune(COUNT, o);
        cr_assert(result.index == 5, "seed %d: %zu", (int)seed, result.index);
    }
}
/* The times scatter so much that five launches show no difference. So the first configuration wins. */
static double scattered_cost(int id, size_t number) {
    (void)number;
    return cost_ns[id] * (1 + 0.3 * uniform());
}
Test(order, where_nothing_is_shown_the_first_one_stays) {
    int others = 0, timely = 0;
    cost_of = scattered_cost;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        dice = 0x9E3779B97F4A7C15u * seed;
        for (int id = 0; id < 6; id++) cost_ns[id] = 10 * MILLISECOND;
        const autotune_result result = tune(6, (autotune_options){.seed = seed}),
                              brief = tune(6, (autotune_options){.seed = seed, .max_seconds = 0.2});
        others += result.index != 0;
        timely += brief.index != 0;
        cr_assert(brief.verdict == AUTOTUNE_UNRESOLVED || brief.verdict == AUTOTUNE_TIE);
    }
    cr_assert(others <= 12 && timely <= 30, "%d, %d of 100", others, timely);
}
/* Later launches of a configuration take 2 % less than its first one. When time runs out before the duel, the first
   configuration stays if it is within four times that share of the best, or within a larger margin. */
static double quicker_cost(int id, size_t number) { return cost_ns[id] * (number == 1 ? 1.02 : 1); }
Test(order, where_time_runs_out_before_the_duel_the_first_one_stays) {
    static const struct {
        double cost, margin;
        size_t winner;
    } cases[] = {{1.05, 0, 0}, {1.2, 0, 2}, {1.2, 0.15, 0}, {1.5, 0.15, 2}};
    cost_of = quicker_cost;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SET_COSTS(cases[i].cost * MILLISECOND, 1.3 * MILLISECOND, MILLISECOND);
        const double just_before_the_last_ends = 1e-3 * (2 * cases[i].cost + 1.3 + 0.9);
        const autotune_options o = {.max_seconds = just_before_the_last_ends,
                                    .margin = cases[i].margin,
                                    /* with this seed the order begins with the first configuration, whose launch ends
                                       the race */
                                    .seed = 2,
                                    .strategy = AUTOTUNE_EXHAUSTIVE};
        const autotune_result result = tune(3, o);
        cr_assert(result.index == cases[i].winner && final_id == (int)result.index, "case %zu: %zu", i, result.index);
        cr_assert(result.verdict == AUTOTUNE_UNRESOLVED && trials_of[1] == 1 && trials_of[2] == 1, "no round");
    }
}
/* The first configuration is a finalist if it takes at most twice as long as the best. */
Test(order, the_first_one_is_a_finalist) {
    for (int percent = 102; percent <= 196; percent += 2) {
        for (int id = 0; id < 30; id++) cost_ns[id] = MILLISECOND * (1 + 0.01 * id);
        cost_ns[0] = percent / 100.0 * MILLISECOND;
        cost_ns[7] = MILLISECOND;
        const autotune_result result = tune(30, no_options);
        cr_assert(result.index == 7 && result.verdict == AUTOTUNE_SEPARATED);
        cr_assert_float_eq(result.default_ns, cost_ns[0], 1e-6 * cost_ns[0], "%d %%: %g", percent, result.default_ns);
    }
}
/* The first configuration is slower than the best by 45 %. Time ends the race after any number of rounds of the duel.
   After five rounds the lead has no interval yet. */
Test(order, a_slower_first_one_never_wins_however_many_rounds_there_are) {
    SET_COSTS(1.45 * MILLISECOND, MILLISECOND, 1.2 * MILLISECOND);
    for (double seconds = 0.02; seconds < 0.07; seconds += 0.001) {
        const autotune_result result = tune(3, (autotune_options){.max_seconds = seconds});
        cr_assert_eq(result.index, 1u, "%.3f s, %zu launches: %zu won", seconds, trials, result.index);
    }
}

/* Among equal configurations, another replaces the first only if an interval shows a difference. This also holds if
   time ends the race. */
static double nearly_even_cost(int id, size_t number) {
    (void)number;
    return cost_ns[id] * (1 + 0.09 * uniform());
}
Test(order, of_equals_only_an_interval_replaces_the_first) {
    enum { COUNT = 64, SEEDS = 40 };
    cost_of = nearly_even_cost;
    for (int id = 0; id < COUNT; id++) cost_ns[id] = MILLISECOND;
    for (int brief = 0; brief < 2; brief++) {
        int replaced = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            dice = 0x9E3779B97F4A7C15u * seed;
            const autotune_result result =
                tune(COUNT, (autotune_options){.seed = seed, .max_seconds = brief ? 0.15 : 100});
            replaced += result.index != 0;
            cr_assert(!is_nan(result.default_ns), "the first one has its figure");
            cr_assert(result.index == 0 || !is_nan(result.lead_low), "%zu won without an interval", result.index);
        }
        cr_assert(replaced <= SEEDS / 10, "%d of %d", replaced, SEEDS);
    }
}

Test(race, one_configuration_needs_no_trial) {
    autotune_result result;
    cost_ns[0] = 1000;
    result = tune(1, no_options);
    cr_assert_eq(result.verdict, AUTOTUNE_SINGLE);
    cr_assert_eq(trials, 0u);
    cr_assert_eq(final_launches, 1u);
    cr_assert(result.space_size == 1 && result.tried == 0 && result.launches == 1 && result.status == AUTOTUNE_OK);
    cr_assert(is_nan(result.median_ns) && is_nan(result.min_ns) && is_nan(result.default_ns) &&
              is_nan(result.runner_up_ns));

    forget_launches();
    AUTOTUNE(SPACE(AXIS(id, 4, 5, 6), WHERE(id == 5)), 1, launch(id, autotune_trial), .backend = virtual_backend(),
             .result = &result);
    cr_assert(result.verdict == AUTOTUNE_SINGLE && result.index == 1 && trials == 0 && final_id == 5);
}

/* ---- The screen -------------------------------------------------------------------------------------------------- */

Test(race, a_configuration_over_twice_the_best_is_launched_twice) {
    SET_COSTS(10.0 * MILLISECOND, 20.1 * MILLISECOND, 40.0 * MILLISECOND, 35.0 * MILLISECOND, 19.9 * MILLISECOND);
    tune(5, no_options);
    cr_assert_eq(trials_of[1], 2u);
    cr_assert_eq(trials_of[2], 2u);
    cr_assert_eq(trials_of[3], 2u);
    cr_assert(trials_of[4] > 2u, "within twice it stays, and as one of two it comes to the duel");
}
/* Three rounds show that the second configuration is three times as slow. It stays until there is an interval, which
   needs six rounds. */
Test(race, one_of_two_that_is_three_times_as_slow_leaves_after_six_rounds) {
    SET_COSTS(10.0 * MILLISECOND, 30.1 * MILLISECOND);
    autotune_result result = tune(2, no_options);
    cr_assert(trials_of[1] == 2 + 6 && result.verdict == AUTOTUNE_SEPARATED, "%zu trials", trials_of[1]);
    cr_assert(fabs(result.lead_low - 2.01) < 1e-9, "%g", result.lead_low);
    SET_COSTS(10.0 * MILLISECOND, 29.9 * MILLISECOND);
    result = tune(2, no_options);
    cr_assert(trials_of[1] == 2 + 8 && result.verdict == AUTOTUNE_SEPARATED, "%zu trials", trials_of[1]);
}

/* Configuration `slow_at_first` takes 80 times as long in its first launch. */
static int slow_at_first;
static double cost_with_a_slow_start(int id, size_t number) {
    return cost_ns[id] * (id == slow_at_first && number == 1 ? 80 : 1);
}
Test(race, a_slow_first_launch_excludes_nobody) {
    cost_of = cost_with_a_slow_start;
    for (int count = 2; count <= 12; count++)
        for (slow_at_first = 0; slow_at_first < count; slow_at_first++)
            /* 50: the slow first launch is the slowest of all; 500: another configuration takes longer */
            for (int slowest = 50; slowest <= 500; slowest += 450) {
                for (int id = 0; id < count; id++) cost_ns[id] = (50 + id) * MILLISECOND;
                cost_ns[(slow_at_first + 1) % count] = slowest * MILLISECOND;
                cost_ns[slow_at_first] = 5 * MILLISECOND;
                const autotune_result result = tune(count, (autotune_options){.max_seconds = 100});
                cr_assert(result.index == (size_t)slow_at_first && result.verdict == AUTOTUNE_SEPARATED,
                          "%d of %d is the fastest, %zu won: %s", slow_at_first, count, result.index,
                          autotune_verdict_text(result.verdict));
            }
}
/* On the CPU the first launch of a configuration waits. It is made again at once, before another configuration is
   launched. */
static int waiting_id, last_id, after_the_wait;
static size_t launches_of_waiting_id;
static void launch_and_wait(int id) {
    if (last_id == waiting_id && launches_of_waiting_id == 1) after_the_wait = id;
    if (id == waiting_id && ++launches_of_waiting_id == 1) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    last_id = id;
}
Test(race, a_first_launch_that_waits_is_made_again_at_once) {
    for (waiting_id = 1; waiting_id < 4; waiting_id++) {
        last_id = after_the_wait = -1;
        launches_of_waiting_id = 0;
        AUTOTUNE(SPACE(RANGE(id, 0, 4, 1)), 1, launch_and_wait(id), .key = KEY(waiting_id),
                 .strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 1000);
        cr_assert(after_the_wait == waiting_id, "%d follows %d", after_the_wait, waiting_id);
    }
}
/* Second launches go in ascending order of the first times, but two of eight are of far slower configurations. If eight
   in a row confirm that their configurations are beyond the reach of the best, the first launches of the rest count. A
   slow first launch among these eight is noticed. */
Test(race, eight_second_launches_in_a_row_confirm_the_first_ones) {
    enum { COUNT = 60 };
    cost_of = cost_with_a_slow_start;
    for (int late = 0; late < 2; late++) {
        cost_ns[0] = MILLISECOND;
        for (int id = 1; id < COUNT; id++) cost_ns[id] = (100 + id) * MILLISECOND;
        slow_at_first = late ? 3 : -1;
        if (late) cost_ns[3] = 106.5 / 80 * MILLISECOND; /* by its first launch it takes 106.5 ms */
        const autotune_result result =
            tune(COUNT, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 100});
        size_t once = 0;
        for (int id = 1; id < COUNT; id++) once += trials_of[id] == 1;
        cr_assert(result.index == 0 && result.verdict == AUTOTUNE_SEPARATED, "%s",
                  autotune_verdict_text(result.verdict));
        cr_assert(once == (late ? COUNT - 1 - 16 : COUNT - 1 - 8), "%zu", once);
        if (late) cr_assert(trials_of[3] > 2, "it is the second, and duelled with the first");
    }
}
/* The best of many takes longer in its first launch, as if it built a table. Then a half of all configurations does, or
   an eighth. The second launches of the slowest show this, so the best wins. */
static int builds_each;
static double times_slower_at_first;
static double cost_with_tables(int id, size_t number) {
    const bool builds = builds_each ? id % builds_each == 1 : id == slow_at_first;
    return cost_ns[id] * (builds && number == 1 ? times_slower_at_first : 1);
}
Test(race, first_launches_that_build_something_exclude_nobody) {
    enum { COUNT = 72 };
    static const int each[] = {0, 2, 8};
    cost_of = cost_with_tables;
    slow_at_first = 25;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        for (times_slower_at_first = 3; times_slower_at_first < 100; times_slower_at_first *= 3) {
            for (int id = 0; id < COUNT; id++) cost_ns[id] = MILLISECOND * (1.1 + 0.006 * id);
            cost_ns[slow_at_first] = MILLISECOND;
            builds_each = each[i];
            const autotune_result result = tune(COUNT, (autotune_options){.max_seconds = 100});
            cr_assert(result.index == (size_t)slow_at_first && result.verdict == AUTOTUNE_SEPARATED,
                      "each %d, %g times slower: %zu won", builds_each, times_slower_at_first, result.index);
        }
}
/* One second launch takes ten times as long. This does not widen the reach: eight launches beyond it are enough. */
static double cost_with_a_wait(int id, size_t number) { return cost_ns[id] * (id == 3 && number == 2 ? 10 : 1); }
Test(race, one_long_wait_launches_nothing_else_again) {
    enum { COUNT = 60, NEAR = 10 };
    size_t once = 0;
    cost_of = cost_with_a_wait;
    for (int id = 0; id < COUNT; id++) cost_ns[id] = (id < NEAR ? 100 + 0.1 * id : 120 + id) * MILLISECOND;
    tune(COUNT, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 1000});
    for (int id = NEAR; id < COUNT; id++) once += trials_of[id] == 1;
    cr_assert(once == COUNT - NEAR - 8, "%zu", once);
}
/* A third of the second launches are held up. So the first launch of the best may have been held up, too, beyond the
   reach that eight launches in a row confirm. */
static double cost_with_many_waits(int id, size_t number) {
    return cost_ns[id] * (number == 2 && id % 3 == 0 ? 1.3 : number == 1 && id == 40 ? 1.6 : 1);
}
Test(race, many_long_waits_widen_the_reach) {
    enum { COUNT = 60, NEAR = 12, BEST = 40 };
    cost_of = cost_with_many_waits;
    for (int id = 0; id < COUNT; id++) cost_ns[id] = (id < NEAR ? 100 + 0.1 * id : 120 + id) * MILLISECOND;
    cost_ns[BEST] = 95 * MILLISECOND;
    const autotune_result result =
        tune(COUNT, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 1000});
    cr_assert(result.index == BEST, "%zu: %s", result.index, autotune_verdict_text(result.verdict));
}
/* Launches that differ by 2 % have a reach of 18 %. Three rounds exclude configurations that are slower by 7 %. The
   second best stays until there is an interval. */
static double cost_that_alternates(int id, size_t number) { return cost_ns[id] * (number % 2 ? 1.02 : 1); }
Test(race, a_finalist_within_the_reach_leaves_after_three_rounds) {
    enum { COUNT = 20, BEST = 5, SECOND = 7, THIRD = 9 };
    cost_of = cost_that_alternates;
    for (int id = 0; id < COUNT; id++) cost_ns[id] = (120 + id) * MILLISECOND;
    cost_ns[BEST] = 100 * MILLISECOND;
    cost_ns[SECOND] = cost_ns[THIRD] = 107 * MILLISECOND;
    const autotune_result result =
        tune(COUNT, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 1000});
    cr_assert(result.index == BEST && trials_of[SECOND] == 2 + 6 && trials_of[THIRD] == 2 + 3,
              "%zu launches of the second, %zu of the third", trials_of[SECOND], trials_of[THIRD]);
}
/* With the verdict "separated", the interval is above 0, however few rounds the race had. Finalists may fail late. */
static double cost_that_shifts(int id, size_t number) {
    return cost_ns[id] * (1 + 0.004 * (double)((number * (size_t)(id + 3)) % 7));
}
Test(many_races, what_is_separated_has_an_interval) {
    cost_of = cost_that_shifts;
    for (int spread = 1; spread <= 40; spread++)
        for (int count = 2; count <= 24; count += 2) {
            for (int id = 0; id < count; id++)
                cost_ns[id] = (100 + 0.3 * spread * ((id * 7 + spread) % count)) * MILLISECOND;
            const autotune_result result = tune(count, (autotune_options){.max_seconds = 1000});
            cr_assert(result.verdict != AUTOTUNE_SEPARATED || result.lead_low > 0, "%d of %d: %g (%g to %g)", spread,
                      count, result.lead, result.lead_low, result.lead_high);
        }
}
/* One launch in a hundred is a fifth too short: an error of the clock. Such a launch excludes no configuration, and
   makes none the winner. */
static double cost_with_glitches(int id, size_t number) {
    (void)number;
    return cost_ns[id] * (uniform() < 0.01 ? 0.8 : 1);
}
Test(many_races, a_launch_that_is_too_short_makes_nobody_the_winner) {
    enum { SEEDS = 200, COUNT = 100 };
    int wrong = 0;
    cost_of = cost_with_glitches;
    for (int seed = 1; seed <= SEEDS; seed++) {
        double best = HUGE_VAL;
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        for (int id = 0; id < COUNT; id++) {
            cost_ns[id] = MILLISECOND * (1 + 0.1 * uniform());
            best = fmin(best, cost_ns[id]);
        }
        const autotune_result result = tune(COUNT, (autotune_options){.seed = (uint64_t)seed, .max_seconds = 1000});
        wrong += cost_ns[result.index] > 1.01 * best;
    }
    cr_assert(wrong <= SEEDS / 100, "%d of %d", wrong, SEEDS);
}
/* One configuration takes a second, all others some tenths of a millisecond. The slow configuration is launched once,
   and has no influence on the comparison of the others. */
Test(race, a_very_slow_configuration_is_launched_once) {
    enum { COUNT = 20 };
    for (int slow = 1; slow < COUNT; slow += 6) {
        for (int id = 0; id < COUNT; id++) cost_ns[id] = (0.42 - 0.002 * id) * MILLISECOND;
        cost_ns[slow] = 1000 * MILLISECOND;
        const autotune_result result = tune(COUNT, no_options);
        cr_assert(trials_of[slow] == 1 && result.index >= COUNT - 4, "%zu launches", trials_of[slow]);
        cr_assert(result.verdict == AUTOTUNE_SEPARATED || result.verdict == AUTOTUNE_TIE, "%s",
                  autotune_verdict_text(result.verdict));
    }
}
/* There is no time for second launches. One of them might have shown that its configuration is the fastest. So the
   verdict is UNRESOLVED. */
Test(race, what_could_not_be_launched_again_is_no_evidence) {
    for (int id = 0; id < 8; id++) cost_ns[id] = id ? 100 * MILLISECOND : 10 * MILLISECOND;
    cr_assert_eq(tune(8, (autotune_options){.max_seconds = 10}).verdict, AUTOTUNE_SEPARATED);
    const autotune_result result = tune(8, (autotune_options){.max_seconds = 1.1});
    cr_assert(result.tried == 8 && result.index == 0 && result.verdict == AUTOTUNE_UNRESOLVED, "%zu, %s", result.tried,
              autotune_verdict_text(result.verdict));
}

/* The first configuration is launched for at most 50 ms. This warm-up ends when the least time of 2.5 ms is at most 1 %
   below the least time of the 2.5 ms before. The other configuration fails, so only the warm-up is launched. */
static double warming_step;
static double cost_while_warming(int id, size_t number) { return cost_ns[id] * pow(warming_step, (double)number); }
static double cost_that_settles(int id, size_t number) { return cost_ns[id] * (number < 4 ? 6 - (double)number : 1); }

Test(race, the_first_is_launched_until_it_settles) {
    static const struct {
        double ns, step;
        size_t launches;
    } cases[] = {
        {1e6, 1, 6},     {1e4, 1, 500}, {1, 1, 4096},    {1e6, 1.02, 6},   {1e6, 0.995, 58}, {4e6, 0.995, 2},
        {4e6, 0.98, 15}, {49e6, 1, 2},  {49e6, 0.98, 2}, {50e6, 0.98, 2}, {51e6, 1, 1},
    };
    cost_of = cost_while_warming;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cost_ns[0] = cases[i].ns;
        warming_step = cases[i].step;
        fails_from[1] = 1;
        tune(2, no_options);
        /* The sum of 250 times may be a little less than 2.5 ms. */
        cr_expect(trials_of[0] >= cases[i].launches && trials_of[0] <= cases[i].launches + cases[i].launches / 250,
                  "case %zu: %zu launches, not %zu", i, trials_of[0], cases[i].launches);
    }
    cost_of = cost_that_settles;
    cost_ns[0] = 1e6;
    const autotune_result result = tune(2, no_options);
    cr_assert(trials_of[0] == 3 + 6 && result.min_ns == 1e6, "%zu launches", trials_of[0]);
}
Test(race, a_warm_up_takes_10_ms_at_most_where_the_clock_is_steady) {
    fails_from[1] = 1;
    for (cost_ns[0] = 2000; cost_ns[0] < 5e6; cost_ns[0] *= 1.1) {
        tune(2, no_options);
        cr_assert(trials_of[0] >= 2 && (double)trials_of[0] * cost_ns[0] <= 10e6, "%zu launches of %g ns", trials_of[0],
                  cost_ns[0]);
    }
}
/* A device is warm for 10 ms after a race on it. */
Test(race, the_first_is_launched_once_after_another_race) {
    static const struct {
        double idle_ms;
        size_t launches;
    } cases[] = {{0, 1}, {8, 1}, {11, 6}};
    fails_from[1] = 1;
    cost_ns[0] = MILLISECOND;
    tune(2, no_options);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        virtual_ns += (uint64_t)(cases[i].idle_ms * MILLISECOND);
        is_idle_before = false;
        tune(2, no_options);
        cr_assert_eq(trials_of[0], cases[i].launches, "after %g ms: %zu launches", cases[i].idle_ms, trials_of[0]);
    }
}
/* Two devices race in turn. Each is warm from its own last race. */
Test(race, the_first_is_launched_once_after_another_race_of_its_device) {
    autotune_backend other = *virtual_backend();
    other.device = "another device";
    cost_ns[0] = MILLISECOND;
    fails_from[1] = 1;
    for (int race = 0; race < 6; race++) {
        forget_launches();
        is_idle_before = false;
        AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, launch(id, autotune_trial), .key = KEY(race),
                 .backend = race % 2 ? &other : virtual_backend());
        cr_assert_eq(trials_of[0], race < 2 ? 6u : 1u, "race %d: %zu launches", race, trials_of[0]);
    }
}
/* If time is short, the warm-up may take a tenth of it, so that other configurations are tried, too. */
Test(race, the_first_leaves_time_to_the_others) {
    cost_of = cost_while_warming;
    warming_step = 1 / 1.03;
    for (int id = 0; id < 12; id++) cost_ns[id] = 10 * MILLISECOND;
    const autotune_result result = tune(12, (autotune_options){.max_seconds = 0.1, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert(trials_of[0] <= 3 && result.tried >= 8, "%zu launches, %zu tried", trials_of[0], result.tried);
}
/* If a configuration fails in the warm-up, the next configuration warms up. */
Test(race, the_first_that_works_warms_up) {
    SET_COSTS(MILLISECOND, MILLISECOND);
    for (fails_from[0] = 1; fails_from[0] <= 2; fails_from[0]++) {
        tune(2, no_options);
        cr_assert(trials_of[0] == fails_from[0] && trials_of[1] == 7 - fails_from[0] - (fails_from[0] > 1), "%zu, %zu",
                  trials_of[0], trials_of[1]);
    }
}

/* The first launch of a short kernel may start threads and touch pages. So the kernel is launched again, and only this
   time counts. */
static double cost_after_a_slow_start(int id, size_t number) { return (id == 1 && number == 1 ? 9 : 1) * cost_ns[id]; }
Test(race, a_short_first_launch_is_made_again_before_it_counts) {
    cost_of = cost_after_a_slow_start;
    SET_COSTS(120000, 100000, 130000);
    autotune_result result = tune(3, no_options);
    cr_assert(result.index == 1 && result.median_ns == 100000, "index %zu", result.index);
    cost_of = NULL;
    SET_COSTS(100000, 301000, 400000);
    tune(3, no_options);
    cr_assert(trials_of[2] == 2, "and once is enough: %zu", trials_of[2]);
}

/* A sample takes at least 32 us, and at random up to a fifth more. In the first round, slower configurations make as
   many launches as the best. */
Test(race, a_sample_of_the_first_round_is_whole_below_twice_the_best) {
    const double best = 100, slow[] = {126, 140, 160, 180, 199};
    const size_t repetitions = 3, least = 321;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        SET_COSTS(best, best + 1, slow[i]);
        tune(3, (autotune_options){.max_seconds = 1, .seed = i});
        const size_t batch = (trials_of[2] - 1) / repetitions;
        cr_assert(trials_of[2] == 1 + repetitions * batch && batch >= least && batch <= least + least / 5,
                  "%g ns: 1 + %zu launches", slow[i], trials_of[2] - 1);
    }
    SET_COSTS(best, best + 1, 201);
    tune(3, (autotune_options){.max_seconds = 1});
    cr_assert_eq(trials_of[2], 2u, "over twice the best there is no batch");
}

Test(race, an_unknown_configuration_is_never_batched) {
    SET_COSTS(100, 1e9);
    tune(2, no_options);
    cr_assert(trials_of[1] <= 2, "%zu launches of 1 s each", trials_of[1]);
}

Test(race, the_incumbent_starts_and_the_others_follow_in_random_order) {
    bool in_order = true, seen[MOST] = {false};
    for (int id = 0; id < 40; id++) cost_ns[id] = 50000 + 1000 * id;
    tune(40, (autotune_options){.strategy = AUTOTUNE_RANDOM, .seed = 1});
    cr_assert_eq(first_count, 40u);
    cr_assert_eq(first_trials[0], 0);
    for (int i = 0; i < 40; i++) {
        in_order = in_order && first_trials[i] == i;
        seen[first_trials[i]] = true;
    }
    for (int i = 0; i < 40; i++) cr_assert(seen[i]);
    cr_assert_not(in_order);
}

Test(race, exhaustive_goes_in_the_order_of_the_space_without_a_time_limit) {
    for (int id = 0; id < 40; id++) cost_ns[id] = 1e9; /* in all 40 s, twice the default limit for first launches */
    tune(40, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert_eq(first_count, 40u);
    for (int i = 0; i < 40; i++) cr_assert_eq(first_trials[i], i);
    tune(40, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 3.5});
    cr_assert_eq(trials, 4u, "an explicit limit holds");
}

/* ---- The duel ---------------------------------------------------------------------------------------------------- */

/* If one configuration is faster in all n rounds, the evidence is 2^n / (n + 1). Two finalists need 20: eight rounds,
   not seven. In the first rounds the best of the halving is the control, and is sampled twice. */
Test(race, a_clean_sweep_of_two_takes_eight_rounds) {
    for (size_t best = 0; best < 2; best++) {
        cost_ns[best] = 2.0 * MILLISECOND;
        cost_ns[!best] = 2.1 * MILLISECOND;
        const autotune_result result = tune(2, no_options);
        cr_assert_eq(result.verdict, AUTOTUNE_SEPARATED);
        cr_assert_eq(trials_of[0], warm_ups(cost_ns[0]) + HALVING + 8 + (best == 0 ? CONTROLS : 0));
        cr_assert_eq(trials_of[1], SCREEN + HALVING + 8 + (best == 1 ? CONTROLS : 0));
    }
}

/* If a launch takes less than 0.1 ms, a sample is the least of three. So a preemption does not spoil a round. */
Test(race, short_samples_are_the_least_of_three) {
    SET_COSTS(94500, 90000);
    tune(2, no_options);
    cr_assert_eq(trials_of[0], warm_ups(cost_ns[0]) + HALVING + 3 * 8);
    cr_assert_eq(trials_of[1], SCREEN + HALVING + 3 * (8 + CONTROLS));
    SET_COSTS(115500, 110000);
    tune(2, no_options);
    cr_assert_eq(trials_of[0], warm_ups(cost_ns[0]) + HALVING + 8);
    cr_assert_eq(trials_of[1], SCREEN + HALVING + 8 + CONTROLS);
}

static double cost_with_preemptions(int id, size_t number) {
    return cost_ns[id] * (number % 3 == (size_t)id % 3 ? 10 : 1);
}
Test(race, preemptions_of_every_third_launch_change_nothing) {
    cost_of = cost_with_preemptions;
    SET_COSTS(96000, 88000, 80000);
    const autotune_result result = tune(3, no_options);
    cr_assert(result.index == 2 && result.verdict == AUTOTUNE_SEPARATED && result.median_ns == 80000, "%zu, %g ns",
              result.index, result.median_ns);
}

/* In the duel, the second configuration is 2 % faster and 2 % slower than the first in turn. So the duel ends
   undecided. */
static double undecided_cost(int id, size_t number) {
    return cost_ns[id] * (id != 1 ? 1 : number <= SCREEN + HALVING ? 1.001 : number % 2 ? 1.02 : 0.98);
}

/* In the duel, the second configuration is faster than the first by less than 0.1 %. */
static double faster_in_the_duel(int id, size_t number) {
    return cost_ns[id] * (id != 1 ? 1 : number <= SCREEN + HALVING ? 1.001 : 0.9995);
}
Test(race, of_two_alike_the_first_wins_and_the_log_says_which_is_faster) {
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    cost_of = faster_in_the_duel;
    SET_COSTS(MILLISECOND, MILLISECOND);
    const autotune_result result = tune(2, no_options);
    cr_assert(result.index == 0 && result.verdict == AUTOTUNE_TIE && result.lead < 0, "%g", result.lead);
    cr_assert(contains(logged, "  the second: id=1, faster by 0.05 % (0.05 to 0.05 %) after "), "%s", logged);
}

Test(race, presets_set_the_number_of_rounds) {
    static const struct {
        autotune_preset preset;
        size_t rounds;
    } presets[] = {{AUTOTUNE_FAST, 16}, {AUTOTUNE_BALANCED, 40}, {AUTOTUNE_THOROUGH, 200}};
    cost_of = undecided_cost;
    /* so short that the number of rounds ends the duel, and not its share of the time */
    SET_COSTS(0.3 * MILLISECOND, 0.3 * MILLISECOND);
    for (int i = 0; i < 3; i++) {
        const autotune_result result = tune(2, (autotune_options){.preset = presets[i].preset});
        cr_assert_eq(result.verdict, AUTOTUNE_UNRESOLVED);
        cr_assert_eq(trials_of[0], warm_ups(cost_ns[0]) + HALVING + presets[i].rounds + CONTROLS);
        cr_assert_eq(trials_of[1], SCREEN + HALVING + presets[i].rounds);
    }
}

/* FAST and BALANCED end the duel once three conditions hold: it took as long as the race before it, it took 50 ms, and
   it has 128 samples. Most launches before the duel are of hopeless configurations. */
Test(race, a_duel_has_its_share_of_the_race) {
    static const struct {
        autotune_preset preset;
        double kernel_ms, hopeless_ms;
        int hopeless;
        const char *ended_by;
    } cases[] = {
        {AUTOTUNE_FAST, 5, 0, 0, "rounds"},          {AUTOTUNE_FAST, 2, 7, 120, "rounds"},
        {AUTOTUNE_FAST, 5, 16, 6, "rounds"},         {AUTOTUNE_BALANCED, 2, 2.2, 40, "samples"},
        {AUTOTUNE_BALANCED, 0.3, 1.1, 20, "rounds"}, {AUTOTUNE_BALANCED, 2, 2.2, 50, "share"},
        {AUTOTUNE_BALANCED, 2, 2.2, 52, "share"},    {AUTOTUNE_BALANCED, 2, 900, 1, "rounds"},
        {AUTOTUNE_FAST, 2, 6.5, 118, "rounds"},      {AUTOTUNE_THOROUGH, 2, 0, 0, "rounds"},
        {AUTOTUNE_THOROUGH, 2, 7, 60, "rounds"},
    };
    cost_of = undecided_cost;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t most = cases[i].preset == AUTOTUNE_FAST ? 16 : cases[i].preset == AUTOTUNE_BALANCED ? 40 : 200;
        for (int id = 0; id < MOST; id++)
            cost_ns[id] = MILLISECOND * (id < 2 ? cases[i].kernel_ms : cases[i].hopeless_ms);
        const autotune_result result = tune(2 + cases[i].hopeless,
                                            (autotune_options){.preset = cases[i].preset, .max_seconds = 100});
        const size_t rounds = trials_of[1] - SCREEN - HALVING, duel = 2 * rounds + CONTROLS, end = trials,
                     /* the launches of a warm-up are no samples */
                     last = end - 2, warmed = warm_ups(cost_ns[0]) - SCREEN;
        double before_ns = 0, duel_ns = 0, last_ns = 0;
        for (size_t t = 0; t < end - duel; t++) before_ns += trial_ns[t];
        for (size_t t = end - duel; t < end; t++) duel_ns += trial_ns[t];
        for (size_t t = last; t < end; t++) last_ns += trial_ns[t];
        const char *ended_by = rounds == most ? "rounds" : duel_ns - last_ns > before_ns ? "samples" : "share";
        cr_assert_str_eq(ended_by, cases[i].ended_by, "case %zu: %zu rounds, %g of %g ns", i, rounds, duel_ns,
                         before_ns);
        if (rounds < most)
            cr_assert(end - warmed >= 128 && duel_ns > 50e6 && duel_ns > before_ns, "case %zu: %zu, %g ns", i, end,
                      duel_ns);
        if (!strcmp(ended_by, "samples")) cr_assert(last - warmed <= 128, "case %zu: it should have ended before", i);
        cr_assert_eq(result.verdict, AUTOTUNE_UNRESOLVED);
    }
}

/* Noise that is uniform between 0 and 10 %, so the duel needs many rounds. */
static double even_cost(int id, size_t number) {
    (void)number;
    return cost_ns[id] * (1 + 0.10 * uniform());
}

/* A race of a few kernels of 2 ms without any option takes less than the default of two seconds. */
Test(race, by_default_a_small_race_takes_less_than_two_seconds) {
    autotune_result result;
    cost_of = even_cost;
    dice = 88172645463325252u;
    for (int id = 0; id < 12; id++) cost_ns[id] = 2 * MILLISECOND;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, 11, 1)), 1, launch(id, autotune_trial), .backend = virtual_backend(),
             .result = &result);
    cr_assert(result.tried == 12 && result.seconds < 2, "%g s", result.seconds);
    for (int id = 0; id < 12; id++) cost_ns[id] = 40 * MILLISECOND; /* this race ends when its time is over */
    result = tune(12, no_options);
    cr_assert(result.tried == 12 && result.seconds > 1.5 && result.seconds < 2 + 1.1 * 0.04, "%g s", result.seconds);
}

/* A preset sets the seconds of a race. First launches may take ten times as long. A launch that begins before the end
   is made. */
Test(race, presets_set_the_time) {
    static const struct {
        autotune_preset preset;
        double seconds;
    } presets[] = {{AUTOTUNE_FAST, 0.5}, {AUTOTUNE_BALANCED, 2}, {AUTOTUNE_THOROUGH, 10}};
    dice = 88172645463325252u;
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        const double least = presets[i].seconds;
        const autotune_preset preset = presets[i].preset;
        cost_of = NULL;
        for (int id = 0; id < 40; id++) cost_ns[id] = 1e9 * least / 2;
        cr_assert_eq(tune(40, (autotune_options){.preset = preset}).tried, 20u, "of half the time each, %g s", least);
        cost_of = even_cost;
        for (int id = 0; id < 12; id++) cost_ns[id] = 1e9 * least / 50;
        const autotune_result result = tune(12, (autotune_options){.preset = preset});
        cr_assert(result.seconds >= least && result.seconds < 1.022 * least, "%g s, not %g", result.seconds, least);
        const autotune_result all = tune(12, (autotune_options){.preset = preset, .strategy = AUTOTUNE_EXHAUSTIVE});
        cr_assert(all.seconds > 1.022 * least, "%g s: EXHAUSTIVE has no limit that was not asked for", all.seconds);
    }
}

/* Each launch after a launch of the last configuration takes longer. If rounds had a fixed order, this would always hit
   the same configuration: the fastest. */
static int launched_before;
static double cost_behind_a_heater(int id, size_t number) {
    const bool behind = launched_before == 3;
    (void)number;
    launched_before = id;
    return cost_ns[id] * (behind ? 1.012 : 1);
}
Test(race, every_round_has_an_order_of_its_own) {
    enum { SEEDS = 100 };
    int right = 0;
    cost_of = cost_behind_a_heater;
    SET_COSTS(1.05 * MILLISECOND, MILLISECOND, 1.005 * MILLISECOND, 1.006 * MILLISECOND, 1.007 * MILLISECOND);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const autotune_result result = tune(5, (autotune_options){.seed = seed});
        if (result.index == 1 && !result.doubt) right++;
    }
    cr_assert(right >= SEEDS * 95 / 100, "%d of %d", right, SEEDS);
}

/* The machine has two speeds, and changes between them at random, mostly between rounds. The median of a
   configuration's times may be of either speed. So times are divided by the fastest time of their round. */
static double wandering;
static double cost_at_two_speeds(int id, size_t number) {
    (void)number;
    if (uniform() < 0.1) wandering = wandering > 1 ? 1 : 1.12;
    return cost_ns[id] * wandering * (1 + 0.02 * uniform());
}
Test(race, configurations_are_compared_within_rounds) {
    enum { SEEDS = 200 };
    int right = 0;
    cost_of = cost_at_two_speeds;
    SET_COSTS(1.05 * MILLISECOND, MILLISECOND, 1.01 * MILLISECOND, 1.01 * MILLISECOND);
    for (int seed = 1; seed <= SEEDS; seed++) {
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        wandering = 1;
        if (tune(4, (autotune_options){.seed = (uint64_t)seed, .preset = AUTOTUNE_FAST}).index == 1) right++;
    }
    cr_assert(right >= SEEDS * 90 / 100, "%d of %d", right, SEEDS);
}

/* Eight equal configurations are in the duel. The evidence for a tie needs eleven rounds: 2^11 / 12 is above 7 / 0.05.
   Six stay from the fifth round on, and four from the eighth on. Those with the lowest indices stay, in whatever order
   they are launched. */
Test(race, equals_are_thinned_out_from_the_highest_index_on) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        for (int id = 0; id < 8; id++) cost_ns[id] = MILLISECOND;
        const autotune_result result = tune(8, (autotune_options){.seed = seed});
        cr_assert(result.verdict == AUTOTUNE_TIE && result.index == 0);
        for (int id = 1; id < 8; id++) {
            const size_t in_the_duel = trials_of[id] - SCREEN - HALVING, controls = in_the_duel > 11 ? CONTROLS : 0;
            cr_assert_eq(in_the_duel - controls,
                         id < 4   ? 11u
                         : id < 6 ? 8u
                                  : 5u,
                         "seed %d: configuration %d has %zu rounds", (int)seed, id, in_the_duel);
        }
    }
}

/* ---- The lead ---------------------------------------------------------------------------------------------------- */

Test(race, the_second_is_who_came_closest) {
    SET_COSTS(1.20 * MILLISECOND, MILLISECOND, 1.05 * MILLISECOND, 1.006 * MILLISECOND, 8.0 * MILLISECOND);
    const autotune_result result = tune(5, no_options);
    cr_assert(result.index == 1 && result.runner_up_ns == 1006000, "%g", result.runner_up_ns);
    cr_assert(fabs(result.lead - 0.006) < 1e-9 && fabs(result.lead_low - 0.006) < 1e-9 &&
              fabs(result.lead_high - 0.006) < 1e-9);
    SET_COSTS(MILLISECOND, 4.0 * MILLISECOND, 5.0 * MILLISECOND); /* the time is too short for an interval */
    const autotune_result alone = tune(3, (autotune_options){.max_seconds = 0.05});
    cr_assert(alone.runner_up_ns == 4.0 * MILLISECOND && alone.lead == 3 && is_nan(alone.lead_low) &&
              is_nan(alone.lead_high));
}

/* The earlier winner is launched first, and stays the winner in a tie. */
static autotune_result tune_again(autotune_mode mode) {
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, 9, 1)), 1, launch(id, autotune_trial), .backend = virtual_backend(), .mode = mode,
             .result = &result);
    return result;
}
Test(race, who_won_before_is_the_incumbent) {
    for (int id = 0; id < 10; id++) cost_ns[id] = id == 7 ? 100000 : 130000;
    cr_assert_eq(tune_again(AUTOTUNE_ON).index, 7u);
    for (int id = 0; id < 10; id++) cost_ns[id] = 100000;
    const autotune_result again = tune_again(AUTOTUNE_FORCE);
    cr_assert(again.index == 7 && again.verdict == AUTOTUNE_TIE && !again.cache_hit, "%zu", again.index);
    cr_assert_eq(first_trials[0], 7);
}

/* ---- Failures in the middle of the race -------------------------------------------------------------------------- */

Test(race, a_configuration_that_fails_late_never_wins) {
    SET_COSTS(120000, 100000, 110000);
    for (size_t late = 1; late <= 40; late++) {
        memset(fails_from, 0, sizeof fails_from);
        fails_from[1] = late;
        const autotune_result result = tune(3, no_options);
        if (trials_of[1] < late) continue; /* the race ended before this launch */
        cr_assert(result.index == 2 && result.status == AUTOTUNE_OK, "failing from launch %zu on: %zu won", late,
                  result.index);
        cr_assert_eq(result.failed, 1u);
        cr_assert_eq(trials_of[1], late, "launched again after its failure");
    }
}

Test(race, when_all_finalists_fail_late_something_that_works_wins) {
    SET_COSTS(10.0 * MILLISECOND, 10.1 * MILLISECOND, 25.0 * MILLISECOND);
    /* Both finalists fail in the first round of the duel. Configuration 0 is the control. */
    fails_from[0] = warm_ups(cost_ns[0]) + HALVING + 2;
    fails_from[1] = SCREEN + HALVING + 1;
    const autotune_result result = tune(3, no_options);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index, 2u);
    cr_assert(result.failed == 2 && final_launches == 1 && final_id == 2);
}

Test(race, what_is_left_may_fail_late_as_well) {
    /* configuration 2 is hopeless, so it was launched once */
    SET_COSTS(10.0 * MILLISECOND, 10.1 * MILLISECOND, 50.0 * MILLISECOND);
    fails_from[0] = warm_ups(cost_ns[0]) + HALVING + 2;
    fails_from[1] = SCREEN + HALVING + 1;
    fails_from[2] = 2;
    const autotune_result result = tune(3, no_options);
    cr_assert(trials_of[2] == 1 || final_launches == 0,
              "a configuration whose last trial failed was launched for real");
    if (trials_of[2] > 1) cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
}

/* The last finalist fails when the budget is over. */
static double seconds_at_the_fourth_launch(int id, size_t number) { return number >= 4 ? 5e9 : 90000 + id; }

Test(race, the_last_finalist_fails_after_the_budget) {
    cost_of = seconds_at_the_fourth_launch;
    for (int count = 2; count <= 6; count++) {
        for (int id = 0; id < count; id++) fails_from[id] = 4;
        const autotune_result result = tune(count, no_options);
        cr_assert(result.status == AUTOTUNE_OK && trials_of[result.index] < 4);
    }
    fails_from[0] = 3;
    fails_from[1] = 4;
    const autotune_result result = tune(2, no_options);
    cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert_eq(final_launches, 0u);
    cr_assert_eq(result.failed, 2u);
}

/* ---- PRIORITY and MODEL ------------------------------------------------------------------------------------------ */

Test(race, the_highest_priority_alone_is_raced_if_it_works) {
    for (int id = 0; id < 9; id++) {
        group_of[id] = id % 3;
        cost_ns[id] = 50000 + 5000 * (8 - id);
    }
    cost_ns[1] = 10; /* the fastest of all, in a group with a lower PRIORITY */
    const autotune_result result = tune_priority(9, no_options);
    cr_assert_eq(result.index, 8u);
    cr_assert_eq(result.tried, 3u);
    cr_assert_eq(result.space_size, 9u);
    for (int id = 0; id < 9; id++) cr_assert_eq(trials_of[id] > 0, group_of[id] == 2, "configuration %d", id);
}

Test(race, lower_priorities_are_raced_when_nothing_higher_works) {
    for (int id = 0; id < 9; id++) {
        group_of[id] = id / 3;
        cost_ns[id] = 50000 + 5000 * id;
        fails_from[id] = id >= 3;
    }
    const autotune_result result = tune_priority(9, no_options);
    cr_assert_eq(result.index, 0u);
    cr_assert_eq(result.failed, 6u);
    cr_assert_eq(result.tried, 9u);
    for (int i = 0; i < 9; i++) cr_assert_eq(group_of[first_trials[i]], 2 - i / 3, "the order of the groups");
    for (int id = 3; id < 9; id++) cr_assert_eq(trials_of[id], 1u, "nothing is launched in two batches");
}

Test(race, lower_priorities_are_raced_when_everything_higher_fails_late) {
    group_of[0] = group_of[1] = 1;
    SET_COSTS(50000, 51000, 60000, 90000);
    fails_from[0] = fails_from[1] = 6;
    const autotune_result result = tune_priority(4, no_options);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index, 2u);
}

Test(race, within_a_group_the_second_number_orders) {
    for (int id = 0; id < 6; id++) {
        group_of[id] = 7;
        intra_of[id] = id % 3;
        cost_ns[id] = 50000;
        fails_from[id] = intra_of[id] == 2;
    }
    const autotune_result result = tune_priority(6, no_options);
    cr_assert_eq(result.index, 1u);
    cr_assert(intra_of[first_trials[0]] == 2 && intra_of[first_trials[1]] == 2 && intra_of[first_trials[2]] == 1);
    cr_assert_eq(trials_of[0] + trials_of[3], 0u);
}

Test(race, negative_priorities_are_never_launched) {
    for (int id = 0; id < 6; id++) {
        group_of[id] = id < 2 ? -1 : 0;
        intra_of[id] = id == 2 ? -1 : 0;
        fails_from[id] = 1;
        cost_ns[id] = 1000;
    }
    autotune_result result = tune_priority(6, no_options);
    cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(result.tried == 3 && result.space_size == 3 && trials == 3);
    cr_assert_eq(trials_of[0] + trials_of[1] + trials_of[2], 0u);
    memset(fails_from, 0, sizeof fails_from);
    result = tune_priority(3, no_options);
    cr_assert_eq(result.status, AUTOTUNE_ERR_SPACE);
    cr_assert_eq(trials + final_launches, 0u);
}

Test(race, calls_without_a_priority_ride_along_with_the_highest) {
    autotune_result result;
    SET_COSTS(40000, 50000, 60000, 70000);
    AUTOTUNE_SELECT((.backend = virtual_backend(), .result = &result), launch(1, autotune_trial),
                    CASE(launch(0, autotune_trial), PRIORITY(1)), CASE(launch(2, autotune_trial), PRIORITY(2)),
                    launch(3, autotune_trial));
    cr_assert_eq(final_id, 1);
    cr_assert_eq(trials_of[0], 0u, "priority 1, while priority 2 works");
    cr_assert(trials_of[1] && trials_of[2] && trials_of[3]);
}

Test(race, the_model_orders_the_screen) {
    static const double predicted[] = {5, 2, 9, 2, NAN, 1, 7, -1};
    /* equal costs in the order of the index, then configurations without a cost */
    static const int expected[] = {7, 5, 1, 3, 0, 6, 2, 4};
    for (int id = 0; id < 8; id++) {
        model_of[id] = predicted[id];
        cost_ns[id] = 50000 + 1000 * id;
    }
    for (uint64_t seed = 0; seed < 5; seed++) {
        const autotune_result result = tune_model(8, (autotune_options){.seed = seed});
        for (int i = 0; i < 8; i++) cr_assert_eq(first_trials[i], expected[i], "place %d", i);
        cr_assert_eq(result.index, 0u, "a prediction decides nothing but the order");
    }
}

Test(race, top_k_keeps_the_cheapest) {
    for (int id = 0; id < 20; id++) {
        model_of[id] = (id * 7 + 3) % 20;
        cost_ns[id] = 50000 + 1000 * id;
    }
    const autotune_result result = tune_model(20, (autotune_options){.top_k = 3});
    cr_assert_eq(result.tried, 3u);
    cr_assert_eq(result.space_size, 20u);
    for (int id = 0; id < 20; id++) cr_assert_eq(trials_of[id] > 0, model_of[id] < 3, "configuration %d", id);
    tune_model(20, (autotune_options){.top_k = 30});
    cr_assert_eq(first_count, 20u, "more than there are is all");
}

Test(race, top_k_keeps_all_of_a_priority_without_costs) {
    autotune_result result;
    SET_COSTS(8000, 7000, 6000, 5000, 4000, 3000);
    AUTOTUNE(SPACE(RANGE(id, 0, 5, 1), PRIORITY(id < 4 ? 2 : 1), MODEL(id < 4 ? (double)INFINITY : (double)id)), 1,
             launch(id, autotune_trial), .top_k = 2, .backend = virtual_backend(), .result = &result);
    cr_assert(result.tried == 4 && result.index == 3 && result.verdict == AUTOTUNE_SEPARATED);
}
Test(race, top_k_counts_in_each_priority) {
    autotune_result result;
    SET_COSTS(0, 50000, 40000, 30000, 20000);
    fails_from[3] = fails_from[4] = 1;
    AUTOTUNE(SPACE(RANGE(a, 1, 4, 1), PRIORITY(a > 2), MODEL(a)), 1, launch(a, autotune_trial), .top_k = 1,
             .backend = virtual_backend(), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 2, "%zu tried", result.tried);
    cr_assert(first_trials[0] == 3 && first_trials[1] == 4 && first_trials[2] == 1 && final_id == 1);
}
/* The cheapest configurations by MODEL fail. Then the next are tried, .top_k at a time, until one works. */
Test(race, top_k_goes_on_where_all_of_it_fail) {
    for (int works = 0; works <= 7; works++) {
        for (int id = 0; id < 7; id++) {
            model_of[id] = id;
            cost_ns[id] = 50000 - 1000 * id;
            fails_from[id] = id < works;
        }
        const autotune_result result = tune_model(7, (autotune_options){.top_k = 3});
        const size_t most = (size_t)(works < 6 ? works / 3 * 3 + 3 : 7);
        cr_assert_eq(result.status, works < 7 ? AUTOTUNE_OK : AUTOTUNE_ERR_ALL_FAILED);
        cr_assert_eq(result.tried, most, "%zu tried where %d fail", result.tried, works);
        if (works == 7) continue;
        cr_assert_eq(result.index, most - 1, "the fastest of those that were tried");
        cr_assert_eq(result.verdict == AUTOTUNE_UNRESOLVED, most < 7, "%s", autotune_verdict_text(result.verdict));
    }
}

/* ---- Budgets ----------------------------------------------------------------------------------------------------- */

Test(race, max_trials_is_exact_and_counts_failures) {
    for (int id = 0; id < 20; id++) {
        cost_ns[id] = 50000 + 1000 * id;
        fails_from[id] = id % 2 != 0;
    }
    for (uint64_t most = 1; most <= 25; most++) {
        const autotune_result result = tune(20, (autotune_options){.max_trials = most, .seed = most});
        cr_assert_eq(result.tried, most < 20 ? most : 20);
        cr_assert_eq(first_count, result.tried);
        cr_assert_eq(result.status, AUTOTUNE_OK);
    }
}

Test(race, max_trials_holds_over_all_priorities) {
    for (int id = 0; id < 12; id++) {
        group_of[id] = id / 4;
        cost_ns[id] = 1000;
        fails_from[id] = id >= 4;
    }
    cr_assert_eq(tune_priority(12, (autotune_options){.max_trials = 8}).status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert_eq(first_count, 8u);
    cr_assert_eq(tune_priority(12, (autotune_options){.max_trials = 9}).status, AUTOTUNE_OK);
    cr_assert_eq(first_count, 9u);
}

/* Slow kernels, fast kernels in batches, and kernels whose preparation takes longer than the kernel. */
Test(many_races, no_launch_starts_after_an_explicit_budget) {
    static const struct {
        double kernel_ns, setup_ns;
    } cases[] = {{5e6, 0}, {100, 0}, {50000, 0}, {5e6, 2e6}, {50000, 1e6}, {100, 1e6}};
    enum { SEEDS = 4 };
    static const double budgets[] = {0.0005, 0.004, 0.05, 0.3}, steps[] = {0.01, 0.1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases * SEEDS; i++)
        for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
            const size_t seed = i % SEEDS, c = i / SEEDS;
            const double step = steps[seed % 2];
            preparation_ns = cases[c].setup_ns;
            for (int id = 0; id < 30; id++) cost_ns[id] = cases[c].kernel_ns * (1 + step * ((id * 7 + (int)seed) % 30));
            const autotune_result result = tune(30, (autotune_options){.max_seconds = budgets[b],
                                                                       .setup = preparation_ns > 0 ? prepare : NULL,
                                                                       .seed = seed});
            const double slowest = preparation_ns + (1 + 29 * step) * cases[c].kernel_ns,
                         batch = preparation_ns > 0 || cases[c].kernel_ns > 32e3 ? 0 : 1.2 * 32e3 * (1 + 29 * step);
            const double last = (double)(last_trial_ns - began_ns), end = 1e9 * budgets[b];
            cr_assert_eq(result.status, AUTOTUNE_OK);
            cr_assert(last <= end + preparation_ns + batch,
                      "kernel %g ns, setup %g ns, budget %g ns: the last of %zu launches started at %g ns",
                      cases[c].kernel_ns, preparation_ns, end, trials, last);
            cr_assert(1e9 * result.seconds <= end + slowest + batch, "budget %g s, took %g s", budgets[b],
                      result.seconds);
        }
}

Test(race, an_explicit_budget_holds_for_failures_too) {
    for (int id = 0; id < 20; id++) {
        cost_ns[id] = 1e8;
        fails_from[id] = 1;
    }
    const autotune_result result = tune(20, (autotune_options){.max_seconds = 0.45});
    cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert_eq(trials, 5u);
}

Test(race, a_race_that_time_cut_short_resolves_nothing) {
    SET_COSTS(1e8, 9e7, 8e7, 7e7);
    const autotune_result result = tune(4, (autotune_options){.max_seconds = 0.05});
    cr_assert(result.tried == 1 && result.verdict == AUTOTUNE_UNRESOLVED);
}
/* SEPARATED and TIE are verdicts about the whole space. So they are given only if the budget left no configuration
   out. */
Test(race, what_a_budget_leaves_out_resolves_nothing) {
    for (int id = 0; id < 40; id++) model_of[id] = cost_ns[id] = MILLISECOND * (40 - id);
    for (uint64_t most = 1; most <= 41; most += most < 3 ? 1 : 12)
        for (int searched = 0; searched < 2; searched++) {
            const autotune_options o = {.max_trials = most, .strategy = searched ? AUTOTUNE_SURROGATE : AUTOTUNE_AUTO};
            const autotune_result result = tune(40, o);
            cr_assert_eq(result.tried, most < 40 ? most : 40);
            cr_assert(result.verdict == (most < 40 ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED), "%d of 40: %s",
                      (int)most, autotune_verdict_text(result.verdict));
        }
    for (uint64_t k = 1; k <= 41; k += 13) {
        const autotune_result result = tune_model(40, (autotune_options){.top_k = k});
        cr_assert(result.verdict == (k < 40 ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED), ".top_k = %d of 40: %s",
                  (int)k, autotune_verdict_text(result.verdict));
    }
    SET_COSTS(1e6, 9e5, 8e5, 7e5);
    const autotune_result result = tune(4, (autotune_options){.max_trials = 2, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert(result.index == 1 && result.verdict == AUTOTUNE_UNRESOLVED, "the duel decides all the same");
}
/* Configurations that WHERE or PRIORITY excludes are not in the space. So the highest PRIORITY with a working
   configuration decides the verdict. */
Test(race, a_priority_is_no_budget) {
    for (int id = 0; id < 12; id++) {
        group_of[id] = id / 4 - 1; /* the priority of the first four is negative, so they are never launched */
        cost_ns[id] = MILLISECOND * (1 + 0.1 * id);
    }
    cr_assert_eq(tune_priority(12, no_options).verdict, AUTOTUNE_SEPARATED);
    cr_assert_eq(tune_priority(12, (autotune_options){.max_trials = 4}).verdict, AUTOTUNE_SEPARATED);
    cr_assert_eq(tune_priority(12, (autotune_options){.max_trials = 3}).verdict, AUTOTUNE_UNRESOLVED);
    group_of[8] = 0;
    cr_assert_eq(tune_priority(9, (autotune_options){.max_trials = 1}).verdict, AUTOTUNE_UNRESOLVED);
    for (int id = 0; id < 8; id++) group_of[id] = -1;
    cr_assert_eq(tune_priority(9, (autotune_options){.max_trials = 1}).verdict, AUTOTUNE_SINGLE);
}

Test(race, a_tiny_budget_still_gives_the_incumbent_its_launch) {
    SET_COSTS(1e9, 1e6, 1e6);
    const autotune_result result = tune(3, (autotune_options){.max_seconds = 1e-9});
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert(result.index == 0 && trials == 1 && final_id == 0);
}

Test(race, the_default_budget_gives_every_configuration_its_first_launch) {
    for (int id = 0; id < 40; id++) cost_ns[id] = 5e7 + 1e6 * (39 - id);
    /* first launches take 2.8 s, and the race has 0.5 s */
    autotune_result result = tune(40, (autotune_options){.preset = AUTOTUNE_FAST});
    cr_assert_eq(result.tried, 40u);
    cr_assert_eq(result.index, 39u);
    for (int id = 0; id < 40; id++) cost_ns[id] = 1e9;
    result = tune(40, (autotune_options){.preset = AUTOTUNE_FAST});
    cr_assert_eq(result.tried, 5u, "ten times 0.5 s, and no more");
}

/* 150 configurations of some tenths of a second each, and 12 s: enough for some 25 launches. The factors of the three
   axes multiply. One launch of ten is held up. */
static double axis_cost[3][6];
static double product_cost(int a, int b, int c) { return axis_cost[0][a] * axis_cost[1][b] * axis_cost[2][c]; }
static void launch_product(int a, int b, int c) {
    const double held_up = uniform() < 0.1 ? 1 + uniform() : 1;
    virtual_ns += (uint64_t)(product_cost(a, b, c) * (1 + 0.04 * uniform()) * held_up);
}
Test(race, long_calls_are_compared_with_depth) {
    enum { SEEDS = 100 };
    double sum = 0, worst = 0;
    int compared = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        autotune_result result;
        double best = HUGE_VAL;
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0, at = (int)(6 * uniform()); i < 6; i++)
                axis_cost[axis][i] = (axis ? 1 : 2.5e8) * (1 + (0.05 + 0.15 * uniform()) * abs(i - at));
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < 5; b++) for (int c = 0; c < 6; c++) best = fmin(best, product_cost(a, b, c));
        const uint64_t start = virtual_ns;
        AUTOTUNE(SPACE(RANGE(a, 0, 4, 1), RANGE(b, 0, 4, 1), RANGE(c, 0, 5, 1)), 1, launch_product(a, b, c),
                 .key = KEY(seed), .backend = virtual_backend(), .max_seconds = 12, .seed = (uint64_t)seed,
                 .result = &result);
        const double cost = product_cost((int)autotune_get_int(&result.config, "a"),
                                         (int)autotune_get_int(&result.config, "b"),
                                         (int)autotune_get_int(&result.config, "c"));
        cr_assert(result.verdict == AUTOTUNE_UNRESOLVED && result.seconds < 14, "%d, %g s", (int)result.verdict,
                  result.seconds);
        cr_assert(result.tried < 150 && (double)(virtual_ns - start) > 11e9);
        compared += !is_nan(result.lead);
        sum += cost / best - 1;
        worst = fmax(worst, cost / best - 1);
    }
    cr_assert(compared >= SEEDS * 90 / 100, "the finalists of %d races were compared in rounds", compared);
    cr_assert(sum / SEEDS <= 0.05, "the mean loss is %g %%, the worst %g %%", 100 * sum / SEEDS, 100 * worst);
}

/* The first launch of configuration 1 looks faster than the configuration is. Configuration 2 really reaches the
   goal. */
static double cost_with_a_fluke(int id, size_t number) {
    return id == 2 ? 90000 : id == 1 && number == 1 ? 97000 : 120000;
}

Test(race, stop_at_ns_needs_two_samples) {
    cost_of = cost_with_a_fluke;
    autotune_result result = tune(2, (autotune_options){.stop_at_ns = 100000});
    cr_assert(trials_of[1] > 2, "one sample at the goal does not end the race");
    result = tune(30, (autotune_options){.stop_at_ns = 100000, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert_eq(result.index, 2u);
    cr_assert_eq(result.tried, 3u, "nothing is screened after the goal");
    cr_assert_eq(trials_of[2], 2u);
    cost_of = NULL;
    SET_COSTS(100001, 100001, 100001);
    cr_assert_neq(tune(3, (autotune_options){.stop_at_ns = 100000}).verdict, AUTOTUNE_UNRESOLVED,
                  "the goal was not reached");
}

/* ---- The result -------------------------------------------------------------------------------------------------- */

Test(race, the_result_tells_the_race) {
    SET_COSTS(150000, 200000, 50000, 2000000, 120000, 60000, 55000);
    fails_from[1] = 1;
    const autotune_result result = tune(7, no_options);
    const uint64_t raced = virtual_ns - began_ns - 50000; /* without the call for real */
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.verdict, AUTOTUNE_SEPARATED);
    cr_assert_not(result.cache_hit);
    cr_assert(result.index == 2 && result.config.index == 2 && autotune_get_index(&result.config) == 2);
    cr_assert(result.median_ns == 50000 && result.min_ns == 50000);
    cr_assert_eq(result.runner_up_ns, 55000);
    cr_assert_eq(result.default_ns, 150000);
    cr_assert_eq(result.slowest_ns, 2000000);
    cr_assert(result.space_size == 7 && result.tried == 7 && result.failed == 1);
    cr_assert_eq(result.launches, trials + 1);
    cr_assert(fabs(result.seconds * 1e9 - (double)raced) < 1, "%.9f s, not %.9f s", result.seconds,
              (double)raced / 1e9);
}

/* The first configuration leaves before the duel. In the duel all launches take longer. So the result compares the
   least times of both. */
static double slower_in_the_duel(int id, size_t number) { return cost_ns[id] * (number > 6 ? 1.4 : 1); }
Test(race, the_first_is_compared_with_the_winner_like_with_like) {
    SET_COSTS(160000, 100000, 103000);
    cost_of = slower_in_the_duel;
    const autotune_result result = tune(3, no_options);
    cr_assert_eq(result.index, 1u);
    cr_assert_eq(result.median_ns, 140000);
    cr_assert_eq(5 * result.default_ns, 8 * result.median_ns, "%g", result.default_ns);
}
/* The first two launches of the first configuration take three times as long as the later launches. So its time is
   taken from the rounds of the duel. If these would take too long, its time is not told. */
static double cold_at_first(int id, size_t number) { return cost_ns[id] * (id == 0 && number <= 2 ? 3 : 1); }
Test(race, what_the_winner_gains_is_told_from_pairs) {
    cost_of = cold_at_first;
    for (int count = 5; count <= 20; count += 5) {
        for (int id = 0; id < count; id++) cost_ns[id] = MILLISECOND * (id ? 1 + 0.02 * id : 1.14);
        const autotune_result result = tune(count, no_options);
        cr_assert(result.index == 1 && result.verdict == AUTOTUNE_SEPARATED);
        cr_assert_float_eq(result.default_ns / result.median_ns, 1.14 / 1.02, 1e-9);
        const autotune_result brief = tune(count, (autotune_options){.max_seconds = 0.001 * (count + 10)});
        cr_assert(is_nan(brief.default_ns) || brief.default_ns / brief.median_ns < 1.2, "%g", brief.default_ns);
    }
}
/* Tuning gains nothing only if the first configuration and the winner differ by less than the time of a hit. The
   verdict does not depend on this. */
Test(race, a_short_call_gains_nothing_only_if_it_saves_less_than_a_hit_costs) {
    static const struct {
        double first, best;
        autotune_verdict verdict;
        bool gains;
    } cases[] = {
        {60, 15, AUTOTUNE_SEPARATED, true},  {42, 38, AUTOTUNE_SEPARATED, true}, {20, 19, AUTOTUNE_SEPARATED, false},
        {48, 47, AUTOTUNE_SEPARATED, false}, {40, 40, AUTOTUNE_TIE, false},      {60, 59, AUTOTUNE_SEPARATED, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int id = 0; id < 4; id++) cost_ns[id] = cases[i].first + id;
        cost_ns[2] = cases[i].best;
        const autotune_result result = tune(4, no_options);
        const bool gains = !result.note || !strstr(result.note, "gains nothing");
        cr_expect(result.index == (cases[i].best < cases[i].first ? 2 : 0) && result.verdict == cases[i].verdict &&
                      gains == cases[i].gains,
                  "case %zu: %zu, %s, %s", i, result.index, autotune_verdict_text(result.verdict), result.note);
    }
}
Test(race, a_call_that_reaches_its_goal_in_the_screen_is_not_too_short) {
    SET_COSTS(4000, 3000, 1000);
    const autotune_result result = tune(3, (autotune_options){.stop_at_ns = 1500});
    cr_assert(result.index == 2 && !result.note, "%s", result.note);
}
/* The launch after a reading of the clock takes longer, as on real processors: the reading changes the caches. */
static size_t readings, readings_seen;
static uint64_t now_that_disturbs(autotune_backend *self) {
    readings++;
    return virtual_now(self);
}
static double longer_after_a_reading(int id, size_t number) {
    const bool disturbed = number && readings != readings_seen;
    readings_seen = readings;
    return cost_ns[id] + (disturbed ? 800 : 0);
}
Test(race, a_short_call_is_told_from_what_the_clock_disturbs) {
    static const int counts[] = {3, 12};
    static const double short_ns[] = {25, 40};
    virtual_backend()->now = now_that_disturbs;
    cost_of = longer_after_a_reading;
    for (size_t i = 0; i < 4; i++) {
        for (int id = 0; id < counts[i % 2]; id++) cost_ns[id] = short_ns[i / 2];
        const autotune_result result = tune(counts[i % 2], no_options);
        cr_assert(result.verdict == AUTOTUNE_TIE && result.note && strstr(result.note, "gains nothing"),
                  "%d of %g ns: %g ns, %s", counts[i % 2], short_ns[i / 2], result.median_ns,
                  autotune_verdict_text(result.verdict));
        cr_assert(result.index == 0 || counts[i % 2] == 12);
    }
    SET_COSTS(80, 60, 70);
    cr_assert_eq(tune(3, no_options).index, 1u, "what is worth it is compared by its own time");
}
/* All configurations but the first are quicker in their first launches, as on a device that lowers its clock. One that
   was excluded by these launches is duelled with the winner. */
static double quicker_at_first(int id, size_t number) { return cost_ns[id] * (id && number > 6 ? 1.12 : 1); }
Test(race, who_was_cut_while_others_were_quicker_is_duelled_with_the_winner) {
    SET_COSTS(105000, 100000, 100500, 130000, 400000);
    cost_of = quicker_at_first;
    const autotune_result result = tune(5, no_options);
    cr_assert(result.index == 0 && result.verdict == AUTOTUNE_SEPARATED, "%zu", result.index);
    cr_assert_eq(result.median_ns, 105000);
    cr_assert(result.runner_up_ns > 105000 && trials_of[3] < 6, "%g", result.runner_up_ns);
}
Test(race, the_result_of_a_hit_repeats_the_winner_s_times) {
    autotune_result result[2];
    SET_COSTS(60000, 50000, 70000);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, launch(id, autotune_trial), .backend = virtual_backend(),
                 .result = &result[i]);
    cr_assert(!result[0].cache_hit && result[1].cache_hit);
    cr_assert(result[1].index == 1 && result[1].status == AUTOTUNE_OK && result[1].verdict == AUTOTUNE_SEPARATED);
    cr_assert(result[1].median_ns == 50000 && result[1].default_ns == 60000 && result[1].slowest_ns == 70000 &&
              result[1].space_size == 3);
    cr_assert(result[1].tried == 0 && result[1].failed == 0 && result[1].launches == 1 && result[1].seconds <= 0);
    cr_assert_eq(autotune_get_int(&result[1].config, "id"), 1);
    cr_assert_eq(final_launches, 2u);
}

Test(race, times_that_were_not_measured_are_nan) {
    SET_COSTS(50000, 60000);
    fails_from[1] = 1;
    autotune_result result = tune(2, no_options);
    cr_assert(result.index == 0 && is_nan(result.runner_up_ns) && result.median_ns == 50000);
    fails_from[0] = 1;
    fails_from[1] = 0;
    result = tune(2, no_options);
    cr_assert(result.index == 1 && is_nan(result.default_ns) && is_nan(result.runner_up_ns));
    fails_from[1] = 1;
    result = tune(2, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && is_nan(result.median_ns) && is_nan(result.min_ns) &&
              is_nan(result.slowest_ns));
    cr_assert(result.tried == 2 && result.failed == 2 && result.launches == 2);
}
