/* From one iteration of a statement's loop to the next. autotune__next() takes the answer of the iteration that ended.
   Then it decides on the next iteration: a point to judge, a trial, the call for real, or the end. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "describe.h"
#include "race_clock.h"
#include "phase.h"
#include "settle.h"
#include "candidates.h"
#include "race.h"
#include "team.h"
#include "trial.h"
#include "runner.h"
#include "peers.h"
#include "elsewhere.h"
#include "answers.h"
#include "find_or_race.h"
#include "clock_in_use.h"
#include "probation.h"

/* The phase SEEKING: the loop judges points until one point is admitted. Returns true if the loop judges the next
   point. */
static bool autotune__seek(autotune__statement *statement) {
    const size_t points = statement->subject.space->points;
    const size_t point = statement->trial.request.index;
    if (statement->plan.needs_winner)
        return statement->status == AUTOTUNE_OK ? autotune__miss_winner(statement) : autotune__end(statement);
    if (point >= points || statement->judged >= AUTOTUNE_MAX_POINTS) return autotune__end_without_any(statement);
    autotune__judge(statement, point);
    return true;
}
/* Carries out the request of the race. Returns true if the loop has to judge or launch something for the request.
   Returns false if the race has the answer already, or if the race is over. */
static bool autotune__carry_out(autotune__statement *statement) {
    const bool judged = statement->head.phase == AUTOTUNE__JUDGING;     /* the last request was to judge a point */
    autotune__set_phase(statement);
    switch (statement->trial.request.what) {
    case AUTOTUNE__EVALUATE: autotune__judge(statement, statement->trial.request.index); return true;
    case AUTOTUNE__RUN_IT:
        if (statement->trial.isolation && !autotune__in_children.launches_here(statement)) return false;
        if (autotune__start_run(&statement->trial, judged)) return true;
        autotune__take_run(statement, autotune__now(&statement->trial), 2);
        return false;
    default:
        if (statement->trial.isolation)
            autotune__in_children.leave(&statement->trial, autotune__lacks_memory(statement->turn.race)
                                                               ? AUTOTUNE__HAS_NO_MEMORY : AUTOTUNE__IS_DONE, NULL);
        if (statement->trial.peers && statement->trial.peers->join_parts(statement)) return false;
        (void)autotune__conclude(statement);
        return false;
    }
}
/* Decides on the next iteration of the loop. Returns true if value[] holds the values for the axes. Returns false if
   the statement ended. */
