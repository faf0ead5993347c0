/* After the description of the axes: finds a known winner, waits for another race, or begins a race. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "candidates.h"
#include "phase.h"
#include "launch.h"
#include "settle.h"
#include "race.h"
#include "team.h"
#include "peers.h"
#include "elsewhere.h"
#include "plan.h"
#include "trial.h"
#include "identity.h"

/* Launches the winner of the record without a duel. A later call makes the duel that this winner awaits. Returns false
   if no winner awaits a duel, or if another rank decides about the duel. */
static bool autotune__postpone_duel(autotune__statement *statement) {
    if (statement->subject.follows || !statement->prior.recalled.duel) return false;
    autotune__plan_without_duel(statement);
    autotune__recall_new_winner(statement);
    return true;
}
/* Called if this call cannot race its key. Launches the configuration of its OpenMP team, the winner of the record, or
   the first configuration. Reports an error if only tuning was asked for. */
static bool autotune__go_on_without_race(autotune__statement *statement) {
    const bool hindered = autotune__has_text(&statement->trial.why);
    if (autotune__call_with_team(statement) || autotune__postpone_duel(statement)) return true;
    if (statement->plan.task == AUTOTUNE__TASK_TUNE && statement->plan.races)
        autotune__report(statement, AUTOTUNE_ERR_MISS, "nothing was tuned: %s",
                         hindered ? autotune__string(&statement->trial.why)
                                  : "an outer statement is looking for the winner of this key");
    else if (hindered && autotune__says_first(statement->subject.site, AUTOTUNE_ERR_MISS))
        autotune__say_of(AUTOTUNE_LOG_ERRORS, &statement->subject,
                         "the first configuration is launched untuned: %s; a later call tunes the key; to avoid this, "
                         "tune the key before that race begins", autotune__string(&statement->trial.why));
    return autotune__seek_first(statement);
}
static bool autotune__start_race(autotune__statement *statement) {
    const struct autotune__peers *peers = statement->trial.peers;
    autotune__race_state *state;
    autotune__limits limits;
    if (!autotune__save_buffers(statement)) return statement->head.phase != AUTOTUNE__ENDED;
    state = statement->race_state = (autotune__race_state *)autotune__allocate(sizeof *state);
    if (!state) return autotune__race_without_memory(statement);
    statement->trial.clock = autotune__clock_of(statement->subject.backend);
    state->agreed.limits = statement->limits;
    state->agreed.limits.tick_ns = statement->trial.clock.tick_ns;
    state->agreed.limits.idle_seconds = autotune__idle_seconds(statement->subject.backend);
    if (peers && !peers->begin_race(statement, &state->agreed)) return true;
    limits = state->agreed.limits;
    statement->trial.clock.tick_ns = limits.tick_ns;
    autotune__limit_to_purpose(statement, &limits);
    if (peers) peers->divide(statement, &limits);
    if (!statement->plan.in_process) autotune__in_children.plan(statement);
    autotune__set_up_race(statement, &limits);
    statement->trial.watch.began = autotune__clock_now(&statement->subject);
    autotune__begin_watch(&statement->trial);
    autotune__begin_race(statement, 0);
    return true;
}
/* Returns true if the backend works, or if it can launch, and the statement is a call. In the second case the call
   does not race. Returns false after an error was reported. */
static bool autotune__backend_is_ready(autotune__statement *statement) {
    const autotune_status status = statement->subject.backend->ready(statement->subject.backend);
    if (status == AUTOTUNE_OK) return true;
    if (status == AUTOTUNE_REJECTED && statement->plan.task == AUTOTUNE__TASK_CALL) {
        autotune__plan_launch(statement);
        return true;
    }
    if (status == AUTOTUNE_REJECTED)
        autotune__report(statement, AUTOTUNE_ERR_ENVIRONMENT,
                         "nothing was tuned: the backend can only launch now, as while a graph is captured");
    else autotune__report(statement, status, "%s; the call was not made", autotune__reason(&statement->trial, status));
    return false;
}
/* In mode ONLINE one thread of an OpenMP team takes the turn, and begins the online race. The other threads wait until
   the first call of the race is over. */
static bool autotune__measure_in_team(autotune__statement *statement) {
    const autotune__outcome outcome =
        autotune__look_up_or_claim(&statement->turn, &statement->entry, &statement->trial.why);
    bool goes_on;
    if (outcome == AUTOTUNE__KNOWN) return autotune__launch_known(statement);
    if (outcome != AUTOTUNE__TO_RACE) return autotune__go_on_without_race(statement);
    goes_on = autotune__measured_calls.begin(statement);
    if (!statement->call_race) autotune__end_turn(&statement->turn);
    return goes_on;
}
/* Takes the turn among the threads, then the turn among the processes. While another process races the key, the turn
   among the threads is released: other threads may use the device. */
