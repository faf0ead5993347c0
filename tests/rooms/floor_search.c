/* floor_search.c - the points of a search by their coordinates; the forecasts of the model after trials. */
#include "../../src/site/statements.h"
#include "../../src/space/axes.h"
#include "../../src/search/create.h"
#include "../../src/search/ask_tell.h"

#include <math.h>

#include "../expect.h"

/* ---- A lattice --------------------------------------------------------------------------------------------------- */

/* An axis of 3 values, a table of 5 rows, and an axis of 4 values. The last row of the table repeats the second. */
enum { POINT_COUNT = 3 * 5 * 4 };
static autotune_search *search_of_table(void) {
    static const int steps[] = {30, 10, 20}, wide[] = {1, 8, 2, 8, 8}, high[] = {4, 4, 4, 1, 4}, same[5] = {0};
    static const int *const columns[] = {wide, same, high};
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__add_list(&space, "steps", NULL, steps, 3, AUTOTUNE_I32);
    autotune__new_dimension(&space, 5)->columns = 1;
    for (size_t i = 0; i < 3; i++) {
        autotune__axis_of_space *column = autotune__new_axis(&space, "column", AUTOTUNE_I32);
        column->dimension = 1;
        autotune__copy_values(column, columns[i], sizeof(int), 5);
    }
    autotune__add_rule(&space, "doubled", AUTOTUNE__DOUBLING, 1, 0, 4, AUTOTUNE_I32);
    autotune_search *search = autotune__search_space(&space, AUTOTUNE_SURROGATE, 0);
    autotune__free_space(&space);
    return search;
}
static size_t with(const autotune_search *search, size_t a, size_t b, size_t c, size_t d) {
    const size_t values[] = {a, b, c, d};
    return autotune__point_with(&search->lattice, values);
}
Test(lattice, a_column_is_a_coordinate_unless_it_has_one_value) {
    autotune_search *search = search_of_table();
    static const size_t counts[] = {3, 3, 2, 4}; /* the axis; the columns 1, 2, 8 and 1, 4; the last axis */
    EXPECT_INT(search->lattice.points, POINT_COUNT);
    EXPECT_INT(search->lattice.coordinates, 4);
    for (size_t i = 0; i < 4; i++) EXPECT_INT(search->lattice.coordinate[i].count, counts[i]);
    autotune__free_search(search);
}
Test(lattice, values_are_numbered_by_size) {
    autotune_search *search = search_of_table();
    size_t values[AUTOTUNE_MAX_AXES];
    /* the point with the value 30, the row 8 and 1, and the value 4 */
    autotune__values_of(&search->lattice, (0 * 5 + 3) * 4 + 2, values);
    EXPECT_INT(values[0], 2);
    EXPECT_INT(values[1], 2);
    EXPECT_INT(values[2], 0);
    EXPECT_INT(values[3], 2);
    autotune__free_search(search);
}
Test(lattice, a_point_is_found_by_its_values_and_of_equal_rows_the_first) {
    autotune_search *search = search_of_table();
    for (size_t point = 0; point < POINT_COUNT; point++) {
        size_t values[AUTOTUNE_MAX_AXES];
        autotune__values_of(&search->lattice, point, values);
        EXPECT_INT(autotune__point_with(&search->lattice, values), point / 4 % 5 == 4 ? point - 3 * 4 : point);
    }
    autotune__free_search(search);
}
/* How often 2 divides a value is its evenness. The order of 48, 16, 96, 64, 32 does not show it. Nor does the order of
   the column 5, 10, 20, 40, 80, 160, 15. Nor does the order of 1, 2 ... 9. Powers of two, fractions, odd numbers and
   axes of four values have no evenness. */
