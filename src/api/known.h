/* Look up and list the results of this process: of call sites, from their first call on, and of created tuners. */
#pragma once
#include "language.h"
#include "types.h"

/* The findings of a race about one configuration. */
typedef struct autotune_measurement {
    autotune_config config;
    autotune_status status;                     /* AUTOTUNE_OK, or the error of a failed configuration */
    const char *reason;                         /* of the failure, in words; else NULL */
    const char *stage;                          /* the last stage it reached: "screen", "halving", "duel" or "winner" */
    double median_ns, min_ns;                   /* nanoseconds per launch: of the duel; of all samples. NaN: none */
    size_t launches;                            /* its launches in trials */
    /* The largest needs of its CUDA kernels: registers, and bytes of local memory (with spilled registers), of a
       thread; bytes of shared memory of a block. All 0: it has no such kernel. */
    int registers, local_bytes, shared_bytes;
} autotune_measurement;

/* One key of one tuner. It is valid during the visit; names, labels and strings of its configurations live until
   autotune_shutdown(). */
typedef struct autotune_known {
    const char *name;                           /* of the tuner */
    size_t number;                              /* name#number: 1 for the first tuner that was used with this name */
    autotune_key key;
    autotune_result result;                     /* of the call that tuned the key; in_use_ns: of later calls */
    const autotune_measurement *measurements;   /* in the order of their first launches; NULL: none is kept */
    size_t measurement_count;
} autotune_known;
typedef void autotune_visit(void *user, const autotune_known *known);

/* Finds the winner of a key, without a launch. Numbers in keys are compared by value, also if their types differ:
   KEY(512) finds the winner for a size_t of 512. AUTOTUNE_OK: *winner is the winner's configuration. AUTOTUNE_ERR_MISS:
   no tuner of this name knows the key. AUTOTUNE_ERR_AMBIGUOUS: several tuners of this name know the key, and differ in
   space, version or device. "name#2" then selects the second tuner, in the order of their first use.
   AUTOTUNE_ERR_ARGUMENT: the name is missing, or the key is wrong. After an error *winner is zero: it has no axes.
   winner may be NULL. */
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner);
/* Calls visit() for each key whose winner is known, in the order of their first use. visit() may call every function.
   Keys that are first used meanwhile are not visited. */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user);
/* Returns the number of keys that calls of this process used, and that have no winner yet. The race of mode ONLINE goes
   on, or the key was missed, guessed or launched untuned. A key does not count if all its configurations failed. Calls
   in mode OFF do not count. */
AUTOTUNE__API size_t autotune_open_keys(void);
