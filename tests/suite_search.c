/* suite_search.c - the functions with which a program searches a large space in its own loop. */
#include "autotune.h"
#include "expect.h"
#include "sanitized.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* ---- Spaces ------------------------------------------------------------------------------------------------------ */

/* Filters judge a point by its values. They count how often they are asked, and with how many values. */

enum { AXES = 3 };
static size_t asked[AUTOTUNE_MAX_AXES + 1]; /* asked[n]: how often a filter was asked when n values were bound */

/* rules out a point when its first two values are bound */
static bool small_sum(void *user, const size_t *values, size_t bound) {
    const size_t *most = user;
    asked[bound]++;
    return bound < 2 || values[0] + values[1] <= *most;
}
static bool none(void *user, const size_t *values, size_t bound) {
    (void)user, (void)values;
    asked[bound]++;
    return bound < AXES;
}
static bool one_in_thousand(void *user, const size_t *values, size_t bound) { /* only the last axis decides */
    (void)user;
    asked[bound]++;
    return bound < AXES || (values[0] * 7 + values[1] * 11 + values[2]) % 1000 == 0;
}

static autotune_search *search_of(autotune_strategy strategy, size_t a, size_t b, size_t c,
                                  bool (*where)(void *, const size_t *, size_t), size_t *user, uint64_t seed) {
    const autotune_search_axis axes[AXES] = {{.count = a}, {.count = b}, {.count = c}};
    const autotune_search_desc desc = {axes, AXES, where, user, strategy, seed};
    return autotune_search_create(&desc);
}
static autotune_search *search_cube(autotune_strategy strategy, size_t side, uint64_t seed) {
    return search_of(strategy, side, side, side, NULL, NULL, seed);
}
static size_t next_point(autotune_search *search) {
    size_t point = SIZE_MAX;
    cr_assert_eq(autotune_search_ask(search, &point), AUTOTUNE_OK);
    return point;
}
/* A bowl: the time has its minimum, 1, at the middle of each axis of a cube with this side. */
static double bowl(size_t point, size_t side) {
    double time = 1;
    for (int a = 0; a < AXES; a++, point /= side) {
        const double x = (double)(point % side) / (double)(side - 1) - 0.5;
        time += 4 * x * x;
    }
    return time;
}

/* ---- Which points are asked for
 * ---------------------------------------------------------------------------------------------------------- */

