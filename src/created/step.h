/* autotune_step_begin() and autotune_step_end(): a call of an online race in two halves. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "description.h"
#include "call.h"

/* A ticket of a step that is measured is a number from 1 on; what is known of its key is in step->key. Those up to the
   last one before autotune_shutdown() name keys that are gone. */
static const uint64_t autotune__not_measured = 0, autotune__is_ended = UINT64_MAX;
static uint64_t autotune__last_ticket, autotune__last_shut_ticket;

/* The statement leaves its thread: the step may end in another. */
static void autotune__keep_step(autotune__statement *statement, autotune_step *step) {
    autotune__known_key *known_key = statement->subject.known_key;
    autotune__launch_tells_nothing(&statement->trial);  /* a step may be launched later, and end long after that */
    autotune__stop_device_clock(statement->ongoing);   /* the time is told by autotune_step_end() */
    autotune__leave_place(statement->ongoing);
    autotune__clear_text(&statement->trial.why);        /* it has seen no launch so far */
    statement->trial.launch_status = AUTOTUNE_OK;
    statement->trial.watch.started = autotune__clock_now(&statement->subject);
    autotune__current = statement->outer;
    autotune__set_outer(statement, NULL);
    step->key = known_key;
    step->ticket = __atomic_add_fetch(&autotune__last_ticket, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&known_key->passed_steps, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&known_key->open_step, step->ticket, __ATOMIC_RELEASE);
}
/* A step of this key is open while others begin and end: in the end nobody waits for it any more. */
static void autotune__pass_open_step(autotune__known_key *known_key) {
    const size_t most = 1000;
    const uint64_t ticket = __atomic_load_n(&known_key->open_step, __ATOMIC_RELAXED);
    autotune__statement *given_up;
    if (!ticket || __atomic_add_fetch(&known_key->passed_steps, 1, __ATOMIC_RELAXED) <= most ||
        !autotune__close_step(known_key, ticket))
        return;
    given_up = known_key->ongoing->statement;
    autotune__complain("autotune_step_begin: a step of '%s' did not end while %lu others began, and is no longer "
                       "measured: autotune_step_end() belongs to each autotune_step_begin()",
                       given_up->subject.name, (unsigned long)most);
    autotune__hand_back(given_up);
}
/* The step runs a configuration that is known, and is not measured. */
static void autotune__take_known_step(const autotune__entry *entry, autotune_step *step) {
    step->config = entry->result.config;
    if (entry->known_key && autotune__mark_of(entry))          /* it is in use in an online race, and no stand-in */
        autotune__pass_open_step(entry->known_key);
}
/* The step is the next launch of the statement. Returns true if the step is measured; the statement then waits for its
   end. */
static bool autotune__take_step(autotune__statement *statement, autotune_options *options, autotune_step *step) {
    step->config = statement->result.config;
    if (statement->head.phase == AUTOTUNE__CALLING_MEASURED) {
        autotune_result *result = options->result;
        autotune__tell_ongoing(statement->ongoing, statement->ongoing->row, &statement->result);
        *result = autotune__shown(&statement->result);
        statement->subject.options.result = NULL;
        autotune__keep_step(statement, step);
        return true;
    }
    (void)autotune__next(&statement->head, true);
    return false;
}
static __attribute__((__cold__)) void autotune__begin_step(autotune_tuner *tuner, autotune_options *options,
                                                           autotune_step *step) {
    autotune__bound_config bound;
    autotune__run run
        __attribute__((__cleanup__(autotune__leave))) = { &tuner->site, options->result, NULL, NULL, false, false, 0 };
    autotune__started(&run, autotune__begin_any(run.site, options, true));
    memset(&bound, 0, sizeof bound);
    if (run.slot && !run.tuning) {
        autotune__entry *known = autotune__entry_of(run.slot);
        if (autotune__admits_known(&bound, tuner, options, &known->result.config)) {
            autotune__take_known_step(known, step);
            return;
        }
        autotune__started(&run, autotune__begin_again(run.site, options));
    }
    if (!run.tuning) return;
    if (!run.slot) run.slot = autotune__enter(tuner, run.tuning, AUTOTUNE__AIM_CALL);
    if (autotune__judges_until_launch(&bound, tuner, &run) &&
        autotune__take_step(autotune__statement_of(run.tuning), options, step)) run.tuning = NULL;
}
AUTOTUNE__API autotune_status autotune_step_begin(autotune_tuner *tuner, const autotune_options *given,
                                                  autotune_step *step) {
    autotune_options options;
    autotune_result result;
    if (step) memset(step, 0, sizeof *step);    /* it is not measured */
    if (!autotune__is_tuner(tuner, "autotune_step_begin")) return AUTOTUNE_ERR_ARGUMENT;
    if (!step) {
        autotune__complain("autotune_step_begin: step is NULL: it gets the configuration to run");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    options = given ? *given : autotune__no_options;
    if (options.mode == AUTOTUNE_ON || options.mode == AUTOTUNE_FORCE) options.mode = AUTOTUNE_ONLINE;
    if (autotune__refuses_step(&options)) return AUTOTUNE_ERR_ARGUMENT;
    if (options.watch && !autotune__is_watched(options.watch)) options.watch = 0;
    if (!options.user) options.user = tuner->desc.user;
    if (!options.result) options.result = &result;
    autotune__clear_result(options.result);
    autotune__begin_step(tuner, &options, step);
    return options.result->status;
}

/* Returns true if the step was open. It is open no longer then, and the caller has the race of its key. */
static bool autotune__takes_step(autotune__known_key *known_key, uint64_t ticket) {
    return ticket != autotune__is_ended && ticket > autotune__last_shut_ticket && known_key &&
           autotune__close_step(known_key, ticket);
}
AUTOTUNE__API autotune_status autotune_step_end(autotune_step *step, double ns) {
    const uint64_t ticket = step ? step->ticket : autotune__is_ended;
    autotune__known_key *const known_key = step ? (autotune__known_key *)step->key : NULL;
    autotune__statement *statement;
    autotune_status status;
    bool failed;
    autotune__ready();
    if (step) step->ticket = autotune__is_ended;
    if (ticket == autotune__not_measured) return AUTOTUNE_OK;
    if (!autotune__takes_step(known_key, ticket)) {
        autotune__complain("autotune_step_end: this step is not open: it was ended before, its tuner was destroyed, or "
                           "others did not wait for it any longer");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    statement = known_key->ongoing->statement;
    if (autotune__are_nan(autotune__bits(ns)))
        ns = autotune__passed_ns(statement->trial.watch.started, autotune__clock_now(&statement->subject));
    failed = ns < 0 || !autotune__is_definite(ns);
    if (failed) statement->trial.launch_status = AUTOTUNE_FAILED;
    autotune__take_measured(statement->ongoing, failed ? 0 : ns);
    status = statement->trial.launch_status;
    autotune__end_measured(statement->ongoing, status);
    autotune__hand_back(statement);
    return status;
}
