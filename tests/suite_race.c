/* suite_race.c - the race: which configuration wins, after which launches, and what the result says of it.

   The kernel is virtual: a launch costs what the test says and nothing else moves the clock. Most rules are seen through call sites;
   the arithmetic of the duel is an internal function, so this suite has an implementation of its own. */
#define AUTOTUNE_STATIC
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <math.h>

/* ---- The kernel ---------------------------------------------------------------------------------------------------------------- */

enum { MOST = 128 };
static const double MILLISECOND = 1e6;

/* What a test sets. */
static double cost_ns[MOST];
static size_t fails_from[MOST];                  /* the number of the trial launch from which on a configuration fails; 0: never */
static double (*cost_of)(int id, size_t number); /* takes the place of cost_ns */
static double preparation_ns;                    /* what .setup costs */
static int64_t group_of[MOST], intra_of[MOST];   /* PRIORITY */
static double model_of[MOST];                    /* MODEL */

/* What it then finds. */
static size_t trials_of[MOST], trials, final_launches;
static int first_trials[MOST], final_id; /* the configurations in the order of their first trials; the one launched for real */
static size_t first_count;
static uint64_t trace;                   /* a hash of all launches in their order */
static uint64_t began_ns, last_trial_ns; /* when the call was made; when its last trial started */

static autotune_status launch(int id, bool trial) {
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
    return fails_from[id] && number >= fails_from[id] ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void prepare(void *user) {
    (void)user;
    virtual_ns += (uint64_t)preparation_ns;
}
static void forget_launches(void) {
    memset(trials_of, 0, sizeof trials_of);
    trials = final_launches = first_count = 0;
    trace = 0;
    began_ns = virtual_ns;
}

/* ---- The call sites, each with a new key at every call --------------------------------------------------------------------------- */

static int calls;

static autotune_result tune(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1)), 1, launch(id, autotune_trial), .key = KEY(call), .backend = virtual_backend(),
             .preset = o.preset, .strategy = o.strategy, .max_seconds = o.max_seconds, .max_trials = o.max_trials, .top_k = o.top_k,
             .seed = o.seed, .stop_at_ns = o.stop_at_ns, .setup = o.setup, .result = &result);
    return result;
}
static autotune_result tune_model(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1), MODEL(model_of[id])), 1, launch(id, autotune_trial), .key = KEY(call),
             .backend = virtual_backend(), .top_k = o.top_k, .max_trials = o.max_trials, .seed = o.seed, .result = &result);
    return result;
}
static autotune_result tune_priority(int count, autotune_options o) {
    const int call = ++calls;
    autotune_result result;
    forget_launches();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1), PRIORITY(group_of[id], intra_of[id])), 1, launch(id, autotune_trial), .key = KEY(call),
             .backend = virtual_backend(), .max_trials = o.max_trials, .seed = o.seed, .result = &result);
    return result;
}
static const autotune_options no_options;

static void set_costs(size_t count, const double *ns) {
    for (size_t id = 0; id < count; id++) cost_ns[id] = ns[id];
}
#define SET_COSTS(...) set_costs(sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

/* Random numbers of the tests' own. */
static uint64_t dice;
static uint64_t roll(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice;
}
static double uniform(void) { return (double)(roll() >> 11) / 9007199254740992.0; }

/* ---- Who wins -------------------------------------------------------------------------------------------------------------------- */

Test(race, the_fastest_wins_and_its_time_is_exact) {
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
    cr_assert(result.median_ns == 70 && result.runner_up_ns == 90 && result.default_ns == 130, "median %g, runner-up %g", result.median_ns,
              result.runner_up_ns);
}

/* Noise as machines have it: never faster than the kernel, mostly a little slower, at times far slower. */
static double noisy_cost(int id, size_t number) {
    const double u = uniform();
    (void)number;
    return cost_ns[id] * (1 + 0.04 * u * u) * (uniform() < 0.02 ? 1 + 4 * uniform() : 1);
}

