/* Second launches of what one launch would exclude. A first launch may start threads, touch pages or wait for a
   processor, so nobody leaves for good after one launch that a second would refute. */
#pragma once
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "searching.h"
#include "budget.h"
#include "cut.h"
#include "screen_samples.h"

/* Is the row about to leave the race after a single launch? */
static bool autotune__lost_once(const autotune__race *race, size_t row) {
    const autotune__row *r = &race->rows[row];
    return !autotune__failed(r) && r->launches == 1 && race->best_ns > 0 &&
           r->minimum > autotune__screen_factor(race) * race->best_ns;
}
/* Of the rows that lost after a single launch the one that came closest. SIZE_MAX: there is none. */
static size_t autotune__closest_lost(const autotune__race *race) {
    size_t i, closest = SIZE_MAX;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++)
        if (autotune__lost_once(race, i) &&
            (closest == SIZE_MAX || race->rows[i].minimum < race->rows[closest].minimum))
            closest = i;
    return closest;
}
/* May the row be launched again? Second launches have a third of the time that is left after the first ones, and
   none of it where a budget kept configurations that may be fast from their first launch. A launch below a
   millisecond costs next to nothing. */
static bool autotune__may_recheck(const autotune__race *race, size_t row) {
    const double short_ns = 1e6;
    if (!autotune__in_time(race)) return false;
    if (race->rows[row].minimum < short_ns) return true;
    return race->left_out <= AUTOTUNE__SKIPPED && race->elapsed < race->rechecking.until;
}
/* Asks for a second launch. False: no further one is needed, or there is no time for it.
   Then eight in a row that were confirmed, of those that came closest, show that first launches tell the truth here. */
static bool autotune__ask_for_second_launch(autotune__race *race) {
    const size_t enough = 8, row = autotune__closest_lost(race);
    if (row == SIZE_MAX) return false;
    if (autotune__may_recheck(race, row)) return autotune__ask_sample(race, row);
    if (race->left_out <= AUTOTUNE__SKIPPED && race->rechecking.agreed < enough)
        race->left_out = AUTOTUNE__LACKS_TIME;
    return false;
}
/* Takes the second launch, and counts it: does it confirm the first? */
static void autotune__take_second_launch(autotune__race *race, const autotune__answer *answer) {
    const bool confirms = autotune__sample_ns(answer) >= race->rows[race->row].minimum / 1.5;
    race->rechecking.agreed = confirms ? race->rechecking.agreed + 1 : 0;
    (void)autotune__take_launch(race, answer);
}
