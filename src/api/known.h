/* Functions that look up and list the results of this process. A call site has results from its first call on. */
#pragma once
#include "language.h"
#include "types.h"

/* The findings of a race about one configuration. */
typedef struct autotune_measurement {
    autotune_config config;
    autotune_status status;                     /* AUTOTUNE_OK, or the error of a failed configuration */
    const char *reason;                         /* of the failure, in words; NULL if it did not fail */
    const char *stage;                          /* the last stage it reached: "screen", "halving", "duel" or "winner" */
    /* In nanoseconds per launch: the median of the duel, and the least of all samples. NaN: there is none. */
    double median_ns, min_ns;
    size_t launches;                            /* its launches in trials */
    /* The largest needs of its CUDA kernels. registers: per thread. local_bytes: local memory per thread, including
       spilled registers. shared_bytes: shared memory per block. All are 0 if the configuration has no such kernel. */
    int registers, local_bytes, shared_bytes;
} autotune_measurement;

/* One key of one tuner. It is valid during the visit; names, labels and strings of its configurations live until
   autotune_shutdown(). */
typedef struct autotune_known {
    const char *name;                           /* of the tuner */
    size_t number;                              /* for name#number: tuners of one name count from 1, by first use */
    autotune_key key;
    autotune_result result;                     /* of the call that tuned the key; only in_use_ns is of later calls */
    const autotune_measurement *measurements;   /* in the order of their first launches; NULL: none is kept */
    size_t measurement_count;
} autotune_known;
/* The function that autotune_each() calls. */
typedef void autotune_visit(void *user, const autotune_known *known);

/* Finds the winner of a key, without a launch. Numbers in keys are compared by value, also if their types differ:
   KEY(512) finds the winner for a size_t of 512. winner may be NULL. After an error all members of *winner are 0.
   - AUTOTUNE_OK: *winner is the winner's configuration.
   - AUTOTUNE_ERR_MISS: no tuner of this name knows the key.
   - AUTOTUNE_ERR_AMBIGUOUS: several tuners of this name know the key, and differ in space, version or device. "name#2"
     selects the second tuner, in the order of their first use.
   - AUTOTUNE_ERR_ARGUMENT: the name is missing, or the key is wrong. */
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner);
/* Calls visit() for each key whose winner is known, in the order in which the keys were first used. visit() may call
   every function of this library. Keys that are first used meanwhile are not visited. */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user);
/* Returns the number of keys that calls of this process used, and that have no winner yet. Such a key is raced in mode
   ONLINE, or was missed, guessed or launched untuned. A key whose configurations all failed does not count, nor does a
   key that was used only in mode OFF. */
AUTOTUNE__API size_t autotune_open_keys(void);
