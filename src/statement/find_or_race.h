/* From the axes to what comes next: a known winner, waiting for another race, or a race of the statement. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "statement.h"
#include "options.h"
#include "first_online_call.h"
#include "waiting.h"
#include "phase.h"
#include "launch.h"
#include "without_winner.h"
#include "settle.h"
#include "race.h"
#include "race_start.h"
#include "agree_on_race.h"
#include "divide.h"
#include "trial.h"
#include "isolation.h"
#include "identity.h"

static void autotune__say_untuned(autotune__statement *statement) {           /* once for each key */
    if (autotune__is_set(&statement->subject.known_key->said_untuned)) return;
    autotune__set(&statement->subject.known_key->said_untuned);
    autotune__say_of(
        AUTOTUNE_LOG_ERRORS, &statement->subject,
        "the first configuration is launched untuned: %s; a later call tunes, and to tune this key before that race "
        "begins avoids it",
        autotune__string(&statement->trial.why));
}
/* A winner that is not sure answers without its duel. */
static bool autotune__answers_as_it_is(autotune__statement *statement) {
    if (autotune__is_follower(&statement->subject.options) ||
        !autotune__recall_as_it_is(&statement->store, &statement->recalled))
        return false;
    autotune__recall_news(statement);
    return true;
}
static bool autotune__untuned_for_now(autotune__statement *statement) {
    const bool hindered = autotune__has_text(&statement->trial.why);
    if (autotune__answers_as_it_is(statement)) return true;
    if (statement->tune_only && statement->subject.mode != AUTOTUNE_CACHED)
        autotune__report(statement, AUTOTUNE_ERR_MISS, "nothing was tuned: %s",
                         hindered ? autotune__string(&statement->trial.why)
                                  : "the winner is being looked for further out");
    else if (hindered) autotune__say_untuned(statement);
    return autotune__seek_first(statement);
}
/* Rows of a list that equal an earlier one are not tried again. */
static void autotune__say_repeated(const autotune__subject *subject) {
    const autotune__space *space = &subject->space;
    size_t a, d, row, repeated;
    for (d = a = 0; d < space->dimension_count; d++) {
        for (row = repeated = 0; space->dimensions[d].repeated && row < space->dimensions[d].count; row++)
            repeated += space->dimensions[d].repeated[row];
        while (space->axes[a].dimension < d) a++;
        if (repeated)
            autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "%lu of the %lu values of %s equal earlier ones: each is "
                             "tried once", (unsigned long)repeated, (unsigned long)space->dimensions[d].count,
                             space->dimensions[d].table ? "CONFIGS" : space->axes[a].name);
    }
}
static bool autotune__start_race(autotune__statement *statement) {
    const autotune_options *o = &statement->subject.options;
    autotune_status status = autotune__snapshot(&statement->trial.memories, o, statement->subject.backend);
    autotune__beginning beginning;
    autotune__limits limits;
    if (status != AUTOTUNE_OK) {
        autotune__stop_racing(statement);
        if (autotune__class_of(statement->subject.backend, status) == AUTOTUNE_ERROR_CONFIGURATION)
            return autotune__stay_unsaved(statement, status);
        autotune__report(statement, status, "the buffers cannot be saved (%s), so the call was not made",
                         autotune__reason(&statement->trial, status));
        return autotune__end(statement);
    }
    statement->trial.apart = o->restore.count || o->zero.count || o->setup || autotune__is_cold(&statement->trial);
    statement->trial.clock = autotune__clock_of(statement->subject.backend);
    memset(&beginning, 0, sizeof beginning);
    beginning.limits = autotune__limits_of(statement, statement->trial.clock.tick_ns);
    autotune__say_repeated(&statement->subject);
    autotune__enter_race(&statement->store);
    autotune__gather_beginning(statement, &beginning);
    if (!autotune__is_together(statement)) statement->agreed = beginning;
    else if (!autotune__begin_together(statement, &beginning)) return true;
    limits = statement->agreed.limits;
    statement->trial.clock.tick_ns = limits.tick_ns;
    if (statement->prior.again.due) autotune__limit_to_duel(&limits, statement->prior.again.race.seconds);
    if (statement->prior.former.goes_on) autotune__limit_to_rest(&limits, statement->prior.former.seconds);
    if (autotune__is_together(statement)) autotune__divide(statement, &limits);
    autotune__set_up_race(statement, &limits);
    statement->trial.watch.began = statement->trial.watch.stopped = autotune__clock_now(&statement->subject);
    autotune__begin_watch(&statement->trial);
    autotune__begin_race(statement, 0);
    autotune__plan_isolation(statement);
    return true;
}
/* False: the backend does not work here. */
static bool autotune__backend_is_ready(autotune__statement *statement) {
    const autotune_status status =
        statement->subject.backend->ready ? statement->subject.backend->ready(statement->subject.backend) : AUTOTUNE_OK;
    if (status == AUTOTUNE_REJECTED) {
        statement->not_now = true;
        if (statement->subject.mode != AUTOTUNE_REQUIRE) statement->subject.mode = AUTOTUNE_CACHED;
    } else if (status != AUTOTUNE_OK) {
        autotune__report(statement, status, "%s; the call was not made", autotune__reason(&statement->trial, status));
        return false;
    }
    return true;
}
/* The longest time, in nanoseconds, to wait for another race: as long as a race of this statement may take, but at most
   a minute. */
