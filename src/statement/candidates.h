/* Candidates: configurations that may be the winner, according to a record, a pin or a guess. The statement launches
   one candidate after the other for real, and publishes the first candidate that works. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "describe.h"
#include "pinned.h"
#include "plan.h"
#include "phase.h"
#include "launch.h"
#include "settle.h"
#include "peers.h"

static bool autotune__is_guessed(const autotune__statement *statement) {
    return statement->prior.recalled.result.verdict == AUTOTUNE_GUESSED;
}
/* Logs that a candidate of a record or a guess is not launched, or has failed. A detour does not log this. */
static void autotune__say_of_candidate(autotune__statement *statement, const char *what, const char *why) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const char *next = recalled->next < recalled->count || autotune__may_recall_others(statement)
                           ? "the next one is tried"
                     : statement->plan.races ? "this key is tuned again" : "no winner is known";
    if (!statement->plan.is_detour)
        autotune__complain_of(&statement->subject, "%s names %s, which %s%s%s; %s",
                              autotune__is_guessed(statement) ? "the guess" : "the cache",
                              autotune__name_point(&statement->subject, recalled->candidates[recalled->next - 1]),
                              what, *why ? ": " : "", why, next);
}
/* Drops the record: its kernels have changed since. No further candidate of the record is launched. If the mode races,
   all configurations are raced. */
static void autotune__drop_outdated(autotune__statement *statement) {
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject, "what an earlier run found no longer counts: the source "
                     "of a kernel, or its compiler, has changed since");
    autotune__forget_times(&statement->prior);
    statement->prior.recalled.next = statement->prior.recalled.count;
    statement->prior.recalled.rows_tried = SIZE_MAX;
    statement->trial.mishap = AUTOTUNE__NO_MISHAP;
}
/* Returns true if the failed candidate was launched, at least in part. With ranks an outdated candidate counts as
   launched: only the first rank knows the record, so the other ranks have launched the candidate. */
static bool autotune__was_launched(const autotune__statement *statement) {
    const autotune__trial_state *trial = &statement->trial;
    return trial->launch_status != AUTOTUNE_REJECTED &&
           (trial->mishap != AUTOTUNE__OUTDATED || trial->launched_kernel || trial->peers);
}
/* Goes on after a candidate that failed. Returns false if no other launch replaces the failed launch, which stays the
   program's call. */
static bool autotune__reject_candidate(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    if (autotune__is_pinned(statement)) return false;
    if (statement->plan.task == AUTOTUNE__TASK_LAUNCH) {        /* without its kernel nothing was launched */
        if (statement->trial.launch_status != AUTOTUNE_ERR_ENVIRONMENT &&
            statement->trial.mishap != AUTOTUNE__OUTDATED) return false;
        autotune__clear_result(&statement->result);
        return autotune__seek_first(statement);
    }
    if (statement->plan.launches_once && autotune__was_launched(statement)) {
        autotune__change_trust(statement->subject.known_key, AUTOTUNE__DISTRUSTED);
        return false;                           /* the call was made, and is not repeated */
    }
    if (autotune__meaning_of(&statement->trial, statement->trial.launch_status) != AUTOTUNE_ERROR_CONFIGURATION)
        return false;
    if (autotune__put_back(&statement->trial.memories, backend) != AUTOTUNE_OK) return false;
    if (statement->trial.mishap == AUTOTUNE__OUTDATED) autotune__drop_outdated(statement);
    else
        autotune__say_of_candidate(statement, "no longer works",
                                   autotune__reason(&statement->trial, statement->trial.launch_status));
    autotune__free_memories(&statement->trial.memories, backend);
    statement->trial.launches++;
    return autotune__recall_next(statement);
}
/* Publishes a candidate that works. If another thread has published the winner meanwhile, its winner stays. */
static void autotune__accept_candidate(autotune__statement *statement) {
    if (statement->plan.task == AUTOTUNE__TASK_LAUNCH) return;     /* a later call shows if the candidate works */
    if (autotune__is_guessed(statement)) autotune__guessing.accept(statement);
    else if (!statement->plan.is_detour && !(statement->entry = autotune__look_up(&statement->subject))) {
        autotune__settle(statement, statement->result.index, statement->subject.space->value[AUTOTUNE_MAX_AXES], NULL);
        autotune__remember(&statement->store, NULL, &statement->result, 0);
    }
    if (statement->trial.peers) statement->trial.peers->accept_candidate(statement);
}
/* Called after a candidate was launched for real. returned: the loop still runs, and can launch another candidate. */
static void autotune__launched_candidate(autotune__statement *statement, bool returned) {
    if (!statement->trial.peers || statement->trial.peers->agree_on_candidate(statement)) {
        if (statement->trial.launch_status == AUTOTUNE_OK) autotune__accept_candidate(statement);
        else if (returned && autotune__reject_candidate(statement)) return;
    }
    autotune__launched_for_real(statement);
}

