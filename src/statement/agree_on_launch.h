/* Ranks in step: before a launch and after it all ranks learn of the same failures and times, so that their races
   decide the same. */
#pragma once
#include "../api/types.h"
#include "../api/backend.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../race/request.h"
#include "../registry/thread_turns.h"
#include "../ranks/ballot.h"
#include "../ranks/sitting.h"
#include "../ranks/council.h"
#include "statement.h"
#include "race_clock.h"

/* How bad an error is for the others: the worst of all ranks counts. */
static unsigned autotune__severity_of(autotune_backend *backend, autotune_status status) {
    const autotune_error_class error = autotune__class_of(backend, status);
    return status == AUTOTUNE_OK ? 0u : error == AUTOTUNE_ERROR_CONFIGURATION ? 1u
         : error == AUTOTUNE_ERROR_ENVIRONMENT ? 2u : 3u;
}
/* What an error means that this rank, or another one, had in the last launch. */
static autotune_error_class autotune__error_of_launch(const autotune__trial_state *trial) {
    const unsigned severity = trial->council->trouble.severity;
    if (!trial->council->sits) return autotune__class_of(trial->subject->backend, trial->launch_status);
    return severity <= 1 ? AUTOTUNE_ERROR_CONFIGURATION
         : severity == 2 ? AUTOTUNE_ERROR_ENVIRONMENT : AUTOTUNE_ERROR_DEVICE;
}
/* Exchanges a ballot with the status of the launch. If the launch failed on another rank, it failed here, too. False:
   the council is dissolved. */
static bool autotune__vote_on_launch(autotune__trial_state *trial, autotune__ballot *ballot) {
    autotune__council *council = trial->council;
    ballot->at[AUTOTUNE__TROUBLE] =
        autotune__trouble_of(autotune__severity_of(trial->subject->backend, trial->launch_status), trial->launch_status,
                             council->ranks->rank);
    if (!autotune__vote(council, ballot)) {
        if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = AUTOTUNE_ERR_ENVIRONMENT;
        return false;
    }
    if (council->trouble.severity && trial->launch_status == AUTOTUNE_OK) {
        trial->launch_status = council->trouble.status;
        autotune__clear_text(&trial->why);
        autotune__append(&trial->why, "on rank %d: %s", council->trouble.rank,
                         autotune_status_text(council->trouble.status));
    }
    return true;
}
/* The same in a race, with all that decides how it goes on. */
static void autotune__vote_in_race(autotune__trial_state *trial, autotune__ballot *ballot, uint64_t now) {
    autotune__limits *limits = &autotune__race_of(trial->turn)->limits;
    const double *said = trial->council->said.at;
    ballot->at[AUTOTUNE__ELAPSED] = autotune__own_seconds(trial, now);
    ballot->at[AUTOTUNE__LIMIT] = limits->seconds;
    ballot->at[AUTOTUNE__SCREEN_LIMIT] = limits->screen_seconds;
    ballot->at[AUTOTUNE__NO_MEMORY] = trial->answer.no_memory;
    ballot->at[AUTOTUNE__JUMPED] = trial->answer.clock_jumped;
    ballot->at[AUTOTUNE__SPARED] = trial->answer.spared;
    ballot->at[AUTOTUNE__OUTDATED] = trial->store->outdated;
    if (!autotune__vote_on_launch(trial, ballot)) return;
    trial->agreed_seconds = said[AUTOTUNE__ELAPSED];
    limits->seconds = said[AUTOTUNE__LIMIT];
    limits->screen_seconds = said[AUTOTUNE__SCREEN_LIMIT];
    trial->answer.no_memory = said[AUTOTUNE__NO_MEMORY] > 0;
    trial->answer.clock_jumped = said[AUTOTUNE__JUMPED] > 0;
    trial->answer.spared = said[AUTOTUNE__SPARED] > 0;
    trial->store->outdated = said[AUTOTUNE__OUTDATED] > 0;
}
/* A RUN begins: all ranks must have the same one. */
static void autotune__step_into_run(autotune__trial_state *trial) {
    uint64_t limit;
    if (!autotune__is_in_step(trial->council)) return;
    memcpy(&limit, &trial->request.limit_ns, sizeof limit);
    autotune__walk_on(trial->council, trial->request.index);
    autotune__walk_on(trial->council, trial->request.launches);
    autotune__walk_on(trial->council, limit);
}
/* All ranks learn whether one of them cannot go on. */
static void autotune__agree_to_go_on(autotune__trial_state *trial) {
    autotune__ballot ballot = { { 0 } };
    if (autotune__is_in_step(trial->council))
        autotune__vote_in_race(trial, &ballot, autotune__clock_now(trial->subject));
}
/* Is every rank ready to launch? They ask where one of them may not be: before first launches, where buffers are
   prepared, and where WHERE, PRIORITY and MODEL were asked. */
static bool autotune__all_are_ready(autotune__trial_state *trial) {
    if (trial->request.first || trial->apart || trial->council->judged) autotune__agree_to_go_on(trial);
    return trial->launch_status == AUTOTUNE_OK;
}
/* After launches: their time is that of the slowest rank. What disturbed it on one rank, or makes it doubtful, does so
   on all. */
static void autotune__agree_on_time(autotune__trial_state *trial, double *ns, bool *doubted, uint64_t stopped) {
    const double *said = trial->council->said.at;
    autotune__ballot ballot = { { 0 } };
    ballot.at[AUTOTUNE__NS] = *ns;
    ballot.at[AUTOTUNE__DOUBTED] = *doubted;
    ballot.at[AUTOTUNE__DISTURBED] = trial->disturbed;
    autotune__vote_in_race(trial, &ballot, stopped);
    if (!trial->council->sits) return;
    *ns = said[AUTOTUNE__NS];
    *doubted = said[AUTOTUNE__DOUBTED] > 0;
    trial->disturbed = said[AUTOTUNE__DISTURBED] > 0;
}
