/* suite_strategies.c - spaces that are too large to try all configurations: the effect of .strategy and of limits at a
   call site and in a created tuner. */
#include "virtual_clock.h"
#include "expect.h"
#include <math.h>
#include <stdlib.h>

static void keep_log(void) { autotune_set_log(keep_line, NULL); }
TestSuite(strategies, .init = keep_log);
TestSuite(large_spaces, .init = keep_log); /* spaces with millions of points */

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

/* The time of a launch is a bowl over three axes: base_ns at its optimum (at, at, at), and more elsewhere. The kernel
   writes down the order of first trials. */

enum { MILLISECOND = 1000000, MOST = 1 << 15 };
static double base_ns = MILLISECOND, at = 12;
static size_t trial_count, real_count;
static int tried[MOST][3]; /* the points in the order of their first trials */
static size_t tried_count;
static bool fails_beyond; /* true: points with a > 12 fail */
static autotune_result result;

static double cost(int a, int b, int c) {
    return base_ns * (1 + ((a - at) * (a - at) + (b - at) * (b - at) + (c - at) * (c - at)) / 50);
}
static autotune_status run(bool trial, int a, int b, int c) {
    virtual_ns += (uint64_t)cost(a, b, c);
    if (trial)
        trial_count++;
    else
        real_count++;
    for (size_t i = tried_count; trial && i-- > 0;)
        if (tried[i][0] == a && tried[i][1] == b && tried[i][2] == c) trial = false;
    if (trial && tried_count < MOST) tried[tried_count][0] = a, tried[tried_count][1] = b, tried[tried_count++][2] = c;
    return fails_beyond && a > 12 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void forget(void) { tried_count = trial_count = real_count = 0; }

/* Each call has another tuner, so no call finds the times of another. Each call also has another key, since a hit does
   not read the version. */
static int calls;
static const char *new_version(void) {
    static char version[16];
    snprintf(version, sizeof version, "%d", calls);
    return version;
}
static void tune(int side, autotune_options o) { /* tunes a space of side^3 configurations */
    forget();
    calls++;
    AUTOTUNE(SPACE(RANGE(a, 0, side - 1, 1), RANGE(b, 0, side - 1, 1), RANGE(c, 0, side - 1, 1)), 1,
             run(autotune_trial, a, b, c), .key = KEY(calls), .version = new_version(), .backend = virtual_backend(),
             .strategy = o.strategy, .max_trials = o.max_trials, .max_seconds = o.max_seconds, .seed = o.seed,
             .stop_at_ns = o.stop_at_ns, .setup = o.setup, .result = &result);
    EXPECT_INT(real_count, 1);
}
static double of_winner(void) {
    const autotune_config *c = &result.config;
    return cost((int)autotune_get_int(c, "a"), (int)autotune_get_int(c, "b"), (int)autotune_get_int(c, "c")) / base_ns;
}

/* ---- A list
 * ------------------------------------------------------------------------------------------------------------------ */

Test(strategies, the_surrogate_finds_the_winner_of_8000_in_few_trials) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .seed = seed});
        EXPECT_INT(result.status, AUTOTUNE_OK);
        EXPECT_INT(result.space_size, 8000);
        cr_expect(result.tried >= 50 && result.tried < 200, "%zu tried", result.tried);
        EXPECT_INT(result.tried, tried_count);
        cr_expect_leq(of_winner(), 1.03);
        cr_expect(tried[0][0] == 0 && tried[0][1] == 0 && tried[0][2] == 0, "the first configuration is tried first");
        cr_expect(fabs(result.default_ns - cost(0, 0, 0)) < 2);
    }
}
Test(strategies, the_trials_are_counted) {
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (uint64_t most = 1; most <= 256; most *= 4) {
            tune(20, (autotune_options){.strategy = all[i], .max_trials = most});
            EXPECT_INT(result.tried, most);
            EXPECT_INT(tried_count, most);
        }
    }
}
Test(strategies, no_launch_starts_after_the_time_is_over) {
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const uint64_t before = virtual_ns;
        tune(20, (autotune_options){.strategy = all[i], .max_seconds = 0.5});
        cr_expect(virtual_ns - before < 520 * (uint64_t)MILLISECOND, "%g s", 1e-9 * (double)(virtual_ns - before));
        cr_expect_gt(result.tried, (size_t)20);
    }
}
static bool thinks(int a, int b, int c) { /* WHERE that takes 50 us. It admits one point in 500 */
    virtual_ns += 50000;
    return (a * 3 + b * 7 + c) % 500 == 0;
}
Test(strategies, nor_while_points_are_judged) {
    forget();
    const uint64_t before = virtual_ns;
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), WHERE(thinks(a, b, c))), 1,
             run(autotune_trial, a, b, c), .backend = virtual_backend(), .strategy = AUTOTUNE_SURROGATE,
             .max_seconds = 0.5, .result = &result);
    cr_expect(virtual_ns - before < 520 * (uint64_t)MILLISECOND, "%g s", 1e-9 * (double)(virtual_ns - before));
}
Test(strategies, by_default_a_search_has_fifty_trials_however_long_they_are) {
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_SURROGATE};
    base_ns = 1000.0 * MILLISECOND; /* by default, first launches may take 20 s */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tune(20, (autotune_options){.strategy = all[i]});
        EXPECT_INT(result.tried, 50);
    }
}
static void prepare_slowly(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    virtual_ns += 4000 * (uint64_t)MILLISECOND;
}
Test(strategies, by_default_what_trials_need_besides_their_launches_has_a_limit) { /* the limit is 80 s */
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_SURROGATE};
    base_ns = 1000.0 * MILLISECOND;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tune(20, (autotune_options){.strategy = all[i], .setup = prepare_slowly});
        cr_expect(result.tried >= 15 && result.tried <= 25, "%zu tried", result.tried);
    }
}
Test(strategies, auto_tries_all_where_the_budget_is_enough) {
    /* 512 launches of some 3 ms; by default, first launches may take 20 s */
    tune(8, (autotune_options){.strategy = AUTOTUNE_AUTO});
    EXPECT_INT(result.tried, 512);
    tune(8, (autotune_options){.max_trials = 512});
    EXPECT_INT(result.tried, 512);
    /* 27 configurations are never searched: the budget ends before all are tried */
    tune(3, (autotune_options){.max_seconds = 0.1});
    cr_expect_lt(result.tried, (size_t)27);
}
Test(strategies, auto_searches_where_the_budget_is_not_enough) {
    for (uint64_t seed = 0; seed < 5; seed++) { /* the best of 60 random points of 8000 takes 1.6 in the mean */
        tune(20, (autotune_options){.max_trials = 60, .seed = seed});
        cr_expect_leq(of_winner(), 1.1, "%g", of_winner());
    }
    base_ns = 60 * MILLISECOND;
    tune(20, (autotune_options){.strategy = AUTOTUNE_AUTO}); /* all launches would take half an hour */
    cr_expect(result.tried >= 50 && result.tried < 200, "%zu tried", result.tried);
    cr_expect_leq(of_winner(), 1.1, "%g", of_winner());
}
Test(strategies, auto_tries_each_once) {
    bool seen[8][8][8] = {{{false}}};
    tune(8, (autotune_options){.max_seconds = 60});
    EXPECT_INT(tried_count, 512);
    for (size_t i = 0; i < tried_count; i++) {
        cr_expect(!seen[tried[i][0]][tried[i][1]][tried[i][2]]);
        seen[tried[i][0]][tried[i][1]][tried[i][2]] = true;
    }
}
Test(strategies, the_same_seed_tries_the_same) {
    static int first[300][3];
    tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .seed = 5, .max_trials = 100});
    const size_t index = result.index;
    memcpy(first, tried, sizeof first);
    tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .seed = 5, .max_trials = 100});
    EXPECT_INT(result.index, index);
    cr_expect(!memcmp(first, tried, 100 * sizeof *tried));
    tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .seed = 6, .max_trials = 100});
    cr_expect(memcmp(first, tried, 100 * sizeof *tried));
}
Test(strategies, failures_are_learnt_from) {
    fails_beyond = true;
    tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .max_trials = 100});
    EXPECT_INT(result.status, AUTOTUNE_OK);
    cr_expect(result.failed > 0 && result.failed < 25, "%zu failed", result.failed); /* of 100 random points 35 fail */
    cr_expect_leq(of_winner(), 1.03);
}
/* A search that ends by itself has not tried all admitted points. So its winner is not sure. */
Test(strategies, a_search_is_not_sure_of_what_it_did_not_try) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .seed = seed});
        cr_expect(result.tried >= 50 && result.tried < result.space_size, "%zu", result.tried);
        EXPECT_INT(result.verdict, AUTOTUNE_UNRESOLVED);
    }
    tune(3, (autotune_options){.strategy = AUTOTUNE_SURROGATE});
    cr_expect(result.tried == 27 && result.verdict != AUTOTUNE_UNRESOLVED, "all 27 were tried");
}
Test(strategies, a_known_good_time_ends_the_search) {
    tune(20, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .stop_at_ns = 1.1 * MILLISECOND});
    cr_expect_leq(of_winner(), (double)1.1, "%.20g", of_winner());
    cr_expect_lt(result.tried, (size_t)60);
}
Test(strategies, lower_priorities_are_for_when_nothing_else_works) {
    fails_beyond = true;
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 19, 1), RANGE(b, 0, 19, 1), RANGE(c, 0, 19, 1),
                   PRIORITY(a > 12  ? 2
                            : a > 6 ? 1
                                    : -1)),
             1, run(autotune_trial, a, b, c), .strategy = AUTOTUNE_SURROGATE, .backend = virtual_backend(),
             .max_trials = 3000, .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.failed, 7 * 400); /* all configurations with the highest priority fail */
    cr_expect(autotune_get_int(&result.config, "a") > 6 && autotune_get_int(&result.config, "a") <= 12);
    cr_expect_leq(of_winner(), 1.1);
}
Test(strategies, after_the_first_configuration_the_predicted_cheapest_are_proposed) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 19, 1), RANGE(b, 0, 19, 1), RANGE(c, 0, 19, 1), MODEL(cost(a, b, c))), 1,
             run(autotune_trial, a, b, c), .strategy = AUTOTUNE_SURROGATE, .backend = virtual_backend(),
             .max_trials = 60, .result = &result);
    cr_expect(tried[0][0] == 0 && tried[0][1] == 0 && tried[0][2] == 0 && result.default_ns > 0);
    cr_expect(tried[1][0] == 12 && tried[1][1] == 12 && tried[1][2] == 12);
    for (size_t i = 1; i < 8; i++) cr_expect_leq(cost(tried[i][0], tried[i][1], tried[i][2]), 1.03 * base_ns);
}
static double no_prediction_for(int a, int b, int c) {
    return a == 7 && b == 7 && c == 7 ? (double)NAN : cost(a, b, c);
}
Test(strategies, the_winner_of_before_leads_though_a_model_says_nothing_of_it) {
    static double (*model)(int, int, int) = cost;
    for (int again = 0; again < 2; again++) {
        at = again ? 12 : 7;
        model = again ? no_prediction_for : cost;
        forget();
        AUTOTUNE(SPACE(RANGE(a, 0, 19, 1), RANGE(b, 0, 19, 1), RANGE(c, 0, 19, 1), MODEL(model(a, b, c))), 1,
                 run(autotune_trial, a, b, c), .strategy = AUTOTUNE_SURROGATE, .backend = virtual_backend(),
                 .max_trials = 60, .mode = again ? AUTOTUNE_FORCE : AUTOTUNE_ON, .result = &result);
    }
    cr_expect(tried[0][0] == 0 && tried[1][0] == 7 && tried[1][1] == 7 && tried[1][2] == 7);
    cr_expect(tried[2][0] == 12 && tried[2][1] == 12 && tried[2][2] == 12, "then the cheapest");
    for (size_t i = 2; i < 10; i++)
        cr_expect_leq(cost(tried[i][0], tried[i][1], tried[i][2]), 1.05 * base_ns, "%zu", i);
}

