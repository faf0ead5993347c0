/* The audit, AUTOTUNE_MODE=audit: launches the first configuration three times, each time from the same buffers. A
   disturbed launch is repeated. The call then uses this configuration. The floors above compare what the launches
   wrote. */
#pragma once
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"

enum { AUTOTUNE__AUDITED = 3 };                 /* the number of RUNs: see isolated/audit.h */
static bool autotune__audit_first(autotune__race *race) {           /* false: the audit is over */
    if (!race->admitted.points) return false;
    if (!race->rows && !autotune__has_memory_for(race, autotune__new_row(race, race->admitted.points[0]))) return false;
    race->admitted.count = 1;
    if (autotune__failed(&race->rows[0])) return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (race->runs >= AUTOTUNE__AUDITED) return autotune__finish(race, 0, AUTOTUNE_DEFAULT);
    (void)autotune__ask_run(race, 0, 1, 0);
    race->request.occasion = AUTOTUNE__FIRST_LAUNCH;    /* so that buffers are prepared before each launch, and compared
                                                           after it */
    return true;
}
