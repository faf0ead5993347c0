/* A call of an online race: makes it for real with the row that the rule chooses, and tells the rule its time. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../online/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"
#include "race.h"
#include "open_calls.h"
#include "ranks.h"

/* Fills `configs` up to this row, with strings that outlive the call. Returns false if there is no memory. */
static bool autotune__configure_row(autotune__call_race *call_race, size_t row) {
    autotune__space *space = call_race->statement->subject.space;
    autotune_config config;
    while (autotune__count(call_race->configs) <= row) {
        const size_t next = autotune__count(call_race->configs);
        if (!autotune__configure(space, call_race->online.race.rows[next].index, &config) ||
            !AUTOTUNE__PUSH(call_race->configs, config))
            return false;
    }
    return true;
}
/* Makes the loop run this row next. */
static void autotune__run_row(autotune__call_race *call_race, size_t row) {
    autotune__statement *statement = call_race->statement;
    autotune__space *space = statement->subject.space;
    const autotune__row *next = &call_race->online.race.rows[row];
    const bool configured = autotune__configure_row(call_race, row);
    call_race->call.row = row;
    autotune__locate(space, next->index);
    if (configured) {
        statement->result.config = call_race->configs[row];
        memcpy(space->value, statement->result.config.values, sizeof statement->result.config.values);
    }
    space->value[AUTOTUNE_MAX_AXES] = next->prepared;
    statement->trial.request.index = next->index;
    __atomic_store_n(&statement->turn.trying, next->index, __ATOMIC_RELAXED);
    statement->turn.race = &call_race->online.race;
    if (!next->launches && !autotune__is_open(call_race, row)) autotune__launch_begins(&statement->trial, next->index);
    statement->trial.mishap = AUTOTUNE__NO_MISHAP;
    statement->trial.batch = 1;
    statement->trial.launches++;
    (void)autotune__begin_call(statement, AUTOTUNE__CALLING_MEASURED);
    autotune__clock_launch(call_race);
}
/* Returns the row of the next call; SIZE_MAX: no configuration works, or there is no memory. While the time of a trial
   is not known yet, other calls run the row in use. So at most one open call is slow. A configuration is skipped if its
   launches ended the program too often, or broke the device. */
static size_t autotune__next_admitted(autotune__call_race *call_race) {
    static const char why[] = "skipped: it did not come back in earlier runs";
    autotune__subject *subject = &call_race->statement->subject;
    call_race->online.backend = subject->backend;
    if (call_race->online.incumbent != SIZE_MAX && autotune__is_open(call_race, call_race->online.tried)) {
        call_race->online.chosen = false;
        return autotune__row_in_use(&call_race->online);
    }
    for (;;) {
        const size_t row = autotune__online_next(&call_race->online, call_race->call.work);
        const autotune__row *next = row == SIZE_MAX ? NULL : &call_race->online.race.rows[row];
        const unsigned flags = !next || next->launches
                                   ? 0 : autotune__prior_flags(call_race->online.race.setup.prior, next->index);
        if (!(flags & AUTOTUNE__SKIP)) return row;
        if (!subject->follows)
            autotune__complain_of(subject, "%s: %s; 'autotune clear' forgets that",
                                  autotune__name_point(subject, next->index), why);
        autotune__online_exclude(&call_race->online, row, why, !(flags & AUTOTUNE__CONVICTED));
    }
}
/* Begins a measured call. Returns false if no configuration works, or if there is no memory. */
static __attribute__((__cold__)) bool autotune__begin_measured(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    const double work = statement->subject.options.work;
    size_t row;
    autotune__clear_result(&statement->result);
    statement->status = AUTOTUNE_OK;
    statement->trial.launches = 0;
    statement->trial.answer.elapsed_ns = 0;             /* the time is unknown if the call leaves its body */
    if (autotune__is_work(work)) call_race->call.work = work > 1e-100 ? work : 1;
    else
        autotune__complain_of(&statement->subject,
                              ".work is %g: it is a number above 0; the earlier value counts", work);
    row = autotune__next_admitted(call_race);
    if (row == SIZE_MAX) return false;
    autotune__run_row(call_race, row);
    return true;
}
/* Returns true if this rank makes a rejected call again, with the incumbent. Other ranks may have made the call without
   a rejection. So this rank tries no further configuration, and does not measure the call. */