static void expect_each_once(autotune_strategy strategy) {
    enum { SIDE = 6, POINTS = SIDE * SIDE * SIDE };
    size_t most = 7, count = 0, point;
    bool seen[POINTS] = {false};
    autotune_search *search = search_of(strategy, SIDE, SIDE, SIDE, small_sum, &most, 3);
    while (autotune_search_ask(search, &point) == AUTOTUNE_OK) {
        cr_assert_lt(point, (size_t)POINTS);
        cr_expect(!seen[point], "point %zu came twice", point);
        cr_expect_leq(point / SIDE / SIDE + point / SIDE % SIDE, most);
        seen[point] = true;
        count++;
        autotune_search_tell(search, point, bowl(point, SIDE));
    }
    EXPECT_INT(autotune_search_ask(search, &point), AUTOTUNE_ERR_SPACE);
    EXPECT_INT(count, (SIDE * SIDE - 6) * SIDE); /* the sum of 6 pairs of first values is above 7 */
    autotune_search_destroy(search);
}
Test(search, every_strategy_visits_each_admitted_point_once) {
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_each_once(all[i]);
}
Test(search, exhaustive_goes_in_the_order_of_the_space) {
    autotune_search *search = search_cube(AUTOTUNE_EXHAUSTIVE, 3, 0);
    for (size_t i = 0; i < 27; i++) EXPECT_INT(next_point(search), i);
    autotune_search_destroy(search);
}
Test(search, preferred_points_come_first_and_one_that_is_not_admitted_is_passed_over) {
    size_t most = 3, points[] = {21, 63, 5}; /* the points 1,1,1 and 3,3,3, whose sum is too large, and 0,1,1 */
    autotune_search *search = search_of(AUTOTUNE_SURROGATE, 4, 4, 4, small_sum, &most, 0);
    for (size_t i = 0; i < 3; i++) EXPECT_INT(autotune_search_prefer(search, points[i]), AUTOTUNE_OK);
    EXPECT_INT(next_point(search), 21);
    EXPECT_INT(next_point(search), 5);
    autotune_search_tell(search, 21, 2);
    autotune_search_tell(search, 5, 1);
    for (int i = 0; i < 20; i++) {
        const size_t point = next_point(search);
        cr_expect(point != 21 && point != 5);
        autotune_search_tell(search, point, 3);
    }
    autotune_search_destroy(search);
}
Test(search, a_point_that_is_not_admitted_cannot_be_told) { /* its time would count for an admitted point */
    static const autotune_strategy all[] = {AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t most = 3, point, told = 0, count = 0;
        autotune_search *search = search_of(all[i], 6, 6, 1, small_sum, &most, 3);
        for (point = 0; point < 36; point++)
            told += autotune_search_tell(search, point, 1) == AUTOTUNE_OK && point / 6 + point % 6 > 3;
        EXPECT_INT(told, 0);
        autotune_search_destroy(search);
        search = search_of(all[i], 6, 6, 1, small_sum, &most, 3);
        EXPECT_INT(autotune_search_tell(search, 35, 1), AUTOTUNE_ERR_ARGUMENT);
        EXPECT_CONTAINS(autotune_last_error(), "where does not admit this point");
        EXPECT_INT(autotune_search_tell(search, 0, -1), AUTOTUNE_ERR_ARGUMENT);
        EXPECT_CONTAINS(autotune_last_error(), "a time below 0");
        while (autotune_search_ask(search, &point) == AUTOTUNE_OK) count++;
        EXPECT_INT(count, 10);
        autotune_search_destroy(search);
    }
}
/* apart: how far the second of five points is from the first */
Test(search, random_draws_are_uniform_after_the_first_too) {
    int apart[5] = {0};
    for (uint64_t seed = 0; seed < 8000; seed++) {
        autotune_search *search = search_of(AUTOTUNE_RANDOM, 5, 1, 1, NULL, NULL, seed);
        const size_t first = next_point(search), second = next_point(search);
        apart[(second + 5 - first) % 5]++;
        autotune_search_destroy(search);
    }
    for (int i = 1; i < 5; i++) cr_expect(apart[i] > 1850 && apart[i] < 2150, "%d: %d of 8000", i, apart[i]);
}
Test(search, several_points_may_be_asked_for_before_the_first_is_told) {
    autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 10, 0);
    size_t pending[16];
    for (int round = 0; round < 8; round++) {
        for (size_t i = 0; i < 16; i++) {
            pending[i] = next_point(search);
            for (size_t j = 0; j < i; j++) cr_expect_neq(pending[i], pending[j]);
        }
        for (size_t i = 16; i-- > 0;)
            EXPECT_INT(autotune_search_tell(search, pending[i], bowl(pending[i], 10)), AUTOTUNE_OK);
    }
    autotune_search_destroy(search);
}
Test(search, a_point_that_was_told_is_not_asked_for) {
    autotune_search *search = search_cube(AUTOTUNE_RANDOM, 3, 0);
    for (size_t point = 0; point < 26; point++) EXPECT_INT(autotune_search_tell(search, point, 1), AUTOTUNE_OK);
    EXPECT_INT(next_point(search), 26);
    autotune_search_destroy(search);
}
Test(search, the_same_seed_asks_for_the_same_points) {
    static const autotune_strategy all[] = {AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t k = 0; k < 2; k++) {
        autotune_search *one = search_cube(all[k], 16, 7), *same = search_cube(all[k], 16, 7),
                        *other = search_cube(all[k], 16, 8);
        size_t different = 0;
        for (int i = 0; i < 200; i++) {
            const size_t point = next_point(one), twin = next_point(same), stranger = next_point(other);
            EXPECT_INT(twin, point);
            different += stranger != point;
            autotune_search_tell(one, point, bowl(point, 16));
            autotune_search_tell(same, twin, bowl(twin, 16));
            autotune_search_tell(other, stranger, bowl(stranger, 16));
        }
        cr_expect_gt(different, (size_t)100);
        autotune_search_destroy(one);
        autotune_search_destroy(same);
        autotune_search_destroy(other);
    }
}
Test(search,
     /* 6,000 first points in 60 buckets: chi-squared with 59 degrees of freedom is above 121 in 1 of 10^6 cases */
     random_draws_are_uniform) {
    size_t hits[60] = {0};
    double chi = 0;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        autotune_search *search = search_of(AUTOTUNE_RANDOM, 3, 4, 5, NULL, NULL, seed);
        hits[next_point(search)]++;
        autotune_search_destroy(search);
    }
    for (size_t i = 0; i < 60; i++) chi += ((double)hits[i] - 100) * ((double)hits[i] - 100) / 100;
    cr_expect_lt(chi, 121.0);
}