Test(lattice, integers_have_an_evenness_where_their_order_does_not_tell_it) {
    static const int sizes[] = {48, 16, 96, 64, 32}, powers[] = {1, 2, 4, 8, 16}, few[] = {1, 2, 3, 4},
                     odd[] = {1, 3, 5, 7, 9}, column[] = {5, 10, 20, 40, 80, 160, 15};
    static const double fractions[] = {1, 2, 3, 4, 5};
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__add_list(&space, "powers", NULL, powers, 5, AUTOTUNE_I32);
    autotune__add_list(&space, "sizes", NULL, sizes, 5, AUTOTUNE_I32);
    autotune__add_list(&space, "few", NULL, few, 4, AUTOTUNE_I32);
    autotune__add_list(&space, "odd", NULL, odd, 5, AUTOTUNE_I32);
    autotune__add_list(&space, "fractions", NULL, fractions, 5, AUTOTUNE_F64);
    autotune__new_dimension(&space, 7)->columns = 1;
    autotune__axis_of_space *axis = autotune__new_axis(&space, "column", AUTOTUNE_I32);
    axis->dimension = 5;
    autotune__copy_values(axis, column, sizeof(int), 7);
    autotune__add_rule(&space, "range", AUTOTUNE__STEPS, 1, 1, 9, AUTOTUNE_I32);
    autotune_search *search = autotune__search_space(&space, AUTOTUNE_SURROGATE, 0);
    const autotune__lattice *lattice = &search->lattice;
    static const unsigned char by_size[] = {0, 1, 0, 2, 1}, by_column[] = {0, 1, 0, 2, 3, 4, 5},
                               /* of 16, 32, 48, 64, 96; of 5, 10, 15, 20 ... */
                               in_range[] = {0, 1, 0, 2, 0, 1, 0, 3, 0};
    EXPECT_INT(lattice->evens, 3);
    EXPECT_INT(autotune__features(lattice), 7 + 3);
    cr_expect(lattice->even[0] == 1 && lattice->even[1] == 5 && lattice->even[2] == 6);
    cr_expect(!memcmp(lattice->coordinate[1].evenness, by_size, 5) &&
              !memcmp(lattice->coordinate[5].evenness, by_column, 7) &&
              !memcmp(lattice->coordinate[6].evenness, in_range, 9));
    unsigned char bins[AUTOTUNE__FEATURES];
    /* the point with the sizes 96, 160 and 8 */
    autotune__bins_of(lattice, (((((size_t)0 * 5 + 2) * 4 * 5 * 5) * 7) + 5) * 9 + 7, bins);
    EXPECT_INT(bins[7 + 0], 1);
    EXPECT_INT(bins[7 + 1], 5);
    EXPECT_INT(bins[7 + 2], 3);
    for (size_t i = 0; i < 7 + 3; i++) { /* the model knows how alike the values of each are from the beginning */
        const float *likeness = search->model->likeness[i] + AUTOTUNE__BINS;
        cr_expect(likeness[0] >= 1 && likeness[1] < 1 && likeness[1] > 0, "feature %zu: %g", i, (double)likeness[1]);
    }
    autotune__free_search(search);
    autotune__free_space(&space);
}
Test(lattice, values_that_no_row_has_are_nowhere) {
    autotune_search *search = search_of_table();
    EXPECT_INT(with(search, 0, 2, 0, 0), (1 * 5 + 3) * 4);
    EXPECT_INT(with(search, 0, 0, 0, 0), AUTOTUNE__NOWHERE); /* no row has 1 and 1 */
    EXPECT_INT(with(search, 0, 1, 0, 3), AUTOTUNE__NOWHERE); /* no row has 2 and 1 */
    autotune__free_search(search);
}
/* Whichever point is drawn from a list, it is one that is left. */
Test(points, of_a_list_what_is_left_is_drawn) {
    static size_t list[] = {3, 7, 12, 20, 31};
    for (size_t left = 0; left < 5; left++) {
        autotune_search *search = search_of_table();
        search->list = list;
        search->list_count = 5;
        for (size_t i = 0; i < 5; i++)
            if (i != left) cr_assert(autotune__visit_point(search, list[i]));
        for (int i = 0; i < 20; i++) cr_assert_eq(autotune__draw_uniform(search), list[left], "%zu", left);
        autotune__free_search(search);
    }
}
Test(lattice, a_space_of_one_row_has_no_coordinate) {
    autotune__lattice lattice = {.points = 0};
    autotune__add_dimension(&lattice, 1);
    autotune__add_coordinate(&lattice, 1, false, NULL);
    EXPECT_INT(lattice.coordinates, 0);
    EXPECT_INT(autotune__point_with(&lattice, NULL), 0);
    autotune__free_lattice(&lattice);
}