Test(race, noise_does_not_lead_it_astray) {
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

Test(race, equal_configurations_are_seldom_called_different) {
    enum { SEEDS = 200 };
    int separated = 0;
    cost_of = noisy_cost;
    for (int seed = 1; seed <= SEEDS; seed++) {
        dice = 0x9E3779B97F4A7C15u * (uint64_t)seed;
        cost_ns[0] = cost_ns[1] = MILLISECOND;
        if (tune(2, (autotune_options){.seed = (uint64_t)seed, .max_seconds = 1000}).verdict == AUTOTUNE_SEPARATED) separated++;
    }
    cr_assert(separated <= SEEDS * 5 / 100, "%d of %d pairs of equals were SEPARATED, at a 5 %% risk", separated, SEEDS);
}

/* A TIE promises that nothing is more than 1 % faster than the winner, at a risk of 5 %; near the lowest median alone would not do. */
Test(race, a_tie_is_what_it_says) {
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
        cr_assert(broken <= SEEDS * 5 / 100, "%d of %d races ended in a TIE whose winner takes %g times as long", broken, SEEDS, slower[i]);
    }
}

Test(race, same_seed_same_launches_and_winner) {
    uint64_t traces[4];
    size_t winners[4];
    cost_of = noisy_cost;
    for (int i = 0; i < 4; i++) {
        dice = 88172645463325252u;
        for (int id = 0; id < 20; id++) cost_ns[id] = MILLISECOND * (1 + 0.01 * id);
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
        cr_assert(result.verdict == AUTOTUNE_SEPARATED || result.index == 0, "seed %d: verdict %d, index %zu", (int)seed,
                  (int)result.verdict, result.index);
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
    cr_assert(isnan(result.median_ns) && isnan(result.min_ns) && isnan(result.default_ns) && isnan(result.runner_up_ns));

    forget_launches();
    AUTOTUNE(SPACE(AXIS(id, 4, 5, 6), WHERE(id == 5)), 1, launch(id, autotune_trial), .backend = virtual_backend(), .result = &result);
    cr_assert(result.verdict == AUTOTUNE_SINGLE && result.index == 1 && trials == 0 && final_id == 5);
}

/* ---- The screen ------------------------------------------------------------------------------------------------------------------ */

Test(race, a_configuration_over_twice_the_best_is_launched_once) {
    SET_COSTS(10.0 * MILLISECOND, 20.1 * MILLISECOND, 40.0 * MILLISECOND, 35.0 * MILLISECOND, 19.9 * MILLISECOND);
    tune(5, no_options);
    cr_assert_eq(trials_of[1], 1u);
    cr_assert_eq(trials_of[3], 1u);
    cr_assert_eq(trials_of[2], 2u, "the slowest is launched once more, since it is reported");
    cr_assert(trials_of[4] > 2u, "within twice it stays, and as one of two it comes to the duel");
}
Test(race, one_of_two_that_is_three_times_as_slow_comes_to_no_duel) {
    SET_COSTS(10.0 * MILLISECOND, 30.1 * MILLISECOND);
    autotune_result result = tune(2, no_options);
    cr_assert(trials_of[1] == 2 && result.verdict == AUTOTUNE_SEPARATED);
    SET_COSTS(10.0 * MILLISECOND, 29.9 * MILLISECOND);
    result = tune(2, no_options);
    cr_assert(trials_of[1] == 2 + 8 && result.verdict == AUTOTUNE_SEPARATED, "%zu trials", trials_of[1]);
}

/* The first launch of a short kernel may start threads and touch pages: it is made again before it counts. */
static double cost_after_a_slow_start(int id, size_t number) { return (id == 1 && number == 1 ? 9 : 1) * cost_ns[id]; }
Test(race, a_short_first_launch_is_made_again_before_it_counts) {
    cost_of = cost_after_a_slow_start;
    SET_COSTS(120000, 100000, 130000);
    autotune_result result = tune(3, no_options);
    cr_assert(result.index == 1 && result.median_ns == 100000, "index %zu", result.index);
    cost_of = NULL;
    SET_COSTS(100000, 301000, 400000);
    tune(3, no_options);
    cr_assert(trials_of[1] == 2 && trials_of[2] == 2, "and once is enough: %zu, %zu", trials_of[1], trials_of[2]);
}

/* A sample takes 32 us at least, and up to a fifth more by chance. In the first round the batch of n launches is cut off once it took longer
   than 1.25 times the best would need. The two best are out of its reach. */
static bool is_cut_off_at(size_t launches, double best, double slow) { /* for some length of the batch */
    const size_t least = (size_t)(32000 / best) + 1;
    for (size_t batch = least; batch <= least + least / 5; batch++) {
        size_t count = 0;
        while (count < batch && (double)count * slow <= 1.25 * best * (double)batch) count++;
        if (count == launches && count < batch) return true;
    }
    return false;
}
Test(race, the_cut_off_counts_launches_exactly) {
    const double best = 100, slow[] = {126, 140, 160, 180, 199};
    const size_t epochs = 3;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        SET_COSTS(best, best + 1, slow[i]);
        tune(3, (autotune_options){.max_seconds = 1, .seed = i});
        cr_assert_eq((trials_of[2] - 1) % epochs, 0u);
        cr_assert(is_cut_off_at((trials_of[2] - 1) / epochs, best, slow[i]), "%g ns: 1 + %zu launches", slow[i], trials_of[2] - 1);
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
    for (int id = 0; id < 40; id++) cost_ns[id] = 1e9; /* 40 s, twice what the default gives first launches */
    tune(40, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert_eq(first_count, 40u);
    for (int i = 0; i < 40; i++) cr_assert_eq(first_trials[i], i);
    tune(40, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .max_seconds = 3.5});
    cr_assert_eq(trials, 4u, "an explicit limit holds");
}

/* ---- The duel -------------------------------------------------------------------------------------------------------------------- */

/* 2^n / ((n + 1) C(n, w)) with binomials from Pascal's triangle: all are integers below 2^63, so only the division rounds. */
Test(race, evidence_is_the_mixture_of_all_biases) {
    enum { ROUNDS = 40 };
    uint64_t binomial[ROUNDS + 1][ROUNDS + 1] = {{0}};
    for (size_t n = 0; n <= ROUNDS; n++) {
        binomial[n][0] = 1;
        for (size_t w = 1; w <= n; w++) binomial[n][w] = binomial[n - 1][w - 1] + (w < n ? binomial[n - 1][w] : 0);
        for (size_t w = 0; w <= n; w++) {
            const double expected = (double)(UINT64_C(1) << n) / (double)((n + 1) * binomial[n][w]);
            const double got = autotune__evidence(w, n);
            cr_assert(fabs(got - expected) <= 1e-12 * expected, "E(%zu, %zu) is %.17g, not %.17g", w, n, got, expected);
        }
    }
    cr_assert_eq(autotune__evidence(5, 5), 32.0 / 6);
    cr_assert_eq(autotune__evidence(1, 2), 2.0 / 3);
    cr_assert(autotune__evidence(200, 200) > 1e57 && autotune__evidence(100, 200) < 1, "no overflow at the most rounds of any preset");
}

/* Before a fair coin, tomorrow's expected evidence is today's: what makes it legal to look after every round. */
Test(race, evidence_is_a_martingale) {
    for (size_t n = 0; n <= 200; n++)
        for (size_t w = 0; w <= n; w++) {
            const double now = autotune__evidence(w, n), next = (autotune__evidence(w, n + 1) + autotune__evidence(w + 1, n + 1)) / 2;
            cr_assert(fabs(now - next) <= 1e-12 * now, "E(%zu, %zu)", w, n);
        }
}

/* A clean sweep of n rounds has the evidence 2^n / (n + 1), and two finalists need 20: eight rounds, not seven. */
Test(race, a_clean_sweep_of_two_takes_eight_rounds) {
    SET_COSTS(2.0 * MILLISECOND, 2.1 * MILLISECOND);
    tune(2, no_options);
    const size_t before_the_duel = 2; /* the screen, one round of halving */
    cr_assert_eq(trials_of[0], before_the_duel + 8);
    cr_assert_eq(trials_of[1], before_the_duel + 8);
}

/* Below a quarter of a millisecond a sample is the least of three, so that a preemption spoils no round. */
Test(race, short_samples_are_the_least_of_three) {
    SET_COSTS(100000, 105000);
    tune(2, no_options);
    cr_assert_eq(trials_of[0], 1u + 3 * (1 + 8)); /* the screen; one round of halving, eight of the duel */
    cr_assert_eq(trials_of[1], 1u + 3 * (1 + 8));
    SET_COSTS(260000, 273000);
    tune(2, no_options);
    cr_assert_eq(trials_of[0], 1u + 1 + 8);
}

static double cost_with_preemptions(int id, size_t number) { return cost_ns[id] * (number % 3 == (size_t)id % 3 ? 10 : 1); }
Test(race, preemptions_of_every_third_launch_change_nothing) {
    cost_of = cost_with_preemptions;
    SET_COSTS(120000, 110000, 100000);
    const autotune_result result = tune(3, no_options);
    cr_assert(result.index == 2 && result.verdict == AUTOTUNE_SEPARATED && result.median_ns == 100000, "%zu, %g ns", result.index,
              result.median_ns);
}

/* To be slower is to lose more than half of the rounds that were decided; a sweep the other way proves the contrary. */
Test(race, only_a_majority_shows_that_something_is_slower) {
    autotune__row slow = {0}, fast = {0};
    for (int round = 0; round < 20; round++) {
        cr_assert(AUTOTUNE__PUSH(slow.samples, 105.0) && AUTOTUNE__PUSH(fast.samples, 100.0));
    }
    cr_assert(autotune__shown_slower(&slow, &fast, 1, 20));
    cr_assert_not(autotune__shown_slower(&fast, &slow, 1, 20));
    cr_assert(autotune__shown_slower(&fast, &slow, 1.06, 20), "with a margin that makes up for it");
    cr_assert_not(autotune__shown_slower(&slow, &slow, 1, 20), "ties decide nothing");
    cr_assert_not(autotune__shown_slower(&slow, &fast, 1, 1e9), "the evidence of 20 rounds is 2^20 / 21");
    stbds_arrfree(slow.samples);
    stbds_arrfree(fast.samples);
}

/* In every round one of the two is 5 % slower, in turn: never decided, so the duel lasts as long as the preset allows. */
static double alternating_cost(int id, size_t number) { return 2 * MILLISECOND * (((size_t)id + number) % 2 ? 1.05 : 1); }

Test(race, presets_set_the_number_of_rounds) {
    static const struct {
        autotune_preset preset;
        size_t rounds;
    } expected[] = {{AUTOTUNE_FAST, 16}, {AUTOTUNE_BALANCED, 60}, {AUTOTUNE_THOROUGH, 200}};
    const size_t before_the_duel = 2;
    cost_of = alternating_cost;
    for (int i = 0; i < 3; i++) {
        const autotune_result result = tune(2, (autotune_options){.preset = expected[i].preset});
        cr_assert_eq(result.verdict, AUTOTUNE_UNRESOLVED);
        cr_assert_eq(trials_of[0], before_the_duel + expected[i].rounds);
        cr_assert_eq(trials_of[1], before_the_duel + expected[i].rounds);
        cr_assert_eq(result.index, 0u, "undecided: the lowest index");
    }
}

/* ---- Failures in the middle of the race -------------------------------------------------------------------------------------------- */

Test(race, a_configuration_that_fails_late_never_wins) {
    SET_COSTS(120000, 100000, 110000);
    for (size_t late = 1; late <= 40; late++) {
        memset(fails_from, 0, sizeof fails_from);
        fails_from[1] = late;
        const autotune_result result = tune(3, no_options);
        if (trials_of[1] < late) continue; /* it had won before */
        cr_assert(result.index == 2 && result.status == AUTOTUNE_OK, "failing from launch %zu on: %zu won", late, result.index);
        cr_assert_eq(result.failed, 1u);
        cr_assert_eq(trials_of[1], late, "launched again after its failure");
    }
}

Test(race, when_all_finalists_fail_late_something_that_works_wins) {
    SET_COSTS(10.0 * MILLISECOND, 10.1 * MILLISECOND, 25.0 * MILLISECOND);
    fails_from[0] = fails_from[1] = 5;
    const autotune_result result = tune(3, no_options);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index, 2u);
    cr_assert(result.failed == 2 && final_launches == 1 && final_id == 2);
}

