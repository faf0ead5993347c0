/* Takes over the findings of an earlier run of the program whose online race did not end: the time of each
   configuration, and the configuration in use. Configurations near the best are compared again from the beginning. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "online.h"
#include "incumbent.h"
#include "order.h"
#include "rule.h"

/* Takes over a finding of the earlier run. ratio: time of the configuration divided by the first configuration's time;
   AUTOTUNE__NEVER: the configuration failed. calls: how many calls showed the time, 1 or 2. After two calls the
   configuration needs no further glance. Points that the order does not have are ignored. */
static void autotune__restore_row(autotune__online *online, size_t point, double ratio, size_t calls) {
    autotune__race *race = &online->race;
    autotune__row *row;
    if (!autotune__take_from_order(race, point) || !autotune__new_row(race, point)) return;
    row = &race->rows[autotune__count(race->rows) - 1];
    row->launches = calls;
    if (!autotune__is_definite(ratio)) {
        row->status = AUTOTUNE_FAILED;
        row->reason = autotune__copy_string("failed in an earlier run");
        online->failed++;
        return;
    }
    row->measured = row->minimum = ratio * online->reference_ns;
}
/* Takes over all findings. work: the work of the calls whose times the rows have; 0: the rows have no times. Times
   count as ratios to the first configuration's time. If this time is unknown, only failures count. If the earlier race
   ended, this function takes over nothing: the times are of another build, or the winner's time has changed. Then only
   the winner of the earlier race counts, and is tried first. */
static void autotune__take_handover(autotune__online *online, double work) {
    const autotune__race *race = &online->race;
    autotune__prior_row *rows = race->setup.prior, *row;
    const autotune__prior_row *first = autotune__find_prior(rows, race->rows[0].index);
    const unsigned timed = work > 0 && first ? first->flags & AUTOTUNE__TIMED : 0;
    size_t i, used = SIZE_MAX;
    if (race->incumbent != SIZE_MAX) return;
    if (timed) {                                /* times of rows are ratios to the time of the first configuration */
        online->reference_ns = race->rows->minimum = race->rows->measured = first->ns;
        online->reference_work = work;
        race->rows->launches = 1;               /* in an earlier run */
    }
    for (i = 0; i < autotune__count(rows); i++) {
        row = &rows[i];
        if (row->flags & AUTOTUNE__FAILED_BEFORE) autotune__restore_row(online, row->point, AUTOTUNE__NEVER, 1);
        else if (row->flags & timed)
            autotune__restore_row(online, row->point, row->ns / first->ns, row->flags & AUTOTUNE__CALLED_ONCE ? 1 : 2);
        if (timed && row->flags & AUTOTUNE__USED_BEFORE) used = autotune__find_row(race, row->point);
    }
    if (used != SIZE_MAX && used != 0 && !autotune__failed(&race->rows[used]))
        autotune__take_over(online, used, autotune__online_ratio(online, used), "it was the best in an earlier run");
}