/* ---- How well -------------------------------------------------------------------------------------------------------
 */

static double best_after(autotune_search *search, int trials, double (*time)(size_t point, size_t side), size_t side) {
    double best = HUGE_VAL;
    for (int i = 0; i < trials; i++) {
        const size_t point = next_point(search);
        const double t = time(point, side);
        if (t < best) best = t;
        autotune_search_tell(search, point, t);
    }
    autotune_search_destroy(search);
    return best;
}
Test(search, the_surrogate_finds_the_optimum_of_a_smooth_space_in_forty_trials) {
    for (uint64_t seed = 0; seed < 20; seed++) /* of 29,791 points */
        cr_expect_leq(best_after(search_cube(AUTOTUNE_SURROGATE, 31, seed), 40, bowl, 31), 1.01);
}
Test(search, the_unit_of_the_times_does_not_matter) {
    autotune_search *nanoseconds = search_cube(AUTOTUNE_SURROGATE, 16, 0),
                    *seconds = search_cube(AUTOTUNE_SURROGATE, 16, 0);
    for (int i = 0; i < 40; i++) {
        const size_t a = next_point(nanoseconds), b = next_point(seconds);
        cr_assert_eq(a, b);
        autotune_search_tell(nanoseconds, a, ldexp(bowl(a, 16), 10));
        autotune_search_tell(seconds, b, ldexp(bowl(b, 16), -20));
    }
    autotune_search_destroy(nanoseconds);
    autotune_search_destroy(seconds);
}
/* Half of the space fails. Either the best points are at the edge of this half, or all other points are equal. The test
   counts failures among trials 20 to 99 of ten searches: random drawing would fail in a half. */
static double failing_half(size_t point, size_t side) {
    return point / side / side * 2 >= side ? (double)INFINITY : bowl(point, side);
}
static double failing_half_else_equal(size_t point, size_t side) {
    return isinf(failing_half(point, side)) ? (double)INFINITY : 1;
}
static size_t late_failures(double (*time_of)(size_t point, size_t side)) {
    size_t failed = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 20, seed);
        for (int i = 0; i < 100; i++) {
            const size_t point = next_point(search);
            const double time = time_of(point, 20);
            if (i >= 20) failed += !(time < HUGE_VAL);
            autotune_search_tell(search, point, i % 2 || time < HUGE_VAL ? time : (double)NAN);
        }
        autotune_search_destroy(search);
    }
    return failed;
}
Test(search, a_region_that_fails_is_avoided) { cr_expect_lt(late_failures(failing_half), (size_t)(10 * 80 / 3)); }
Test(search, a_region_that_fails_is_avoided_though_nothing_else_differs) {
    const size_t failures = late_failures(failing_half_else_equal);
    cr_expect_lt(failures, (size_t)(10 * 80 / 10), "%zu", failures);
}
Test(search, when_everything_fails_it_goes_on) {
    autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 10, 0);
    for (int i = 0; i < 400; i++) autotune_search_tell(search, next_point(search), (double)INFINITY);
    autotune_search_tell(search, next_point(search), 1);
    for (int i = 0; i < 400; i++) autotune_search_tell(search, next_point(search), i % 3 ? (double)INFINITY : 2);
    autotune_search_destroy(search);
}
Test(search, equal_and_zero_times_are_no_trouble) {
    autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 10, 0);
    for (int i = 0; i < 100; i++) autotune_search_tell(search, next_point(search), i < 50 ? 1 : 0);
    autotune_search_destroy(search);
}
/* Values without an order. The time of each value on an axis does not depend on the other axes. */
static double jumbled(size_t point, size_t side) {
    static const unsigned char cost[20] = {7, 19, 2, 13, 11, 0, 17, 5, 15, 9, 1, 18, 6, 12, 3, 16, 8, 14, 4, 10};
    double time = 1;
    for (int a = 0; a < AXES; a++, point /= side) time += 0.1 * cost[point % side];
    return time;
}
Test(many_races, a_categorical_axis_is_not_taken_for_an_order) {
    double categorical = 0, ordered = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const autotune_search_axis axis = {.count = 20, .categorical = true}, axes[AXES] = {axis, axis, axis};
        const autotune_search_desc desc = {axes, AXES, NULL, NULL, AUTOTUNE_SURROGATE, seed};
        categorical += best_after(autotune_search_create(&desc), 100, jumbled, 20) / 40;
        ordered += best_after(search_cube(AUTOTUNE_SURROGATE, 20, seed), 100, jumbled, 20) / 40;
    }
    cr_expect_lt(categorical - 1, 0.3 * (ordered - 1), "%g, as an order %g", categorical, ordered);
}
/* Sizes from 16 to 320. The more often 2 divides a size, the faster it is. */
static double uneven(size_t point, size_t side) {
    double time = 1;
    for (int a = 0; a < AXES; a++, point /= side) {
        size_t size = point % side + 1, twos = 0;
        for (; size % 2 == 0; size /= 2) twos++;
        time += 0.1 * (4 - (double)twos);
    }
    return time;
}
Test(many_races, the_values_of_an_axis_tell_which_of_them_are_alike) {
    int64_t sizes[20];
    double told = 0, untold = 0;
    for (int i = 0; i < 20; i++) sizes[i] = 16 * (i + 1);
    for (uint64_t seed = 0; seed < 40; seed++) {
        const autotune_search_axis axis = {.count = 20, .values = sizes}, axes[AXES] = {axis, axis, axis};
        const autotune_search_desc desc = {axes, AXES, NULL, NULL, AUTOTUNE_SURROGATE, seed};
        told += best_after(autotune_search_create(&desc), 30, uneven, 20) / 40;
        untold += best_after(search_cube(AUTOTUNE_SURROGATE, 20, seed), 30, uneven, 20) / 40;
    }
    cr_expect_lt(told - 1, 0.3 * (untold - 1), "%g, without the values %g", told, untold);
}

