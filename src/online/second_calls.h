/* Second calls: the machine may interrupt a call. So a configuration that one call excluded may be called again. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "online.h"
#include "winner.h"

/* Before the comparison, configurations that were called once are called a second time, if the gate admits the call.
   There are two cases:

   - With ranks, or until first calls are known to take as long as second calls: every configuration is called a second
     time, the fastest first.
   - Else the slowest come first. Few configurations are very slow, so the machine has probably interrupted such a
     first call. Then the second call is short. A configuration that took more than 30 times as long as the incumbent
     is not called again. Most second calls take longer than calls of the incumbent. Second calls end once the sum of
     this additional time, `second_ns`, is more than a fiftieth of would_have_taken in gate.h. Second calls also end if
     the loss exceeds the bound.

   The figures are from bench/online.c. */

/* Returns the row that is called a second time next; SIZE_MAX: no row. */
static size_t autotune__next_second_call(const autotune__online *online) {
    const autotune__row *rows = online->race.rows;
    const bool twice = online->race.lack != AUTOTUNE__LACKS_TIME &&
                       (online->calls_each_twice || !autotune__are_firsts_true(online));
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
