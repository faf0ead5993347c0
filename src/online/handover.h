/* The findings of an earlier run of the program in an online race that it could not end: the time of each
   configuration, and the configuration in use. The comparison of those that are near the best begins anew. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "online.h"
#include "incumbent.h"
#include "order.h"
#include "rule.h"

/* Takes over a finding of an earlier run of the program, which could not end its race. A configuration takes `ratio`
   times as long as the first one, as so many calls showed. AUTOTUNE__NEVER: the configuration failed. It counts as
   glanced at. Points that are not in the order are left out. */
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
/* work: what took the times of the rows; 0: they have none. Times count as ratios to that of the first configuration:
   without it none is taken over. Times of a race that ended are of another build, or of a winner that has changed. Then
   only its winner counts, which is tried first. */
static void autotune__take_handover(autotune__online *online, double work) {
    const autotune__race *race = &online->race;
    autotune__prior_row *rows = race->setup.prior, *row;
    const autotune__prior_row *first = autotune__find_prior(rows, race->rows[0].index);
    const unsigned timed = work > 0 && first ? first->flags & AUTOTUNE__TIMED : 0;
    size_t i, used = SIZE_MAX;
    if (race->incumbent != SIZE_MAX) return;
    if (timed) {                                /* the times of rows are ratios to that of the first configuration */
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
