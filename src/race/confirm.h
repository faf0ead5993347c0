/* The confirmation, which is the last stage. The result tells how long the slowest configuration takes. If that was
   launched only once, since .stop_at_ns ended the race, it is launched again: one preemption would make any
   configuration the slowest. The winner is never launched again: it might fail. */
#pragma once
#include "../api/types.h"
#include "request.h"
#include "race.h"

static bool autotune__confirm(autotune__race *race, const autotune__answer *answer) {
    size_t slowest;
    if (answer && answer->status == AUTOTUNE_OK)
        autotune__add_sample(&race->rows[race->row], autotune__sample_ns(answer), false);
    slowest = autotune__slowest(race);
    if (slowest != race->outcome.winner && race->rows[slowest].launches == 1 && race->outcome.confirmed++ < 16 &&
        autotune__in_time(race))
        return autotune__ask_run(race, slowest, 1, 0);
    race->stage = AUTOTUNE__OVER;
    return false;
}
