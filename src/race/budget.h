/* The budget of a race: which part of its time first launches may take, and how many survivors the rest is enough
   for. */
#pragma once
#include "../base/floor.h"
#include "race.h"
#include "sample_size.h"
#include "request.h"

/* One launch of each configuration says little, so breadth must not use up all the time: a tenth is the finalists'.
   Where only a part of a space can be tried, a larger share costs more by what is not found than it saves by
   comparing. */
static const double autotune__share_of_finalists = 0.1;
/* After so many seconds no configuration gets its first launch. As long as nothing works, there is nothing to keep time
   for. */
static double autotune__screen_seconds(const autotune__race *race) {
    const bool keeps = autotune__is_given(&race->limits) && autotune__is_definite(race->best_ns);
    return autotune__screen_limit(&race->limits) * (keeps ? 1 - autotune__share_of_finalists : 1);
}
/* The first launches are over. If they, and what was compiled for them, took longer than the default limit allows for,
   the limit is extended, so that a tenth of the race is the finalists'. Second launches have a third of the time. */
static void autotune__reserve_time(autotune__race *race) {
    autotune__limits *limits = &race->limits;
    const double least = race->elapsed / (1 - autotune__share_of_finalists);
    if (!autotune__is_given(limits) && autotune__is_definite(race->best_ns) && limits->seconds < least)
        limits->seconds = least;
    race->rechecking.until = race->elapsed + (limits->seconds - race->elapsed) / 3;
}
/* Keeps as many survivors, the best first, as can have four samples each in the time that is left, but not fewer than
   two. What would leave in the first cut of the halving anyway is no loss. True: somebody had to leave. */
static bool autotune__fit_field(autotune__race *race) {
    const double left_ns = (race->limits.seconds - race->elapsed) * 1e9, samples = 4, widest_margin = 1.15,
                 launches = autotune__launches_of_sample(race, race->best_ns) * autotune__repetitions(race);
    const size_t survivors = autotune__count(race->live);
    size_t i, count = 0;
    double needed_ns = 0;
    for (; count < survivors; count++) {
        needed_ns += samples * launches * race->rows[race->live[count]].minimum;
        if (count >= 2 && needed_ns > left_ns) break;
    }
    for (i = count; i < survivors; i++) {
        autotune__row *row = &race->rows[race->live[i]];
        row->why = "not among the best that there was time for";
        if (row->minimum <= widest_margin * race->best_ns) race->left_out = AUTOTUNE__LACKS_TIME;
    }
    autotune__set_count(race->live, count);
    return count < survivors;
}