/* ---- When to stop
 * ------------------------------------------------------------------------------------------------------------------ */

Test(search, going_on_pays_for_fifty_trials_and_then_no_more_where_nothing_is_left_to_gain) {
    autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 12, 0), *random = search_cube(AUTOTUNE_RANDOM, 12, 0);
    int trials = 0;
    for (; trials < 400 && autotune_search_pays(search); trials++) {
        const size_t point = next_point(search);
        autotune_search_tell(search, point, bowl(point, 12));
        autotune_search_tell(random, next_point(random), 1);
    }
    cr_expect(trials >= 50 && trials < 150, "%d trials", trials);
    while (trials++ < 400) autotune_search_tell(random, next_point(random), 1);
    cr_expect(autotune_search_pays(random));
    autotune_search_destroy(search);
    autotune_search_destroy(random);
}
Test(search, going_on_pays_while_it_brings_gains) {
    autotune_search *search = search_cube(AUTOTUNE_SURROGATE, 100, 0);
    double best = HUGE_VAL;
    for (int i = 0; i < 60; i++) {
        const size_t point = next_point(search);
        best = best < HUGE_VAL ? best * 0.97 : 1; /* each trial is faster than all before */
        cr_expect(autotune_search_pays(search));
        autotune_search_tell(search, point, best);
    }
    autotune_search_destroy(search);
}

/* ---- Constraints, and spaces without a list -------------------------------------------------------------------------
 */

Test(search, a_constraint_is_tested_as_soon_as_what_it_names_is_bound) {
    size_t most = 0;
    /* 100 points are admitted */
    autotune_search *search = search_of(AUTOTUNE_RANDOM, 100, 100, 100, small_sum, &most, 0);
    EXPECT_INT(asked[1], 100);
    EXPECT_INT(asked[2], 100 * 100);
    EXPECT_INT(asked[3], 100);
    autotune_search_destroy(search);
}
/* The time of 30 calls of the filter for each of its points: 100 ms on a machine where filtering takes 20 ms. */
static double seconds_of_thirty_million_calls(void) {
    bool (*volatile test)(void *, const size_t *, size_t) = small_sum;
    size_t most = 198, values[3] = {0};
    const clock_t start = clock();
    for (int i = 0; i < 30000000; i++) test(&most, values, 3);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}
