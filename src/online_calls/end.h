/* Online races that end without a winner: when their tuner is destroyed, in autotune_shutdown(), when the program ends,
   and in a child made by fork(). */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"
#include "race.h"
#include "steps.h"

/* The tuner of `site` ends. If the race of a key is the tuner's, this waits for the call lock of the key. An open step
   gives up its lock. The lock of a race that was written at exit stays taken, and needs no wait. The caller holds
   autotune__lock, which is released during the wait. Returns true if the tuner has a race of this key. */
static bool autotune__await_call_lock(autotune__known_key *known_key, const autotune__site *site) {
    while (known_key->calls.race && known_key->calls.race->statement->subject.site == site) {
        const uint64_t ticket = __atomic_load_n(&known_key->calls.open_step, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&known_key->calls.race->written_at_exit, __ATOMIC_ACQUIRE) ||
            autotune__take_call_lock(known_key) || (ticket && autotune__take_over_lock(known_key, ticket)))
            return true;
        autotune__await(&autotune__changed, &autotune__lock, autotune__wait_clock() + 1000000);
    }
    return false;
}
/* Removes an online race of this call site from its key, and returns the race. With site = NULL any race is removed.
   NULL: there is no race. */
static autotune__call_race *autotune__unregister_any_race(const autotune__site *site) {
    autotune__known_key *at;
    autotune__call_race *ongoing;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (site ? autotune__await_call_lock(at, site) : at->calls.race != NULL) break;
    ongoing = at ? at->calls.race : NULL;
    if (at) autotune__unregister_race(at);
    return ongoing;
}
/* Takes the call lock of a key that has a race, and returns the race. NULL: no such lock is free. */
static autotune__call_race *autotune__lock_any_race(void) {
    autotune__known_key *at;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (at->calls.race && autotune__take_call_lock(at)) return at->calls.race;
    return NULL;
}
static void autotune__drop_all_ongoing(const autotune__site *site) {
    autotune__call_race *ongoing;
    while ((ongoing = autotune__unregister_any_race(site))) {
        autotune__write_unfinished(ongoing, 0);
        autotune__free_unfinished(ongoing);
    }
    if (!site) autotune__last_shut_ticket = autotune__last_ticket;
}
/* Writes all unfinished races as the program ends. It waits for no other thread: the race of a call that is measured
   now is not written. The call locks stay taken, so later calls are not measured. A backend may be gone, so none of its
   functions is called. The record has copies of the texts of the backend. */
static void autotune__write_all_unfinished(void) {
    autotune__call_race *ongoing;
    while ((ongoing = autotune__lock_any_race())) {
        autotune__write_unfinished(ongoing, 0);
        autotune__close_race(&ongoing->statement->store);
        __atomic_store_n(&ongoing->written_at_exit, true, __ATOMIC_RELEASE);
    }
}
static void autotune__write_at_exit(void) {
    static bool registered;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!registered) registered = atexit(autotune__write_all_unfinished) == 0;
}
/* In a child made by fork(): removes the online races from their keys, since they belong to the parent. Races of the
   statement that forked, and of statements around it, stay. The memory of removed races is not freed. */
static void autotune__leave_online_to_parent(void) {
    autotune__known_key *known_key;
    const autotune__statement *own;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        for (own = autotune__current; own; own = own->outer)
            if (own->call_race && own->call_race == known_key->calls.race) break;
        if (!own) autotune__unregister_race(known_key);
    }
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_online, autotune__leave_online_to_parent, NULL)
