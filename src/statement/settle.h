/* After the race of a statement: publishes the winner, if there is one, and releases the turn. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"

/* Completes the result of a repeated duel with the measurements of the earlier race. */
static void autotune__complete_result(autotune_result *result, const autotune_result *before,
                                      const autotune__race *race) {
    const size_t incumbent = autotune__find_row(race, race->incumbent);   /* SIZE_MAX: not duelled again */
    /* The duel has no time of the first configuration if this configuration was not duelled again. */
    if (!autotune__is_definite(result->default_ns) && incumbent != SIZE_MAX)
        result->default_ns = before->default_ns / before->median_ns * autotune__time(&race->rows[incumbent]);
    result->slowest_ns = before->slowest_ns;
    result->space_size = before->space_size;
    result->refused = before->refused;
}
/* Writes the state of the race into the result. */
static void autotune__summarise_race(autotune__statement *statement) {
    const autotune__race *race = statement->turn.race;
    if (!race) return;
    autotune__summarise(race, &statement->result);
    if (autotune__duels_again(race))
        autotune__complete_result(&statement->result, &statement->prior.recalled.result, race);
}
static void autotune__free_races(autotune__race_state *state) {
    autotune__free_race(&state->race);
    if (state->part) autotune__free_race(state->part);
    autotune__free(state->part);
    state->part = NULL;
}
/* Ends the race of this statement, if there is one. First closes the race in the cache on disk: this releases the file
   lock of the race, which belongs to the whole process. After this function has released the turn, another thread may
   race the key, and then needs the file lock. history: the history of the winner, which this function publishes. NULL:
   there is no winner, or no memory. */
static void autotune__end_race(autotune__statement *statement, autotune__history *history) {
    const bool races = autotune__has_turn(&statement->turn);
    const uint64_t ended = races ? autotune__clock_now(&statement->subject) : 0;
    if (statement->progress_shown > 0) autotune__hide_progress();
    if (races) autotune__close_race(&statement->store);
    if (races && statement->race_state && statement->turn.race)
        __atomic_fetch_add(&autotune__raced_ns, (uint64_t)autotune__passed_ns(statement->trial.watch.began, ended),
                           __ATOMIC_RELAXED);
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (history && (statement->entry = autotune__publish_winner(&statement->subject, &statement->result, history,
                                                                statement->plan.in_process))) {
        autotune__forget_failure(statement->subject.known_key);
        autotune__announce();
    } else autotune__release_history(history);
    if (statement->race_state) autotune__free_races(statement->race_state);
    autotune__free(statement->race_state);
    statement->race_state = NULL;
    statement->turn.race = NULL;
    if (races) autotune__release(&statement->turn, ended);
}
/* Publishes the winner of the key, and ends the race. configs: see autotune__new_history(). If there is no memory, the
   winner is used once, and the next call tunes again. */
static void autotune__settle(autotune__statement *statement, size_t index, uint64_t prepared,
                             const autotune_config *configs) {
    autotune__history *history = NULL;
    statement->result.index = index;
    statement->result.status = AUTOTUNE_OK;
    if (autotune__configure(statement->subject.space, index, &statement->result.config))
        history = autotune__new_history(&statement->subject, statement->turn.race, configs, &statement->result);
    autotune__locate(statement->subject.space, index);
    statement->subject.space->value[AUTOTUNE_MAX_AXES] = prepared;
    statement->entry = NULL;
    autotune__end_race(statement, history);
    if (!statement->entry)
        autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                         "out of memory: the winner is used but cannot be kept; the next call tunes again");
}
/* Ends the race without a winner, if there is a race. */
static void autotune__stop_racing(autotune__statement *statement) {
    autotune__summarise_race(statement);
    autotune__end_race(statement, NULL);
}
/* Breaks off the race, if there is one. Restores the buffers, if the device still works. */
static void autotune__break_race(autotune__statement *statement) {
    if (statement->turn.race) autotune__write_answer(statement->turn.race, &statement->trial.answer);
    autotune__put_back(&statement->trial.memories, statement->subject.backend);
    autotune__stop_racing(statement);
}
/* Forgets a published winner. failed: it has failed; else its time has changed. NULL: the winner is forgotten. If the
   winner stays, returns the end of the sentence that reports the failure: the reason why the winner stays, or "". A
   winner stays if other ranks have it, too. The configuration that an online race has in use stays. The third winner
   of a key that fails stays, although it fails in some calls. Most races begin in frequent calls, so this winner
   probably works in frequent calls. */
static const char *autotune__forget_winner(autotune__entry *entry, bool failed) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (autotune__others_have(entry) || !entry->shape || autotune__mark_of(entry)) return autotune__why_kept(entry);
    if (failed && ++entry->known_key->failed_winners >= 3)
        return entry->known_key->failed_winners > 3 ? ""
               : ", the third time that a winner of this key fails after it was found: .key seems to lack a part, and "
                 "the key stays with this winner";
    (void)autotune__forget(entry);
    autotune__change_trust(entry->known_key, AUTOTUNE__DISTRUSTED);
    return NULL;
}
/* Forgets a winner that was just published. */
static AUTOTUNE__UNUSED void autotune__unpublish(autotune__statement *statement) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (statement->entry) (void)autotune__forget(statement->entry);
    statement->entry = NULL;
}
