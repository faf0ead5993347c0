/* The samples of the screen, and the warm-up. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"

/* The warm-up. The first launches of a process are not like the others: the first configuration that works is launched
   until two launches in a row agree within 2 %, at most 8 times and for 50 ms. */
static bool autotune__is_warming_up(autotune__race *race, double ns) {   /* false: the warm-up is over */
    autotune__warm_up *warm_up = &race->warm_up;
    const double last_ns = warm_up->last_ns, difference = ns > last_ns ? ns - last_ns : last_ns - ns;
    if (warm_up->settled) return false;
    warm_up->total_ns += ns;
    warm_up->settled = (warm_up->launches && difference <= 0.02 * ns) || ++warm_up->launches >= 8 ||
                       warm_up->total_ns >= 50e6;
    warm_up->last_ns = ns;
    return !warm_up->settled;
}

/* Where the clock moves in steps a sample takes four of them or more. */
static bool autotune__ask_sample(autotune__race *race, size_t row) {
    const double tick = race->limits.tick_ns;
    return autotune__ask_run(race, row, tick > 0 ? 100000 : 1, 4 * tick);
}
/* Asks for another sample of what was launched last, where the last one says too little. */
static bool autotune__ask_again(autotune__race *race) {
    if (race->screening.repeats && autotune__in_time(race)) return autotune__ask_sample(race, race->row);
    race->screening.repeats = false;
    return false;
}
static void autotune__take_first_launch(autotune__race *race, const autotune__answer *answer) {
    const double ns = autotune__sample_ns(answer);
    autotune__row *row = &race->rows[race->row];
    const bool repeated = race->screening.repeats;
    race->screening.repeats = false;
    if (answer->status != AUTOTUNE_OK) return;
    autotune__add_sample(row, ns, false);
    race->samples++;
    if (row->minimum < race->best_ns) race->best_ns = row->minimum;
    if (autotune__at_goal(race, ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
    else race->screening.repeats = autotune__is_warming_up(race, ns) || (row->at_goal && !repeated);
}