Test(search, a_million_points_are_filtered_sooner_than_their_constraint_is_called_thirty_times) {
    size_t most = 198; /* the filter rules out no point early */
    const clock_t start = clock();
    autotune_search *search = search_of(AUTOTUNE_RANDOM, 100, 100, 100, small_sum, &most, 0);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC, calls = seconds_of_thirty_million_calls();
#if !ADDRESS_SANITIZED && defined __OPTIMIZE__
    cr_expect_lt(seconds, calls);
#endif
    cr_expect(seconds >= 0 && calls >= 0 && next_point(search) < 1000000);
    autotune_search_destroy(search);
}
Test(search, an_empty_space_is_an_error_with_a_sentence) {
    cr_expect_null(search_of(AUTOTUNE_RANDOM, 10, 10, 10, none, NULL, 0));
    EXPECT_CONTAINS(autotune_last_error(), "where admits none of 1000 points");
}
Test(search, a_large_empty_space_is_noticed) {
    autotune_search *search = search_of(AUTOTUNE_SURROGATE, 1000, 1000, 1000, none, NULL, 0);
    size_t point;
    cr_assert_not_null(search);
    EXPECT_INT(autotune_search_ask(search, &point), AUTOTUNE_ERR_SPACE);
    cr_expect_leq(asked[AXES], (size_t)1 << 23);
    autotune_search_destroy(search);
}
/* admits 8 of 200^3 points: two values on each axis */
static bool eight_corners(void *user, const size_t *values, size_t bound) {
    (void)user;
    return values[bound - 1] == 3 || values[bound - 1] == 150;
}
Test(search, a_tiny_feasible_set_is_exhausted) { /* one point in 10^6 is admitted */
    for (int k = 0; k < 2; k++) {
        autotune_search *search = search_of(k ? AUTOTUNE_RANDOM : AUTOTUNE_SURROGATE, 200, 200, 200, eight_corners,
                                            NULL, 0);
        size_t found = 0, point;
        for (; found < 100 && autotune_search_ask(search, &point) == AUTOTUNE_OK; found++)
            autotune_search_tell(search, point, 1);
        cr_expect(found >= 6 && found <= 8, "%zu found", found);
        autotune_search_destroy(search);
    }
}
/* admits 209 of 2048 x 2048 points */
static bool one_in_twenty_thousand(void *user, const size_t *values, size_t bound) {
    (void)user;
    return bound < 2 || (values[0] * 2048 + values[1]) * 2654435761u % 20000 == 7;
}
Test(search, rare_points_are_found_though_nothing_works) {
    static const autotune_strategy all[] = {AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        autotune_search *search = search_of(all[i], 2048, 2048, 1, one_in_twenty_thousand, NULL, i);
        for (int asked_for = 0; asked_for < 30; asked_for++) autotune_search_tell(search, next_point(search), INFINITY);
        autotune_search_destroy(search);
    }
}
/* admits one of 1000^3 points; the first values rule out most points */
static bool sevens(void *user, const size_t *values, size_t bound) {
    (void)user;
    asked[bound]++;
    return values[bound - 1] == 7;
}
Test(search, a_large_space_is_listed_where_few_questions_rule_out_most) {
    size_t point;
    autotune_search *search = search_of(AUTOTUNE_RANDOM, 1000, 1000, 1000, sevens, NULL, 0);
    EXPECT_INT(asked[1] + asked[2] + asked[3], 3000);
    EXPECT_INT(next_point(search), 7007007);
    EXPECT_INT(autotune_search_ask(search, &point), AUTOTUNE_ERR_SPACE);
    autotune_search_destroy(search);
}
static void expect_usable_without_a_list(autotune_strategy strategy) {
    autotune_search *search = search_of(strategy, 1000, 1000, 1000, one_in_thousand, NULL, 0);
    double best = HUGE_VAL;
    memset(asked, 0, sizeof asked);
    for (int i = 0; i < 200; i++) {
        const size_t point = next_point(search), values[AXES] = {point / 1000000, point / 1000 % 1000, point % 1000};
        cr_expect(one_in_thousand(NULL, values, AXES));
        if (bowl(point, 1000) < best) best = bowl(point, 1000);
        autotune_search_tell(search, point, bowl(point, 1000));
    }
    cr_expect_lt(asked[AXES], (size_t)200 * 20000);
    cr_expect_lt(best, 1.3);
    autotune_search_destroy(search);
}
Test(search, a_billion_points_of_which_one_in_a_thousand_is_admitted) {
    expect_usable_without_a_list(AUTOTUNE_SURROGATE);
    expect_usable_without_a_list(AUTOTUNE_RANDOM);
}
Test(search, the_longest_axes_and_the_most) {
    static const size_t counts[AUTOTUNE_MAX_AXES] = {2, 2, 2, 2, 2, 2, 1, 8, 8, 8, 8, 8, 8, 8, 8, 1};
    const autotune_search_axis longest = {.count = SIZE_MAX / 4},
                               category = {.count = SIZE_MAX / 4, .categorical = true};
    autotune_search_axis most[AUTOTUNE_MAX_AXES];
    const autotune_search_desc descs[] = {{most, AUTOTUNE_MAX_AXES, NULL, NULL, AUTOTUNE_SURROGATE, 0},
                                          {&longest, 1, NULL, NULL, AUTOTUNE_SURROGATE, 0},
                                          {&category, 1, NULL, NULL, AUTOTUNE_SURROGATE, 0}};
    for (size_t a = 0; a < AUTOTUNE_MAX_AXES; a++)
        most[a] = (autotune_search_axis){.count = counts[a], .categorical = a == 1 || a == 7 || a == 15};
    for (size_t k = 0; k < 3; k++) {
        autotune_search *search = autotune_search_create(&descs[k]);
        cr_assert_not_null(search, "%s", autotune_last_error());
        for (int i = 0; i < 100; i++) {
            const size_t point = next_point(search);
            autotune_search_tell(search, point, 1 + (double)(point % 1000));
        }
        autotune_search_destroy(search);
    }
}

