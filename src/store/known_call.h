/* The call for real of a winner that the cache knows: which winners are spared it, and the line of the journal that
   stands open while it is made. */
#pragma once
#include "../api/options.h"
#include "../system/clock.h"
#include "../base/memory.h"
#include "session.h"
#include "line_head.h"
#include "lines.h"
#include "lock.h"
#include "journal.h"
#include "process_turns.h"

/* A call is made: the line of the journal is opened. Only one process at a time writes a journal, and no other one
   waits for it: whoever does not get the lock of the key makes the call without. */
static void autotune__enter_call(autotune__store *store, const autotune__candidate *candidate) {
    const double computed_ns = (double)autotune__thread_computed_ns(), calls = computed_ns / candidate->median_ns;
    if (store->policy != AUTOTUNE_CACHE_ON) return;
    autotune__enter_cache();
    (void)autotune__hold_key(store, false);
    autotune__leave_cache();
    if (!store->locked) return;
    autotune__open_journal(store);
    if (!store->journal) { autotune__unlock_key(store); return; }
    store->journal->in_call = true;
    store->journal->returned = calls > 0 && calls < 1e6 ? (size_t)calls : 0;
    autotune__blame(store, candidate->index, NULL);
}
/* Another configuration came back in the place of those that are blamed for a call: the next run may try them again.
   The digit before the checksum becomes 1. */
static void autotune__mark_spared(autotune__journal *journal, const autotune__crash *crash) {
    char *const line = journal->store->crashes.text + crash->start;
    const size_t body = crash->length - AUTOTUNE__CRC_BYTES;
    line[body - 1] = '1';
    snprintf(line + body + AUTOTUNE__CRC_BYTES - 10, 11, "%08lx\"}", (unsigned long)autotune__crc(line, body));
    line[crash->length] = '\n';
    (void)autotune__write_journal(journal, line, crash->length, crash->start);
}
/* It came back; or, where fault is not NULL, it broke the device: see autotune__blame(). */
static void autotune__leave_call(autotune__store *store, size_t index, const char *fault) {
    autotune__journal *journal = store->journal;
    const autotune__crash *crash = store->crashes.all;
    size_t i;
    if (!journal || !journal->in_call) return;
    if (fault) autotune__blame(store, index, fault);
    else autotune__acquit(store, index);
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++)
        if (!fault && journal->writes && crash->index != SIZE_MAX && crash->unspared)
            autotune__mark_spared(journal, crash);
    autotune__close_journal(store, NULL);
    autotune__unlock_key(store);
}
