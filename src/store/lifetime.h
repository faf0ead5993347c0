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
    autotune__identify_on_disk(store, exact_key);
    if (subject->mode == autotune__missed_mode && !follows) prior->recalled.missed = autotune__was_missed(store);
}
/* The race begins, and all that is known before it is found out. It ends with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    autotune__prior *prior = store->prior;
    autotune__known_key *known_key = store->subject->known_key;
    const bool verifies = autotune__verifies(store->subject);
    size_t winner;
    store->written = 0;
    if (prior->recalled.due) autotune__set(&known_key->duelled);
    else {                                      /* of finalists there are none, or the race begins anew */
        AUTOTUNE__FREE_ARRAY(prior->rows);
        prior->incomplete = false;
    }
    prior->former = 0;
    prior->only_seeds = false;
    prior->work = 0;
    if (!verifies) autotune__clear_text(&store->line);          /* no record answered */
    winner = verifies ? prior->recalled.candidates[0] : autotune__recall_former(store);
    autotune__lock_mutex(&autotune__lock);
    if (known_key->entry) winner = known_key->entry->result.index;      /* mode FORCE tunes again */
    autotune__unlock_mutex(&autotune__lock);
    if (winner != SIZE_MAX) (void)autotune__add_prior(store->prior, winner, AUTOTUNE__NEVER, AUTOTUNE__WON);
    if (!store->notes.path) autotune__enter_notes(store);       /* a race that begins anew has them */
    autotune__find_seeds(store);
    autotune__find_deferred(store);
    autotune__sort_prior(prior->rows);
}
static void autotune__close_race(autotune__store *store) {
    autotune__leave_notes(store);
    autotune__free_text(&store->former);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    if (!store->prior) return;                  /* it did not open */
    autotune__close_race(store);
    AUTOTUNE__FREE_ARRAY(store->prior->rows);
    autotune__free_text(&store->line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}
