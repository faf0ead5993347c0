/* The call for real of a winner that the cache knows: which winners are spared it, and the line of the journal that
   stands open while it is made. */
#pragma once
#include "../api/options.h"
#include "../system/clock.h"
#include "../system/file_locks.h"
#include "../base/memory.h"
#include "session.h"
#include "line_head.h"
#include "disk.h"
#include "lock.h"
#include "journal.h"
#include "process_turns.h"

static void autotune__ask_for_key(autotune__store *store) {         /* without waiting */
    autotune__enter_cache();
    if (!store->locked) (void)autotune__hold_key(store, false);
    autotune__leave_cache();
}
/* The journal of the call is closed. If another process has the lock of the key, that process removes the file, if it
   has no open line. */
static void autotune__end_known_call(autotune__store *store) {
    if (!store->in_call) return;
    autotune__ask_for_key(store);
    autotune__close_journal(store, NULL);
    autotune__enter_cache();
    autotune__release_key(store);
    autotune__release_lock(autotune__call_byte(&store->identity));
    store->in_call = false;
    autotune__leave_cache();
}
/* A call is made: the line of the journal is opened. One process at a time has such a line, and no other one waits for
   it: whoever does not get both locks makes the call without. */
static void autotune__enter_call(autotune__store *store, const autotune__candidate *candidate) {
    const double computed_ns = (double)autotune__thread_computed_ns(), calls = computed_ns / candidate->median_ns;
    if (store->policy != AUTOTUNE_CACHE_ON) return;
    autotune__ask_for_key(store);
    if (!store->locked) return;
    autotune__enter_cache();
    store->in_call = autotune__hold_lock(autotune__call_byte(&store->identity), false) == AUTOTUNE__HELD;
    autotune__leave_cache();
    if (store->in_call) autotune__open_journal(store);
    if (store->in_call && store->journal) {
        store->journal->returned = calls > 0 && calls < 1e6 ? (size_t)calls : 0;
        autotune__blame(store, candidate->index, NULL);
    } else autotune__end_known_call(store);
    autotune__unlock_key(store);
}
/* Another configuration was launched instead of those that are blamed for a call, and came back: the next run may try
   the blamed ones again.
   The digit before the checksum becomes 1. */
static void autotune__mark_spared(autotune__journal *journal, const autotune__crash *crash) {
    char *const line = journal->store->crashes.text + crash->start;
    const size_t body = crash->length - AUTOTUNE__CRC_BYTES;
    line[body - 1] = '1';
    snprintf(line + body + AUTOTUNE__CRC_BYTES - 10, 11, "%08lx\"}", (unsigned long)autotune__crc(line, body));
    line[crash->length] = '\n';
    (void)autotune__write_journal(journal, line, crash->length, journal->store->crashes.start + crash->start);
}
/* With the lock of the key, once the line of the call is closed: what the call shows of it, and of the lines of earlier
   runs. They are read once more, since another process may have raced the key meanwhile. */
static void autotune__conclude_call(autotune__store *store, size_t index, const char *fault) {
    const size_t returned = store->journal->returned;
    const autotune__crash *crash;
    size_t i;
    autotune__close_journal(store, NULL);
    autotune__open_journal(store);
    if (!store->journal) return;
    store->journal->returned = returned;
    if (fault) { autotune__blame(store, index, fault); return; }
    autotune__acquit(store, index);
    for (i = 0, crash = store->crashes.all; i < autotune__count(store->crashes.all); i++, crash++)
        if (store->journal->writes && crash->index != SIZE_MAX && crash->unspared)
            autotune__mark_spared(store->journal, crash);
}
/* It came back; or, where fault is not NULL, it broke the device: see autotune__blame(). If another process has the
   lock of the key, the line is closed, or after a fault stays as it is, and so do those of earlier runs. */
static void autotune__leave_call(autotune__store *store, size_t index, const char *fault) {
    if (!store->in_call) return;
    autotune__ask_for_key(store);
    if (!fault || store->locked) autotune__withdraw(store);
    if (store->locked && store->journal && (fault || autotune__count(store->crashes.all)))
        autotune__conclude_call(store, index, fault);
    autotune__end_known_call(store);
}
