/* Gives answers to the race of this process. The race then decides on its next request. An answer comes from the loop
   of the statement, or from a child process. `seconds` are seconds since the race began. */
#pragma once
#include "../api/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "elsewhere.h"
#include "candidates.h"
#include "race.h"
#include "peers.h"

/* Takes the answer about a point that the race asked to judge. */
static void autotune__take_judged(autotune__statement *statement, double seconds) {
    if (statement->trial.isolation) autotune__in_children.tell_answer(&statement->trial, seconds);
    if (statement->trial.peers) statement->trial.peers->step_past_point(&statement->trial);
    autotune__decide_on(statement, &statement->trial.answer, seconds);
}
/* Called when a RUN ended with an error. Returns true if the error is the configuration's. If not, the race is over. */
static bool autotune__take_failed_run(autotune__statement *statement) {
    const autotune_status status = statement->trial.answer.status;
    const autotune_error_class error = autotune__meaning_of(&statement->trial, status);
    if (statement->trial.peers && statement->trial.peers->have_ended(statement)) return false;
    return error == AUTOTUNE_ERROR_CONFIGURATION || autotune__break_off(statement, status, error);
}
/* Takes the answer of a RUN. If the race goes on, and its state was not written for `interval` seconds, writes the
   state to the cache. */
static void autotune__take_run(autotune__statement *statement, double seconds, double interval) {
    if (statement->trial.isolation && autotune__in_children.was_rehearsal(&statement->trial)) return;
    statement->trial.preemptions |= statement->trial.answer.preemptions;
    if (statement->trial.answer.status != AUTOTUNE_OK && !autotune__take_failed_run(statement)) return;
    if (statement->trial.mishap == AUTOTUNE__OUTDATED) {
        autotune__drop_outdated(statement);
        autotune__race_anew(statement);
        return;
    }
    if (statement->trial.isolation) autotune__in_children.tell_answer(&statement->trial, seconds);
    autotune__decide_on(statement, &statement->trial.answer, seconds);
    autotune__show_progress(&statement->subject, statement->turn.race, &statement->progress_shown);
    if (statement->trial.request.what != AUTOTUNE__FINISH)
        autotune__checkpoint(&statement->store, statement->turn.race, seconds, statement->trial.launches, interval,
                             NULL);
}
