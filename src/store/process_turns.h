/* Turns of processes: one races a key, the others wait for it and take what it found, or give up. */
#pragma once
#include <fcntl.h>
#include <unistd.h>
#include "../api/options.h"
#include "../base/text.h"
#include "../registry/recalled.h"
#include "../registry/work.h"
#include "../registry/thread_turns.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "journal.h"
#include "recall.h"

/* One race per key among processes. While another process has it this one waits for the answer, as long as a race of
   its own might take, a minute at most; then the first configuration is launched untuned, and this key is not waited
   for again. */
typedef enum autotune__key_turn {
    AUTOTUNE__OURS,
    AUTOTUNE__OTHERS,
    AUTOTUNE__ANSWERED,
    AUTOTUNE__GIVEN_UP
} autotune__key_turn;

/* A lock is held once: to give it back further in would give it back for the race further out, too. */
static bool autotune__is_held_further_out(const autotune__work *work) {
    const off_t byte = autotune__lock_byte(&work->store.identity);
    while ((work = work->outer) != NULL)
        if (work->store.locked && autotune__lock_byte(&work->store.identity) == byte) return true;
    return false;
}
static autotune__locked autotune__lock_key(autotune__work *work) {
    autotune__locked locked = AUTOTUNE__NO_LOCKS;
    autotune__enter_cache();
    if (!autotune__is_held_further_out(work) && autotune__find_cache() && autotune__open_lock(O_CREAT))
        locked = autotune__lock_once(autotune__lock_byte(&work->store.identity), F_WRLCK);
    autotune__refresh();                                        /* whoever has or had it may have left the answer */
    autotune__leave_cache();
    work->store.locked = locked == AUTOTUNE__HELD;
    return locked;
}
static void autotune__unlock_key(autotune__work *work) {
    autotune__close_journal(work);
    if (!work->store.locked) return;
    autotune__enter_cache();
    autotune__unlock(autotune__lock_byte(&work->store.identity));
    autotune__leave_cache();
    work->store.locked = false;
}
static autotune__key_turn autotune__try_key(autotune__work *work, uint64_t longest_wait) {
    const uint64_t now = autotune__wait_clock();
    autotune__store *recall = &work->store;
    autotune__locked locked;
    if (recall->policy != AUTOTUNE_CACHE_ON) return AUTOTUNE__OURS;
    locked = autotune__lock_key(work);
    if (autotune__recall_winner(work)) { autotune__unlock_key(work); return AUTOTUNE__ANSWERED; }
    if (locked != AUTOTUNE__BUSY) return AUTOTUNE__OURS;
    if (!recall->waits_until) recall->waits_until = now + longest_wait;
    if (now < recall->waits_until && !autotune__is_set(&work->subject.record->impatient)) return AUTOTUNE__OTHERS;
    autotune__set(&work->subject.record->impatient);
    autotune__append(&work->trial.why, "another process has been tuning this key for longer than that should take");
    return AUTOTUNE__GIVEN_UP;
}
