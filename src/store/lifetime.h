/* The store of a statement opens, enters a race, leaves it, and ends. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "identity.h"
#include "launch_notes.h"
#include "former_times.h"
#include "seeds.h"
#include "missed.h"
#include "process_turns.h"

/* The tuner and the key of the subject are known now. budget: that a record has to have had, or its race goes on. */
static void autotune__open_store(autotune__store *store, autotune__subject *subject, autotune__prior *prior,
                                 const char *exact_key, autotune__budget budget) {
    const bool follows = autotune__is_follower(&subject->options);
    store->subject = subject;
    store->prior = prior;
    store->policy = follows ? AUTOTUNE_CACHE_OFF : autotune__cache_policy(&subject->options);
    store->budget = budget;
    autotune__forget_former(store);
    autotune__identify_on_disk(store, exact_key);
    if (subject->mode == autotune__missed_mode && !follows) prior->recalled.missed = autotune__was_missed(store);
}
/* The race begins. seeds: which configurations it tries first; NULL: it has an order of its own. deferred: which ones
   it launches last. It ends with or without a winner. */
static void autotune__enter_race(autotune__store *store, autotune__shortlist *seeds, autotune__deferred *deferred) {
    store->written = 0;
    if (!autotune__verifies(store->subject)) autotune__clear_text(&store->line);        /* no record answered */
    if (store->prior->recalled.due) autotune__set(&store->subject->known_key->duelled);
    if (!autotune__verifies(store->subject)) autotune__recall_former(store);
    if (!store->notes.path) autotune__enter_notes(store);       /* a race that begins anew has them */
    if (seeds) autotune__find_seeds(store, seeds);
    autotune__find_deferred(store, deferred);
}
static void autotune__close_race(autotune__store *store) {
    autotune__leave_notes(store);
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    if (!store->prior) return;                  /* it did not open */
    autotune__close_race(store);
    autotune__free_text(&store->line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}