/* ---- Other knowledge --------------------------------------------------------------------------------------------- */

static void tune_key(int size, autotune_mode mode) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 19, 1), RANGE(b, 0, 19, 1), RANGE(c, 0, 19, 1)), 1, run(autotune_trial, a, b, c),
             .key = KEY(size, "f32"), .backend = virtual_backend(), .strategy = AUTOTUNE_SURROGATE, .max_trials = 60,
             .mode = mode, .result = &result);
}
Test(seeds, the_best_of_the_nearest_key_are_tried_first) {
    at = 3;
    tune_key(1 << 20, AUTOTUNE_ON);
    at = 15;
    tune_key(1 << 10, AUTOTUNE_ON);
    const double known = of_winner();
    tune_key(1 << 12, AUTOTUNE_ON); /* the key is 4 times the second, and 4096 times the first */
    cr_expect(tried[0][0] == 0 && tried[0][1] == 0 && tried[0][2] == 0);
    cr_expect_leq(cost(tried[1][0], tried[1][1], tried[1][2]) / base_ns, known * 1.0001);
    for (int i = 2; i <= 10; i++) cr_expect_leq(cost(tried[i][0], tried[i][1], tried[i][2]) / base_ns, 2.0);
}
Test(strategies, the_winner_of_before_is_tried_first_when_a_key_is_tuned_again) {
    tune_key(1, AUTOTUNE_ON);
    const int a = (int)autotune_get_int(&result.config, "a"), b = (int)autotune_get_int(&result.config, "b"),
              c = (int)autotune_get_int(&result.config, "c");
    tune_key(1, AUTOTUNE_FORCE);
    cr_expect(tried[1][0] == a && tried[1][1] == b && tried[1][2] == c);
}