static bool autotune__take_turn(autotune__statement *statement) {
    autotune__process_turn turn;
    uint64_t pause = 1;                         /* milliseconds */
    if (statement->plan.measures && autotune__postpone_duel(statement)) return true;
    if (statement->plan.measures)
        return autotune__team_size() > 1 ? autotune__measure_in_team(statement)
                                         : autotune__measured_calls.begin(statement);
    if (statement->trial.peers && statement->trial.peers->another_rank_races(statement)) {     /* another rank races */
        autotune__recall_new_winner(statement);
        return true;
    }
    if (statement->prior.recalled.duel == AUTOTUNE__DUEL_AGAIN && !autotune__is_free(&statement->turn) &&
        autotune__postpone_duel(statement))
        return true;
    for (;; pause += pause < 20) {
        switch (autotune__look_up_or_claim(&statement->turn, &statement->entry, &statement->trial.why)) {
        case AUTOTUNE__KNOWN: return autotune__launch_known(statement);
        case AUTOTUNE__MISSED: return autotune__miss_winner(statement);
        case AUTOTUNE__UNTUNED: return autotune__go_on_without_race(statement);
        default: break;
        }
        if (autotune__failed_before(statement)) {
            autotune__stop_racing(statement);
            statement->status = AUTOTUNE_ERR_ALL_FAILED;
            autotune__stand_in_without_call(statement);
            return autotune__end(statement);
        }
        turn = autotune__try_key(&statement->store, &statement->trial.why);
        if (turn == AUTOTUNE__OURS) return autotune__start_race(statement);
        if (turn == AUTOTUNE__UNKNOWN) return autotune__race_without_memory(statement);
        autotune__stop_racing(statement);
        if (turn == AUTOTUNE__GIVEN_UP) return autotune__go_on_without_race(statement);
        if (turn == AUTOTUNE__ANSWERED) { autotune__recall_new_winner(statement); return true; }
        autotune__sleep_ns(pause * 1000000);
    }
}
static bool autotune__try_or_race(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    return (recalled->count && !recalled->duel) || autotune__may_recall_others(statement)
               ? autotune__recall_next(statement) : autotune__take_turn(statement);
}
static bool autotune__find_or_race(autotune__statement *statement) {
    autotune__space *space = statement->subject.space;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const struct autotune__peers *peers = statement->trial.peers;
    const char *problem;
    if (autotune__lacks_values(space)) {
        autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                         "out of memory for the values of the axes; the call was not made");
        return autotune__end(statement);
    }
    if (!space->points) {
        autotune__report(statement, AUTOTUNE_ERR_SPACE, "the space is empty, so the call was not made: %s",
                         space->problem ? space->problem : "an axis has no value");
        return autotune__end(statement);
    }
    problem = autotune__option_problem(&text, &statement->subject.options) ||
              (statement->subject.site->file && autotune__label_problem(&text, space))
                  ? autotune__string(&text)
            : space->problem ? space->problem
            : space->points == SIZE_MAX ? "the space has more points than can be numbered: give fewer values" : NULL;
    if (problem) return autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT, problem);
    if (statement->subject.mode == AUTOTUNE_OFF) return autotune__seek_first(statement);
    if (statement->subject.backend->ready && !autotune__backend_is_ready(statement)) return autotune__end(statement);
    if (!autotune__identify(statement)) return autotune__stay_untuned(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
    if (!statement->plan.is_detour) statement->entry = autotune__look_up(&statement->subject);
    if (statement->entry) {
        if (peers) peers->leave(statement);
        return statement->subject.options.watch && statement->plan.measures &&
                       statement->plan.task == AUTOTUNE__TASK_CALL &&
                       statement->entry->result.verdict != AUTOTUNE_PINNED
                   ? autotune__measured_calls.watch_known(statement) : autotune__launch_known(statement);
    }
    if ((peers && !peers->meet(statement)) || !autotune__plan_call(statement)) return true;
    return autotune__try_or_race(statement);
}
/* Called when no candidate is left. */
static void autotune__go_on_without_candidates(autotune__statement *statement) {
    if (autotune__is_pinned(statement)) {
        if (autotune__say_unpinned(statement) && autotune__plan_call(statement)) (void)autotune__try_or_race(statement);
        return;
    }
    if (statement->plan.is_detour) { (void)autotune__seek_first(statement); return; }
    autotune__clear_result(&statement->result);
    if (autotune__is_guessed(statement)) statement->prior.recalled.result.verdict = AUTOTUNE_DEFAULT;
    else autotune__change_trust(statement->subject.known_key, AUTOTUNE__DISTRUSTED);
    if (statement->trial.peers) statement->trial.peers->distrust(statement);
    (void)autotune__take_turn(statement);
}