static bool autotune__is_replaced(const autotune__statement *statement) {
    return statement->trial.peers && statement->trial.launches > 1;
}
/* Tells the rule the time and the status of a call, unless this rank has made a rejected call again. With ranks, all
   ranks first agree on both. ns: 0 if the call failed. */
static __attribute__((__cold__)) void autotune__tell_rule(autotune__call_race *call_race, double ns) {
    autotune__statement *statement = call_race->statement;
    autotune__trial_state *trial = &statement->trial;
    const bool first = call_race->online.race.rows[call_race->call.row].launches == 0,
               watched = call_race->online.stage == AUTOTUNE__WATCHING;
    const size_t point = call_race->online.race.rows[call_race->call.row].index;
    autotune_status status;
    bool agreed;
    if (autotune__is_replaced(statement)) return;
    if (first) autotune__ask_verify(trial, point);
    status = trial->launch_status;
    memset(&trial->answer, 0, sizeof trial->answer);
    agreed = autotune__agree_on_call(call_race, &ns, &status);
    if (first && !autotune__is_loss_of_device(statement->subject.backend, status))
        autotune__launch_came_back(trial, point);
    if (!agreed) return;
    trial->answer.status = status;
    trial->answer.reason = trial->launch_status != AUTOTUNE_OK ? autotune__reason(trial, trial->launch_status)
                           : status != AUTOTUNE_OK ? "failed on another rank" : NULL;
    trial->answer.elapsed_ns = ns;
    trial->answer.launches = 1;
    autotune__online_take(&call_race->online, call_race->call.row, &trial->answer, call_race->call.work);
    /* The winner's time has changed, or the winner failed. Hits no longer find its entry, unless
       autotune__forget_winner() keeps the winner. */
    if (watched && call_race->online.stage != AUTOTUNE__WATCHING) {
        (void)autotune__forget_winner(statement->entry, status != AUTOTUNE_OK);
        statement->entry = NULL;
        call_race->published = SIZE_MAX;
    }
    autotune__show_in_use(call_race);
}
static const char autotune__not_again[] = "; it is not tried again";
/* If the race is over, publishes its winner, or ends the race without a winner. Else writes the race to disk from time
   to time. */
static __attribute__((__cold__)) void autotune__publish_or_write(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    const bool over = call_race->online.stage == AUTOTUNE__DECIDED,
               won = over && call_race->online.race.outcome.winner != SIZE_MAX;
    if (!over) autotune__write_unfinished(call_race, 2);
    else if (won) autotune__settle_call_race(call_race);
    else autotune__end_call_race(statement);
    autotune__agree_on_end(statement, won);
}
/* Ends a measured call: reports its failure, fills .result, and publishes or writes the race. */
static void autotune__end_measured(autotune__call_race *call_race, autotune_status status) {
    autotune__statement *statement = call_race->statement;
    const autotune_options *o = &statement->subject.options;
    autotune__leave_place(call_race);
    if (statement->status == AUTOTUNE_OK) autotune__report_call(statement, status, autotune__not_again);
    if (o->result) {
        autotune__fill_call_result(call_race, call_race->call.row, &statement->result);
        statement->result.launches = statement->trial.launches;
        statement->result.seconds = statement->trial.answer.elapsed_ns / 1e9;
        if (status == AUTOTUNE_OK && !autotune__is_work(o->work)) status = AUTOTUNE_ERR_ARGUMENT;
    }
    autotune__end_with(statement, status);
    autotune__publish_or_write(call_race);
}
/* Returns the row with which a rejected call is made again. SIZE_MAX: the call is not made again. */
static size_t autotune__row_instead(autotune__call_race *call_race) {
    const autotune__statement *statement = call_race->statement;
    const size_t row = call_race->online.incumbent;
    if (autotune__is_replaced(statement)) return SIZE_MAX;
    return row != SIZE_MAX || statement->trial.peers ? row : autotune__next_admitted(call_race);
}
/* Ends the race. The first configuration wins. */
static void autotune__stay_online_with_first(autotune__call_race *call_race) {
    call_race->online.race.rows[0].status = AUTOTUNE_OK;
    autotune__online_finish(&call_race->online, 0, AUTOTUNE_DEFAULT);
    call_race->online.race.outcome.verdict = AUTOTUNE_DEFAULT;
}
/* Ends the call and the race if all threads of an OpenMP team make the first call of the key together. Then the first
   configuration wins. Returns true if the function has ended the call. */
