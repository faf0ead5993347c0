/* Turns of processes. One at a time races a key. The others wait for its answer as long as a race of their own might
   take, a minute at most. After that they launch the first configuration untuned, and wait for this key no more. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "disk.h"
#include "lock.h"
#include "file.h"
#include "recall.h"
#include "lifetime.h"

/* May this process race the key? Then the race begins, which ends with or without a winner. In mode ONLINE it may
   although another process races the key. If another process was waited for in vain, or tunes the key in mode ONLINE,
   that is appended to `why`. longest_wait: in nanoseconds. */
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    const uint64_t now = autotune__wait_clock();
    const size_t refusals = autotune__memory_refusals;
    autotune__recalled *recalled = &store->prior->recalled;
    bool *impatient = &store->subject->known_key->impatient, lasting;
    const autotune__locked locked = store->policy == AUTOTUNE_CACHE_ON ? autotune__lock_key(store) : AUTOTUNE__NO_LOCKS;
    /* Without memory for the key's lock, or for its identity, its launch notes cannot be found. */
    if (store->policy == AUTOTUNE_CACHE_ON && (store->device.broken || refusals != autotune__memory_refusals))
        return AUTOTUNE__UNKNOWN;
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF) autotune__refresh();       /* others may have written the answer */
    lasting = locked == AUTOTUNE__BUSY && autotune__is_locked(autotune__lasting_byte(&store->identity));
    autotune__leave_cache();
    if (store->policy != AUTOTUNE_CACHE_ON) return autotune__enter_race(store);
    if (autotune__recall_winner(store)) { autotune__unlock_key(store); return AUTOTUNE__ANSWERED; }
    if (autotune__verifies(store->subject) && !recalled->duel)
        return AUTOTUNE__GIVEN_UP;              /* the record is gone */
    if (locked != AUTOTUNE__BUSY || store->subject->mode == AUTOTUNE_ONLINE) return autotune__enter_race(store);
    if (recalled->duel) {                       /* another process has it */
        recalled->duel = AUTOTUNE__NO_DUEL;
        return AUTOTUNE__ANSWERED;
    }
    if (!store->waits_since) store->waits_since = now;
    if (!lasting && now - store->waits_since < longest_wait && !autotune__is_set(impatient)) return AUTOTUNE__OTHERS;
    autotune__set(impatient);
    autotune__append(why, lasting ? "another process tunes this key in mode AUTOTUNE_ONLINE, over its calls"
                                  : "another process has been tuning this key for longer than that should take");
    return AUTOTUNE__GIVEN_UP;
}
