/* autotune_add() queues cases, and autotune_tune_all() tunes them one after the other. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../store/floor.h"
#include "../statement/floor.h"
#include "description.h"
#include "create.h"
#include "call.h"

AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options) {
    autotune__text problem AUTOTUNE__FREED = { NULL, false };
    autotune__case added;
    if (!autotune__is_tuner(tuner, "autotune_add")) return AUTOTUNE_ERR_ARGUMENT;
    autotune__ready();
    if (!options) options = &autotune__no_options;
    if (autotune__option_problem(&problem, options)) {
        autotune__complain("autotune_add to '%.64s': %s; the case was not queued", tuner->site.function,
                           autotune__string(&problem));
        return AUTOTUNE_ERR_ARGUMENT;
    }
    added.tuner = tuner;
    if ((added.strings = autotune__copy_options(&added.options, options)) != NULL) {
        AUTOTUNE__WITH_LOCK(&autotune__lock);
        if (AUTOTUNE__PUSH(autotune__cases, added)) return AUTOTUNE_OK;
    }
    autotune__free(added.strings);
    autotune__complain("autotune_add to '%.64s': out of memory; the case was not queued", tuner->site.function);
    return AUTOTUNE_ERR_MEMORY;
}

AUTOTUNE__API autotune_status autotune_tune_all(void) {
    autotune_status first = AUTOTUNE_OK, status;
    autotune__case now;
    autotune__ready();
    while (autotune__take_case(NULL, &now)) {
        char *strings AUTOTUNE__OWNED = now.strings;            /* a launch() in C++ may throw */
        status = autotune__run_statement(now.tuner, &now.options, AUTOTUNE__TASK_TUNE, false);
        if (first == AUTOTUNE_OK) first = status;
    }
    return first;
}
