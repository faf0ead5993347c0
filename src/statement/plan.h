/* The plan of a call: its task, the mode that holds, and the candidates that may answer without a race. The plan begins
   when the statement begins, and is completed once the key is known. Only this room changes the plan:
   tests/source/check.sh checks this. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "peers.h"
#include "elsewhere.h"
#include "options.h"
#include "left_out.h"
#include "phase.h"

static void autotune__forget_flags(autotune__prior *prior, unsigned flags) {
    size_t i;
    for (i = 0; i < autotune__count(prior->rows); i++) prior->rows[i].flags &= ~flags;
}
/* Forgets times of earlier runs. For example, they are of other kernels, or the configurations that they favour do not
   work. */
static void autotune__forget_times(autotune__prior *prior) {
    autotune__forget_flags(prior, AUTOTUNE__OF_RACES);
    prior->rest = AUTOTUNE__REST_ANEW;
    prior->former_rows = 0;
    prior->work = prior->seconds = 0;
}

/* Sets the mode that holds from now on. */
static void autotune__hold_mode(autotune__statement *statement, autotune_mode mode) {
    statement->subject.mode = mode;
    statement->plan.measures = mode == AUTOTUNE_ONLINE;
    statement->plan.needs_winner = mode == AUTOTUNE_REQUIRE;
    statement->plan.races = !statement->plan.needs_winner && mode != AUTOTUNE_OFF && mode != AUTOTUNE_CACHED;
    statement->plan.launches_once = statement->plan.measures || statement->plan.is_detour;
}
/* Begins the plan before the key is known. Mode OFF launches the first configuration, and obeys no pin. The variable
   AUTOTUNE_ISOLATE decides if trials are made in a child process. If the variable is not set, trials are made in a
   child in an audit, or if .isolate asks for this. */
static void autotune__plan_statement(autotune__statement *statement, autotune_mode mode) {
    const int isolate = autotune__environment.isolate;
    char *pin = statement->prior.recalled.pin;
    statement->plan.asked_mode = mode;
    autotune__hold_mode(statement, mode);
    statement->plan.in_process = isolate >= 0 ? isolate != AUTOTUNE_CHILD
                           : !autotune__environment.audits && statement->subject.options.isolate != AUTOTUNE_CHILD;
    if (!statement->plan.in_process && !autotune__in_children.plan) {
        autotune__say_left_out(statement->subject.site, AUTOTUNE__CHILD);
        statement->plan.in_process = true;
    }
    autotune__find_pin(&statement->subject, pin);
    if (mode == AUTOTUNE_OFF) *pin = 0;
}
static void autotune__plan_task(autotune__statement *statement, autotune__task task) { statement->plan.task = task; }
/* Called if the winner was refused: this call launches another configuration. With ranks a detour has mode OFF, and
   obeys REQUIRE nevertheless. */
static void autotune__plan_detour(autotune__statement *statement) {
    statement->plan.is_detour = statement->plan.launches_once = true;
    statement->plan.needs_winner = autotune__mode_of(&statement->subject.options) == AUTOTUNE_REQUIRE;
}
/* Called if the backend can launch now, but cannot race: a known winner or the first configuration is launched. */
static void autotune__plan_launch(autotune__statement *statement) {
    statement->plan.task = AUTOTUNE__TASK_LAUNCH;
    if (!statement->plan.needs_winner) autotune__hold_mode(statement, AUTOTUNE_CACHED);
}

/* Returns true if there is a pin, unless judging has shown that several configurations fit the pin. */
static bool autotune__is_pinned(const autotune__statement *statement) {
    return *statement->prior.recalled.pin && !statement->prior.recalled.restricts;
}
/* Returns true if a guess may answer. A guess may not answer in modes ONLINE, FORCE and VERIFY, if mode MISSED races
   the key, if a winner is duelled again, or in autotune_tune(). */
