/* The first call of a key in mode ONLINE: lists the configurations, and begins the race. With .watch also the first
   watched call of a winner that this process did not find online. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../online/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"
#include "end.h"
#include "ranks.h"
#include "race.h"
#include "measure.h"

/* Prepares the race, and begins to list the configurations. All ranks use the prior knowledge of the first rank.
   Returns false if no race begins. */
static bool autotune__begin_listing(autotune__statement *statement) {
    const autotune_options *o = &statement->subject.options;
    const double seconds = autotune__environment.max_seconds > 0 ? autotune__environment.max_seconds : o->max_seconds;
    autotune__beginning beginning = { statement->limits, o->max_loss > 0 ? o->max_loss : 0.05,
                                      seconds > 0 ? seconds : 0.1 };
    autotune__race_setup setup;
    if (statement->trial.peers && !statement->trial.peers->begin_race(statement, &beginning)) return false;
    autotune__describe_race(statement, &setup);
    autotune__prepare_online(&statement->call_race->online, &setup, &beginning.limits, beginning.max_loss,
                             beginning.allowance_seconds);
    autotune__write_at_exit();
    autotune__begin_to_list(statement);
    return true;
}
/* Makes the first call of the race once all points are judged. Returns false if the statement has ended. */
static bool autotune__make_first_call(autotune__statement *statement) {
    autotune__call_race *call_race = statement->call_race;
    autotune__race *race = &call_race->online.race;
    bool calls;
    if (call_race->online.stage == AUTOTUNE__DECIDED && race->outcome.winner == SIZE_MAX) {
        if (autotune__lacks_memory(race))
            return autotune__give_up_online(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
        autotune__end_call_race(statement);
        return autotune__end_without_any(statement);
    }
    if (call_race->online.stage == AUTOTUNE__DECIDED) {           /* the only configuration wins */
        const size_t index = race->rows[race->outcome.winner].index;
        autotune__summarise(race, &statement->result);
        autotune__end_call_race(statement);
        autotune__settle(statement, index, 0, NULL);
        return autotune__launch_for_real(statement, AUTOTUNE__CALLING_WINNER);
    }
    autotune__take_handover(&call_race->online, statement->prior.work);
    (void)autotune__enter_place(call_race, statement->subject.options.autotune__place);
    calls = autotune__begin_measured(call_race);
    if (!calls && call_race->online.stage == AUTOTUNE__DECIDED) {         /* each configuration was skipped, since
                                                                           its launches ended earlier runs */
        autotune__summarise(race, &statement->result);
        return autotune__end_all_failed(statement, race);
    }
    if (!autotune__all_make_first_call(call_race)) return statement->head.phase != AUTOTUNE__ENDED;
    if (!calls) return autotune__give_up_online(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
    /* If the statement has the turn, other threads wait for this call, and no row is in use before its end. */
    if (!autotune__has_turn(&statement->turn)) autotune__show_in_use(call_race);
    return true;
}
/* Asks the loop to judge the next point. After the last point makes the first call. Returns true if the next iteration
   is decided. Returns false if the statement has ended, or seeks the first configuration. */
static bool autotune__list_configurations(autotune__statement *statement, const autotune__answer *answer) {
    if (answer && statement->trial.peers) statement->trial.peers->step_past_point(&statement->trial);
    if (!autotune__online_evaluate(&statement->call_race->online, answer, &statement->trial.request))
        return autotune__make_first_call(statement) && statement->head.phase != AUTOTUNE__SEEKING;
    autotune__judge(statement, statement->trial.request.index);
    return true;
}
/* Takes the answer of an iteration that listed a configuration, or made a call. */
static bool autotune__take_online_answer(autotune__statement *statement, bool done, uint64_t stopped) {
    return statement->head.phase == AUTOTUNE__LISTING
               ? autotune__list_configurations(statement, &statement->trial.answer)
               : autotune__end_body(statement, done, stopped);
}
static const char *autotune__online_problem(const autotune__statement *statement) {
    const autotune_backend *b = statement->subject.options.backend;
    if (b && (b->prepare || ((b->start || b->open) && !(b->clock_call && b->ask))))
        return "mode ONLINE needs a backend whose clock is now() alone, or one with clock_call() and ask(), and "
               "without prepare()";
    if (statement->subject.space->points > AUTOTUNE_MAX_POINTS)
        return "mode ONLINE lists the space in the first call, and this one has more than AUTOTUNE_MAX_POINTS (2^24) "
               "points: give fewer values, or tune in mode ON, which draws points";
    return autotune__why_peers_cannot_measure(statement);
}
static autotune__call_race *autotune__make_call_race(autotune__statement *statement) {          /* NULL: no memory */
    autotune__call_race *call_race = (autotune__call_race *)autotune__allocate(sizeof *call_race);
    if (!call_race) return NULL;
    call_race->statement = statement;
    call_race->published = SIZE_MAX;
    return call_race;
}
/* Makes this race the race of the key, and takes the call lock. If the key was cleared, its earlier race is freed.
   Returns true if the race is registered, and this thread holds the call lock. Returns false if another thread holds
   the call lock, or if the key has an entry in use. `statement->entry` becomes the entry in use, or a copy of the entry
   for the statement's call site and backend. NULL: the key has no entry in use, or there is no memory for a copy. */
static bool autotune__register_race(autotune__statement *statement, autotune__call_race *call_race) {
    autotune__subject *subject = &statement->subject;
    autotune__known_key *known_key = subject->known_key;
    autotune__call_race *cleared = NULL;
    bool locked;
    autotune__lock_mutex(&autotune__lock);
    locked = autotune__take_call_lock(known_key);
    if (locked && !known_key->in_use) {
        cleared = known_key->calls.race;
        known_key->calls.race = NULL;
    }
    statement->entry = known_key->in_use ? autotune__find_entry_in_use(subject->site, &subject->options) : NULL;
    if (known_key->in_use && !statement->entry)
        statement->entry = autotune__entry_like(known_key->in_use, subject->site, &subject->options);
    if (locked && !statement->entry && !known_key->calls.race) known_key->calls.race = statement->call_race = call_race;
    else if (locked) autotune__release_call_lock(known_key);
    autotune__unlock_mutex(&autotune__lock);
    autotune__free_unfinished(cleared);
    return statement->call_race != NULL;
}
/* Begins the race of a statement on a miss in mode ONLINE. If the race cannot begin, the statement makes its call
   without a race. Returns true if the loop goes on. */
static bool autotune__begin_online(autotune__statement *statement) {
    const char *problem = autotune__online_problem(statement);
    autotune__call_race *call_race;
    autotune__process_turn turn;
    autotune_status status;
    if (problem) return autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT, problem);
    if (!(call_race = autotune__make_call_race(statement)))
        return autotune__stay_untuned(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
    if (!autotune__register_race(statement, call_race)) {
        autotune__free(call_race);
        return statement->entry ? autotune__launch_known(statement) : autotune__seek_first(statement);
    }
    /* Tests if the backend can measure a call at the place of the launches. If the backend cannot, there is no race. */
    status = autotune__enter_place(call_race, statement->subject.options.autotune__place);
    autotune__leave_place(call_race);
    if (status != AUTOTUNE_OK)
        return autotune__give_up_online(statement, status, autotune__reason(&statement->trial, status));
    turn = autotune__try_key(&statement->store, &statement->trial.why);
    if (turn == AUTOTUNE__UNKNOWN) return autotune__give_up_online(statement, AUTOTUNE_ERR_MEMORY, "out of memory");
    if (turn == AUTOTUNE__ANSWERED) {
        autotune__end_call_race(statement);
        autotune__recall_new_winner(statement);
        return true;
    }
    if (!statement->plan.in_process) autotune__in_children.plan(statement);
    if (autotune__begin_listing(statement)) return autotune__list_configurations(statement, NULL);
    autotune__end_call_race(statement);
    return true;
}
/* Begins to watch a winner that was not found by an online race of this process. If the time of the winner changes, the
   winner is forgotten, and the next call begins a race. Returns true if the loop goes on. */
static bool autotune__watch_known(autotune__statement *statement) {
    autotune__entry *const winner = statement->entry;
    autotune__call_race *call_race = autotune__online_problem(statement) ? NULL : autotune__make_call_race(statement);
    const bool begins = call_race && autotune__register_race(statement, call_race) &&
                        autotune__begin_listing(statement);
    statement->entry = winner;
    if (!begins) { autotune__free(call_race); return autotune__launch_known(statement); }
    (void)autotune__enter_place(call_race, statement->subject.options.autotune__place);
    if (autotune__new_row(&call_race->online.race, winner->result.index) && autotune__begin_watching(call_race, 0) &&
        autotune__begin_measured(call_race))
        return true;
    autotune__end_call_race(statement);
    return autotune__launch_known(statement);
}