/* Locates the next candidate, which the loop judges. The winner of a record comes first, then other configurations that
   worked. Returns false if no candidate is left. */
static bool autotune__judge_candidate(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    if (autotune__is_pinned(statement)) return autotune__judge_pinned(statement);
    if (recalled->next == recalled->count && autotune__may_recall_others(statement)) {
        if (!recalled->rows_tried) recalled->rows_tried = 1;
        autotune__recall(&statement->store);
    }
    if (recalled->next == recalled->count) return false;
    autotune__judge(statement, recalled->candidates[recalled->next++]);
    return true;
}
/* Called after the loop judged a candidate. Returns true if the candidate is launched. A hit of a key with an
   ANCHOR asks WHERE, and so does each hit with AUTOTUNE_CHECKS. If the winner of the record is refused then, plans a
   detour: other inputs share the key, and WHERE may admit the winner for them. */
static bool autotune__take_candidate(autotune__statement *statement) {
    const char *text = statement->subject.site->text;
    if (autotune__is_pinned(statement)) return autotune__take_pinned(statement);
    if (autotune__is_eligible(&statement->trial.answer)) return true;
    if (statement->plan.is_detour || autotune__is_guessed(statement)) return false;
    if (text && AUTOTUNE__HIT_ASKS_WHERE(text)) {
        autotune__plan_detour(statement);
        return autotune__report_refused(statement->subject.site);
    }
    autotune__say_of_candidate(statement, "WHERE and PRIORITY no longer admit", "");
    autotune__forget_times(&statement->prior);
    return false;
}

static void autotune__log_recalled(autotune__statement *statement) {
    const bool guessed = autotune__is_guessed(statement), other = statement->prior.recalled.of_other_build;
    const char *from = guessed ? statement->result.guessed_from : other ? " of another build" : "";
    if (!statement->result.cache_hit || statement->plan.is_detour || autotune__environment.log < AUTOTUNE_LOG_WINNER)
        return;
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject, "%s, %s%s",
                     autotune__name_point(&statement->subject, statement->result.index),
                     autotune__is_pinned(statement) ? "which AUTOTUNE_USE asks for"
                     : guessed ? "a guess from " : "known from an earlier run",
                     from ? from : "other keys");
}
static bool autotune__launch_candidate(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    uint64_t *prepared = &statement->subject.space->value[AUTOTUNE_MAX_AXES];
    const struct autotune__peers *peers = statement->trial.peers;
    autotune_status *status = &statement->trial.launch_status;
    autotune__configure(statement->subject.space, statement->result.index, &statement->result.config);
    *prepared = 0;
    autotune__clear_text(&statement->trial.why);
    *status = backend->prepare ? backend->prepare(backend, &statement->result.config, prepared) : AUTOTUNE_OK;
    if (*status == AUTOTUNE_OK && backend->start && statement->plan.task == AUTOTUNE__TASK_CALL)
        *status = backend->start(backend);
    if (peers && !peers->agree_on_candidate(statement)) return !peers->have_ended(statement);
    if (*status != AUTOTUNE_OK) {
        if (!autotune__reject_candidate(statement)) autotune__launched_for_real(statement);
        return false;
    }
    autotune__log_recalled(statement);
    if (statement->plan.task != AUTOTUNE__TASK_TUNE)
        return autotune__launch_for_real(statement, AUTOTUNE__CALLING_CANDIDATE);
    autotune__accept_candidate(statement);           /* the next call shows if the candidate works */
    return autotune__end(statement);
}
/* Launches the candidate that the loop has judged, if it is admitted. If another candidate or a race may follow, the
   buffers are saved before. */
static bool autotune__try_candidate(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const bool saves = !autotune__is_pinned(statement) && !statement->plan.launches_once &&
                       statement->plan.task != AUTOTUNE__TASK_LAUNCH;
    if (!autotune__take_candidate(statement) || (saves && !autotune__save_buffers(statement))) return false;
    statement->result = recalled->result;
    statement->result.index = recalled->candidates[recalled->next - 1];
    statement->result.cache_hit = !statement->result.tried;     /* if any were tried, this rank has just raced the key
                                                                   alone */
    return autotune__launch_candidate(statement);
}
