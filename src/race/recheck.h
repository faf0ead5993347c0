/* Second launches of what one launch would exclude. A first launch may start threads, touch pages or wait for a
   processor, so nobody leaves for good after one launch that a second would refute. */
#pragma once
#include "../base/memory.h"
#include "../base/numbers.h"
#include "request.h"
#include "race.h"
#include "cut.h"
#include "screen_samples.h"

/* Is the row about to leave the race after a single launch? */
static bool autotune__lost_once(const autotune__race *race, size_t row) {
    const autotune__row *r = &race->rows[row];
    return !autotune__failed(r) && r->launches == 1 &&
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
/* There is only one survivor, and so nothing else to use time for. */
static bool autotune__is_alone(const autotune__race *race) {
    const double limit = autotune__screen_factor(race) * race->best_ns;
    size_t i, survivors = 0;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++)
        survivors += !autotune__failed(&race->rows[i]) && race->rows[i].minimum <= limit;
    return survivors < 2;
}
/* Launches below a millisecond are all made again: that costs next to nothing. Of longer ones the slowest comes first,
   since the result names it, and then those that came closest. That goes on until 16 in a row were confirmed, or 8 if
   it took a tenth of the time of all launches: by then it is known that first launches tell the truth here. Where there
   are others to compare, it takes a third of the time that is left at most. If a budget kept configurations that may be
   fast from their first launch, it takes none of that time. */
static bool autotune__knows_enough(const autotune__race *race) {
    const autotune__rechecking *rechecking = &race->rechecking;
    return rechecking->agreed >= 16 || (rechecking->agreed >= 8 && rechecking->spent_ns > 0.1 * race->before_duel_ns);
}
static size_t autotune__next_lost(const autotune__race *race) {     /* SIZE_MAX: none is launched again */
    const size_t slowest = autotune__slowest(race);
    if (slowest != SIZE_MAX && slowest >= race->group.first_row && autotune__lost_once(race, slowest)) return slowest;
    return autotune__knows_enough(race) ? SIZE_MAX : autotune__closest_lost(race);
}
static bool autotune__launch_again(autotune__race *race, size_t row) {
    race->rechecking.first_ns = race->rows[row].minimum;
    return autotune__ask_sample(race, row);
}
static bool autotune__recheck(autotune__race *race) {
    const double short_ns = 1e6;
    size_t *next = &race->rechecking.next_short, row;
    for (; *next < autotune__count(race->rows) && autotune__in_time(race); ++*next) {
        const bool unknown = !autotune__is_definite(race->rows[*next].minimum),
                   lost = race->rows[*next].minimum < short_ns && autotune__lost_once(race, *next);
        if (!autotune__failed(&race->rows[*next]) && (unknown || lost))
            return autotune__launch_again(race, (*next)++);
    }
    if (race->screening.left_out > AUTOTUNE__SKIPPED || (row = autotune__next_lost(race)) == SIZE_MAX) return false;
    if (race->elapsed < race->rechecking.until || (autotune__in_time(race) && autotune__is_alone(race)))
        return autotune__launch_again(race, row);
    race->screening.left_out = AUTOTUNE__LACKS_TIME;
    return false;
}
/* Counts the second launch that ended: does it confirm the first? */
static void autotune__take_recheck(autotune__race *race, const autotune__answer *answer) {
    autotune__rechecking *rechecking = &race->rechecking;
    rechecking->spent_ns += answer->elapsed_ns;
    if (autotune__is_definite(rechecking->first_ns))
        rechecking->agreed =
            autotune__sample_ns(answer) < rechecking->first_ns / 1.5 ? 0 : rechecking->agreed + 1;
    rechecking->first_ns = 0;
}
