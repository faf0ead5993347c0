/* The store of a statement: it opens, takes the turn to race the key, enters a race, leaves it, and ends. One process
   at a time races a key, except in mode ONLINE. Other processes wait for its winner as long as a race of their own
   might take, at most a minute. Then they launch the first configuration, and never wait for this key again. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "disk.h"
#include "identity.h"
#include "lock.h"
#include "file.h"
#include "launch_notes.h"
#include "recall.h"
#include "former_times.h"
#include "missed.h"

/* Opens the store once tuner and key are known. limits: the limits of a race. If the race of the record had smaller
   limits, the race goes on. */
static void autotune__open_store(autotune__store *store, autotune__subject *subject, autotune__prior *prior,
                                 const char *exact_key, const autotune__limits *limits) {
    store->subject = subject;
    store->prior = prior;
    store->policy = subject->follows || autotune__is_shared(subject->known_key) ? AUTOTUNE_CACHE_OFF
                                                                       : autotune__cache_policy(&subject->options);
    if (subject->is_distorted && store->policy == AUTOTUNE_CACHE_ON) store->policy = AUTOTUNE_CACHE_READONLY;
    store->limits = limits;
    autotune__identify_on_disk(store, exact_key);
    if (subject->mode == autotune__missed_mode && !subject->follows)
        prior->recalled.missed = autotune__was_missed(store);
}
/* Begins a duel of the record's finalists. In a repeated duel the record becomes the former record, and answers no
   more. In mode VERIFY the record still answers. Returns the winner of the record. */
static size_t autotune__enter_duel(autotune__store *store) {
    const autotune__text line = store->line;
    autotune__change_trust(store->subject->known_key, AUTOTUNE__NO_MORE_DUELS);
    if (store->prior->recalled.duel == AUTOTUNE__DUEL_AGAIN) {
        store->line = store->former;
        store->former = line;
        autotune__clear_text(&store->line);
    }
    return store->prior->recalled.candidates[0];
}
/* Begins a race without a record that answers. Returns the winner of the former record, or SIZE_MAX. */
static size_t autotune__enter_whole_race(autotune__store *store) {
    autotune__prior *prior = store->prior;
    size_t winner;
    AUTOTUNE__FREE_ARRAY(prior->rows);
    prior->former_rows = 0;
    prior->seconds = 0;
    if (prior->rest != AUTOTUNE__REST_ANEW) prior->rest = AUTOTUNE__REST_UNKNOWN;
    autotune__clear_text(&store->line);
    winner = autotune__recall_former(store);
    if (autotune__guessing.find_seeds) autotune__guessing.find_seeds(store);
    return winner;
}
/* Enters the race, and returns OURS. Returns UNKNOWN if memory was lacking. A race without its launch notes might
   launch a configuration again that ended the program. */
static autotune__process_turn autotune__enter_race(autotune__store *store) {
    autotune__prior *prior = store->prior;
    const autotune__entry *entry;
    size_t winner, refusals;
    store->written_at = prior->work = 0;
    winner = prior->recalled.duel ? autotune__enter_duel(store) : autotune__enter_whole_race(store);
    autotune__lock_mutex(&autotune__lock);
    entry = store->subject->known_key->entry;
    if (entry) winner = entry->result.index;    /* mode FORCE tunes a key that has a winner */
    autotune__unlock_mutex(&autotune__lock);
    if (winner != SIZE_MAX) (void)autotune__add_prior(prior, winner, AUTOTUNE__NEVER, AUTOTUNE__WON);
    refusals = autotune__memory_refusals;
    if (!store->notes.path) {                   /* else the same race begins again, with its notes open */
        autotune__enter_notes(store);
        if (store->subject->backend->classify) autotune__learn_of_losses(store);   /* its device can be lost */
    }
    if (store->notes.all) autotune__find_deferred(store);
    autotune__sort_prior(prior->rows);
    return refusals == autotune__memory_refusals ? AUTOTUNE__OURS : AUTOTUNE__UNKNOWN;
}
/* Ends the race, if one began. */
static void autotune__close_race(autotune__store *store) {
    autotune__free_text(&store->former);
    if (store->locked != AUTOTUNE__HELD) return;
    autotune__leave_notes(store);
    autotune__unlock_key(store);
}
/* Frees the store when its statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    if (!store->prior) return;                  /* the store was not opened */
    autotune__close_race(store);
    AUTOTUNE__FREE_ARRAY(store->prior->rows);
    autotune__free_text(&store->line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}

/* Takes the turn to race the key, and enters the race. In mode ONLINE this process may race a key that another process
   races. `why` gets a sentence if waiting for another process was in vain, or if that process tunes the key in mode
   ONLINE. An online race lasts for many calls: its process locks the lasting byte of the key, too. */
static autotune__process_turn autotune__try_key(autotune__store *store, autotune__text *why) {
    const double own = store->limits->seconds + autotune__screen_limit(store->limits),
                 longest = own < 60 ? own + 0.1 : 60;
    const uint64_t now = autotune__wait_clock();
    const size_t refusals = autotune__memory_refusals;
    autotune__recalled *recalled = &store->prior->recalled;
    bool *never_waits_again = &store->subject->known_key->never_waits_again, lasting;
    const autotune__locked locked = store->policy == AUTOTUNE_CACHE_ON ? autotune__lock_key(store) : AUTOTUNE__NO_LOCKS;
    /* Without memory for the key's lock or identity, its launch notes cannot be found. */
    if (store->policy == AUTOTUNE_CACHE_ON && (store->device.broken || refusals != autotune__memory_refusals))
        return AUTOTUNE__UNKNOWN;
    autotune__lock_mutex(&autotune__cache_lock);
    if (store->policy != AUTOTUNE_CACHE_OFF) autotune__refresh();       /* the winner may be written by now */
    lasting = locked == AUTOTUNE__BUSY && autotune__is_locked(autotune__lasting_byte(&store->identity));
    autotune__unlock_cache();
    if (store->policy != AUTOTUNE_CACHE_ON) return autotune__enter_race(store);
    if (autotune__recall_winner(store)) { autotune__unlock_key(store); return AUTOTUNE__ANSWERED; }
    if (autotune__verifies(store->subject) && !recalled->duel)
        return AUTOTUNE__GIVEN_UP;              /* the record is gone */
    if (locked != AUTOTUNE__BUSY || store->subject->mode == AUTOTUNE_ONLINE) return autotune__enter_race(store);
    if (recalled->duel) {                       /* another process makes the duel */
        recalled->duel = AUTOTUNE__NO_DUEL;
        return AUTOTUNE__ANSWERED;
    }
    if (!store->waits_since) store->waits_since = now;
    if (!lasting && (double)(now - store->waits_since) < longest * 1e9 && !autotune__is_set(never_waits_again))
        return AUTOTUNE__OTHERS;
    autotune__set(never_waits_again);
    autotune__append(why, lasting ? "another process tunes this key in mode AUTOTUNE_ONLINE, by its own calls"
                                  : "another process has been tuning this key for too long");
    return AUTOTUNE__GIVEN_UP;
}
