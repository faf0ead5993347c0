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
#include "race.h"
#include "steps.h"

/* With the lock, which is released while this waits. A tuner of `site` ends. If its race makes a call of another tuner
   of the same name, this waits for that call. It does not wait for an open step, or for a race that was kept when the
   program ended. Returns true if the race is still there. Returns false if the tuner has no race of this key. */
static bool autotune__await_call(autotune__known_key *known_key, const autotune__site *site) {
    while (known_key->calls.race && known_key->calls.race->statement->subject.site == site) {
        const uint64_t ticket = __atomic_load_n(&known_key->calls.open_step, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&known_key->calls.race->kept, __ATOMIC_ACQUIRE) || autotune__claim_call(known_key) ||
            (ticket && autotune__close_step(known_key, ticket)))
            return true;
        autotune__await(&autotune__changed, &autotune__lock, autotune__wait_clock() + 1000000);
    }
    return false;
}
/* Takes an online race out of the registry. site: of this call site; NULL: of any. Returns NULL if there is none. */
static autotune__call_race *autotune__take_ongoing(const autotune__site *site) {
    autotune__known_key *at;
    autotune__call_race *ongoing;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (site ? autotune__await_call(at, site) : at->calls.race != NULL) break;
    ongoing = at ? at->calls.race : NULL;
    if (at) autotune__forget_ongoing(at);
    return ongoing;
}
/* Takes the call lock of a key with an online race, and returns the race. NULL: no lock is free. */
static autotune__call_race *autotune__claim_ongoing(void) {
    autotune__known_key *at;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (at = autotune__known_keys; at; at = at->next)
        if (at->calls.race && autotune__claim_call(at)) return at->calls.race;
    return NULL;
}
static void autotune__drop_all_ongoing(const autotune__site *site) {
    autotune__call_race *ongoing;
    while ((ongoing = autotune__take_ongoing(site))) {
        autotune__write_unfinished(ongoing, 0);
        autotune__drop_ongoing(ongoing);
    }
    if (!site) autotune__last_shut_ticket = autotune__last_ticket;
}
/* The program ends: writes all unfinished races. A call that another thread measures is not waited for; later calls are
   not measured. A backend may be gone, so none of its functions is called; the record has copies of its texts. */
static void autotune__keep_all_unfinished(void) {
    autotune__call_race *ongoing;
    while ((ongoing = autotune__claim_ongoing())) {
        autotune__write_unfinished(ongoing, 0);
        autotune__close_race(&ongoing->statement->store);
        __atomic_store_n(&ongoing->kept, true, __ATOMIC_RELEASE);
    }
}
static void autotune__keep_at_exit(void) {
    static bool watched;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!watched) watched = atexit(autotune__keep_all_unfinished) == 0;
}
/* In a child made by fork(): forgets the online races, which belong to the parent. Races of the statement that forked,
   and of statements around it, stay. The memory of forgotten races is not freed. */
static void autotune__leave_online_to_parent(void) {
    autotune__known_key *known_key;
    const autotune__statement *own;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        for (own = autotune__current; own; own = own->outer)
            if (own->call_race && own->call_race == known_key->calls.race) break;
        if (!own) autotune__forget_ongoing(known_key);
    }
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_online, autotune__leave_online_to_parent, NULL)
