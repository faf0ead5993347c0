/* The store of a statement enters a race, leaves it, and ends. How it begins stands beside its struct. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../registry/records.h"
#include "session.h"
#include "suspects.h"
#include "journal.h"
#include "known_call.h"
#include "former_times.h"
#include "process_turns.h"

/* The race begins; and it ends, with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    store->written = 0;
    if (store->again.due) autotune__set(&store->subject->record->duelled);
    autotune__recall_former(store);
    autotune__open_journal(store);
    autotune__list_last_points(store);
}
static void autotune__close_race(autotune__store *store, const autotune__race *race) {
    autotune__end_known_call(store);                /* in which the thread ended, or which left the body */
    autotune__close_journal(store, race);
    autotune__free_crashes(&store->crashes);        /* they were read for a known winner, too, without a journal */
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    autotune__close_race(store, NULL);
    autotune__free_text(&store->recalled.line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}
