/* The call for real: with the winner, with the first configuration, or not at all. A call without a winner may count as
   a miss, and may leave a stand-in for later calls. If all configurations of the key failed, the key keeps this
   failure. */
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
#include "plan.h"
#include "phase.h"
#include "settle.h"

static const char *autotune__instead(const autotune__statement *statement) {
    if (statement->plan.task == AUTOTUNE__TASK_TUNE) return "nothing was tuned";
    return statement->plan.needs_winner ? "the mode is REQUIRE, so the call was not made"
                                        : "the first configuration is launched untuned";
}
/* Goes on without tuning. Reports the reason, and what the statement does instead. */
static bool autotune__stay_untuned(autotune__statement *statement, autotune_status status, const char *why) {
    autotune__report(statement, status, "%s; %s", why, autotune__instead(statement));
    return autotune__seek_first(statement);
}
/* Ends the statement without its call. */
static bool autotune__end(autotune__statement *statement) {
    statement->result.launches = statement->trial.launches;
    return autotune__end_with(statement, statement->status);
}
/* Saves the buffers. Returns false if this fails: no trial is then made, since no trial could restore the buffers. If
   the device or the backend does not work, the call is not made either. */
static bool autotune__save_buffers(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    const autotune_status status = autotune__snapshot(&statement->trial.memories, &statement->subject.options, backend);
    if (status == AUTOTUNE_OK) return true;
    const bool works = autotune__class_of(backend, status) == AUTOTUNE_ERROR_CONFIGURATION;
    autotune__stop_racing(statement);
    autotune__report(statement, status, "the buffers cannot be saved (%s): %s",
                     autotune__reason(&statement->trial, status),
                     works ? autotune__instead(statement) : "the call was not made");
    (void)(works ? autotune__seek_first(statement) : autotune__end(statement));
    return false;
}
/* Ends the statement, since no configuration is admitted, or no admitted configuration ran. */
static bool autotune__end_without_any(autotune__statement *statement) {
    const autotune__space *space = statement->subject.space;
    autotune__text refusals AUTOTUNE__FREED = { NULL, false };
    bool strings = false;
    size_t a;
    for (a = 0; a < space->axis_count; a++) strings = strings || space->axes[a].type == AUTOTUNE_STRING;
    autotune__append_refusals(&refusals, space);
    if (statement->trial.mishap == AUTOTUNE__NOT_LAUNCHED)
        autotune__report_call(statement, statement->trial.launch_status, "");
    else autotune__report(statement, statement->status == AUTOTUNE_OK ? AUTOTUNE_ERR_SPACE : statement->status,
                     "WHERE and PRIORITY leave none of %lu configurations that were looked at%s, so the call was not "
                     "made: let them admit one; they are evaluated more than once, so they must change nothing%s",
                     (unsigned long)statement->judged, autotune__string(&refusals),
                     strings ? "; the strings of an axis are compared by strcmp(), and not by ==" : "");
    return autotune__end(statement);
}
/* Makes the call with the configuration of the result, unless the statement only tunes. kind: one of the phases
   CALLING_... */
static bool autotune__launch_for_real(autotune__statement *statement, autotune__phase kind) {
    autotune__space *space = statement->subject.space;
    if (statement->plan.task == AUTOTUNE__TASK_TUNE) return autotune__end(statement);
    autotune__locate(space, statement->result.index);
    __atomic_store_n(&statement->turn.trying, statement->result.index, __ATOMIC_RELAXED);
    if (statement->result.config.count)
        /* The strings of result.config outlive the call. */
        memcpy(space->value, statement->result.config.values, sizeof statement->result.config.values);
    statement->result.launches = statement->trial.launches + 1;
    return autotune__begin_call(statement, kind);
}
static bool autotune__launch_known(autotune__statement *statement) {
    const autotune__entry *entry = statement->entry;
    autotune__copy_result(entry, &statement->result, sizeof statement->result);
    if (!autotune__launch_for_real(statement, AUTOTUNE__CALLING_WINNER)) return false;
    statement->subject.space->value[AUTOTUNE_MAX_AXES] =
        __atomic_load_n(&entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_ACQUIRE);
    return true;
}

/* Returns the key if its misses count for `autotune misses`: in mode CACHED or REQUIRE, or after
   AUTOTUNE_MAX_RUN_SECONDS. NULL: this call does not count. */
static autotune__known_key *autotune__missed_key(const autotune__statement *statement) {
    const autotune_mode asked = statement->plan.asked_mode;
    const bool counts = asked == AUTOTUNE_CACHED || asked == AUTOTUNE_REQUIRE || statement->prior.recalled.spent;
    return counts && !statement->plan.is_detour && statement->plan.task == AUTOTUNE__TASK_CALL
               ? statement->subject.known_key : NULL;
}
static void autotune__count_call(autotune__statement *statement) {
    autotune__known_key *missed = statement->status == AUTOTUNE_OK ? autotune__missed_key(statement) : NULL;
    if (missed) autotune__count_miss(missed, &statement->store);
}
/* In phase SEEKING: returns true if the judged point is the first configuration that is admitted, and its launch comes
   next. If the statement only tunes, ends the statement instead. */
static bool autotune__launch_if_first(autotune__statement *statement) {
    if (!autotune__is_eligible(&statement->trial.answer)) return false;
    statement->result.index = statement->trial.request.index;
    autotune__configure(statement->subject.space, statement->result.index, &statement->result.config);
    autotune__count_call(statement);
    return autotune__launch_for_real(statement, AUTOTUNE__CALLING_FIRST);
}
static void autotune__stand_in_for(autotune__statement *statement, const autotune_result *result,
                                   const char *sentence) {
    if (statement->trial.peers || statement->plan.task == AUTOTUNE__TASK_LAUNCH || statement->plan.is_detour) return;
    autotune__put_stand_in(statement->subject.site, &statement->subject.options, statement->plan.asked_mode,
                           statement->prior.changes, result, sentence, autotune__missed_key(statement));
}
/* Called after the first configuration was launched. If no later call races the key, this configuration becomes the
   stand-in, which later calls launch at once. While a stream is captured, no stand-in is made. */