/* ---- Axes
 * ------------------------------------------------------------------------------------------------------------------ */

/* The surrogate often finds the optimum, although the values of one axis are in a random order. */
Test(strategies, numbers_are_known_by_their_size_in_whatever_order_they_are_listed) {
    size_t found = 0;
    for (uint64_t seed = 0; seed < 10; seed++, calls++) {
        AUTOTUNE(SPACE(AXIS(a, 9, 2, 15, 6, 0, 12, 18, 4, 1, 16, 11, 7, 19, 3, 14, 8, 5, 13, 10, 17),
                       AXIS(b, 9, 2, 15, 6, 0, 12, 18, 4, 1, 16, 11, 7, 19, 3, 14, 8, 5, 13, 10, 17),
                       RANGE(c, 0, 19, 1)),
                 1, run(autotune_trial, a, b, c), .key = KEY(calls), .version = new_version(), .seed = seed,
                 .backend = virtual_backend(), .strategy = AUTOTUNE_SURROGATE, .max_trials = 40, .result = &result);
        found += of_winner() <= 1.03;
    }
    cr_expect_geq(found, (size_t)8);
}
static autotune_status launch_row(void *user, const autotune_config *c) {
    (void)user;
    return run(true, (int)autotune_get_int(c, "a"), (int)autotune_get_int(c, "b"), (int)autotune_get_int(c, "c"));
}
Test(strategies, the_rows_of_a_table_are_known_by_their_columns) {
    enum { ROWS = 3000 };
    static int64_t rows[ROWS][3];
    static const autotune_axis axes[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    uint32_t state = 1;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < 3; k++) rows[i][k] = (int64_t)((state = state * 1664525u + 1013904223u) >> 16) % 20;
    for (size_t k = 0; k < 3; k++) rows[1234][k] = 12;
    autotune_tuner *tuner = autotune_create(&(autotune_desc){.name = "rows",
                                                             .axes = axes,
                                                             .axis_count = 3,
                                                             .configs = rows[0],
                                                             .config_count = ROWS,
                                                             .launch = launch_row});
    cr_assert_not_null(tuner, "%s", autotune_last_error());
    double mean = 0;
    for (uint64_t seed = 0; seed < 5; seed++, calls++) {
        autotune_tune(tuner, &(autotune_options){.version = new_version(),
                                                 .seed = seed,
                                                 .backend = virtual_backend(),
                                                 .max_trials = 60,
                                                 .strategy = AUTOTUNE_SURROGATE,
                                                 .result = &result});
        mean += of_winner() / 5;
        autotune_destroy(tuner);
        tuner = autotune_create(&(autotune_desc){.name = "rows",
                                                 .axes = axes,
                                                 .axis_count = 3,
                                                 .configs = rows[0],
                                                 .config_count = ROWS,
                                                 .launch = launch_row});
    }
    cr_expect_leq(mean, 1.12, "%g", mean); /* with 60 random points of 3000 it is 1.4 */
    autotune_destroy(tuner);
}

