/* Results: entries and histories made of a race, kept, and forgotten. */
#pragma once
#include "../api/types.h"
#include "../api/known.h"
#include "../site/hit.h"
#include "../base/libraries.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../space/describe.h"
#include "../race/race.h"
#include "entries.h"
#include "records.h"
#include "work.h"

/* Times of the race, from its launch table. A median is compared with medians, and a minimum with minima. */
static double autotune__time_beside_winner(const autotune__race *race, const autotune__row *row) {
    const autotune__row *winner = race->winner == SIZE_MAX ? row : &race->rows[race->winner];
    const bool duelled = autotune__is_definite(row->median) || !autotune__is_definite(winner->median);
    return duelled || !autotune__is_definite(row->minimum) || !(winner->minimum > 0)
               ? autotune__time(row) : row->minimum * (winner->median / winner->minimum);
}
static void autotune__summarise(const autotune__race *race, autotune_result *result) {
    size_t i;
    result->space_size = race->admitted_count;
    result->tried = result->failed = 0;
    for (i = 0; race->rows && i < stbds_arrlenu(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const double ns = autotune__time_beside_winner(race, row);
        if (row->launches) result->tried++;
        if (row->state == AUTOTUNE__FAILED) { result->failed++; continue; }
        if (race->admitted && row->index == race->admitted[0]) result->default_ns = ns;
        if (autotune__is_definite(ns) && (!autotune__is_definite(result->slowest_ns) || result->slowest_ns < ns))
            result->slowest_ns = ns;
        if (i == race->winner) { result->median_ns = ns; result->min_ns = row->measured; }
        if (i == race->runner_up) result->runner_up_ns = ns;
    }
    result->verdict = race->verdict;
    result->doubt = race->doubt;
    result->lead = race->lead;
    result->lead_low = race->lead_low;
    result->lead_high = race->lead_high;
}
/* An entry for result.config. The key's strings are the record's, which lives as long. NULL: no memory. */
static autotune__entry *autotune__new_entry(const autotune__work *work) {
    const autotune_key *key = &work->subject.record->key;
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    memcpy(entry->word, key->word, sizeof entry->word);
    entry->shape = autotune__shape_said(&work->subject.options);
    entry->hash = autotune__hash_named(key, work->subject.options.name, work->subject.options.version);
    entry->name = work->subject.tuner->name;
    entry->version = work->subject.tuner->version;
    entry->backend = work->subject.options.backend;
    entry->record = work->subject.record;
    entry->forced = work->forced;
    memcpy(entry->value, work->result.config.values, sizeof work->result.config.values);
    entry->value[AUTOTUNE_MAX_AXES] = work->subject.space.value[AUTOTUNE_MAX_AXES];
    entry->result = autotune__shown(&work->result);
    entry->result.cache_hit = true;
    entry->result.tried = entry->result.failed = 0;
    entry->result.launches = 1;
    entry->result.seconds = 0;
    return entry;
}

/* What the race found out, with result.config set if there is a winner. NULL: no memory. */
static autotune__history *autotune__new_history(autotune__work *work) {
    const autotune__race *race = &work->race;
    const size_t count = race->rows ? stbds_arrlenu(race->rows) : 0;
    size_t bytes = sizeof(autotune__history) + count * sizeof(autotune_measurement), i;
    autotune__history *history;
    char *at;
    for (i = 0; i < count; i++) if (race->rows[i].reason) bytes += strlen(race->rows[i].reason) + 1;
    if (!(history = (autotune__history *)autotune__allocate(bytes))) return NULL;
    history->references = 1;
    history->result = autotune__shown(&work->result);
    history->count = count;
    history->measurements = (autotune_measurement *)(void *)(history + 1);
    at = (char *)(history->measurements + count);
    for (i = 0; i < count; i++) {
        const autotune__row *row = &race->rows[i];
        autotune_measurement *measurement = &history->measurements[i];
        if (!autotune__configure(&work->subject.space, row->index, &measurement->config)) {
            autotune__free(history);
            return NULL;
        }
        measurement->status = row->status;
        measurement->stage = row->stage;
        measurement->median_ns = row->median;
        measurement->min_ns = row->measured;
        autotune__show_unmeasured(&measurement->median_ns);
        autotune__show_unmeasured(&measurement->min_ns);
        measurement->launches = row->launches;
        if (!row->reason) continue;
        measurement->reason = strcpy(at, row->reason);
        at += strlen(at) + 1;
    }
    return history;
}
static void autotune__keep_history(autotune__record *record, autotune__history *history) {         /* with the lock */
    autotune__drop_history(record->history);
    record->history = history;
}

/* With the lock. A winner that failed is kept for the case that it comes back: the only configuration always does, and
   a call that fails every time would else fill the memory. What a hit answers is the same then, so that a reader who
   still holds it sees no change. */
static void autotune__forget(autotune__entry *entry) {
    autotune__record *record = entry->record;
    if (entry->original) entry = entry->original;
    if (record->entry == entry) {
        record->entry = NULL;
        autotune__keep_history(record, NULL);
    }
    record->retired = entry;
    autotune__retire(entry);
}
static autotune__entry *autotune__revived(const autotune__work *work) {
    autotune__entry *entry = work->subject.record->retired;
    const autotune_key *key = &work->subject.options.key;
    if (!entry || entry == work->subject.record->entry) return NULL;
    if (work->result.verdict != AUTOTUNE_SINGLE || entry->result.verdict != AUTOTUNE_SINGLE) return NULL;
    if (memcmp(entry->value, work->result.config.values, sizeof work->result.config.values)) return NULL;
    if (entry->backend != work->subject.options.backend) return NULL;
    if (entry->value[AUTOTUNE_MAX_AXES] != work->subject.space.value[AUTOTUNE_MAX_AXES] ||
        entry->forced != work->forced)
        return NULL;
    if (entry->hash != autotune__hash_named(key, work->subject.options.name, work->subject.options.version))
        return NULL;
    __atomic_store_n(&entry->shape, autotune__shape_said(&work->subject.options), __ATOMIC_RELEASE);
    return entry;
}