static void autotune__stand_in_with_first(autotune__statement *statement) {
    if (statement->plan.task == AUTOTUNE__TASK_LAUNCH && statement->plan.asked_mode != AUTOTUNE_CACHED &&
        autotune__says_first(statement->subject.site, AUTOTUNE_ERR_ENVIRONMENT))
        autotune__say_of(AUTOTUNE_LOG_ERRORS, &statement->subject,
                         "the first configuration is launched untuned: the stream is captured; call it once outside");
    if (!statement->plan.races) autotune__stand_in_for(statement, &statement->result, NULL);
}
/* Called after the statement reported why its call was not made. Later calls return the same error, and do not log
   it. */
static void autotune__stand_in_without_call(autotune__statement *statement) {
    autotune_result result;
    autotune__clear_result(&result);
    result.status = statement->status;
    autotune__stand_in_for(statement, &result, autotune__error);
}
/* Called after the call for real. Returns true if the call was to launch the first configuration, and launched nothing.
   The statement then seeks the next admitted configuration. Ranks do not seek it, since all ranks have to launch the
   same configuration. */
static bool autotune__skip_refused_first(autotune__statement *statement) {
    autotune__trial_state *trial = &statement->trial;
    const bool refused = trial->launch_status == AUTOTUNE_REJECTED || trial->mishap == AUTOTUNE__NOT_LAUNCHED;
    if (statement->head.phase != AUTOTUNE__CALLING_FIRST || !refused || statement->trial.peers ||
        autotune__class_of(statement->subject.backend, trial->launch_status) != AUTOTUNE_ERROR_CONFIGURATION)
        return false;
    if (autotune__says_first(statement->subject.site, AUTOTUNE_REJECTED))
        autotune__complain_of(&statement->subject, "%s, the first configuration, does not run here: %s; the next one "
                              "that works is launched untuned",
                              autotune__name_point(&statement->subject, statement->result.index),
                              autotune__reason(trial, trial->launch_status));
    trial->launches++;
    (void)autotune__seek_first(statement);
    trial->mishap = AUTOTUNE__NOT_LAUNCHED;
    trial->request.index = statement->result.index + 1;
    return true;
}
/* Ends a statement in mode REQUIRE whose key has no winner, or whose winner was refused. */
static bool autotune__miss_winner(autotune__statement *statement) {
    autotune__count_call(statement);
    autotune__report(statement, AUTOTUNE_ERR_MISS, "%s and the mode is REQUIRE, so the call was not made",
                     statement->plan.is_detour ? "the winner was refused" : "no winner is known for this key");
    autotune__stand_in_without_call(statement);
    return autotune__end(statement);
}

/* Keeps the failure of a key whose configurations all failed, so that this process does not launch them again. Mode
   FORCE still tries once, and autotune_clear() forgets the failure. With ranks, or without memory, the failure is not
   kept, and the next call tries again. */
static void autotune__keep_failure(autotune__statement *statement) {
    autotune__known_key *known_key = statement->subject.known_key;
    char *sentence = !statement->trial.peers ? autotune__copy_string(autotune__error) : NULL;
    if (!sentence) return;
    autotune__lock_mutex(&autotune__lock);
    autotune__free(known_key->failure);
    known_key->failed_in = statement->subject.mode;
    known_key->failure = sentence;
    autotune__unlock_mutex(&autotune__lock);
    autotune__stand_in_without_call(statement);
}
/* Returns true if all configurations of the key failed before, and the mode is ON or the mode in which they failed.
   Copies that failure to the last error of the thread. */
static bool autotune__failed_before(const autotune__statement *statement) {
    const autotune__known_key *known_key = statement->subject.known_key;
    const autotune_mode mode = statement->subject.mode;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!known_key->failure || (mode != AUTOTUNE_ON && mode != known_key->failed_in)) return false;
    memcpy(autotune__error, known_key->failure, autotune__bytes_of(known_key->failure));
    return true;
}
/* Counts that the body was left, by a trial or a measured call. A later race does not launch this configuration.
   Returns true if the key keeps its first configuration from now on. */
static bool autotune__count_exit(autotune__statement *statement) {
    autotune__known_key *known_key = statement->subject.known_key;
    __atomic_store_n(&known_key->exit_number, statement->trial.request.index + 1, __ATOMIC_RELAXED);
    return __atomic_add_fetch(&known_key->exits, 1, __ATOMIC_RELAXED) >= 2 && !statement->trial.peers;
}

/* Called after the call for real. Reports its error and forgets its winner, or makes a stand-in. Ends the statement. */
static void autotune__launched_for_real(autotune__statement *statement) {
    const autotune_status status = statement->trial.launch_status;
    const bool first = statement->head.phase == AUTOTUNE__CALLING_FIRST && statement->result.config.count;
    if (status != AUTOTUNE_OK) {
        if (statement->entry && autotune__class_of(statement->subject.backend, status) == AUTOTUNE_ERROR_CONFIGURATION)
            (void)autotune__forget_winner(statement->entry, true);
        autotune__report_call(statement, status,
                              autotune__is_pinned(statement) ? "; AUTOTUNE_USE asks for this configuration" : "");
    }
    if (first && statement->status == AUTOTUNE_OK) autotune__stand_in_with_first(statement);
    autotune__end_with(statement, statement->status);
}
