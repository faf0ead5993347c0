/* CC_CALL if its function is not the first in the list of the configuration. This room finds the function, or compiles
   and loads it. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "../created/floor.h"
#include "../kernels/floor.h"
#include "site.h"
#include "session.h"

static __thread autotune_status autotune__cc_status;            /* of the thread's last call that found no function */
AUTOTUNE__COLD autotune_status autotune__cc_failure(void) { return autotune__cc_status; }

/* A program is compiled once for all its functions, so that these share its static variables. In records and images
   this name stands for all functions of a program. */
static const char autotune__cc_functions[] = "functions";

static autotune__cc_function *autotune__cc_find_in_kernels(autotune__kernel_session *kernels, autotune__tuning *tuning,
                                                           const uint64_t *values, const autotune__kernel_call *call) {
    autotune__kernel *const kernel = autotune__find_kernel(kernels, tuning, values, call);
    autotune__cc_function *const function = kernel ? autotune__cc_function_in(kernel, call->function) : NULL;
    autotune__cc_status = kernel ? AUTOTUNE_FAILED : kernels->status;
    if (!kernel || function) return function;
    autotune_explain("the program has no function %s: it must not be static; C++ declares it extern \"C\", Fortran "
                     "bind(C)", call->function);
    return NULL;
}
/* Finds the function of a hit if the function is not loaded yet, or was listed by another call site. */
static autotune__cc_function *autotune__cc_find_of_hit(const uint64_t *values, const autotune__kernel_call *call) {
    static const autotune_options usual;        /* an entry has no options of its call site */
    autotune__kernel_session kernels;
    autotune__cc_function *function;
    autotune__cc_begin_kernels(&kernels, &usual);
    autotune__begin_hit_call();
    function = autotune__cc_find_in_kernels(&kernels, NULL, values, call);
    autotune__end_hit_call();
    return function;
}
/* Finds the function of a call that is no hit. The clock of the call does not count the time for this. */
static autotune__cc_function *autotune__cc_find_in(autotune__tuning *tuning, const uint64_t *values,
                                                   const autotune__kernel_call *call) {
    const autotune__aside aside = autotune__step_aside(tuning);
    autotune__cc_session *session = autotune__cc_session_in(tuning, &autotune__cc_status);
    autotune__cc_function *const function =
        session ? autotune__cc_find_in_kernels(&session->kernels, tuning, values, call) : NULL;
    if (session && !function && autotune__cc_status == AUTOTUNE_ERR_ENVIRONMENT)
        session->backend.classify = autotune__classify_by_status;
    else if (session && !function &&
             !(autotune__is_measuring(tuning) ? autotune__kernels_behind(values) != NULL : session->calls))
        autotune__refuse_call(tuning);          /* this call has called no function before */
    if (function) session->calls = true;
    autotune__step_back(tuning, &aside);
    return function;
}
AUTOTUNE__COLD autotune__cc_function *AUTOTUNE__CC_FIND(autotune__tuning *tuning, const uint64_t *values,
                                                        const void *key, autotune_cc_program *program,
                                                        const char *name) {
    const autotune__kernel_call call = { program, autotune__cc_functions, key, name };
    const autotune__listed_kernel *const listed = autotune__listed_by_key(values, key);
    const int error_number = errno;
    autotune__cc_function *const function = listed   ? listed->function.address
                                            : autotune__acts_as_hit(tuning) ? autotune__cc_find_of_hit(values, &call)
                                                     : autotune__cc_find_in(tuning, values, &call);
    errno = error_number;
    return function;
}

/* Returns true if the statement belongs to a created tuner, and launches this configuration. */
static bool autotune__launches_with(const autotune__statement *statement, const autotune_config *config) {
    autotune__site *site = statement->subject.site;
    return !site->file && (config == &statement->result.config || config->names == autotune__tuner_at(site)->names);
}
/* Returns the values of the configuration that launch() received. The word after them leads to its kernels. *tuning:
   the statement of launch(), in which other statements may run. NULL on a hit: an entry has the configuration. */
static const uint64_t *autotune__values_of_launch(const autotune_config *config, autotune__tuning **tuning) {
    const size_t behind = offsetof(autotune__entry, result.config) - offsetof(autotune__entry, value);
    autotune__statement *statement = autotune__current;
    while (statement && !autotune__launches_with(statement, config)) statement = statement->outer;
    *tuning = statement ? &statement->head : NULL;
    return statement ? statement->subject.space->value
                     : (const uint64_t *)(const void *)((const char *)config - behind);
}
AUTOTUNE__API autotune__cc_function *autotune__cc_function_with(const autotune_config *config, const void *key,
                                                                autotune_cc_program *program, const char *name) {
    autotune__run run;
    memset(&run, 0, sizeof run);
    run.slot = autotune__values_of_launch(config, &run.tuning);
    return autotune__cc_function_of(&run, key, program, name);
}
