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

/* Seeds of a race: the best that an earlier race of this key left to be launched again; else those of the nearest key,
   in this process or on disk, of this device or another. */
static void autotune__find_seeds(autotune__store *store, autotune__shortlist *seeds) {
    const autotune__former_row *rows = store->prior->former.rows;
    autotune__nearest nearest;
    size_t i;
    seeds->count = nearest.count = 0;
    nearest.most = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].contender) autotune__shortlist_point(seeds, rows[i].index, rows[i].ns);
    if (seeds->count) return;
    autotune__find_near_raced(store->subject, &nearest);
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    autotune__find_near_lines(store, true, &nearest);
    autotune__read_near_lines(store, true, &nearest);
    autotune__leave_cache();
    autotune__seeds_from(&nearest, seeds);
    autotune__drop_all_near(&nearest);
}
