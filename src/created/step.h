/* autotune_step_begin() and autotune_step_end(): a call of a created tuner in two halves. Mode ONLINE measures some of
   these calls. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "description.h"
#include "call.h"

/* Tickets that belong to no open step.
   autotune__not_measured: the step is not measured.
   autotune__is_ended: the step has ended. */
static const uint64_t autotune__not_measured = 0, autotune__is_ended = UINT64_MAX;

static __attribute__((__cold__)) void autotune__begin_step(autotune_tuner *tuner, autotune_options *options,
                                                           autotune_step *step) {
    autotune__statement *statement;
    autotune__bound_config bound;
    autotune__run run
        __attribute__((__cleanup__(autotune__leave))) = { &tuner->site, options->result, NULL, NULL, false, false, 0 };
    autotune__started(&run, autotune__begin_any(run.site, options, true));
    memset(&bound, 0, sizeof bound);
    if (run.slot && !run.tuning) {
        autotune__entry *known = autotune__entry_of(run.slot);
        if (autotune__admits_known(&bound, tuner, options, &known->result.config)) {
            step->config = known->result.config;
            if (autotune__measured_calls.count_unmeasured_step) autotune__measured_calls.count_unmeasured_step(known);
            return;
        }
        autotune__started(&run, autotune__begin_again(run.site, options));
    }
    if (!run.tuning) return;
    if (!run.slot) run.slot = autotune__enter(tuner, run.tuning, AUTOTUNE__TASK_CALL);
    if (!autotune__judge_until_launch(&bound, tuner, &run)) return;
    statement = autotune__statement_of(run.tuning);
    step->config = statement->result.config;
    if (statement->head.phase == AUTOTUNE__CALLING_MEASURED) {
        autotune__measured_calls.begin_step(statement, step);
        run.tuning = NULL;                      /* the race keeps the statement until the step ends */
    } else (void)autotune__next(&statement->head, true);
}
AUTOTUNE__API autotune_status autotune_step_begin(autotune_tuner *tuner, const autotune_options *given,
                                                  autotune_step *step) {
    autotune_options options;
    autotune_result result;
    if (step) memset(step, 0, sizeof *step);    /* not measured */
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

AUTOTUNE__API autotune_status autotune_step_end(autotune_step *step, double ns) {
    const uint64_t ticket = step ? step->ticket : autotune__is_ended;
    autotune_status status;
    autotune__ready();
    if (step) step->ticket = autotune__is_ended;
    if (ticket == autotune__not_measured) return AUTOTUNE_OK;
    if (ticket != autotune__is_ended && autotune__measured_calls.end_step &&
        autotune__measured_calls.end_step(step->key, ticket, ns, &status))
        return status;
    autotune__complain("autotune_step_end: this step is not open: it was ended before, its tuner was destroyed, or "
                       "other calls no longer waited for it");
    return AUTOTUNE_ERR_ARGUMENT;
}
