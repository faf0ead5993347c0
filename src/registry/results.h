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
        if (row->state == AUTOTUNE__FAILED) { result->failed++; continue; }
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
/* A new entry for result.config. Its strings are those of the record. NULL: no memory. */
static autotune__entry *autotune__new_entry(const autotune__subject *subject, const autotune_result *result) {
    const autotune_options *o = &subject->options;
    const autotune_key *key = &subject->record->key;
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    memcpy(entry->word, key->word, sizeof entry->word);
    entry->shape = autotune__shape_of(o);
    entry->hash = autotune__hash_named(key, o->name, o->version);
    entry->name = subject->tuner->name;
    entry->version = subject->tuner->version;
    entry->backend = o->backend;
    entry->ranks = o->ranks;
    entry->record = subject->record;
    entry->forced = subject->mode == AUTOTUNE_FORCE;
    memcpy(entry->value, result->config.values, sizeof result->config.values);
    entry->value[AUTOTUNE_MAX_AXES] = subject->space.value[AUTOTUNE_MAX_AXES];
    entry->result = autotune__shown(result);
    entry->result.cache_hit = true;
    entry->result.tried = entry->result.failed = 0;
    entry->result.launches = 1;
    entry->result.seconds = 0;
    return entry;
}

/* A new history. race NULL: nothing was raced. If there is a winner, it is result.config. Returns NULL: no memory. */
static autotune__history *autotune__new_history(autotune__subject *subject, const autotune__race *race,
                                                const autotune_result *result) {
    const size_t count = race ? autotune__count(race->rows) : 0;
    size_t bytes = sizeof(autotune__history) + count * sizeof(autotune_measurement), i;
    autotune__history *history;
    char *at;
    for (i = 0; i < count; i++) if (race->rows[i].reason) bytes += strlen(race->rows[i].reason) + 1;
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

/* With the lock: forgets a winner that failed or is cleared. Its entry stays until autotune_shutdown(): a thread may be
   in a call with it, for as long as the kernel takes. A hit tells nobody that it begins or ends, because that would be
   a write to memory that threads share. Nor does the next race write to the entry, even where it has the same winner:
   its times are others, and a hit copies them without a lock. Only autotune__revived() uses an entry again, where all
   of its contents are the same, so that a reader that still has it sees no change: the only configuration of a space
   wins again each time, and each failure of its call would otherwise need memory for a new entry. */
static void autotune__forget(autotune__entry *entry) {
    autotune__record *record = entry->record;
    if (autotune__is_ongoing(entry)) { record->unfit = true; return; }     /* its race hears of it */
    if (entry->original) entry = entry->original;
    if (record->entry == entry) {
        record->entry = NULL;
        autotune__keep_history(record, NULL);
    }
    record->retired = entry;
    autotune__retire(entry);
}
static autotune__entry *autotune__revived(const autotune__subject *subject, const autotune_result *result) {
    const autotune_options *o = &subject->options;
    const bool forced = subject->mode == AUTOTUNE_FORCE;
    autotune__entry *entry = subject->record->retired;
    if (!entry || entry == subject->record->entry) return NULL;
    if (result->verdict != AUTOTUNE_SINGLE || entry->result.verdict != AUTOTUNE_SINGLE) return NULL;
    if (memcmp(entry->value, result->config.values, sizeof result->config.values)) return NULL;
    if (entry->backend != o->backend || entry->ranks != o->ranks) return NULL;
    if (entry->value[AUTOTUNE_MAX_AXES] != subject->space.value[AUTOTUNE_MAX_AXES] ||
        entry->forced != forced)
        return NULL;
    if (entry->hash != autotune__hash_named(&o->key, o->name, o->version))
        return NULL;
    __atomic_store_n(&entry->shape, autotune__shape_of(o), __ATOMIC_RELEASE);
    return entry;
}
