/* A statement that ends without a winner: its call is counted, and made with the first configuration, or not at all.
   It leaves the stand-in for later calls, and the failure of a key all of whose configurations failed. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "launch.h"

/* The key whose misses are counted, for `autotune misses`: of calls without a winner in mode CACHED or REQUIRE, or
   after AUTOTUNE_MAX_RUN_SECONDS. NULL: none. */
static autotune__known_key *autotune__missed_key(const autotune__statement *statement) {
    const bool counts = statement->plan.asked == AUTOTUNE_CACHED || statement->plan.asked == AUTOTUNE_REQUIRE ||
                        statement->prior.recalled.spent;
    return counts && !statement->plan.detours && statement->plan.task == AUTOTUNE__TASK_CALL
               ? statement->subject.known_key : NULL;
}
static void autotune__count_call(autotune__statement *statement) {
    autotune__known_key *missed = statement->status == AUTOTUNE_OK ? autotune__missed_key(statement) : NULL;
    if (missed) autotune__count_miss(missed, &statement->store);
}
/* SEEKING: returns true if the point that the loop has judged is the first configuration: its launch comes next. */
static bool autotune__is_first(autotune__statement *statement, size_t index) {
    if (!autotune__is_eligible(&statement->trial.answer)) return false;
    statement->result.index = index;
    autotune__configure(statement->subject.space, index, &statement->result.config);
    autotune__count_call(statement);
    return autotune__launch_for_real(statement, index, AUTOTUNE__CALLING_FIRST);
}
static void autotune__stand_in_for(autotune__statement *statement, const autotune_result *result,
                                   const char *sentence) {
    if (statement->trial.peers || statement->plan.task == AUTOTUNE__TASK_LAUNCH || statement->plan.detours) return;
    autotune__let_stand_in(statement->subject.site, &statement->subject.options, statement->plan.asked,
                           statement->prior.news, result, sentence, autotune__missed_key(statement));
}
/* The first configuration was launched: where that is what the mode asks for, and nothing was wrong, it is launched at
   once from now on. While a stream is captured the mode does not ask for it. */
static void autotune__stand_in_with_first(autotune__statement *statement) {
    const autotune_mode mode = statement->subject.mode;
    if (statement->plan.task == AUTOTUNE__TASK_LAUNCH && statement->plan.asked != AUTOTUNE_CACHED &&
        autotune__says_first(statement->subject.site, AUTOTUNE_ERR_ENVIRONMENT))
        autotune__say_of(AUTOTUNE_LOG_ERRORS, &statement->subject,
                         "the first configuration is launched untuned: the stream is captured; call it once outside");
    if (mode == AUTOTUNE_OFF || mode == AUTOTUNE_CACHED) autotune__stand_in_for(statement, &statement->result, NULL);
}
/* The statement reported why its call was not made: so will later calls, without printing it. */
static void autotune__stand_in_without_call(autotune__statement *statement) {
    autotune_result result;
    autotune__clear_result(&result);
    result.status = statement->status;
    autotune__stand_in_for(statement, &result, autotune__error);
}
/* The first configuration was launched for real. Returns true if it did not run: then the next one that is admitted is
   sought. Ranks launch the same one, whether it runs or not. */
static bool autotune__passes_on(autotune__statement *statement) {
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
/* The mode is REQUIRE. */
static bool autotune__miss_winner(autotune__statement *statement) {
    autotune__count_call(statement);
    autotune__report(statement, AUTOTUNE_ERR_MISS,
                     "no winner is known for this key and the mode is REQUIRE, so the call was not made");
    autotune__stand_in_without_call(statement);
    return autotune__end(statement);
}

/* All configurations of the key failed, which was reported. As long as the process lives they are not launched again,
   but for FORCE, which tries once, and autotune_clear(). Without memory the next call tries again. */
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
/* Then the last error of the thread is what was said of that. */
static bool autotune__failed_before(const autotune__statement *statement) {
    const autotune__known_key *known_key = statement->subject.known_key;
    const autotune_mode mode = statement->subject.mode;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!known_key->failure || (mode != AUTOTUNE_ON && mode != known_key->failed_in)) return false;
    memcpy(autotune__error, known_key->failure, autotune__bytes_of(known_key->failure));
    return true;
}
/* The body was left once more. Does the key keep its first configuration from now on? */
static bool autotune__keeps_first(autotune__statement *statement) {
    return ++statement->subject.known_key->exits >= 2 && !statement->trial.peers;
}
