/* autotune_shutdown(): frees all that the library holds, so that everything is as before the first statement. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/functions.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/process.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../space/describe.h"
#include "../device/cpu.h"
#include "../registry/entries.h"
#include "../registry/records.h"
#include "../registry/thread_turns.h"
#include "../registry/known.h"
#include "../statement/statement.h"
#include "../statement/missed_call.h"
#include "../store/store.h"
#include "../statement/end_ongoing.h"
#include "create.h"

static void autotune__free_records(autotune__known_tuner *tuner) {
    const size_t count = AUTOTUNE__MAP_COUNT(tuner->records);
    size_t i;
    for (i = 0; i < count; i++) {
        autotune__record *record = autotune__record_at(tuner, i);
        autotune__drop_history(record->history);
        autotune__free_text(&record->line);
        autotune__forget_failure(record);
        autotune__free(record);
    }
    autotune__free_map(&tuner->records);
}
static void autotune__reset_sites(autotune__site **newest) {
    for (; *newest; *newest = (*newest)->known_before) autotune__reset_site(*newest);
}
static void autotune__free_registry(void) {
    autotune__entry *entry;
    size_t i;
    autotune__reset_sites(&autotune__known_sites);
    autotune__reset_sites(&autotune__created_sites);
    while ((entry = autotune__made_entries) != NULL) {
        autotune__made_entries = entry->made_before;
        autotune__free(entry);
    }
    for (i = 0; i < autotune__tuner_count(); i++) {
        autotune__known_tuner *tuner = autotune__tuner_at(i);
        autotune__free_records(tuner);
        autotune__free(tuner);
    }
    autotune__free_map(&autotune__tuners);
    for (i = 0; i < AUTOTUNE__MAP_COUNT(autotune__descriptions); i++)
        autotune__free(autotune__descriptions[i].value);
    autotune__free_map(&autotune__descriptions);
}
AUTOTUNE__API autotune_status autotune_shutdown(void) {
    const autotune__floor *floor;
    autotune__ready();
    if (autotune__current || autotune__missed_calls || autotune__racing || autotune__visits) {
        autotune__complain(
            "autotune_shutdown(): a statement, or autotune_each(), is in progress: call it when none is");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    autotune__drop_cases(NULL);
    autotune__drop_all_ongoing(NULL);
    autotune__lock_mutex(&autotune__lock);
    autotune__free_registry();
    if (autotune__ends_threads) autotune__forget_thread_ends();
    __atomic_store_n(&autotune__ends_threads, false, __ATOMIC_RELEASE);
    autotune__unlock_mutex(&autotune__lock);
    autotune__lock_mutex(&autotune__one_flush_at_a_time);
    autotune__free((void *)(uintptr_t)autotune__flush_memory);
    autotune__flush_memory = NULL;
    autotune__unlock_mutex(&autotune__one_flush_at_a_time);
    for (floor = autotune__floors; floor; floor = floor->entered_before) if (floor->shut_down) floor->shut_down();
    autotune__free_cache();
    return AUTOTUNE_OK;
}