Test(race, what_is_left_may_fail_late_as_well) {
    SET_COSTS(10.0 * MILLISECOND, 10.1 * MILLISECOND, 50.0 * MILLISECOND); /* the third was launched once, as hopeless */
    fails_from[0] = fails_from[1] = 5;
    fails_from[2] = 2;
    const autotune_result result = tune(3, no_options);
    cr_assert(trials_of[2] == 1 || final_launches == 0, "a configuration whose last trial failed was launched for real");
    if (trials_of[2] > 1) cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
}

/* The last finalist fails, and by then the budget is over as well. */
static double hour_at_the_fourth_launch(int id, size_t number) { return number >= 4 ? 3.6e12 : 100000 + id; }

Test(race, the_last_finalist_fails_after_the_budget) {
    cost_of = hour_at_the_fourth_launch;
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

/* ---- PRIORITY and MODEL ------------------------------------------------------------------------------------------------------------ */

Test(race, the_highest_priority_alone_is_raced_if_it_works) {
    for (int id = 0; id < 9; id++) {
        group_of[id] = id % 3;
        cost_ns[id] = 50000 + 5000 * (8 - id);
    }
    cost_ns[1] = 10; /* the fastest of all, of a lower group */
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
                    CASE(launch(0, autotune_trial), PRIORITY(1)), CASE(launch(2, autotune_trial), PRIORITY(2)), launch(3, autotune_trial));
    cr_assert_eq(final_id, 1);
    cr_assert_eq(trials_of[0], 0u, "priority 1, while priority 2 works");
    cr_assert(trials_of[1] && trials_of[2] && trials_of[3]);
}