static bool autotune__may_guess(const autotune__statement *statement) {
    const int wanted = autotune__environment.unseen;
    const autotune__recalled *recalled = &statement->prior.recalled;
    return (wanted < 0 ? (int)statement->subject.options.unseen : wanted) == AUTOTUNE_GUESS && !recalled->duel &&
           !recalled->missed && !statement->plan.measures && statement->subject.mode != AUTOTUNE_FORCE &&
           !autotune__verifies(&statement->subject) && statement->plan.task == AUTOTUNE__TASK_CALL;
}
/* Changes the mode for the key, if AUTOTUNE_MODE=missed or AUTOTUNE_MAX_RUN_SECONDS asks for this. */
static void autotune__choose_mode(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    if (statement->subject.mode == autotune__missed_mode)
        autotune__hold_mode(statement, recalled->missed ? AUTOTUNE_ON : AUTOTUNE_CACHED);
    if (recalled->spent && autotune__may_tune(&statement->subject)) autotune__hold_mode(statement, AUTOTUNE_CACHED);
}
/* Finds the candidates: configurations that may be the winner, as far as this process knows without a race. recalls:
   true if the record on disk and guesses are candidates, too. */
static void autotune__find_candidates(autotune__statement *statement, bool recalls) {
    autotune__recalled *recalled = &statement->prior.recalled;
    recalled->spent = autotune__has_spent_run();
    autotune__choose_mode(statement);
    if (autotune__is_pinned(statement)) {
        autotune__clear_result(&recalled->result);
        recalled->result.verdict = AUTOTUNE_PINNED;
        recalled->count = 1;                    /* judging finds the point */
        recalled->next = 0;
    } else if (recalls && !statement->plan.is_detour) {
        autotune__recall(&statement->store);
        if (recalled->count || !autotune__may_guess(statement)) return;
        if (autotune__guessing.recall) autotune__guessing.recall(&statement->store);
        else autotune__say_left_out(statement->subject.site, AUTOTUNE__GUESSES);
    }
}
/* Makes the plan of a call whose winner this process does not know. If there is nothing to verify, mode VERIFY becomes
   CACHED. Returns false if the peers have decided what the statement does instead. */
static bool autotune__plan_call(autotune__statement *statement) {
    const struct autotune__peers *peers = statement->trial.peers;
    if (!peers) autotune__find_candidates(statement, true);
    else if (!peers->recall(statement)) return false;
    autotune__choose_mode(statement);           /* by the knowledge of the first rank */
    if (autotune__verifies(&statement->subject) && !autotune__is_pinned(statement) &&
        !statement->prior.recalled.duel)
        autotune__hold_mode(statement, AUTOTUNE_CACHED);
    return true;
}
/* Returns true if other configurations of the record may replace its winner, which failed or was refused. They may if
   no race will look for another winner. */
static bool autotune__may_recall_others(const autotune__statement *statement) {
    return statement->plan.is_detour ||
           (statement->subject.mode == AUTOTUNE_CACHED && statement->plan.task == AUTOTUNE__TASK_CALL &&
            !statement->trial.peers && (statement->prior.recalled.count ||
            autotune__trust_in(statement->subject.known_key) == AUTOTUNE__DISTRUSTED));
}
/* Called if a winner became known, since the first rank or another process has raced the key. Also called if the winner
   of a record answers without a duel. The statement launches the winner like any candidate of the cache. */
static void autotune__recall_new_winner(autotune__statement *statement) {
    if (statement->trial.peers) statement->trial.peers->recall_new_winner(statement);
    else (void)autotune__recall_next(statement);
}
/* Drops the duel that the record asks for: the duel is over, all configurations are raced, or a later call makes the
   duel. */
static void autotune__plan_without_duel(autotune__statement *statement) {
    statement->prior.recalled.duel = AUTOTUNE__NO_DUEL;
    if (autotune__verifies(&statement->subject)) autotune__hold_mode(statement, AUTOTUNE_CACHED);
}
/* Called if the pin of AUTOTUNE_USE fits no configuration, or several configurations. If the pin fits none, drops the
   pin, and returns true. If the pin fits several, they are raced like a smaller space. */
static bool autotune__plan_without_pin(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    recalled->restricts = recalled->count > 1;
    if (!recalled->restricts) *recalled->pin = 0;
    recalled->count = recalled->next = 0;
    autotune__clear_result(&recalled->result);
    return !recalled->restricts;
}
