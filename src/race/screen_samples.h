/* The samples of the screen, and the warm-up. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"

/* The warm-up. The first launches of a process are not like the others: the first configuration that works is launched
   until two launches in a row agree within 2 %, at most 8 times and for 50 ms, or a tenth of the time if that is
   less. */
enum { AUTOTUNE__WARM = 8 };
static bool autotune__is_warming_up(autotune__race *race, double ns) {   /* false: the warm-up is over */
    autotune__warm_up *warm_up = &race->warm_up;
    const double last_ns = warm_up->last_ns, difference = ns > last_ns ? ns - last_ns : last_ns - ns;
    const double tenth_ns = 1e9 * autotune__tenth_of(autotune__screen_limit(&race->limits));
    const bool agree = warm_up->launches && difference <= 0.02 * ns;
    if (warm_up->launches == AUTOTUNE__WARM) return false;
    warm_up->total_ns += ns;
    warm_up->last_ns = ns;
    warm_up->launches = agree || warm_up->total_ns >= 50e6 || warm_up->total_ns >= tenth_ns
                            ? (unsigned)AUTOTUNE__WARM : warm_up->launches + 1;
    return warm_up->launches < AUTOTUNE__WARM;
}

/* Where the clock moves in steps a sample takes four of them or more. */
static bool autotune__ask_sample(autotune__race *race, size_t row) {
    const double tick = race->limits.tick_ns;
    return autotune__ask_run(race, row, tick > 0 ? 100000 : 1, 4 * tick);
}
/* Takes a sample of the screen. True: it says too little, and the configuration is launched again at once. */
static bool autotune__take_launch(autotune__race *race, const autotune__answer *answer) {
    const double ns = autotune__sample_ns(answer);
    autotune__row *row = &race->rows[race->row];
    if (answer->status != AUTOTUNE_OK) return false;
    autotune__add_sample(row, ns, false);
    race->samples++;
    if (row->minimum < race->best_ns) race->best_ns = row->minimum;
    if (autotune__at_goal(race, ns)) return autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
    return autotune__is_warming_up(race, ns) || (row->at_goal && autotune__is_first_launch(&race->request));
}
