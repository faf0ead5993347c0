/* The store of a statement enters a race, leaves it, and ends. How it begins stands beside its struct. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "launch_notes.h"
#include "former_times.h"
#include "process_turns.h"
#include <stdlib.h>

/* What the race launches last: suspects; and, where it goes on since it had too little time, what was tried before,
   which is launched again if there is time left. What was never tried comes first, behind the winner. Without memory
   some of this is tried at its turn. */
static void autotune__list_last_points(autotune__store *store) {
    const autotune__former *former = &store->prior->former;
    size_t i, count, kept = 0, *points = NULL;
    for (i = 0; i < autotune__count(store->notes.all); i++)
        if (!store->notes.all[i].of_parts && !AUTOTUNE__PUSH(points, store->notes.all[i].index)) break;
    for (i = 0; former->goes_on && i < autotune__count(former->rows); i++)
        if (former->rows[i].contender && former->rows[i].index != former->winner &&
            !AUTOTUNE__PUSH(points, former->rows[i].index))
            break;
    count = autotune__count(points);
    if (count) qsort(points, count, sizeof *points, autotune__order_sizes);
    for (i = 0; i < count; i++) if (!i || points[i] != points[kept - 1]) points[kept++] = points[i];
    autotune__set_count(points, kept);
    store->prior->last = points;
}
/* The race begins; and it ends, with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    store->written = 0;
    autotune__clear_text(&store->line);         /* no record answered */
    if (store->prior->again.due) autotune__set(&store->subject->known_key->duelled);
    if (!autotune__verifies(store->subject)) autotune__recall_former(store);
    autotune__enter_notes(store);
    autotune__list_last_points(store);
}
static void autotune__close_race(autotune__store *store) {
    autotune__leave_notes(store);
    AUTOTUNE__FREE_ARRAY(store->prior->last);
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    if (!store->prior) return;                  /* it did not begin: there was no memory */
    autotune__close_race(store);
    autotune__free_text(&store->line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}