Test(race, the_model_orders_the_screen) {
    static const double predicted[] = {5, 2, 9, 2, NAN, 1, 7, -1};
    static const int expected[] = {7, 5, 1, 3, 0, 6, 2, 4}; /* equal ones by index, unpredicted ones last */
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

/* ---- Budgets --------------------------------------------------------------------------------------------------------------------- */

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

/* Of slow kernels, of fast ones in batches, and of some whose preparation takes longer than they do. */
Test(race, no_launch_starts_after_an_explicit_budget) {
    static const struct { double kernel_ns, setup_ns; } cases[] = {{5e6, 0}, {100, 0}, {50000, 0}, {5e6, 2e6}, {50000, 1e6}, {100, 1e6}};
    static const double budgets[] = {0.0005, 0.004, 0.05, 0.3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
            preparation_ns = cases[i].setup_ns;
            for (int id = 0; id < 30; id++) cost_ns[id] = cases[i].kernel_ns * (1 + 0.01 * id);
            const autotune_result result =
                tune(30, (autotune_options){.max_seconds = budgets[b], .setup = preparation_ns > 0 ? prepare : NULL});
            const double slowest = preparation_ns + 1.29 * cases[i].kernel_ns,
                         batch = preparation_ns > 0 || cases[i].kernel_ns > 32e3 ? 0 : 40e3;
            const double last = (double)(last_trial_ns - began_ns), end = 1e9 * budgets[b];
            cr_assert_eq(result.status, AUTOTUNE_OK);
            cr_assert(last <= end + preparation_ns + batch,
                      "kernel %g ns, setup %g ns, budget %g ns: the last of %zu launches started at %g ns", cases[i].kernel_ns,
                      preparation_ns, end, trials, last);
            cr_assert(1e9 * result.seconds <= end + slowest + batch, "budget %g s, took %g s", budgets[b], result.seconds);
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

Test(race, a_race_that_was_cut_short_resolves_nothing) {
    SET_COSTS(1e8, 9e7, 8e7, 7e7);
    autotune_result result = tune(4, (autotune_options){.max_seconds = 0.05});
    cr_assert(result.tried == 1 && result.verdict == AUTOTUNE_UNRESOLVED);
    result = tune(4, (autotune_options){.max_trials = 2, .strategy = AUTOTUNE_EXHAUSTIVE});
    cr_assert(result.tried == 2 && result.index == 1 && result.verdict == AUTOTUNE_UNRESOLVED);
}

Test(race, a_tiny_budget_still_gives_the_incumbent_its_launch) {
    SET_COSTS(1e9, 1e6, 1e6);
    const autotune_result result = tune(3, (autotune_options){.max_seconds = 1e-9});
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert(result.index == 0 && trials == 1 && final_id == 0);
}

Test(race, the_default_budget_gives_every_configuration_its_first_launch) {
    for (int id = 0; id < 40; id++) cost_ns[id] = 5e7 + 1e6 * (39 - id);
    autotune_result result = tune(40, (autotune_options){.preset = AUTOTUNE_FAST}); /* 2.8 s of first launches, with 0.5 s for the race */
    cr_assert_eq(result.tried, 40u);
    cr_assert_eq(result.index, 39u);
    for (int id = 0; id < 40; id++) cost_ns[id] = 1e9;
    result = tune(40, (autotune_options){.preset = AUTOTUNE_FAST});
    cr_assert_eq(result.tried, 5u, "ten times 0.5 s, and no more");
}

/* The first launch of configuration 1 looks faster than it is; configuration 2 reaches the goal indeed. */
static double cost_with_a_fluke(int id, size_t number) { return id == 2 ? 90000 : id == 1 && number == 1 ? 97000 : 120000; }

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
    cr_assert_neq(tune(3, (autotune_options){.stop_at_ns = 100000}).verdict, AUTOTUNE_UNRESOLVED, "the goal was not reached");
}

/* ---- Clocks ---------------------------------------------------------------------------------------------------------------------- */

Test(race, a_clock_that_stands_still) {
    for (int count = 1; count <= 12; count++) { /* all costs are 0 */
        const autotune_result result = tune(count, (autotune_options){.preset = AUTOTUNE_FAST});
        cr_assert(result.status == AUTOTUNE_OK && result.index < (size_t)count && final_launches == 1);
        cr_assert_neq(result.verdict, AUTOTUNE_SEPARATED, "nothing was measured");
    }
}

Test(race, a_clock_of_millisecond_steps) {
    virtual_step = 1000000;
    for (int id = 0; id < 12; id++) cost_ns[id] = 20000 + 15000 * ((id + 5) % 12);
    const autotune_result result = tune(12, (autotune_options){.max_seconds = 100});
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index, 7u);
}

static size_t jump_at; /* the number of the trial during which an hour passes */
static double cost_with_a_jump(int id, size_t number) {
    (void)number;
    return cost_ns[id] + (trials == jump_at ? 3.6e12 : 0);
}

Test(race, a_clock_that_jumps_by_an_hour) {
    cost_of = cost_with_a_jump;
    SET_COSTS(400000, 100000, 101000, 105000, 100500, 2e6);
    for (jump_at = 1; jump_at <= 60; jump_at++) {
        fails_from[4] = jump_at % 2 ? 3 : 0;
        const autotune_result result = tune(6, no_options);
        cr_assert_eq(result.status, AUTOTUNE_OK);
        cr_assert(result.index < 6 && final_launches == 1 && final_id == (int)result.index);
        cr_assert(!(fails_from[result.index] && trials_of[result.index] >= 3), "a failing configuration won");
        if (first_count == 6) cr_assert(cost_ns[result.index] < 400000, "jump at launch %zu: %zu won", jump_at, result.index);
    }
}

/* ---- The result ------------------------------------------------------------------------------------------------------------------ */

Test(race, the_result_tells_the_race) {
    SET_COSTS(150000, 200000, 50000, 2000000, 120000, 60000, 55000);
    fails_from[1] = 1;
    const uint64_t start = virtual_ns;
    const autotune_result result = tune(7, no_options);
    const uint64_t raced = virtual_ns - start - 50000; /* less the final launch */
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
    cr_assert(fabs(result.seconds * 1e9 - (double)raced) < 1, "%.9f s, not %.9f s", result.seconds, (double)raced / 1e9);
}

Test(race, the_result_of_a_hit_repeats_the_winner_s_times) {
    autotune_result result[2];
    SET_COSTS(60000, 50000, 70000);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, launch(id, autotune_trial), .backend = virtual_backend(), .result = &result[i]);
    cr_assert(!result[0].cache_hit && result[1].cache_hit);
    cr_assert(result[1].index == 1 && result[1].status == AUTOTUNE_OK && result[1].verdict == AUTOTUNE_SEPARATED);
    cr_assert(result[1].median_ns == 50000 && result[1].default_ns == 60000 && result[1].slowest_ns == 70000 && result[1].space_size == 3);
    cr_assert(result[1].tried == 0 && result[1].failed == 0 && result[1].launches == 1 && result[1].seconds <= 0);
    cr_assert_eq(autotune_get_int(&result[1].config, "id"), 1);
    cr_assert_eq(final_launches, 2u);
}

Test(race, times_that_were_not_measured_are_nan) {
    SET_COSTS(50000, 60000);
    fails_from[1] = 1;
    autotune_result result = tune(2, no_options);
    cr_assert(result.index == 0 && isnan(result.runner_up_ns) && result.median_ns == 50000);
    fails_from[0] = 1;
    fails_from[1] = 0;
    result = tune(2, no_options);
    cr_assert(result.index == 1 && isnan(result.default_ns) && isnan(result.runner_up_ns));
    fails_from[1] = 1;
    result = tune(2, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && isnan(result.median_ns) && isnan(result.min_ns) && isnan(result.slowest_ns));
    cr_assert(result.tried == 2 && result.failed == 2 && result.launches == 2);
}