/* ---- The model --------------------------------------------------------------------------------------------------- */

/* For a point that was tried, the model forecasts its time within the noise, with little doubt. */
Test(model, forecasts_what_was_tried_from_all_trials) {
    static const double times[] = {900, 700, 540, 420, 330, 270, 240, 250, 300, 380, 500, 660};
    enum { TRIALS = sizeof times / sizeof *times };
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    static autotune__proposal at;
    autotune__add_rule(&space, "size", AUTOTUNE__STEPS, 1, 0, 100, AUTOTUNE_I32);
    autotune_search *search = autotune__search_space(&space, AUTOTUNE_SURROGATE, 0);
    autotune__surrogate *model = search->model;
    for (size_t i = 0; i < TRIALS; i++) cr_assert(autotune__tell_search(search, 8 * i, times[i]));
    cr_assert(autotune__update_model(search));
    EXPECT_INT(model->factored, TRIALS);
    for (size_t i = 0; i < TRIALS; i++) {
        at.index = 8 * i;
        autotune__bins_of(&search->lattice, at.index, at.bin);
        autotune__forecast(search, &at, 0);
        size_t row = 0;
        while (search->trials[model->point[row]].index != at.index) row++;
        cr_expect(fabs((double)(at.mean - model->target[row])) < 0.3, "%zu: %g, it took %g", i, (double)at.mean,
                  (double)model->target[row]);
        cr_expect_lt(at.variance, 0.2F);
    }
    autotune__free_search(search);
    autotune__free_space(&space);
}
/* If more trials are reported before the first forecast than the model can review, the forecast is still no surer than
   the noise allows. */
Test(model, knows_of_the_noise_when_many_trials_come_first) {
    enum { TRIALS = AUTOTUNE__KNOWN_POINTS + 40 };
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    static autotune__proposal at;
    autotune__add_rule(&space, "size", AUTOTUNE__STEPS, 1, 0, TRIALS, AUTOTUNE_I32);
    autotune_search *search = autotune__search_space(&space, AUTOTUNE_SURROGATE, 0);
    for (size_t i = 0; i < TRIALS; i++)
        EXPECT_INT(autotune_search_tell(search, i, 100 + fabs((double)i - 70)), AUTOTUNE_OK);
    cr_assert(autotune__update_model(search));
    at.index = 70;
    autotune__bins_of(&search->lattice, at.index, at.bin);
    autotune__forecast(search, &at, 0);
    cr_expect(at.variance > 0.001F && at.variance < 0.2F, "%g", (double)at.variance);
    autotune__free_search(search);
    autotune__free_space(&space);
}
/* autotune__likely_next() returns the preferred points in the list first. Then it returns the points that may take the
   least time by their forecast. */
Test(strategies, what_comes_next_is_guessed) {
    static const size_t listed[] = {3, 27, 41, 90};
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__add_rule(&space, "size", AUTOTUNE__STEPS, 1, 0, 100, AUTOTUNE_I32);
    autotune_search *search = autotune__search_space(&space, AUTOTUNE_SURROGATE, 0);
    cr_assert(AUTOTUNE__PUSH(search->preferred, 3) && AUTOTUNE__PUSH(search->preferred, 5));
    cr_expect(autotune__likely_next(search, 0) == 3 && autotune__likely_next(search, 1) == 5);
    cr_expect(autotune__likely_next(search, 2) == SIZE_MAX, "nothing can be forecast yet");
    for (size_t i = 0; i < 12; i++) cr_assert(autotune__tell_search(search, 8 * i, 100 + fabs(8. * (double)i - 40)));
    cr_assert(autotune__update_model(search));
    for (size_t i = 1; i < 4; i++) autotune__add_proposal(search, listed[4 - i]);
    cr_expect(autotune__likely_next(search, 2) == 41 && autotune__likely_next(search, 3) == 27 &&
              autotune__likely_next(search, 4) == 90 && autotune__likely_next(search, 5) == SIZE_MAX);
    search->list = listed;
    search->list_count = 4;
    cr_expect(autotune__likely_next(search, 0) == 3 && autotune__likely_next(search, 1) == SIZE_MAX);
    autotune__free_search(search);
    autotune__free_space(&space);
}