static uint64_t autotune__longest_wait(const autotune__statement *statement) {
    const autotune__limits limits = autotune__limits_of(statement, 0);
    const double seconds = limits.seconds + limits.screen_seconds;
    return (uint64_t)((seconds < 60 ? seconds + 0.1 : 60) * 1e9);
}
/* Returns for how long the process was stopped in the pause: that is no waiting. */
static uint64_t autotune__pause_thread(const autotune__statement *statement, long milliseconds) {
    const uint64_t began = autotune__wait_clock();
    autotune__set_cancellation(statement->turn.cancellation);
    autotune__sleep_ns((uint64_t)milliseconds * 1000000);
    autotune__hold_cancellation();
    return autotune__stopped_ns(began, autotune__wait_clock());
}
/* Takes the turn among the threads, then among the processes. While another process races the key, the turn among the
   threads is released, so that other threads may use the device. */
static bool autotune__take_turn(autotune__statement *statement) {
    const uint64_t longest_wait = autotune__longest_wait(statement);
    uint64_t stopped_ns = 0;
    long pause = 1;
    if (statement->subject.mode == AUTOTUNE_ONLINE)
        return autotune__answers_as_it_is(statement) || autotune__begin_online(statement);
    if (autotune__leaves_race_to_first(statement)) { autotune__recall_news(statement); return true; }
    if (statement->prior.again.due && !autotune__is_free(&statement->turn) && autotune__answers_as_it_is(statement))
        return true;
    for (;; pause += pause < 20) {
        switch (autotune__look_up_or_claim(&statement->turn, longest_wait, &statement->entry, &statement->trial.why)) {
        case AUTOTUNE__KNOWN: return autotune__launch_known(statement);
        case AUTOTUNE__MISSED: return autotune__miss_winner(statement);
        case AUTOTUNE__UNTUNED: return autotune__untuned_for_now(statement);
        default: break;
        }
        if (autotune__failed_before(statement)) {
            autotune__stop_racing(statement);
            return autotune__fail_again(statement);
        }
        switch (autotune__try_key(&statement->store, &statement->recalled, longest_wait + stopped_ns,
                                  &statement->trial.why)) {
        case AUTOTUNE__OURS: return autotune__start_race(statement);
        case AUTOTUNE__ANSWERED:
            autotune__stop_racing(statement);
            autotune__recall_news(statement);
            return true;
        case AUTOTUNE__GIVEN_UP:
            autotune__stop_racing(statement);
            return autotune__untuned_for_now(statement);
        default:
            autotune__stop_racing(statement);
            stopped_ns += autotune__pause_thread(statement, pause);
        }
    }
}
static bool autotune__find_or_race(autotune__statement *statement) {
    autotune__space *space = &statement->subject.space;
    autotune__text text = { NULL, false };
    const char *problem;
    if (!space->no_memory) autotune__finish_space(space);
    if (space->no_memory) {
        autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                         "out of memory for the values of the axes; the call was not made");
        return autotune__end(statement);
    }
    if (!space->points) {
        autotune__report(statement, AUTOTUNE_ERR_SPACE, "the space is empty, so the call was not made: %s",
                         space->problem ? space->problem : "an axis has no value");
        return autotune__end(statement);
    }
    problem = autotune__option_problem(&text, &statement->subject.options) ? autotune__string(&text)
            : space->problem ? space->problem
            : space->points == SIZE_MAX ? "the space has more points than can be numbered: give fewer values" : NULL;
    if (problem) (void)autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT, problem);
    autotune__free_text(&text);
    if (statement->status != AUTOTUNE_OK || statement->subject.mode == AUTOTUNE_OFF || statement->refused)
        return autotune__seek_first(statement);
    if (!autotune__backend_is_ready(statement)) return autotune__end(statement);
    if (!autotune__identify(statement))
        return autotune__stay_untuned(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
    if (!statement->group.joined) autotune__choose_mode(statement);
    if (autotune__finds_winner(statement)) {
        autotune__leave_group(&statement->group);
        return autotune__launch_known(statement);
    }
    if (statement->group.ranks && !statement->group.joined)
        return autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT,
                                      autotune__is_in_trial_of_rank()
                                          ? "this rank is in a trial that it makes alone"
                                          : "another thread is in a statement of these ranks just now, and they come "
                                            "one at a time, in the same order on all ranks");
    if (statement->group.joined) {
        if (!autotune__meet_ranks(statement)) return true;
    } else if (!statement->not_now) (void)autotune__recall_winner(&statement->store, &statement->recalled);
    return statement->recalled.count ? autotune__recall_next(statement) : autotune__take_turn(statement);
}