/* A search treats the columns of a table as axes. So it tries the same points in the same order as in the product of
   these axes. */
static void expect_the_tried_of_a_product(int side, int (*of_table)[3], size_t count) {
    EXPECT_INT(tried_count, count);
    tune(side, (autotune_options){.strategy = AUTOTUNE_SURROGATE, .max_trials = 150, .seed = 3});
    EXPECT_INT(tried_count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert(!memcmp(tried[i], of_table[i], sizeof *tried), "trial %zu: %d %d %d, and of the table %d %d %d", i,
                  tried[i][0], tried[i][1], tried[i][2], of_table[i][0], of_table[i][1], of_table[i][2]);
}
Test(strategies, a_table_is_searched_as_the_product_of_its_columns) {
    enum { SIDE = 14 };
    static int64_t rows[SIDE * SIDE * SIDE][3];
    static int of_table[MOST][3];
    static const autotune_axis axes[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        rows[i][0] = i / SIDE / SIDE, rows[i][1] = i / SIDE % SIDE, rows[i][2] = i % SIDE;
    autotune_tuner *tuner = autotune_create(&(autotune_desc){.name = "rows",
                                                             .axes = axes,
                                                             .axis_count = 3,
                                                             .configs = rows[0],
                                                             .config_count = SIDE * SIDE * SIDE,
                                                             .launch = launch_row});
    forget();
    calls++;
    autotune_tune(tuner, &(autotune_options){.version = new_version(),
                                             .seed = 3,
                                             .backend = virtual_backend(),
                                             .max_trials = 150,
                                             .strategy = AUTOTUNE_SURROGATE,
                                             .result = &result});
    memcpy(of_table, tried, sizeof tried);
    expect_the_tried_of_a_product(SIDE, of_table, 150);
    autotune_destroy(tuner);
}
#define EIGHT_ROWS(a) (a, 0), (a, 1), (a, 2), (a, 3), (a, 4), (a, 5), (a, 6), (a, 7)
Test(strategies, a_table_beside_an_axis_is_searched_as_the_product_of_its_columns_and_the_axis) {
    static int of_table[MOST][3];
    forget();
    calls++;
    AUTOTUNE(SPACE(CONFIGS((a, b), EIGHT_ROWS(0), EIGHT_ROWS(1), EIGHT_ROWS(2), EIGHT_ROWS(3), EIGHT_ROWS(4),
                           EIGHT_ROWS(5), EIGHT_ROWS(6), EIGHT_ROWS(7)),
                   RANGE(c, 0, 7, 1)),
             1, run(autotune_trial, a, b, c), .key = KEY(calls), .version = new_version(), .seed = 3,
             .backend = virtual_backend(), .strategy = AUTOTUNE_SURROGATE, .max_trials = 150, .result = &result);
    memcpy(of_table, tried, sizeof tried);
    expect_the_tried_of_a_product(8, of_table, 150);
}

/* ---- Spaces that are sampled
 * ------------------------------------------------------------------------------------------------------------- */

static void tune_billion(autotune_strategy strategy, int kept, uint64_t trials) { /* one point in `kept` is admitted */
    forget();
    calls++;
    at = 700;
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1),
                   WHERE((a * 7 + b * 11 + c) % kept == 5)),
             1, run(autotune_trial, a, b, c), .key = KEY(calls), .version = new_version(), .backend = virtual_backend(),
             .strategy = strategy, .max_trials = trials, .result = &result);
}
Test(large_spaces, a_billion_points_of_which_one_in_a_thousand_is_admitted) {
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    base_ns = 1000;
    for (size_t i = 0; i < 3; i++) {
        tune_billion(all[i], 1000, 100);
        EXPECT_INT(result.status, AUTOTUNE_OK);
        EXPECT_INT(result.tried, 100);
        EXPECT_INT(real_count, 1);
        const autotune_config *c = &result.config;
        const int64_t a = autotune_get_int(c, "a"), b = autotune_get_int(c, "b");
        EXPECT_INT((a * 7 + b * 11 + autotune_get_int(c, "c")) % 1000, 5);
        cr_expect(result.space_size > 500000 && result.space_size < 2000000, "%zu", result.space_size);
        cr_expect(tried[0][0] == 0 && tried[0][1] == 0 && tried[0][2] == 5, "the first configuration");
        cr_expect(!isnan(result.default_ns));
        cr_expect_lt(result.median_ns, result.default_ns / 2);
    }
}
Test(strategies, a_sampled_space_ends_by_itself) {
    base_ns = 10;
    tune_billion(AUTOTUNE_AUTO, 10, 0);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    cr_expect(result.tried >= 50 && result.tried < 2000, "%zu tried", result.tried);
}
/* WHERE admits so few of 10^12 points that random draws do not find them. The first configuration is admitted, and the
   search tries its neighbours. */
