/* Created tuners: for programs that build their spaces at run time, and for bindings to other languages. A created
   tuner is tuned, cached and looked up like a call site; where the call site has expressions, it has callbacks. Any
   number of threads may call these functions at once. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

/* An axis. Each value has 8 bytes, whatever its type. An array of double may be cast to int64_t, and so may one of
   pointers if these have 8 bytes. */
typedef struct autotune_axis {
    const char *name             AUTOTUNE__DEFAULT(nullptr);
    const int64_t *values        AUTOTUNE__DEFAULT(nullptr);
    size_t count                 AUTOTUNE__DEFAULT(0);          /* of values */
    /* AUTOTUNE_I64 (also 0), AUTOTUNE_F64, AUTOTUNE_STRING (a value may be NULL) or AUTOTUNE_POINTER */
    autotune_type type           AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);
    /* The names of the values in logs: count strings. Pointers need them. NULL: the numbers or strings themselves. */
    const char *const *labels    AUTOTUNE__DEFAULT(nullptr);
    /* A filter that is asked as soon as this axis has a value; partial has the axes up to this one. False refuses all
       configurations that begin with these values, and none of them is visited. So a space may have any number of
       points if the filters of its first axes leave few. */
    bool (*where)(void *user, const autotune_config *partial) AUTOTUNE__DEFAULT(nullptr);
} autotune_axis;

/* A tuner. Tuners with the same name, axes and version share their results. Callbacks get options->user, or user of
   this description if that is NULL. They may call every function but autotune_destroy(); a configuration is valid until
   they return. where(), model() and priority() are called any number of times, and must have no side effects. An
   exception may pass through a callback if the implementation is compiled as C++. */
typedef struct autotune_desc {
    const char *name             AUTOTUNE__DEFAULT(nullptr);    /* required */
    const autotune_axis *axes    AUTOTUNE__DEFAULT(nullptr);    /* the space is their product, last axis fastest */
    size_t axis_count            AUTOTUNE__DEFAULT(0);          /* 1 to AUTOTUNE_MAX_AXES */
    /* If it is not NULL, the space is this table instead: config_count rows of axis_count values. The axes then need no
       values; if an axis has values, the table may contain no others for it. */
    const int64_t *configs       AUTOTUNE__DEFAULT(nullptr);
    size_t config_count          AUTOTUNE__DEFAULT(0);
    bool (*where)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);      /* NULL: all are admitted */
    double (*model)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* the predicted cost: MODEL */
    int (*priority)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* PRIORITY; negative: never */
    /* Required: launches the configuration, which fails if the result is not AUTOTUNE_OK. */
    autotune_status (*launch)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);
    void *user                   AUTOTUNE__DEFAULT(nullptr);
} autotune_desc;
typedef struct autotune_tuner autotune_tuner;

/* Makes a tuner, which the caller destroys. The description is copied with its strings and labels; what user points to
   is not. NULL: the description is wrong, or there is no memory; autotune_last_error() says what to change. */
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc);
/* Frees the tuner and its queued cases; its results stay known. No call of the tuner may run or begin. In mode ONLINE a
   call of another tuner of its name may belong to the race that this one began, and is waited for. Nothing happens
   where the tuner is NULL, or where this thread is in such a call, as when launch() ends the program by exit(). */
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner);
/* Tunes on a miss, then launches the winner, as AUTOTUNE does at a call site. The options mean the same as there; NULL:
   no options. Returns the status of the launch, or why nothing was launched. If an option is wrong, or tuning has no
   memory, the first configuration is launched; if this succeeds, the error is returned. A hit takes no lock. */
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options);
/* As autotune_call(), without the last launch. AUTOTUNE_OK: the winner is known; or the mode is OFF or CACHED, nothing
   was tuned, and .result holds the first configuration. It waits for other races on the device while they make
   progress; AUTOTUNE_ERR_MISS: one of them made none. */
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options);
/* Queues a case for autotune_tune_all(). The options are copied with their strings. The objects to which buffers,
   .user, .result and .backend point must live until the case was tuned, or the tuner was destroyed.
   AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_MEMORY: the case was not queued. */
AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options);
/* Tunes all queued cases that are not known, in the order in which they were added, as autotune_tune() does; also those
   that are added meanwhile. With AUTOTUNE_MODE=missed in the environment it tunes only cases whose keys production runs
   missed. A case that fails does not stop the others: the first status other than AUTOTUNE_OK is returned at the end.
   A tuner with a queued case must not be destroyed meanwhile. Two threads that call it share the cases. */
AUTOTUNE__API autotune_status autotune_tune_all(void);

/* Tuning in production where the call cannot be a function: a time step that begins here and ends there, maybe in
   another thread. Between the two the program runs step.config, once, for real. */
typedef struct autotune_step {
    autotune_config config;                     /* what this step runs; without axes if the status was an error */
    uint64_t ticket;                            /* this and the next one are for autotune_step_end() */
    void *key;
} autotune_step;
/* Begins a step of a created tuner, whose launch() is not called. The modes ON, FORCE and ONLINE mean ONLINE here; OFF,
   CACHED and REQUIRE mean the same as elsewhere. One step of a key is measured at a time; others run the best so far.
   .result is filled in at once, and .verify is asked in autotune_step_end(), so what .user points to must live until
   then. Any thread may call it. AUTOTUNE_OK: step->config is to be run, and then autotune_step_end() called. If an
   option is wrong, the first configuration is to be run, and the error is returned. */
AUTOTUNE__API autotune_status autotune_step_begin(autotune_tuner *tuner, const autotune_options *options,
                                                  autotune_step *step);
/* Ends a step, in any thread. ns: what it took, in nanoseconds; NaN: by the clock since autotune_step_begin(); below
   0, or infinite: it failed, and its configuration is not tried again. AUTOTUNE_ERR_ARGUMENT: this step was ended
   before, its tuner was destroyed, or so many steps of its key came after it that nobody waited for its end.
   AUTOTUNE_FAILED: it failed, or .verify refused it. */
AUTOTUNE__API autotune_status autotune_step_end(autotune_step *step, double ns);
