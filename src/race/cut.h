/* The race's cuts: who leaves the race, and why. A configuration that is more than a factor slower than the best is
   cut. */
#pragma once
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"
#include "batch.h"

static void autotune__remove_live(autotune__race *race, size_t row) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] == row) {
            AUTOTUNE__REMOVE(race->live, i);
            break;
        }
    if (race->twin == row) race->twin_runs = false;
}
static void autotune__drop(autotune__race *race, size_t row, const char *why) {
    race->rows[row].state = AUTOTUNE__SLOW;
    race->rows[row].why = why;
    autotune__remove_live(race, row);
}
/* Keeps the live rows whose minimum is within `factor` of the best, the `most` best of them at most, sorted. Two stay
   in any case unless the second is three times as slow: few samples show nothing, and a duel with one that is much
   slower is short. A minimum that nothing comes near, not even the row's own next sample, excludes nobody: a device has
   a quick launch now and then. */
static double autotune__cut(const autotune__race *race, double factor) {       /* the largest minimum that stays */
    const double hopeless = 3;
    double best = AUTOTUNE__NEVER, second = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        const double ns = autotune__is_definite(row->second) && row->second > factor * row->minimum ? row->second
                                                                                                    : row->minimum;
        if (ns < best) { second = best; best = ns; }
        else if (ns < second) second = ns;
    }
    return second > factor * best && second <= hopeless * best ? second : factor * best;
}
/* of equals: to the incumbent, and to the lower index */
static bool autotune__yields(const autotune__race *race, size_t a, size_t b) {
    const size_t x = race->rows[a].index, y = race->rows[b].index;
    return y == race->setup.incumbent || (x != race->setup.incumbent && x > y);
}
static bool autotune__is_slower(const autotune__race *race, size_t a, size_t b) {
    const double x = race->rows[a].minimum, y = race->rows[b].minimum;
    return x > y || (!(x < y) && autotune__yields(race, a, b));
}
static void autotune__keep(autotune__race *race, double factor, size_t most, const char *stage) {
    const double cut = autotune__cut(race, factor);
    size_t i, kept = 0;
    for (i = 0; i < autotune__count(race->live); i++) {
        const size_t row = race->live[i];
        size_t j = kept;
        race->rows[row].state = AUTOTUNE__SLOW;
        race->rows[row].why = "too slow";
        if (autotune__is_definite(race->rows[row].minimum) && race->rows[row].minimum > cut) continue;
        for (; j > 0 && autotune__is_slower(race, race->live[j - 1], row); j--) race->live[j] = race->live[j - 1];
        race->live[j] = row;
        kept++;
    }
    for (i = 0; i < kept; i++) {
        autotune__row *row = &race->rows[race->live[i]];
        row->why = "not among the best";
        if (i >= most) continue;
        row->state = AUTOTUNE__WORKS;
        row->stage = stage;
        row->why = NULL;
    }
    autotune__set_count(race->live, kept < most ? kept : most);
    race->best_ns = kept ? race->rows[race->live[0]].minimum : AUTOTUNE__NEVER;
}
/* How many times the best's time a launch may take to stay after the screen: twice. Where those of a batch take less
   than one alone, a part of that is the CPU's time for one launch, and what is shorter than a batch shows only in a
   batch. */
static double autotune__screen_factor(const autotune__race *race) {
    const bool hidden = race->limits.whole_batches && autotune__batch(race, race->best_ns) > 1;
    return 2 + (hidden ? autotune__least_batch_ns / race->best_ns : 0);
}
static bool autotune__collect(autotune__race *race) {       /* the batch's rows that work become the live ones; false:
                                                               none, or no memory */
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = race->batch_rows; row < autotune__count(race->rows) && !race->no_memory; row++) {
        if (race->rows[row].state == AUTOTUNE__FAILED || !autotune__is_definite(race->rows[row].minimum)) continue;
        race->rows[row].relative = AUTOTUNE__NEVER;             /* of other rounds than the others' */
        race->no_memory = !AUTOTUNE__PUSH(race->live, row);
    }
    if (race->no_memory || !race->live) return false;
    autotune__keep(race, autotune__screen_factor(race), SIZE_MAX, "halving");
    return autotune__count(race->live) > 0;
}