/* ---- Misuse
 * ------------------------------------------------------------------------------------------------------------------ */

Test(search, misuse_is_an_error_with_a_sentence) {
    const autotune_search_axis good[2] = {{.count = 3}, {.count = 4}}, empty = {.count = 0},
                               long_ones[2] = {{.count = SIZE_MAX / 4}, {.count = 9}};
    autotune_search_desc desc = {good, 2, NULL, NULL, AUTOTUNE_SURROGATE, 0};
    autotune_search *search = autotune_search_create(&desc);
    size_t point;
    cr_assert_not_null(search);
    EXPECT_INT(autotune_search_tell(search, 12, 1), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_CONTAINS(autotune_last_error(), "autotune_search_tell: the space has no such point");
    EXPECT_INT(autotune_search_prefer(search, 12), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(autotune_search_prefer(NULL, 0), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_CONTAINS(autotune_last_error(), "autotune_search_prefer: the search is NULL");
    EXPECT_INT(autotune_search_ask(search, NULL), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_CONTAINS(autotune_last_error(), "autotune_search_ask: point is NULL");
    EXPECT_INT(autotune_search_ask(NULL, &point), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(!autotune_search_pays(NULL));
    autotune_search_destroy(search);
    autotune_search_destroy(NULL);

    cr_expect_null(autotune_search_create(NULL));
    EXPECT_CONTAINS(autotune_last_error(), "the description is NULL");
    desc.axis_count = 0;
    cr_expect_null(autotune_search_create(&desc));
    desc.axis_count = AUTOTUNE_MAX_AXES + 1;
    cr_expect_null(autotune_search_create(&desc));
    EXPECT_CONTAINS(autotune_last_error(), "a space has 1 to 16 axes");
    desc = (autotune_search_desc){&empty, 1, NULL, NULL, AUTOTUNE_RANDOM, 0};
    cr_expect_null(autotune_search_create(&desc));
    EXPECT_CONTAINS(autotune_last_error(), "an axis has no value");
    desc = (autotune_search_desc){long_ones, 2, NULL, NULL, AUTOTUNE_RANDOM, 0};
    cr_expect_null(autotune_search_create(&desc));
    EXPECT_CONTAINS(autotune_last_error(), "more points than can be numbered");
    desc = (autotune_search_desc){good, 2, NULL, NULL, (autotune_strategy)77, 0};
    cr_expect_null(autotune_search_create(&desc));
    EXPECT_CONTAINS(autotune_last_error(), "the strategy is one of");
}

static void count_line(void *lines, autotune_log_level level, const char *line) {
    (void)level, (void)line;
    ++*(int *)lines;
}
Test(search, the_first_call_of_a_program_may_be_wrong) {
    size_t point;
    int lines = 0;
    autotune_set_log(count_line, &lines);
    cr_expect(autotune_search_ask(NULL, &point) == AUTOTUNE_ERR_ARGUMENT && lines == 1);
    cr_expect(autotune_search_tell(NULL, 0, 1) == AUTOTUNE_ERR_ARGUMENT && lines == 2);
    cr_expect(!autotune_search_pays(NULL) && lines == 3);
}
