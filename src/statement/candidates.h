/* Winners that the cache on disk names: each is launched for real, and published if it works. */
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
#include "guessed.h"
#include "phase.h"
#include "launch.h"
#include "without_winner.h"
#include "settle.h"
#include "race_start.h"
#include "agree_on_launch.h"
#include "agree_on_race.h"

/* May other configurations of the record stand in for its winner? They may where no race looks for another winner, once
   this one has failed. */
static bool autotune__may_recall_others(const autotune__statement *statement) {
    return statement->detours ||
           (statement->subject.mode == AUTOTUNE_CACHED && statement->aim == AUTOTUNE__AIM_CALL &&
            !statement->trial.group.ranks && (statement->prior.recalled.count ||
            autotune__trust_in(statement->subject.known_key) == AUTOTUNE__DISTRUSTED));
}
/* The buffers are saved before a candidate is launched. If the candidate works, it is published. If it fails, the
   buffers are put back, and the next candidate is tried, or the key is tuned again. */
static void autotune__say_of_candidate(autotune__statement *statement, const char *what, const char *why) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const char *next = recalled->next < recalled->count || autotune__may_recall_others(statement)
                           ? "the next one is tried"
                     : statement->subject.mode == AUTOTUNE_ON ? "this key is tuned again" : "no winner is known";
    if (!statement->detours)
        autotune__complain_of(&statement->subject, "%s names %s, which %s%s%s; %s",
                              autotune__is_guessed(statement) ? "the guess" : "the cache",
                              autotune__name_point(&statement->subject, recalled->candidates[recalled->next - 1]),
                              what, *why ? ": " : "", why, next);
}
static void autotune__accept_candidate(autotune__statement *statement) {
    const uint64_t prepared = statement->subject.space->value[AUTOTUNE_MAX_AXES];
    if (statement->aim == AUTOTUNE__AIM_LAUNCH) return;         /* a later call finds out whether it works */
    if (autotune__is_guessed(statement)) autotune__accept_guess(statement);
    else if (!statement->detours && !autotune__finds_winner(statement)) {  /* another thread may have published it */
        autotune__settle(statement, statement->result.index, prepared, NULL);
        autotune__remember(&statement->store, NULL, &statement->result, 0);
    }
    autotune__tell_end(statement, AUTOTUNE__WITH_WINNER);
}
/* The times in the cache are of kernels that have changed since: all configurations are raced, and no other of the
   record is asked for. */
static void autotune__drop_outdated(autotune__statement *statement) {
    autotune__say_of(
        AUTOTUNE_LOG_WINNER, &statement->subject,
        "what an earlier run found no longer counts: the source of a kernel, or its compiler, has changed since");
    autotune__forget_times(&statement->prior);
    statement->prior.recalled.next = statement->prior.recalled.count;
    statement->prior.recalled.passed = SIZE_MAX;
    statement->trial.mishap = AUTOTUNE__NO_MISHAP;
}
/* Returns true if the candidate that failed was launched, or a part of it. Ranks beside the first one know no record,
   and launch what is outdated. */
