/* Created tuners: for programs that build spaces at run time, and for bindings to other languages. A created tuner is
   tuned, remembered and found as a call site is; where the call site has expressions it has callbacks. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "options.h"

/* An axis. Values are 8 bytes each, whatever their type; an array of double, or of pointers where these have 8 bytes,
   may be cast. */
typedef struct autotune_axis {
    const char *name             AUTOTUNE__DEFAULT(nullptr);
    const int64_t *values        AUTOTUNE__DEFAULT(nullptr);
    size_t count                 AUTOTUNE__DEFAULT(0);
    autotune_type type           AUTOTUNE__DEFAULT(AUTOTUNE_BYTES); /* 0 or AUTOTUNE_I64, AUTOTUNE_F64, _STRING (may be
                                                                       NULL), _POINTER */
    const char *const *labels    AUTOTUNE__DEFAULT(nullptr);        /* count of them: what logs call the values. Needed
                                                                       for pointers; NULL: the numbers or strings
                                                                       themselves */
    /* Asked as soon as this axis has a value: partial has the axes up to this one. False refuses all configurations
       that begin so, and none of them is visited: a space may have any number of points if its first axes have filters
       that leave few. */
    bool (*where)(void *user, const autotune_config *partial) AUTOTUNE__DEFAULT(nullptr);
} autotune_axis;

/* A tuner. Callbacks get options->user, or where that is NULL the description's, and may call anything but
   autotune_destroy(); a configuration is theirs until they return. where, model and priority may be asked any number of
   times and must have no side effects. An exception may pass through them if the implementation is compiled as C++. */
typedef struct autotune_desc {
    const char *name             AUTOTUNE__DEFAULT(nullptr);    /* needed. Tuners of equal name, axes and version share
                                                                   their results */
    const autotune_axis *axes    AUTOTUNE__DEFAULT(nullptr);    /* the space is their product, the last axis fastest, or
                                                                   ... */
    size_t axis_count            AUTOTUNE__DEFAULT(0);          /* 1 to 16 */
    const int64_t *configs       AUTOTUNE__DEFAULT(nullptr);    /* ... where set, this table: config_count rows of
                                                                   axis_count values. */
    size_t config_count          AUTOTUNE__DEFAULT(0);          /* Axes then need no values; if they have some, the
                                                                   table's are of them */
    bool (*where)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);      /* NULL: all are admitted */
    double (*model)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* predicted cost, as MODEL */
    /* as PRIORITY: negative means never */
    int (*priority)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);
    /* needed. All but AUTOTUNE_OK fails */
    autotune_status (*launch)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);
    void *user                   AUTOTUNE__DEFAULT(nullptr);
} autotune_desc;
typedef struct autotune_tuner autotune_tuner;

/* Copies the description, strings and labels included; not what `user` points to. NULL: the description is wrong, or
   there is no memory; autotune_last_error() says what to change. Any thread. */
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc);
/* Frees the tuner. What it found out stays known. No call on it may run or start; NULL does nothing. Any thread. */
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner);
/* What AUTOTUNE does at a call site: tunes on a miss, then launches the winner. Options mean what they mean there, NULL
   means none. Returns the launch's status, or why it was not made; a bad option or no memory for tuning launches the
   first configuration, and is returned where that succeeds. Any thread, any number at once; a hit takes no lock. */
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options);
/* The same without the last launch. AUTOTUNE_OK: the winner is known; or the mode is OFF or CACHED, in which nothing is
   tuned, and .result holds the first configuration. Waits for other races of the device as long as they make progress;
   AUTOTUNE_ERR_MISS if one does not. */
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options);
/* Queues one case for autotune_tune_all(). Options are copied with their strings; what they point to (buffers, .user,
   .result, .backend) must stay until the case was tuned or the tuner destroyed, which drops its cases.
   AUTOTUNE_ERR_ARGUMENT, _ERR_MEMORY: it was not queued. Any thread. */
AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options);
/* Tunes all that is queued and not known, in the order in which it was added, as autotune_tune() does. A case that
   fails stops no other: the first status that was not AUTOTUNE_OK is returned at the end. What is added meanwhile is
   tuned too. From the third second on a line for each case is written to a terminal, if stderr is one;
   AUTOTUNE_PROGRESS=1 in the environment writes it always, 0 never. No tuner with a queued case may be destroyed
   meanwhile. Any thread; two share the work. */
AUTOTUNE__API autotune_status autotune_tune_all(void);
