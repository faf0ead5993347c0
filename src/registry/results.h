/* The results of a race become entries and histories; forgetting them. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../api/known.h"
#include "../site/hit.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../space/describe.h"
#include "../race/race.h"
#include "hit.h"
#include "entries.h"
#include "records.h"
#include "subject.h"

static void autotune__clear_result(autotune_result *result) {
    memset(result, 0, sizeof *result);
    result->median_ns = result->min_ns = result->runner_up_ns = result->default_ns = result->slowest_ns =
        AUTOTUNE__NEVER;
    result->lead = result->lead_low = result->lead_high = AUTOTUNE__NEVER;
}
/* Users see NaN for a time that was not measured. Its bits are stored, since -ffast-math may compute no NaN. */
static void autotune__show_unmeasured(double *value) {
    const uint64_t nan = 0x7FF8000000000000u;
    if (!autotune__is_definite(*value)) memcpy(value, &nan, sizeof nan);
}
static autotune_result autotune__shown(const autotune_result *result) {
    autotune_result shown = *result;
    double *const times[] = { &shown.median_ns,  &shown.min_ns, &shown.runner_up_ns, &shown.default_ns,
                              &shown.slowest_ns, &shown.lead,   &shown.lead_low,     &shown.lead_high };
    size_t i;
    for (i = 0; i < sizeof times / sizeof *times; i++) autotune__show_unmeasured(times[i]);
    return shown;
}

/* A time that can be compared with the winner's median: the row's own median, or the winner's median times the row's
   minimum over the winner's. */
static double autotune__time_beside_winner(const autotune__race *race, const autotune__row *row) {
    const autotune__row *winner = race->outcome.winner == SIZE_MAX ? row : &race->rows[race->outcome.winner];
    const bool duelled = autotune__is_definite(row->median) || !autotune__is_definite(winner->median);
    return duelled || !autotune__is_definite(row->minimum) || !(winner->minimum > 0)
               ? autotune__time(row) : row->minimum * (winner->median / winner->minimum);
}
static void autotune__summarise(const autotune__race *race, autotune_result *result) {
    size_t i;
    result->space_size = race->admitted.count;
    result->tried = result->failed = 0;
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const double ns = autotune__time_beside_winner(race, row);
        if (row->launches) result->tried++;
        if (autotune__failed(row)) { result->failed++; continue; }
        if (row->index == autotune__first_admitted(race)) result->default_ns = ns;
        if (autotune__is_definite(ns) && (!autotune__is_definite(result->slowest_ns) || result->slowest_ns < ns))
            result->slowest_ns = ns;
        if (i == race->outcome.winner) { result->median_ns = ns; result->min_ns = row->measured; }
        if (i == race->outcome.runner_up) result->runner_up_ns = ns;
    }
    result->verdict = race->outcome.verdict;
    result->doubt = race->outcome.doubt;
    result->note = race->outcome.note;
    result->lead = race->outcome.lead;
    result->lead_low = race->outcome.lead_low;
    result->lead_high = race->outcome.lead_high;
}
/* What a hit tells. */
static autotune_result autotune__result_of_hits(const autotune_result *result) {
    autotune_result told = autotune__shown(result);
    told.cache_hit = true;
    told.tried = told.failed = 0;
    told.launches = 1;
    told.seconds = 0;
    return told;
}
/* A new entry for result.config. Its strings are those of the record. NULL: no memory. */
static autotune__entry *autotune__new_entry(const autotune__subject *subject, const autotune_result *result) {
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    autotune__be_found_by(entry, &subject->options);
    memcpy(entry->word, subject->record->key.word, sizeof entry->word);
    entry->name = subject->tuner->name;
    entry->version = subject->tuner->version;
    entry->record = subject->record;
    entry->forced = subject->mode == AUTOTUNE_FORCE;
    memcpy(entry->value, result->config.values, sizeof result->config.values);
    entry->value[AUTOTUNE_MAX_AXES] = subject->space.value[AUTOTUNE_MAX_AXES];
    entry->result = autotune__result_of_hits(result);
    return entry;
}

