/* The budget of a race: which part of its time first and second launches may take. */
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
   the limit is extended, so that a tenth of the race is the finalists'. What an earlier race launched, and this one
   left out, counts as if it had been launched. Second launches have a third of the time. */
static void autotune__reserve_time(autotune__race *race) {
    autotune__limits *limits = &race->limits;
    double least, saved = 0;
    size_t i;
    for (i = 0; i < autotune__count(race->setup.prior); i++)
        if (race->setup.prior[i].flags & AUTOTUNE__ASIDE && autotune__is_definite(race->setup.prior[i].ns))
            saved += race->setup.prior[i].ns / 1e9;
    least = race->elapsed + (race->elapsed + saved) * autotune__share_of_finalists / (1 - autotune__share_of_finalists);
    if (!autotune__is_given(limits) && autotune__is_definite(race->best_ns) && limits->seconds < least)
        limits->seconds = least;
    race->rechecking.until = race->elapsed + (limits->seconds - race->elapsed) / 3;
}
