/* Created tuners, for programs that build their spaces at run time, and for bindings to other languages. A created
   tuner is tuned, cached and looked up like a call site. It has callbacks where a call site has expressions. Any number
   of threads may call these functions at once. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

/* An axis. Each value has 8 bytes, whatever its type: an array of double may be cast to int64_t *. So may an array of
   pointers, if a pointer has 8 bytes. */
typedef struct autotune_axis {
    const char *name             AUTOTUNE__DEFAULT(nullptr);
    const int64_t *values        AUTOTUNE__DEFAULT(nullptr);
    size_t count                 AUTOTUNE__DEFAULT(0);          /* of values */
    /* The type of the values: AUTOTUNE_I64 (also 0), AUTOTUNE_F64, AUTOTUNE_STRING (a value may be NULL) or
       AUTOTUNE_POINTER. */
    autotune_type type           AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);
    /* The names of the values in logs and in the cache: `count` strings. Values of type AUTOTUNE_POINTER need names.
       NULL: a value is shown as it is. */
    const char *const *labels    AUTOTUNE__DEFAULT(nullptr);
    /* A filter that is called as soon as this axis has a value. partial: the values of the axes up to this axis. If the
       filter returns false, all configurations that begin with these values are refused at once, without a visit to
       each. So a space may have any number of points if the filters of its first axes leave few. NULL: no filter. */
    bool (*where)(void *user, const autotune_config *partial) AUTOTUNE__DEFAULT(nullptr);
} autotune_axis;

/* The description of a tuner. Tuners with the same name, axes and version share their results. The argument `user` of a
   callback is options->user; if that is NULL, it is `user` of the description. Callbacks may call every function of
   this library except autotune_destroy(). A configuration is valid until the callback that gets it returns. where(),
   model() and priority() may be called any number of times, and must have no side effects. An exception may leave a
   callback if the implementation is compiled as C++. */
typedef struct autotune_desc {
    const char *name             AUTOTUNE__DEFAULT(nullptr);    /* required */
    const autotune_axis *axes    AUTOTUNE__DEFAULT(nullptr);    /* the space is their product, last axis fastest */
    size_t axis_count            AUTOTUNE__DEFAULT(0);          /* 1 to AUTOTUNE_MAX_AXES */
    /* NULL: the space is the product of the axes. Else the space is this table: config_count rows of axis_count values.
       The axes then need no values. If an axis has values, its column of the table may have only these values. */
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

/* Makes a tuner, which the caller destroys. Copies the description with its strings and labels, but not the object to
   which `user` points. NULL: the description is wrong, or there is no memory; autotune_last_error() says what to
   change. */
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc);
/* Frees the tuner and its queued cases; its results stay known. No other thread may be in a call of the tuner, or begin
   one. A race of this tuner in mode ONLINE may also measure calls of other tuners with this name: autotune_destroy()
   waits until these calls have ended. Nothing happens if `tuner` is NULL, or if this thread itself is in a call of the
   tuner or of its race, as when launch() calls exit(). */
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner);
/* Tunes on a miss, then launches the winner, like AUTOTUNE at a call site. options: NULL means the default of each
   option. Returns the status of the launch, or the error that prevented the launch. If an option is wrong, or there is
   no memory to tune, the first configuration is launched. If this launch succeeds, the status is the error of the
   option or of the memory. A hit takes no lock. */
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options);
/* Like autotune_call(), but without the launch of the winner. The function waits for other races on the device as long
   as they make progress.
   - AUTOTUNE_OK: the winner is known. Or the mode is OFF or CACHED: then nothing was tuned, and .result has the first
     configuration.
   - AUTOTUNE_ERR_MISS: nothing was tuned, since another race made no progress. */
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options);
/* Queues a case, which is this tuner with these options, for autotune_tune_all(). Copies the options and their strings.
   The objects to which buffers, .user, .result and .backend point must live until the case is tuned, or the tuner is
   destroyed. AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_MEMORY: the case was not queued. */
AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options);
/* Calls autotune_tune() for all queued cases, in the order in which they were added. Cases that are added meanwhile are
   tuned, too. After the failure of a case the next cases are still tuned. With AUTOTUNE_MODE=missed in the environment
   only those cases are tuned whose keys production runs missed. Returns the first status other than AUTOTUNE_OK, or
   AUTOTUNE_OK. Several threads may call this function: each case is tuned by one of them. Meanwhile a tuner with a
   queued case must not be destroyed. */
AUTOTUNE__API autotune_status autotune_tune_all(void);

/* A step is a call in production that no single function makes. For instance, a time step may end at another place in
   the program than it began, or in another thread. Between autotune_step_begin() and autotune_step_end() the program
   runs step.config once, for real. */
typedef struct autotune_step {
    /* The configuration that this step runs. It has no axes if an error means that the program must run nothing. */
    autotune_config config;
    uint64_t ticket;                            /* for autotune_step_end(): which step it is */
    void *key;                                  /* for autotune_step_end(): which key it has */
} autotune_step;
/* Begins a step of a created tuner, in any thread. launch() of the tuner is not called. The modes ON, FORCE and ONLINE
   all mean ONLINE in a step. OFF, CACHED and REQUIRE mean the same as in a call. One step of a key is measured at a
   time: meanwhile other steps run the best configuration so far. This function fills in .result. autotune_step_end()
   calls .verify, so the object of .user must live until then. AUTOTUNE_OK: run step->config, then call
   autotune_step_end(). If an option is wrong, step->config is the first configuration, and the error is returned. */
AUTOTUNE__API autotune_status autotune_step_begin(autotune_tuner *tuner, const autotune_options *options,
                                                  autotune_step *step);
/* Ends a step, in any thread. ns: the time of the step, in nanoseconds. NaN: the library takes the time since
   autotune_step_begin(). Below 0, or infinite: the step failed, and its configuration is not tried again.
   - AUTOTUNE_ERR_ARGUMENT: the step has ended before, or its tuner was destroyed, or too many later steps of its key
     have begun.
   - AUTOTUNE_FAILED: the step failed, or .verify refused its configuration. */
AUTOTUNE__API autotune_status autotune_step_end(autotune_step *step, double ns);
