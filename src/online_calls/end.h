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

/* Waits for the call lock of a key if the key's race belongs to the tuner of `site`, which is being destroyed. If a
   step is open, the function takes over the lock from the step. If the race was written at exit, its lock stays
   taken, so the function does not wait. The caller holds autotune__lock, which is released during the wait. Returns
   true if the race belongs to the tuner. */
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
/* Removes an online race of this call site from its key, and returns the race; NULL: no race is left. site = NULL:
   races of all call sites, without waiting for their call locks. */
static autotune__call_race *autotune__unregister_any_race(const autotune__site *site) {
    autotune__known_key *at;
    autotune__call_race *call_race;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (site ? autotune__await_call_lock(at, site) : at->calls.race != NULL) break;
    call_race = at ? at->calls.race : NULL;
    if (at) autotune__unregister_race(at);
    return call_race;
}
/* Takes the call lock of any key that has a race, and returns the race; NULL: no call lock of such a key is free. */
static autotune__call_race *autotune__lock_any_race(void) {
    autotune__known_key *at;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (at->calls.race && autotune__take_call_lock(at)) return at->calls.race;
    return NULL;
}
/* Writes and frees the races of a call site; NULL: the races of all call sites, in autotune_shutdown(). */
static void autotune__drop_all_call_races(const autotune__site *site) {
    autotune__call_race *call_race;
    while ((call_race = autotune__unregister_any_race(site))) {
        autotune__write_unfinished(call_race, 0);
        autotune__free_unfinished(call_race);
    }
    if (!site) autotune__last_shut_ticket = autotune__last_ticket;
}
/* Writes all unfinished races when the program ends. The function waits for no other thread. So a race is not written
   if a thread is measuring a call of the race, or if a step of the race is open. The call locks stay taken, so later
   calls are not measured. Backends may be gone, so no function of a backend is called. The store has copies of the
   texts of the backend. */
static void autotune__write_all_unfinished(void) {
    autotune__call_race *call_race;
    while ((call_race = autotune__lock_any_race())) {
        autotune__write_unfinished(call_race, 0);
        autotune__close_race(&call_race->statement->store);
        __atomic_store_n(&call_race->written_at_exit, true, __ATOMIC_RELEASE);
    }
}
/* Makes the program write its unfinished races when it ends. */
static void autotune__write_at_exit(void) {
    static bool registered;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!registered) registered = atexit(autotune__write_all_unfinished) == 0;
}
/* In a child made by fork(): removes the online races from their keys, since the races belong to the parent. If fork()
   was called inside of statements, the races of these statements stay. The memory of removed races is not freed. */
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
