/* The plan of a call: what is asked, the mode that holds, and what may answer without a race. It is made here, once the
   statement is identified, and the rooms behind read it. A call that turns out to be another one gets another plan,
   which is made here, too: tests/source/check.sh looks for that. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "peers.h"
#include "elsewhere.h"
#include "options.h"
#include "phase.h"
#include "race_start.h"

/* The call before anything is known of its key. Mode OFF launches the first configuration, whatever is pinned. */
static void autotune__plan_statement(autotune__statement *statement, autotune_mode mode) {
    char *pin = statement->prior.recalled.pin;
    statement->plan.asked = statement->subject.mode = mode;
    statement->plan.here = !autotune__in_children.plan || autotune__tries_here(&statement->subject.options);
    (void)autotune__find_pin(&statement->subject, pin);
    if (mode == AUTOTUNE_OFF) *pin = 0;
}
static void autotune__plan_task(autotune__statement *statement, autotune__task task) {
    statement->plan.task = task;
}
/* Another configuration is launched than the winner, which was refused. */
static void autotune__plan_detour(autotune__statement *statement) { statement->plan.detours = true; }
/* The backend can only launch now. */
static void autotune__plan_launch(autotune__statement *statement) {
    statement->plan.task = AUTOTUNE__TASK_LAUNCH;
    if (statement->subject.mode != AUTOTUNE_REQUIRE) statement->subject.mode = AUTOTUNE_CACHED;
}

/* Returns true if one configuration is pinned, or how many the pin leaves is not known yet. */
static bool autotune__is_pinned(const autotune__statement *statement) {
    return *statement->prior.recalled.pin && !statement->prior.recalled.restricts;
}
/* Not where a winner is known, also one that is not sure, nor in mode MISSED. */
static bool autotune__may_guess(const autotune__statement *statement) {
    const int wanted = autotune__environment.unseen;
    const autotune__recalled *recalled = &statement->prior.recalled;
    const autotune_mode mode = statement->subject.mode;
    return (wanted < 0 ? (int)statement->subject.options.unseen : wanted) == AUTOTUNE_GUESS && !recalled->count &&
           !recalled->duel && !recalled->missed && mode != AUTOTUNE_FORCE && mode != AUTOTUNE_ONLINE &&
           !autotune__verifies(&statement->subject) &&
           statement->plan.task == AUTOTUNE__TASK_CALL;
}
/* What AUTOTUNE_MODE=missed and AUTOTUNE_MAX_RUN_SECONDS mean for the key. */
static void autotune__choose_mode(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    autotune_mode *mode = &statement->subject.mode;
    if (*mode == autotune__missed_mode) *mode = recalled->missed ? AUTOTUNE_ON : AUTOTUNE_CACHED;
    if (recalled->spent && autotune__may_tune(&statement->subject)) *mode = AUTOTUNE_CACHED;
}
/* Finds the candidates for this process: the configurations that may be the winner, as far as that is known without a
   race. recalls: the cache on disk is asked, too. */
static void autotune__find_candidates(autotune__statement *statement, bool recalls) {
    autotune__recalled *recalled = &statement->prior.recalled;
    recalled->spent = autotune__has_spent_run();
    autotune__choose_mode(statement);
    if (autotune__is_pinned(statement)) {
        autotune__clear_result(&recalled->result);
        recalled->result.verdict = AUTOTUNE_PINNED;
        recalled->count = 1;                    /* the point is looked for when it is judged */
        recalled->next = 0;
    } else if (recalls && !statement->plan.detours) {
        autotune__recall(&statement->store);
        if (autotune__guessing.recall && autotune__may_guess(statement)) autotune__guessing.recall(&statement->store);
    }
}
/* Makes the plan: no winner of the key is known to this process. If nothing is to be verified, mode VERIFY is CACHED.
   Returns false if peers have decided what the statement does instead. */
static bool autotune__plan_call(autotune__statement *statement) {
    const struct autotune__peers *peers = statement->trial.peers;
    if (!peers) autotune__find_candidates(statement, true);
    else if (!peers->recall(statement)) return false;
    autotune__choose_mode(statement);           /* as the first rank has */
    if (autotune__verifies(&statement->subject) && !autotune__is_pinned(statement) &&
        !statement->prior.recalled.duel)
        statement->subject.mode = AUTOTUNE_CACHED;
    return true;
}
/* A winner became known: of a race of the first rank, or of another process. It is launched as a candidate of the
   cache. */
static void autotune__recall_news(autotune__statement *statement) {
    if (statement->trial.peers) statement->trial.peers->recall_news(statement);
    else (void)autotune__recall_next(statement);
}
/* The record answers as it is: its duel is over, or left to a later call. */
static void autotune__plan_without_duel(autotune__statement *statement) {
    statement->prior.recalled.duel = AUTOTUNE__NO_DUEL;
    if (autotune__verifies(&statement->subject)) statement->subject.mode = AUTOTUNE_CACHED;
}
/* All is raced: what earlier runs found out does not count. */
static void autotune__plan_whole_race(autotune__statement *statement) {
    autotune__plan_without_duel(statement);
    autotune__forget_times(&statement->prior);
}
/* No configuration has what AUTOTUNE_USE asks for: the statement goes on without it. Or several have it: they are a
   space of their own. Returns true if it goes on without. */
static bool autotune__plan_without_pin(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    recalled->restricts = recalled->count > 1;
    if (!recalled->restricts) *recalled->pin = 0;
    recalled->count = recalled->next = 0;
    autotune__clear_result(&recalled->result);
    return !recalled->restricts;
}