Test(large_spaces, where_draws_find_nothing_the_neighbours_of_the_first_are_left) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    at = 20;
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 9999, 1), RANGE(b, 0, 9999, 1), RANGE(c, 0, 9999, 1), WHERE(a < 40 && b < 40 && c < 40)),
             1, run(autotune_trial, a, b, c), .backend = virtual_backend(), .strategy = AUTOTUNE_SURROGATE,
             .max_trials = 100, .max_seconds = 1e9, .result = &result);
    EXPECT_INT(result.tried, 100);
    cr_expect_leq(of_winner(), 1.5, "%g", of_winner());
}
/* WHERE admits one point of five million: draws find a few of them, and not the other 200,000 */
Test(large_spaces, what_draws_hardly_find_leaves_a_race_unresolved) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    forget();
    setenv("AUTOTUNE_LOG", "winner", 1);
    keep_log();
    AUTOTUNE(SPACE(RANGE(a, 0, 9999, 1), RANGE(b, 0, 9999, 1), RANGE(c, 0, 9999, 1), WHERE(a < 60 && b < 60 && c < 60)),
             1, run(autotune_trial, a, b, c), .backend = virtual_backend(), .strategy = AUTOTUNE_RANDOM,
             .max_seconds = 1e9, .result = &result);
    cr_expect(result.tried > 1 && result.tried < 20 && result.space_size > 20000, "%zu of %zu", result.tried,
              result.space_size);
    EXPECT_CONTAINS(logged, " of about ");
    EXPECT_INT(result.verdict, AUTOTUNE_UNRESOLVED);
}
/* A space that is just so large that it is sampled. EXHAUSTIVE judges each of its points. Before the last admitted
   point there are more points than the number of draws that may fail. */
