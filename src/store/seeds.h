/* Seeds: which configurations of another record are worth trying first. They decide what is launched first, and are
   evidence of nothing: each is launched here before it counts. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "disk.h"
#include "file.h"
#include "near_records.h"

/* Finds seeds of a race that has no order of its own, if an earlier race of this key left no seeds. The seeds are those
   of the nearest key, in this process or on disk, of this device or another. */
static void autotune__find_seeds(autotune__store *store) {
    autotune__nearest nearest;
    autotune__shortlist found;
    const autotune__subject *subject = store->subject;
    const autotune_strategy strategy = subject->options.strategy;
    size_t i;
    if ((strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM) && subject->mode != AUTOTUNE_ONLINE &&
        !autotune__is_unlisted(subject->space))
        return;
    for (i = 0; i < autotune__count(store->prior->rows); i++)
        if (store->prior->rows[i].flags & AUTOTUNE__SEED) return;
    found.count = nearest.count = 0;
    nearest.most = AUTOTUNE__NEVER;
    autotune__find_near_raced(subject, &nearest);
    autotune__enter_cache();
    autotune__find_near_lines(store, true, &nearest);
    autotune__read_near_lines(store, true, &nearest);
    autotune__leave_cache();
    autotune__seeds_from(&nearest, &found);
    autotune__drop_all_near(&nearest);
    for (i = 0; i < found.count; i++)
        (void)autotune__add_prior(store->prior, found.index[i], (double)i, AUTOTUNE__SEED);
}