static bool autotune__was_launched(const autotune__statement *statement) {
    const autotune__trial_state *trial = &statement->trial;
    return trial->launch_status != AUTOTUNE_REJECTED &&
           (trial->mishap != AUTOTUNE__OUTDATED || trial->begun || !autotune__decides_for_later(statement));
}
/* Returns false if the error is not one of the configuration. */
static bool autotune__reject_candidate(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    if (autotune__is_pinned(statement)) return false;
    if (statement->aim == AUTOTUNE__AIM_LAUNCH) {   /* what is not loaded, or of another kernel, was not launched */
        if (statement->trial.launch_status != AUTOTUNE_ERR_ENVIRONMENT &&
            statement->trial.mishap != AUTOTUNE__OUTDATED) return false;
        autotune__clear_result(&statement->result);
        return autotune__seek_first(statement);
    }
    if ((statement->subject.mode == AUTOTUNE_ONLINE || statement->detours) && autotune__was_launched(statement)) {
        autotune__change_trust(statement->subject.known_key, AUTOTUNE__DISTRUSTED);
        return false;                           /* the call was made: not once more */
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
static void autotune__launched_for_real(autotune__statement *statement) {
    const autotune_status status = statement->trial.launch_status;
    const bool first = statement->head.phase == AUTOTUNE__CALLING_FIRST && statement->result.config.count;
    if (status != AUTOTUNE_OK && statement->entry &&
        autotune__class_of(statement->subject.backend, status) == AUTOTUNE_ERROR_CONFIGURATION)
        (void)autotune__forget_failed(statement->entry);
    autotune__report_call(statement, status,
                          autotune__is_pinned(statement) ? "; AUTOTUNE_USE asks for this configuration" : "");
    if (first && statement->status == AUTOTUNE_OK) autotune__stand_in_with_first(statement);
    autotune__end_with(statement, statement->status);
}
/* A candidate was launched for real. returned: by the loop, which can launch another one if this one failed. */
static void autotune__launched_candidate(autotune__statement *statement, bool returned) {
    if (autotune__agree_on_candidate(statement)) {
        if (statement->trial.launch_status == AUTOTUNE_OK) autotune__accept_candidate(statement);
        else if (returned && autotune__reject_candidate(statement)) return;
    }
    autotune__launched_for_real(statement);
}

/* Locates the next candidate, for the loop to judge. Returns false if there is none. */
static bool autotune__judge_candidate(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    if (autotune__is_pinned(statement)) return autotune__judge_pinned(statement);
    if (recalled->next == recalled->count && autotune__may_recall_others(statement)) {
        if (!recalled->passed) recalled->passed = 1;
        autotune__recall(&statement->store, false);
    }
    if (recalled->next == recalled->count) return false;
    autotune__judge(statement, recalled->candidates[recalled->next++]);
    return true;
}
static void autotune__distrust(autotune__statement *statement) {
    autotune__clear_result(&statement->result);
    if (autotune__is_guessed(statement)) statement->prior.recalled.result.verdict = AUTOTUNE_DEFAULT;
    else autotune__change_trust(statement->subject.known_key, AUTOTUNE__DISTRUSTED);
    autotune__let_all_race(statement);          /* what works on one rank does not work on every rank */
}
static void autotune__log_recalled(autotune__statement *statement, size_t index) {
    const char *from = statement->result.guessed_from;
    if (!statement->result.cache_hit || statement->detours) return;
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject, "%s, %s%s",
                     autotune__name_point(&statement->subject, index),
                     autotune__is_pinned(statement) ? "which AUTOTUNE_USE asks for"
                     : autotune__is_guessed(statement) ? "a guess from " : "known from an earlier run",
                     !autotune__is_guessed(statement) ? "" : from ? from : "other keys");
}
static bool autotune__launch_candidate(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    uint64_t *prepared = &statement->subject.space->value[AUTOTUNE_MAX_AXES];
    autotune_status *status = &statement->trial.launch_status;
    const size_t index = statement->result.index;
    autotune__configure(statement->subject.space, index, &statement->result.config);
    *prepared = 0;
    autotune__clear_text(&statement->trial.why);
    *status = backend->prepare ? backend->prepare(backend, &statement->result.config, prepared) : AUTOTUNE_OK;
    if (*status == AUTOTUNE_OK && backend->start && statement->aim == AUTOTUNE__AIM_CALL)
        *status = backend->start(backend);
    if (!autotune__agree_on_candidate(statement)) { autotune__follow(statement); return false; }
    if (*status != AUTOTUNE_OK) {
        if (!autotune__reject_candidate(statement)) autotune__launched_for_real(statement);
        return false;
    }
    autotune__log_recalled(statement, index);
    if (statement->aim != AUTOTUNE__AIM_TUNE)
        return autotune__launch_for_real(statement, index, AUTOTUNE__CALLING_CANDIDATE);
    autotune__accept_candidate(statement);           /* the next call shows whether it works */
    return autotune__end(statement);
}
/* Launches the candidate that the loop has judged, if it is admitted. */
static bool autotune__try_candidate(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const char *text = statement->subject.site->text;
    if (autotune__is_pinned(statement) && !autotune__take_pinned(statement)) return false;
    if (!autotune__is_eligible(&statement->trial.answer)) {
        if (statement->detours || autotune__is_pinned(statement) || autotune__is_guessed(statement)) return false;
        statement->detours = text && AUTOTUNE__ASKS(text);
        if (statement->detours) return autotune__hit_refused(statement->subject.site);
        autotune__say_of_candidate(statement, "WHERE and PRIORITY no longer admit", "");
        autotune__forget_times(&statement->prior);
        return false;
    }
    if (statement->subject.mode != AUTOTUNE_ONLINE && !statement->detours && !autotune__is_pinned(statement) &&
        statement->aim != AUTOTUNE__AIM_LAUNCH && !autotune__saves_buffers(statement))
        return false;
    statement->result = recalled->result;
    statement->result.index = recalled->candidates[recalled->next - 1];
    statement->result.cache_hit = !statement->result.tried;     /* the first rank may have raced alone just now */
    return autotune__launch_candidate(statement);
}