/* A new history. race NULL: nothing was raced. If there is a winner, it is result.config. Returns NULL: no memory. */
static autotune__history *autotune__new_history(autotune__subject *subject, const autotune__race *race,
                                                const autotune_result *result) {
    const size_t count = race ? autotune__count(race->rows) : 0;
    size_t bytes = sizeof(autotune__history) + count * sizeof(autotune_measurement), i;
    autotune__history *history;
    char *at;
    for (i = 0; i < count; i++) bytes += autotune__bytes_of(race->rows[i].reason);
    if (!(history = (autotune__history *)autotune__allocate(bytes))) return NULL;
    history->references = 1;
    history->result = autotune__shown(result);
    history->count = count;
    history->measurements = (autotune_measurement *)(void *)(history + 1);
    at = (char *)(history->measurements + count);
    for (i = 0; i < count; i++) {
        const autotune__row *row = &race->rows[i];
        autotune_measurement *measurement = &history->measurements[i];
        if (!autotune__configure(&subject->space, row->index, &measurement->config)) {
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
        measurement->reason = autotune__put_string(&at, row->reason);
    }
    return history;
}
static void autotune__keep_history(autotune__record *record, autotune__history *history) {         /* with the lock */
    autotune__drop_history(record->history);
    record->history = history;
}

/* With the lock: forgets a winner that failed or is cleared. Its entry stays until autotune_shutdown(): a thread may be
   in a call with it, for as long as the kernel takes. A hit tells nobody that it begins or ends, because that would be
   a write to memory that threads share. But when the same configuration wins again, its entry is put back: a reader
   that still has it sees no change but the result. So a key has an entry for each configuration that has won, and no
   more, however often it is tuned again. */
static void autotune__forget(autotune__entry *entry) {
    autotune__record *record = entry->record;
    if (autotune__is_ongoing(entry)) {          /* its race hears of it */
        __atomic_store_n(&record->unfit, true, __ATOMIC_RELAXED);
        return;
    }
    if (entry->original) entry = entry->original;
    if (record->entry == entry) {
        record->entry = NULL;
        autotune__keep_history(record, NULL);
    }
    autotune__retire(entry);
}
/* With the lock; but a thread that makes a call of the race reads both without. entry NULL: nothing is in use. */
static void autotune__put_in_use(autotune__record *record, autotune__entry *entry) {
    autotune__retire(record->in_use);
    __atomic_store_n(&record->in_use, entry, __ATOMIC_RELEASE);
    __atomic_store_n(&record->unfit, false, __ATOMIC_RELAXED);
}
static bool autotune__is_in_use(const autotune__record *record) {
    return __atomic_load_n(&record->in_use, __ATOMIC_ACQUIRE) != NULL;
}
static bool autotune__is_entry_for(const autotune__entry *entry, const autotune__subject *subject,
                                   const autotune_result *result) {
    return autotune__was_found_by(entry, &subject->options) && entry->forced == (subject->mode == AUTOTUNE_FORCE) &&
           !memcmp(entry->value, result->config.values, sizeof result->config.values) &&
           entry->value[AUTOTUNE_MAX_AXES] == subject->space.value[AUTOTUNE_MAX_AXES];
}
/* With the lock: the entry of a winner, which is put back, or new and listed. NULL: no memory. */
static autotune__entry *autotune__winners_entry(const autotune__subject *subject, const autotune_result *result) {
    const autotune_result told = autotune__result_of_hits(result);
    autotune__record *record = subject->record;
    autotune__entry *entry = record->entries;
    while (entry && !autotune__is_entry_for(entry, subject, result)) entry = entry->earlier;
    if (entry) return autotune__put_entry_back(entry, &subject->options, &told);
    if (!(entry = autotune__list_entry(autotune__new_entry(subject, result)))) return NULL;
    entry->earlier = record->entries;
    return record->entries = entry;
}
