/* Second calls: a machine interrupts a call now and then, and so no single call excludes a configuration for good. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "online.h"
#include "winner.h"

/* Before the winner is published, others are called a second time of which one call was too slow to be near the best.
   The slowest come first: few configurations take so long, so a call that was interrupted is most likely among these,
   and then the second call costs nothing. What interruptions do not explain is left out: its call took more beyond the
   incumbent than twice what any single call of an incumbent took beyond those around it. In all, second calls take at
   most one hundredth of what the first configuration would have taken in all calls, and one call, beyond what the
   incumbent takes; and none is made while more is lost than may be. The figures are those of bench/online.c. */

/* Is each row called twice before it may leave? So it is with ranks; and until first calls have shown that they tell
   the truth, as long as the gate admits it. */
static bool autotune__calls_twice(const autotune__online *online) {
    return online->race.left_out != AUTOTUNE__LACKS_TIME &&
           (!autotune__is_definite(online->second_share) || !autotune__is_truthful(online));
}
/* The row that is called a second time next; SIZE_MAX: there is none. Where all are called twice none is left out. */
static size_t autotune__doubtful(const autotune__online *online) {
    const autotune__row *rows = online->race.rows;
    const bool twice = autotune__calls_twice(online);
    const double excess = 2 * (online->scatter.longest - 1), in_use_ns = online->ratio * online->reference_ns,
                 most_ns = twice ? AUTOTUNE__NEVER : (1 + excess) * in_use_ns,
                 left_ns = online->second_share * online->gate.would_have_taken_ns - online->second_ns;
    size_t row, found = SIZE_MAX;
    if (!twice && (left_ns < 0 || !autotune__gate_admits(&online->gate, 0, 0))) return SIZE_MAX;
    for (row = 1; row < autotune__count(rows); row++)
        if (!autotune__failed(&rows[row]) && rows[row].launches == 1 && row != online->incumbent &&
            rows[row].minimum <= most_ns &&
            (found == SIZE_MAX || twice == (rows[row].minimum < rows[found].minimum)))
            found = row;
    return found;
}
/* A second call took `ratio` times what the first configuration does. What it cost is told by the lesser of both calls:
   an interruption would have hit any other call, too. If the lesser is near the incumbent, the row comes back. */
static void autotune__take_second(autotune__online *online, size_t row, double ratio, double elapsed_ns) {
    autotune__row *tried = &online->race.rows[row];
    const double once = tried->minimum / online->reference_ns, lesser = ratio < once ? ratio : once;
    autotune__add_sample(tried, ratio * online->reference_ns, false);
    if (lesser > online->ratio) online->second_ns += elapsed_ns * (lesser - online->ratio) / ratio;
    if (lesser < autotune__contending * autotune__usual_scatter(&online->scatter) * online->ratio)
        (void)AUTOTUNE__PUSH(online->race.live, row);           /* without memory it stays excluded */
}
/* Is the race over? What came back is compared with the winner alone, once there is no second call to make. */
static void autotune__conclude_online(autotune__online *online) {
    autotune__race *race = &online->race;
    if (online->stage != AUTOTUNE__PROVING) autotune__set_count(race->live, 0);         /* a duel is over */
    autotune__prove(online);
    if (race->outcome.winner == SIZE_MAX) return;
    if (autotune__doubtful(online) != SIZE_MAX) { online->stage = AUTOTUNE__PROVING; return; }
    if (!autotune__count(race->live) || !AUTOTUNE__PUSH(race->live, race->outcome.winner)) return;
    online->before = race->outcome;
    race->outcome.doubt = NULL;                 /* it was about times of that duel */
    race->samples = 0;                          /* what that took does not shorten this one */
    online->stage = AUTOTUNE__COMPARING;
    race->control.row = SIZE_MAX;
    race->stage = AUTOTUNE__FINALISTS_FOUND;
    (void)autotune__decide(race, NULL, 0);
}
