/* The budget of a race: which part of its time first launches may take. */
#pragma once
#include "../base/floor.h"
#include "race.h"
#include "sample_size.h"
#include "request.h"

/* One launch of each configuration says little, so breadth must not use up all the time: a tenth is the finalists'. If
   only a part of a space can be tried, a larger share misses more than it saves by comparing. */
static const double autotune__share_of_finalists = 0.1;
/* After so many seconds no configuration gets its first launch. As long as nothing works, no time is kept. */
static double autotune__screen_seconds(const autotune__race *race) {
    const bool keeps = autotune__is_given(&race->limits) && autotune__is_definite(race->best_ns);
    return autotune__screen_limit(&race->limits) * (keeps ? 1 - autotune__share_of_finalists : 1);
}