Test(large_spaces, exhaustive_goes_to_the_end_of_a_sampled_space) {
    forget();
    _Static_assert(4097 * 4097 > AUTOTUNE_MAX_POINTS, "not sampled");
    AUTOTUNE(SPACE(RANGE(a, 0, 4096, 1), RANGE(b, 0, 4096, 1), WHERE(b == 0 && (a < 1500 ? a % 100 == 0 : a == 4096))),
             1, run(autotune_trial, a, b, 0), .backend = virtual_backend(), .strategy = AUTOTUNE_EXHAUSTIVE,
             .result = &result);
    EXPECT_INT(result.tried, 16);
    EXPECT_INT(tried[15][0], 4096);
    cr_expect(result.space_size >= 14 && result.space_size <= 18, "16, of which draws tell: %zu", result.space_size);
    EXPECT_INT(result.verdict, AUTOTUNE_SEPARATED);
}
/* WHERE admits 126 of 10^10 points. If uniform draws find no more of them, points near the best are drawn. */
Test(large_spaces, a_space_with_few_points_is_searched_beside_the_best) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    AUTOTUNE_BLOCK(SPACE(RANGE(a, 0, 99, 1), RANGE(b, 0, 99, 1), RANGE(c, 0, 99, 1), RANGE(d, 0, 99, 1),
                         RANGE(e, 0, 99, 1), WHERE(a + b + c + d + e <= 4)),
                   .backend = virtual_backend(), .result = &result)
        virtual_ns += (uint64_t)(100000 - 3000 * (a + 2 * b) - 1000 * (c > 1) + 500 * d + 200 * e);
    EXPECT_INT((int)result.median_ns, 100000 - 6000 * 4);
    cr_expect(result.tried > 20, "%zu", result.tried);
}
Test(large_spaces, an_empty_sampled_space_is_an_error) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), WHERE(a + b + c > 5000)), 1,
             run(autotune_trial, a, b, c), .backend = virtual_backend(), .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_SPACE);
    EXPECT_INT(real_count, 0);
    EXPECT_CONTAINS(autotune_last_error(), "configurations that were looked at (");
    EXPECT_CONTAINS(autotune_last_error(), "by WHERE(a + b + c > 5000)), so the call was not made: let them admit "
                                           "one; they are evaluated more than once, so they must change nothing");
}
/* the first admitted point comes after 90 million others */
Test(large_spaces, a_first_configuration_beyond_reach_is_done_without) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), WHERE(a >= 900)), 1,
             run(autotune_trial, a, b, c), .backend = virtual_backend(), .max_trials = 20, .max_seconds = 1e9,
             .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.tried, 20);
    EXPECT_INT(real_count, 1);
    cr_expect(isnan(result.default_ns));
}
Test(strategies, all_of_a_sample_may_fail) {
    fails_beyond = true;
    forget();
    AUTOTUNE(SPACE(RANGE(a, 13, 1012, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1)), 1, run(autotune_trial, a, b, c),
             .backend = virtual_backend(), .max_trials = 30, .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(result.failed, 30);
    EXPECT_INT(real_count, 0);
}
/* The fastest configuration is in a group with a lower PRIORITY, and is not the cheapest by MODEL. */
Test(strategies, what_needs_a_list_has_no_effect_on_a_sample_and_a_sentence_says_so) {
    for (int has_model = 0; has_model < 2; has_model++) {
        forget();
        at = 700;
        logged[0] = 0;
        if (has_model)
            AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), MODEL(a)), 1,
                     run(autotune_trial, a, b, c), .backend = virtual_backend(), .max_trials = 100, .max_seconds = 1e9,
                     .top_k = 3, .result = &result);
        else
            AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), PRIORITY(a >= 900)), 1,
                     run(autotune_trial, a, b, c), .backend = virtual_backend(), .max_trials = 100, .max_seconds = 1e9,
                     .result = &result);
        EXPECT_INT(result.status, AUTOTUNE_OK);
        EXPECT_INT(result.tried, 100);
        const int64_t won = autotune_get_int(&result.config, "a");
        cr_expect(won > 100 && won < 900, "%d", (int)won);
        EXPECT_CONTAINS(logged, "PRIORITY, MODEL and .top_k need a space of up to 2^24 points");
    }
}
static int works_below = 1000; /* a launch works if its first value is below this */
static autotune_status run_of_group(bool trial, int a, int b, int c) {
    const autotune_status status = run(trial, a, b, c);
    return a < works_below ? status : AUTOTUNE_FAILED;
}
Test(large_spaces, negative_groups_of_a_sample_are_never_tried) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1),
                   PRIORITY(a % 2 ? 1 : -1, b % 2 ? -1 : b % 4)),
             1, run(autotune_trial, a, b, c), .backend = virtual_backend(), .max_trials = 100, .max_seconds = 1e9,
             .result = &result);
    EXPECT_INT(tried_count, 100);
    for (size_t i = 0; i < tried_count; i++)
        cr_expect(tried[i][0] % 2 == 1 && tried[i][1] % 2 == 0, "%d, %d", tried[i][0], tried[i][1]);
}
Test(strategies, a_sample_of_which_nothing_works_ends_with_the_default_time) {
    works_below = 0; /* no launch works; a launch takes 30 ms and more */
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1)), 1,
             run_of_group(autotune_trial, a, b, c), .backend = virtual_backend(), .strategy = AUTOTUNE_RANDOM,
             .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
}
Test(large_spaces, without_a_race_a_first_configuration_beyond_reach_is_an_error_that_says_how_far_was_looked) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), WHERE(a >= 900)), 1,
             run(autotune_trial, a, b, c), .backend = virtual_backend(), .mode = AUTOTUNE_OFF, .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_SPACE);
    EXPECT_CONTAINS(autotune_last_error(), "none of 16777216 configurations that were looked at");
}
Test(strategies, the_first_configuration_of_a_sampled_space_needs_no_search) {
    forget();
    AUTOTUNE(SPACE(RANGE(a, 0, 999, 1), RANGE(b, 0, 999, 1), RANGE(c, 0, 999, 1), WHERE(c > 3)), 1,
             run(autotune_trial, a, b, c), .backend = virtual_backend(), .mode = AUTOTUNE_OFF, .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.index, 4);
    EXPECT_INT(trial_count, 0);
}