static bool autotune__end_call_of_team(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    const int others = __atomic_load_n(&statement->turn.team, __ATOMIC_RELAXED);
    if (!autotune__has_turn(&statement->turn) || others + 1 < autotune__team_size()) return false;
    autotune__stay_online_with_first(call_race);
    autotune__report_team(statement, statement->trial.request.index);
    autotune__end_measured(call_race, statement->status);
    return true;
}
/* Ends a call whose body was left by break, return, goto or an exception. The time of the call is unknown, so its
   configuration fails. After the second such call of the key the first configuration wins, unless the statement has
   ranks. If the call ran a watched winner, the winner does not fail. */
static void autotune__end_left_body(autotune__statement *statement) {
    autotune__call_race *call_race = statement->call_race;
    autotune__stop_device_clock(call_race);
    if (call_race->online.stage == AUTOTUNE__WATCHING) { autotune__end_measured(call_race, AUTOTUNE_OK); return; }
    autotune__append(&statement->trial.why, "left the body");
    statement->trial.launch_status = AUTOTUNE_ERR_LEFT;
    if (autotune__count_exit(statement)) autotune__stay_online_with_first(call_race);
    else autotune__tell_rule(call_race, 0);
    autotune__end_measured(call_race, AUTOTUNE_ERR_LEFT);
}
/* Ends the body of a call. done: the body was not left. stopped: the clock at its end, in ns. Returns true if the loop
   makes the call again with another configuration, since the call was rejected or nothing was launched. */
static bool autotune__end_body(autotune__statement *statement, bool done, uint64_t stopped) {
    autotune__call_race *call_race = statement->call_race;
    autotune__trial_state *trial = &statement->trial;
    const uint64_t started = trial->watch.started;
    autotune_status status;
    size_t row;
    if (!done) { autotune__end_left_body(statement); return false; }
    if (autotune__end_call_of_team(call_race)) return false;
    call_race->online.race.rows[call_race->call.row].prepared = statement->subject.space->value[AUTOTUNE_MAX_AXES];
    if (statement->subject.backend->ask && autotune__open_call(call_race)) {
        autotune__end_measured(call_race, AUTOTUNE_OK);
        return false;
    }
    if (statement->subject.backend->ask) stopped = started;   /* the launch failed, and has no time */
    autotune__tell_rule(call_race, stopped > started ? (double)(stopped - started) : 0);
    status = trial->launch_status;
    if (status == AUTOTUNE_REJECTED || trial->mishap == AUTOTUNE__NOT_LAUNCHED) {
        row = autotune__row_instead(call_race);
        if (row != SIZE_MAX) { autotune__run_row(call_race, row); return true; }
    }
    autotune__end_measured(call_race, status);
    return false;
}
/* Tells the rule the times of open calls that have ended. If the race is over, publishes its winner, or ends the race
   without a winner. Returns false if the race was ended and freed. */
static bool autotune__collect_times(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    double ns;
    while (call_race->online.stage != AUTOTUNE__DECIDED && autotune__close_call(call_race, &ns)) {
        autotune__tell_rule(call_race, ns);
        /* The open calls that began after this call ran the row in use. So the next call may try another row. */
        if (call_race->open_count && call_race->online.chosen) call_race->online.tried = SIZE_MAX;
        autotune__report_call(statement, statement->trial.launch_status, autotune__not_again);
    }
    if (call_race->online.stage != AUTOTUNE__DECIDED) return true;
    autotune__leave_place(call_race);
    autotune__publish_or_write(call_race);
    return statement->call_race != NULL;
}
/* Ends the call, and releases the call lock, so that the next call of the key may be measured. If no row is in use,
   because the key was cleared or because a row could not be published, no call would find the race. Then the race ends.
   If the race has ended, its statement is freed. */
static void autotune__end_call_and_unlock(autotune__statement *statement) {
    if (statement->call_race && !autotune__has_in_use(statement->subject.known_key)) autotune__end_call_race(statement);
    if (!statement->call_race) { autotune__free_statement(statement); return; }
    autotune__set_outer(statement, NULL);
    statement->subject.options.result = NULL;
    autotune__end_turn(&statement->turn);
    autotune__release_call_lock(statement->subject.known_key);
}
