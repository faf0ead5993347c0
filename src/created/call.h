/* autotune_tune(), and autotune_call() on a miss. These functions run the loop of a statement, as the macros do at a
   call site. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "description.h"

/* The configuration for callbacks. The filters of its first `passed` axes have returned true, or are NULL. */
typedef struct autotune__bound_config {
    autotune_config config;
    const char *labels[AUTOTUNE_MAX_AXES];
    size_t passed;
} autotune__bound_config;
static void autotune__bind(autotune__bound_config *bound, const autotune_tuner *tuner,
                           const autotune__statement *statement) {
    const autotune__space *space = statement->subject.space;
    size_t a, changed = space->axis_count;
    for (a = 0; a < space->axis_count; a++) {
        if (a < changed && bound->config.values[a] != space->value[a]) changed = a;
        bound->config.values[a] = space->value[a];
        bound->labels[a] = space->axes[a].labels[space->dimensions[space->axes[a].dimension].digit];
    }
    if (bound->passed > changed) bound->passed = changed;
    bound->config.index = space->located;
    bound->config.count = space->axis_count;
    bound->config.names = tuner->names;
    bound->config.labels = bound->labels;
    bound->config.types = tuner->types;
}
/* Asks the filters in the order of the axes. Each filter sees only the axes up to its own axis. */
static bool autotune__admits(autotune__bound_config *bound, const autotune_tuner *tuner, void *user) {
    const size_t count = bound->config.count;
    for (; bound->passed < count; bound->passed++) {
        bound->config.count = bound->passed + 1;
        if (tuner->filters[bound->passed] && !tuner->filters[bound->passed](user, &bound->config)) break;
    }
    bound->config.count = count;
    return bound->passed == count && (!tuner->desc.where || tuner->desc.where(user, &bound->config));
}
static void autotune__judge_created(autotune__bound_config *bound, const autotune_tuner *tuner,
                                    autotune__statement *statement) {
    const autotune__space *space = statement->subject.space;
    const autotune_desc *desc = &tuner->desc;
    void *const user = statement->subject.options.user;
    bool admitted;
    autotune__bind(bound, tuner, statement);
    admitted = autotune__admits(bound, tuner, user);
    if (bound->passed < space->axis_count)
        statement->trial.answer.refused += autotune__points_left_below(space, space->axes[bound->passed].dimension);
    if (admitted && desc->priority) autotune__priority(&statement->head, desc->priority(user, &bound->config), 0);
    if (admitted && desc->model) autotune__model(&statement->head, desc->model(user, &bound->config));
    if (admitted) autotune__admit(&statement->head);
    else autotune__refuse_point(&statement->head,
                          bound->passed < space->axis_count ? ".where of an axis" : ".where of the tuner");
}
/* Returns the configuration for launch(). In the call for real its strings outlive the call, if memory allows. */
static const autotune_config *autotune__to_launch(autotune__bound_config *bound, const autotune_tuner *tuner,
                                                  const autotune__statement *statement) {
    if (autotune__is_for_real(statement) && statement->result.config.count) return &statement->result.config;
    autotune__bind(bound, tuner, statement);
    return &bound->config;
}

/* Begins a statement on a miss, with the space of the tuner. */
static const uint64_t *autotune__enter(autotune_tuner *tuner, autotune__tuning *tuning, autotune__task task) {
    autotune__statement *statement = autotune__statement_of(tuning);
    *statement->subject.space = tuner->space;
    autotune__plan_task(statement, task);
    memcpy(&statement->subject.code, &tuner->desc.launch, sizeof statement->subject.code);
    return autotune__next(tuning, false);
}
/* Moves to the next launch of the statement, and judges all points before it. Returns false if the statement ends. */
static bool autotune__judge_until_launch(autotune__bound_config *bound, const autotune_tuner *tuner,
                                         autotune__run *run) {
    while (run->slot && autotune__judges(run->tuning)) {
        autotune__judge_created(bound, tuner, autotune__statement_of(run->tuning));
        run->slot = autotune__go_on(run);
    }
    return run->slot != NULL;
}
/* Returns true if the filters admit the known winner. Only a key with an ANCHOR, or AUTOTUNE_CHECKS, makes the library
   ask the filters. */
static __attribute__((__cold__)) bool autotune__admits_known(autotune__bound_config *bound, autotune_tuner *tuner,
                                                             const autotune_options *options,
                                                             const autotune_config *known) {
    if (!autotune__mark_of_filters(&tuner->site, options)) return true;
    bound->config = *known;
    bound->passed = 0;
    return autotune__admits(bound, tuner, options->user) || autotune__report_refused(&tuner->site);
}
/* Makes or tunes a call. again: the known winner was refused, so the call makes a detour with another configuration. */
static __attribute__((__noinline__)) autotune_status autotune__run_statement(autotune_tuner *tuner,
                                                                     const autotune_options *given,
                                                                     autotune__task task, bool again) {
    const bool calls = task == AUTOTUNE__TASK_CALL;
    autotune_options options = *given;
    autotune_result result;
    autotune__bound_config bound;
    const autotune_config *config;
    if (!options.user) options.user = tuner->desc.user;
    if (!options.result) options.result = &result;
    autotune__ready();
    if (!calls && autotune__mode_of(&options) == AUTOTUNE_ONLINE) options.mode = AUTOTUNE_CACHED;   /* ONLINE tunes only
                                                                                                       in calls */
    memset(&bound, 0, sizeof bound);
    do {
        autotune__run run __attribute__((__cleanup__(autotune__leave))) =
            { &tuner->site, options.result, NULL, NULL, false, false, 0 };
        autotune__started(&run, again   ? autotune__begin_again(run.site, &options)
                                : calls ? autotune__begin(run.site, &options)
                                        : autotune__begin_any(run.site, &options, false));
        if (run.tuning && !run.slot) run.slot = autotune__enter(tuner, run.tuning, task);
        else if (run.slot && !calls) {
            options.result->launches = 0;
            break;
        }
        for (; run.slot; run.slot = autotune__go_on(&run)) {
            autotune__statement *statement =
                autotune__acts_as_hit(run.tuning) ? NULL : autotune__statement_of(run.tuning);
            if (statement && !autotune__judge_until_launch(&bound, tuner, &run)) break;
            config = statement ? autotune__to_launch(&bound, tuner, statement)
                               : &autotune__entry_of(run.slot)->result.config;
            run.done = !autotune__is_unjudged(run.tuning) || autotune__admits_known(&bound, tuner, &options, config);
            if (run.done) autotune__take_status(&run, (int)tuner->desc.launch(options.user, config));
            else run.refused = true;
        }
        again = autotune__is_refused(&run) && !again;
    } while (again);
    return options.result->status;
}

static autotune_options autotune__no_options;
AUTOTUNE__INLINE bool autotune__is_tuner(const autotune_tuner *tuner, const char *function) {
    if (!tuner) {
        autotune__ready();
        autotune__complain("%s: the tuner is NULL: the message of autotune_create() says why", function);
    }
    return tuner != NULL;
}
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options) {
    if (!autotune__is_tuner(tuner, "autotune_tune")) return AUTOTUNE_ERR_ARGUMENT;
    return autotune__run_statement(tuner, options ? options : &autotune__no_options, AUTOTUNE__TASK_TUNE, false);
}
