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

/* May this process race the key? If another process was waited for in vain, that is appended to `why`. longest_wait: in
   nanoseconds. */
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    const uint64_t now = autotune__wait_clock();
    autotune__recalled *recalled = &store->prior->recalled;
    bool *impatient = &store->subject->known_key->impatient;
    autotune__locked locked;
    if (store->policy != AUTOTUNE_CACHE_ON) return AUTOTUNE__OURS;
    locked = autotune__lock_key(store);
    autotune__enter_cache();
    autotune__refresh();                        /* whoever has or had the lock may have written the answer */
    autotune__leave_cache();
    if (autotune__recall_winner(store)) { autotune__unlock_key(store); return AUTOTUNE__ANSWERED; }
    if (autotune__verifies(store->subject) && !recalled->due)
        return AUTOTUNE__GIVEN_UP;              /* the record is gone */
    if (locked != AUTOTUNE__BUSY) return AUTOTUNE__OURS;
    if (recalled->due) {                        /* another process has the duel */
        recalled->due = false;
        return AUTOTUNE__ANSWERED;
    }
    if (!store->waits_since) store->waits_since = now;
    if (now - store->waits_since < longest_wait && !autotune__is_set(impatient)) return AUTOTUNE__OTHERS;
    autotune__set(impatient);
    autotune__append(why, "another process has been tuning this key for longer than that should take");
    return AUTOTUNE__GIVEN_UP;
}
