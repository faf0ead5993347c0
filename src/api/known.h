/* Looking up and listing the results of this process: of call sites, from their first call on, and of created
   tuners. */
#pragma once
#include "language.h"
#include "types.h"

/* The findings of a race about one configuration. */
typedef struct autotune_measurement {
    autotune_config config;
    autotune_status status;                     /* AUTOTUNE_OK, or why it failed */
    const char *reason;                         /* of the failure in words; else NULL */
    const char *stage;                          /* the last stage it reached: "screen", "halving", "duel" or "winner" */
    double median_ns, min_ns;                   /* nanoseconds per launch: of the duel; of all samples. NaN: none */
    size_t launches;                            /* trials of it */
    /* The most that its kernels of CUDA need: registers and bytes of local memory of a thread, where spilled registers
       are; bytes of shared memory of a block. All 0: it has none. */
    int registers, local_bytes, shared_bytes;
} autotune_measurement;

/* One key of one tuner. It is valid during the visit; names, labels and strings of its configurations live until
   autotune_shutdown(). */
typedef struct autotune_known {
    const char *name;                           /* of the tuner */
    size_t number;                              /* name#number: 1 for the first tuner that was used with this name */
    autotune_key key;
    autotune_result result;                     /* of the call that tuned the key; in_use_ns: of calls since then */
    const autotune_measurement *measurements;   /* in the order in which they were tried; NULL: none is remembered */
    size_t measurement_count;
} autotune_known;
typedef void autotune_visit(void *user, const autotune_known *known);

/* The winner of a key, without a launch. The numbers of keys are compared by value, whatever their types: KEY(512)
   finds what was tuned for a size_t of 512. AUTOTUNE_OK: *winner is the winner's configuration. AUTOTUNE_ERR_MISS: no
   tuner of this name knows the key. AUTOTUNE_ERR_AMBIGUOUS: several tuners of this name know it, which differ in space,
   version or device; the name "name#2" selects the second of them in the order of their first use.
   AUTOTUNE_ERR_ARGUMENT: the name is missing, or the key is wrong. After an error *winner is zero: it has no axes.
   winner may be NULL. */
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner);
/* Calls visit() for each key whose winner is known, in the order of their first use. visit() may call every function;
   keys that are used for the first time meanwhile are not visited. */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user);
/* How many keys are not settled. A call of this process asked for each of these keys, and no winner is known. The race
   of mode ONLINE goes on, or the key was missed, guessed or launched untuned. A key all of whose configurations failed
   does not count, nor do calls in mode OFF. */
AUTOTUNE__API size_t autotune_open_keys(void);