static bool autotune__advance(autotune__statement *statement) {
    while (!autotune__is_for_real(statement)) {
        switch (statement->head.phase) {
        case AUTOTUNE__ENDED: return false;
        case AUTOTUNE__LISTING: return true;
        case AUTOTUNE__SEEKING: return autotune__seek(statement);
        case AUTOTUNE__RECALLING:
            if (autotune__judge_candidate(statement)) return true;
            autotune__go_on_without_candidates(statement);
            break;
        default:
            if (autotune__carry_out(statement)) return true;
        }
    }
    return true;
}
/* Takes the answer of the iteration that ended. Returns true if the next iteration is decided already. */
static bool autotune__take_answer(autotune__statement *statement, bool done, uint64_t stopped) {
    switch (statement->head.phase) {
    case AUTOTUNE__JUDGING:
        /* It would take long to read the clock for each point. */
        autotune__take_judged(statement, statement->judged % 256 ? statement->trial.seconds
                                                                 : autotune__now(&statement->trial));
        return false;
    case AUTOTUNE__SEEKING:
        if (autotune__launch_if_first(statement)) return true;
        statement->trial.request.index += autotune__points_of(&statement->trial.answer);
        return false;
    case AUTOTUNE__RECALLING: return autotune__try_candidate(statement);
    case AUTOTUNE__LISTING: case AUTOTUNE__CALLING_MEASURED:
        return autotune__measured_calls.take_answer(statement, done, stopped);
    case AUTOTUNE__CALLING_ON_PROBATION: autotune__end_on_probation(statement, done, stopped); return false;
    case AUTOTUNE__TRYING:
        if (!done) { autotune__left_body(statement); return false; }
        if (__atomic_load_n(&statement->turn.team, __ATOMIC_RELAXED) && autotune__end_with_team(statement))
            return false;
        if (autotune__took_launch(&statement->trial, stopped)) return true;
        autotune__take_run(statement, autotune__now(&statement->trial), 2);
        return false;
    case AUTOTUNE__CALLING_CANDIDATE:
        /* The call of a candidate may have returned before its launch fails on the device. */
        if (statement->subject.backend->stop && statement->plan.task == AUTOTUNE__TASK_CALL)
            autotune__clocked(&statement->trial, 0);
        autotune__launched_candidate(statement, true);
        return false;
    default:
        if (!autotune__skip_refused_first(statement)) autotune__launched_for_real(statement);
        return false;
    }
}
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const bool was_silent = autotune__is_silent;
    const int error_number = errno;
    uint64_t stopped = 0;
    bool goes_on;
    if (statement->trial.isolation) autotune__in_children.compare_memory(&statement->trial);
    if (done && statement->trial.launches_left && autotune__goes_on_in_batch(&statement->trial))
        return statement->subject.space->value;  /* the clock runs inside a batch, so nothing else is done here */
    if (autotune__is_for_real(statement)) statement->error_number = error_number;
    if (statement->head.phase == AUTOTUNE__TRYING || statement->head.phase >= AUTOTUNE__CALLING_ON_PROBATION)
        stopped = autotune__clock_now(&statement->subject);
    autotune__count_step(&statement->turn.progress);
    autotune__is_silent = statement->subject.follows && !autotune__acts_as_hit(tuning);
    statement->turn.outside = true;
    goes_on = statement->head.phase == AUTOTUNE__DESCRIBING ? autotune__find_or_race(statement)
                                                       : autotune__take_answer(statement, done, stopped);
    if (!goes_on || statement->head.phase != AUTOTUNE__TRYING) goes_on = autotune__advance(statement);
    if (statement->trial.peers && statement->trial.peers->end(statement)) goes_on = autotune__advance(statement);
    autotune__is_silent = was_silent;
    statement->turn.outside = false;
    if (statement->trial.isolation) autotune__in_children.freeze_memory(&statement->trial, __builtin_frame_address(0));
    errno = statement->error_number;
    return goes_on ? statement->subject.space->value : NULL;
}
/* An exception left an expression of the statement, .setup, .verify or a function of the backend. No configuration
   counts as failed. */
static void autotune__left_statement(autotune__statement *statement) {
    if (statement->trial.isolation)
        autotune__in_children.leave(&statement->trial, AUTOTUNE__HAS_LEFT, "an exception left the statement");
    autotune__break_race(statement);
    autotune__report(
        statement, AUTOTUNE_ERR_LEFT,
        "an exception left the statement outside of its call; buffers are as before, and the next call starts anew");
    autotune__end(statement);
}
/* Cleans up a statement that has ended, or that break, return, goto or an exception left. */
AUTOTUNE__COLD void autotune__abandon(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const bool was_silent = autotune__is_silent;
    const int error_number = errno;
    const bool outside = statement->turn.outside;       /* .setup, .verify or a function of the backend was left */
    statement->turn.outside = false;
    autotune__is_silent = statement->subject.follows;
    switch (statement->head.phase) {
    case AUTOTUNE__ENDED: break;
    case AUTOTUNE__CALLING_CANDIDATE: autotune__launched_candidate(statement, false); break;
    case AUTOTUNE__CALLING_FIRST: case AUTOTUNE__CALLING_WINNER: autotune__launched_for_real(statement); break;
    case AUTOTUNE__CALLING_MEASURED: (void)autotune__measured_calls.take_answer(statement, false, 0); break;
    case AUTOTUNE__CALLING_ON_PROBATION: autotune__end_on_probation(statement, false, 0); break;
    default:
        if (statement->head.phase == AUTOTUNE__TRYING && !outside) autotune__left_body(statement);
        else autotune__left_statement(statement);
    }
    if (statement->trial.peers) (void)statement->trial.peers->end(statement);
    autotune__current = statement->outer;
    if (statement->call_race) autotune__measured_calls.end_call_and_unlock(statement);
    else if (!statement->awaited || !autotune__await_time(statement)) autotune__free_statement(statement);
    autotune__is_silent = was_silent;
    errno = error_number;
}
