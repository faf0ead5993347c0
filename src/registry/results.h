/* Makes entries and histories of the results of a race, and forgets them. Also sets the entry that an online race has
   in use. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "subject.h"
#include "probation.h"

static void autotune__clear_result(autotune_result *result) {
    memset(result, 0, sizeof *result);
    result->median_ns = result->min_ns = result->runner_up_ns = result->default_ns = result->slowest_ns =
        AUTOTUNE__NEVER;
    result->lead = result->lead_low = result->lead_high = result->in_use_ns = AUTOTUNE__NEVER;
}
/* Returns NaN for a time that was not measured, for users. */
static double autotune__shown_time(double value) { return autotune__is_definite(value) ? value : autotune__nan(); }
static autotune_result autotune__shown(const autotune_result *result) {
    autotune_result shown = *result;
    double *const times[] = { &shown.median_ns, &shown.min_ns,   &shown.runner_up_ns, &shown.default_ns, &shown.lead,
                              &shown.lead_low,  &shown.lead_high, &shown.slowest_ns,   &shown.in_use_ns };
    size_t i;
    for (i = 0; i < sizeof times / sizeof *times; i++) *times[i] = autotune__shown_time(*times[i]);
    return shown;
}

/* Returns a time that can be compared with the winner's median: the median of the row. A row that was not duelled has
   no median, only its least sample. Then the time is the winner's median, multiplied by the row's least sample, and
   divided by the winner's least sample. */
static double autotune__time_beside_winner(const autotune__race *race, const autotune__row *row) {
    const autotune__row *winner = race->outcome.winner == SIZE_MAX ? row : &race->rows[race->outcome.winner];
    const bool duelled = autotune__is_definite(row->median) || !autotune__is_definite(winner->median);
    return duelled || !autotune__is_definite(row->measured) || !(winner->measured > 0)
               ? autotune__time(row) : row->measured * (winner->median / winner->measured);
}
/* Returns the time of the first configuration, from rounds with samples of both this configuration and the winner.
   AUTOTUNE__NEVER: too few rounds. Launches of the first configuration in the screen do not count, since they may have
   started threads, touched pages or waited. */
static double autotune__first_beside_winner(const autotune__race *race) {
    const size_t winner = race->outcome.winner, first = autotune__find_row(race, autotune__first_admitted(race));
    const double *ns = autotune__samples(race, first), *best = autotune__samples(race, winner);
    if (winner == first && winner != SIZE_MAX) return autotune__time(&race->rows[winner]);
    if (autotune__rounds_of_both(ns, best) < autotune__least_rounds) return AUTOTUNE__NEVER;
    return (1 + autotune__lead_over(ns, best, 0).median) * autotune__time(&race->rows[winner]);
}
/* Returns how many configurations the filters refused; 0: none, or the number is not known. admitted: how many
   configurations the filters admitted. */
static size_t autotune__refused_of(const autotune__space *space, size_t admitted) {
    return autotune__is_unlisted(space) || !admitted || admitted > space->points ? 0 : space->points - admitted;
}
static void autotune__summarise(const autotune__race *race, autotune_result *result) {
    size_t i;
    result->space_size = race->admitted.count + race->admitted.excluded;
    result->refused = autotune__refused_of(race->setup.space, result->space_size);
    result->tried = result->failed = 0;
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const double ns = autotune__time_beside_winner(race, row);
        if (row->launches) result->tried++;
        if (autotune__failed(row)) { result->failed++; continue; }
        if (autotune__is_definite(ns) && (!autotune__is_definite(result->slowest_ns) || result->slowest_ns < ns))
            result->slowest_ns = ns;
        if (i == race->outcome.winner) { result->median_ns = ns; result->min_ns = row->measured; }
        if (i == race->outcome.runner_up) result->runner_up_ns = ns;
    }
    if (race->outcome.winner != SIZE_MAX) result->default_ns = autotune__first_beside_winner(race);
    result->verdict = race->outcome.verdict;
    result->doubt = race->outcome.doubt;
    result->note = race->outcome.note;
    result->lead = race->outcome.lead.median;
    result->lead_low = race->outcome.lead.low;
    result->lead_high = race->outcome.lead.high;
}
/* Returns the result for later hits. */
static autotune_result autotune__result_of_hits(const autotune_result *result) {
    autotune_result told = autotune__shown(result);
    told.cache_hit = true;
    told.tried = told.failed = 0;
    told.launches = 1;
    told.seconds = 0;
    return told;
}
/* With the lock: returns a retired entry for result.config. NULL: no memory. */
static autotune__entry *autotune__entry_for(const autotune__subject *subject, const autotune_result *result) {
    return autotune__retired_entry(subject->known_key, &subject->options, result->config.values,
                                   subject->space->value[AUTOTUNE_MAX_AXES], subject->mode == AUTOTUNE_FORCE);
}

