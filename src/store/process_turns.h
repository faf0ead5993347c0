/* Turns of processes: one process races a key; the others wait for what it finds, or give up. */
#pragma once
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../registry/thread_turns.h"
#include "session.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "journal.h"
#include "recall.h"
#include "former.h"

/* One process at a time races a key. The others wait for its answer as long as a race of their own might take, a minute
   at most. After that they launch the first configuration untuned, and wait for this key no more. */

/* A lock is held once, whatever the number of statements that need it: a statement that gave it back would give it back
   for the one further out, too. */
static bool autotune__is_held_further_out(const autotune__store *store) {
    const uint64_t byte = autotune__lock_byte(&store->identity);
    while ((store = store->outer) != NULL)
        if (store->locked && autotune__lock_byte(&store->identity) == byte) return true;
    return false;
}
static autotune__locked autotune__lock_key(autotune__store *store) {
    autotune__locked locked = AUTOTUNE__NO_LOCKS;
    autotune__enter_cache();
    if (!autotune__is_held_further_out(store) && autotune__find_cache() && autotune__open_lock(true))
        locked = autotune__lock_at(autotune__disk.lock, autotune__lock_byte(&store->identity));
    autotune__refresh();                        /* whoever has or had the lock may have written the answer */
    autotune__leave_cache();
    store->locked = locked == AUTOTUNE__HELD;
    return locked;
}
static void autotune__unlock_key(autotune__store *store) {
    if (!store->locked) return;
    autotune__enter_cache();
    autotune__unlock(autotune__lock_byte(&store->identity));
    autotune__leave_cache();
    store->locked = false;
}
/* May this process race the key? If another process was waited for in vain, that is appended to `why`. longest_wait: in
   nanoseconds. */
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    const uint64_t now = autotune__wait_clock();
    bool *impatient = &store->subject->record->impatient;
    autotune__locked locked;
    if (store->policy != AUTOTUNE_CACHE_ON) return AUTOTUNE__OURS;
    locked = autotune__lock_key(store);
    if (autotune__recall_winner(store)) { autotune__unlock_key(store); return AUTOTUNE__ANSWERED; }
    if (locked != AUTOTUNE__BUSY) return AUTOTUNE__OURS;
    if (!store->waits_since) store->waits_since = now;
    if (now - store->waits_since < longest_wait && !autotune__is_set(impatient)) return AUTOTUNE__OTHERS;
    autotune__set(impatient);
    autotune__append(why, "another process has been tuning this key for longer than that should take");
    return AUTOTUNE__GIVEN_UP;
}
/* The race begins; and it ends, with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    store->written = 0;
    autotune__recall_former(store);
    autotune__open_journal(store);
}
static void autotune__close_race(autotune__store *store, const autotune__race *race) {
    autotune__close_journal(store, race);
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    autotune__close_race(store, NULL);
    autotune__free_text(&store->recalled.line);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
}
