/* Steps that are measured: a call of an online race in two halves. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"
#include "race.h"
#include "open_calls.h"
#include "measure.h"

/* A measured step has a ticket, a number from 1 on. autotune_shutdown() frees the keys of all steps that have begun,
   and notes their last ticket in autotune__last_shut_ticket. Up to this ticket the key of a step must not be read. */
static uint64_t autotune__last_ticket, autotune__last_shut_ticket;

/* Begins a step, which is the next measured call of the race. The step holds the call lock. The statement is no longer
   this thread's current statement, since the step may end in another thread. */
static void autotune__begin_measured_step(autotune__statement *statement, autotune_step *step) {
    autotune__call_race *call_race = statement->call_race;
    autotune__known_key *known_key = statement->subject.known_key;
    autotune__fill_call_result(call_race, call_race->call.row, &statement->result);
    *statement->subject.options.result = autotune__shown(&statement->result);
    statement->subject.options.result = NULL;
    autotune__withdraw_launch(&statement->trial);  /* launches of a step may come after autotune_step_begin() */
    autotune__stop_device_clock(call_race);               /* autotune_step_end() tells the time */
    autotune__leave_place(call_race);
    autotune__clear_text(&statement->trial.why);        /* no launch was made so far */
    statement->trial.launch_status = AUTOTUNE_OK;
    statement->trial.watch.started = autotune__clock_now(&statement->subject);
    autotune__current = statement->outer;
    autotune__set_outer(statement, NULL);
    step->key = known_key;
    step->ticket = __atomic_add_fetch(&autotune__last_ticket, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&known_key->calls.passed_steps, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&known_key->calls.open_step, step->ticket, __ATOMIC_RELEASE);
}
/* Counts a step that runs this entry and is not measured. If more than 1000 such steps begin while a measured step of
   the key is open, the race gives up the open step. */
static void autotune__count_unmeasured_step(const autotune__entry *entry) {
    const size_t most = 1000;
    autotune__known_key *known_key = entry->known_key;      /* a stand-in has no key */
    const uint64_t ticket = known_key ? __atomic_load_n(&known_key->calls.open_step, __ATOMIC_RELAXED) : 0;
    autotune__statement *given_up;
    if (!ticket || __atomic_add_fetch(&known_key->calls.passed_steps, 1, __ATOMIC_RELAXED) <= most ||
        !autotune__take_over_lock(known_key, ticket))
        return;
    given_up = known_key->calls.race->statement;
    autotune__complain("autotune_step_begin: a step of '%s' did not end while %lu others began, and is no longer "
                       "measured: autotune_step_end() belongs to each autotune_step_begin()",
                       given_up->subject.name, (unsigned long)most);
    autotune__end_call_and_unlock(given_up);
}
/* Ends a measured step, and tells the rule its time. ns: NaN: the time since the step began; below 0, or infinite:
   the step failed. Returns false if the step was not open. */
static bool autotune__end_measured_step(void *key, uint64_t ticket, double ns, autotune_status *status) {
    autotune__known_key *known_key = (autotune__known_key *)key;
    autotune__statement *statement;
    if (ticket <= autotune__last_shut_ticket || !known_key || !autotune__take_over_lock(known_key, ticket))
        return false;
    statement = known_key->calls.race->statement;
    if (autotune__are_nan(autotune__bits(ns)))
        ns = autotune__passed_ns(statement->trial.watch.started, autotune__clock_now(&statement->subject));
    const bool failed = ns < 0 || !autotune__is_definite(ns);
    if (failed) statement->trial.launch_status = AUTOTUNE_FAILED;
    autotune__tell_rule(statement->call_race, failed ? 0 : ns);
    *status = statement->trial.launch_status;
    autotune__end_measured(statement->call_race, *status);
    autotune__end_call_and_unlock(statement);
    return true;
}