/* Makes a history of a winner. race: NULL if nothing was raced. result: of the winner. configs: the configurations of
   the first rows; the space makes the configurations of the other rows. Returns NULL if there is no memory. */
static autotune__history *autotune__new_history(autotune__subject *subject, const autotune__race *race,
                                                const autotune_config *configs, const autotune_result *result) {
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
        autotune_config config;
        if (i < autotune__count(configs)) config = configs[i];
        else if (!autotune__configure(subject->space, row->index, &config)) {
            autotune__free(history);
            return NULL;
        }
        const autotune_measurement measurement = {
            config, row->status, autotune__put_string(&at, row->reason), row->stage, autotune__shown_time(row->median),
            autotune__shown_time(row->measured), row->launches, row->resources[0], row->resources[1], row->resources[2]
        };
        history->measurements[i] = measurement;
    }
    return history;
}

/* With the lock: forgets a winner that failed or is cleared. Returns false if the winner is forgotten already. Also
   returns false if an online race has the entry in use: this race forgets it when a measured call fails. */
static bool autotune__forget(const autotune__entry *entry) {
    autotune__known_key *known_key = entry->known_key;
    if (!entry->shape || autotune__mark_of(entry)) return false;
    known_key->entry = NULL;
    known_key->probation.open = 0;
    autotune__release_history(known_key->history);
    known_key->history = NULL;
    autotune__retire(known_key, 0);
    return true;
}
/* With the lock: publishes the winner in place of the winner before it, and returns its entry. NULL: no memory, and
   nothing has changed. in_process: see autotune__open_probation(). */
static autotune__entry *autotune__publish_winner(const autotune__subject *subject, const autotune_result *result,
                                                 autotune__history *history, bool in_process) {
    const autotune_result told = autotune__result_of_hits(result);
    autotune__known_key *known_key = subject->known_key;
    autotune__entry *entry = autotune__entry_for(subject, result);
    if (!entry) return NULL;
    autotune__retire(known_key, 0);
    autotune__open_probation(subject, result, in_process);
    known_key->entry = entry;
    autotune__release_history(known_key->history);
    known_key->history = history;
    autotune__revive(entry, subject->site, &subject->options, 0, &told);
    return entry;
}
/* With the lock: sets the entry that the online race of the key has in use; NULL: none. Threads read `in_use` without
   the lock. */
static void autotune__put_in_use(autotune__known_key *known_key, autotune__entry *entry) {
    autotune__retire(known_key, autotune__mark_of_mode(AUTOTUNE_ONLINE));
    __atomic_store_n(&known_key->in_use, entry, __ATOMIC_RELEASE);
}
static AUTOTUNE__UNUSED bool autotune__has_in_use(const autotune__known_key *known_key) {
    return __atomic_load_n(&known_key->in_use, __ATOMIC_ACQUIRE) != NULL;
}
/* With the lock: forgets a key's results. */
static void autotune__forget_known(autotune__known_key *known_key) {
    if (known_key->entry) (void)autotune__forget(known_key->entry);
    autotune__retire(known_key, 0);             /* guesses */
    autotune__forget_failure(known_key);
    autotune__free_text(&known_key->line);
    autotune__put_in_use(known_key, NULL);
    autotune__trust_again(known_key);
    known_key->never_waits_again = false;
    known_key->failed_winners = 0;
}
