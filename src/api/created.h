/* Created tuners: for programs that build their spaces at run time, and for bindings to other languages. A created
   tuner is tuned, cached and looked up like a call site. It has callbacks in place of the expressions of a call site.
   Any number of threads may call these functions at once. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

/* An axis. Values of all types have 8 bytes. An array of double may be cast to int64_t *. An array of pointers may be
   cast, too, if a pointer has 8 bytes. */
typedef struct autotune_axis {
    const char *name             AUTOTUNE__DEFAULT(nullptr);
    const int64_t *values        AUTOTUNE__DEFAULT(nullptr);
    size_t count                 AUTOTUNE__DEFAULT(0);          /* of values */
    /* AUTOTUNE_I64 (also 0), AUTOTUNE_F64, AUTOTUNE_STRING (a value may be NULL) or AUTOTUNE_POINTER */
    autotune_type type           AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);
    /* The names of the values in logs: `count` strings. Pointers need names. NULL: the values are their names. */
    const char *const *labels    AUTOTUNE__DEFAULT(nullptr);
    /* A filter that is called as soon as this axis has a value. partial: the axes up to this axis. False refuses all
       configurations that begin with these values, and they are not visited. So a space may have any number of points
       if the filters of its first axes leave few. */
    bool (*where)(void *user, const autotune_config *partial) AUTOTUNE__DEFAULT(nullptr);
} autotune_axis;

/* A tuner. Tuners with the same name, axes and version share their results. Callbacks get options->user; if this is
   NULL, they get user of the description. Callbacks may call every function but autotune_destroy(). A configuration is
   valid until its callback returns. where(), model() and priority() may be called any number of times, and must have no
   side effects. An exception may pass through a callback if the implementation is compiled as C++. */
typedef struct autotune_desc {
    const char *name             AUTOTUNE__DEFAULT(nullptr);    /* required */
    const autotune_axis *axes    AUTOTUNE__DEFAULT(nullptr);    /* the space is their product, last axis fastest */
    size_t axis_count            AUTOTUNE__DEFAULT(0);          /* 1 to AUTOTUNE_MAX_AXES */
    /* If this is not NULL, the space is this table: config_count rows of axis_count values. The axes then need no
       values. If an axis has values, its column may have only these values. */
    const int64_t *configs       AUTOTUNE__DEFAULT(nullptr);
    size_t config_count          AUTOTUNE__DEFAULT(0);
    bool (*where)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);      /* NULL: all are admitted */
    double (*model)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* the predicted cost: MODEL */
    int (*priority)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* PRIORITY; negative: never */
    /* Required: launches the configuration. If the result is not AUTOTUNE_OK, the configuration fails. */
    autotune_status (*launch)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);
    void *user                   AUTOTUNE__DEFAULT(nullptr);
} autotune_desc;
typedef struct autotune_tuner autotune_tuner;

/* Makes a tuner, which the caller destroys. Copies the description, its strings and labels, but not the object to which
   `user` points. NULL: the description is wrong, or there is no memory; autotune_last_error() says what to change. */
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc);
/* Frees the tuner and its queued cases; its results stay known. No call of the tuner may run or begin. In mode ONLINE
   it waits for calls of tuners of the same name that belong to a race of this tuner. Nothing happens if `tuner` is
   NULL, or if this thread is in such a call, as when launch() calls exit(). */
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner);
/* Tunes on a miss, then launches the winner, like AUTOTUNE at a call site. options: as there; NULL: no options. Returns
   the status of the launch, or the error for which nothing was launched. If an option is wrong, or tuning has no
   memory, the first configuration is launched. If this succeeds, the error is returned. A hit takes no lock. */
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options);
/* Like autotune_call(), without the last launch. AUTOTUNE_OK: the winner is known. Or the mode is OFF or CACHED,
   nothing was tuned, and .result has the first configuration. The function waits for other races on the device while
   they make progress. AUTOTUNE_ERR_MISS: another race made no progress. */
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options);
/* Queues a case for autotune_tune_all(). Copies the options and their strings. The objects to which buffers, .user,
   .result and .backend point must live until the case was tuned, or the tuner was destroyed.
   AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_MEMORY: the case was not queued. */
AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options);
/* Tunes all queued cases without a known winner, in the order in which they were added, like autotune_tune(). Cases
   that are added meanwhile are tuned, too. With AUTOTUNE_MODE=missed in the environment it tunes only cases whose keys
   production runs missed. After a failure the other cases are still tuned. Returns the first status other than
   AUTOTUNE_OK. A tuner with a queued case must not be destroyed meanwhile. Several threads that call it share cases. */
AUTOTUNE__API autotune_status autotune_tune_all(void);

/* Tuning in production if the call is no function: for instance a time step that ends at another place, or in another
   thread. Between autotune_step_begin() and autotune_step_end() the program runs step.config once, for real. */
typedef struct autotune_step {
    autotune_config config;                     /* the configuration that this step runs; after an error without axes */
    uint64_t ticket;                            /* ticket and key are for autotune_step_end() */
    void *key;
} autotune_step;
/* Begins a step of a created tuner. launch() of the tuner is not called. The modes ON, FORCE and ONLINE all mean ONLINE
   in a step. OFF, CACHED and REQUIRE mean the same as in a call. One step of a key is measured at a time; other steps
   run the best configuration so far. .result is filled in now. autotune_step_end() calls .verify, so .user must live
   until then. Any thread may call it. AUTOTUNE_OK: run step->config, then call autotune_step_end(). If an option is
   wrong, step->config is the first configuration, and the error is returned. */
AUTOTUNE__API autotune_status autotune_step_begin(autotune_tuner *tuner, const autotune_options *options,
                                                  autotune_step *step);
/* Ends a step, in any thread. ns: the time of the step, in nanoseconds. NaN: the library takes the time since
   autotune_step_begin(). Below 0, or infinite: the step failed, and its configuration is not tried again.
   AUTOTUNE_ERR_ARGUMENT: the step has ended before, its tuner was destroyed, or too many later steps of its key came.
   AUTOTUNE_FAILED: the step failed, or .verify refused it. */
AUTOTUNE__API autotune_status autotune_step_end(autotune_step *step, double ns);
