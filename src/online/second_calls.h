/* Second calls: a machine interrupts a call now and then, and so no single call excludes a configuration for good. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "online.h"
#include "winner.h"

/* Configurations near the best are compared. Before that, configurations whose one call was too slow for this are
   called a second time. With ranks, and until first calls have shown that they tell the truth, each configuration is
   called twice, the fastest first, as far as the gate admits it. Else the slowest come first: few configurations take
   so long, so a call that was interrupted is most likely among these, and costs nothing then. Far slower configurations
   are not called again. Second calls end once they took a fiftieth of the time that the first configuration would have
   taken in all calls, beyond the time of the incumbent. The figures are those of bench/online.c. */

/* The row that is called a second time next; SIZE_MAX: there is none. */
static size_t autotune__doubtful(const autotune__online *online) {
    const autotune__row *rows = online->race.rows;
    const bool twice = online->race.left_out != AUTOTUNE__LACKS_TIME &&
                       (online->together || !autotune__is_truthful(online));
    const double most = 30, share = 0.02,
                 most_ns = twice ? AUTOTUNE__NEVER : most * online->ratio * online->reference_ns;
    size_t row, found = SIZE_MAX;
    if (!twice && (online->second_ns > share * online->gate.would_have_taken_ns ||
                   !autotune__gate_admits(&online->gate, 0, 0)))
        return SIZE_MAX;
    for (row = 1; row < autotune__count(rows); row++)
        if (!autotune__failed(&rows[row]) && rows[row].launches == 1 && row != online->incumbent &&
            rows[row].minimum <= most_ns && (found == SIZE_MAX || twice == (rows[row].minimum < rows[found].minimum)))
            found = row;
    return found;
}
