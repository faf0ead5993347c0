/* What is known: the results of all tuners of the process, of call sites (from their first call on) and of created
   tuners */
#pragma once
#include "language.h"
#include "types.h"

/* What a race found out about one configuration. */
typedef struct autotune_measurement {
    autotune_config config;
    autotune_status status;                     /* AUTOTUNE_OK, or what it failed with */
    const char *reason;                         /* of a failure; else NULL */
    const char *stage;                          /* the last it reached: "screen", "halving", "duel" or "winner" */
    double median_ns, min_ns;                   /* nanoseconds per launch: of the duel, and of all samples; NaN where
                                                   there were none */
    size_t launches;                            /* trials */
} autotune_measurement;

/* One key of one tuner. Valid during the visit; names, labels and strings of its configurations live as long as the
   process. */
typedef struct autotune_known {
    const char *name;                           /* the tuner's */
    size_t number;                              /* name#number selects the tuner in autotune_lookup(): how many of its
                                                   name there were when it was first used, itself included */
    autotune_key key;
    autotune_result result;                     /* what the call saw that tuned the key. AUTOTUNE_ERR_ALL_FAILED: no
                                                   winner is known */
    const autotune_measurement *measurements;   /* of the configurations that it tried, in that order; NULL if none is
                                                   remembered */
    size_t measurement_count;
} autotune_known;
typedef void autotune_visit(void *user, const autotune_known *known);

/* The winner of a key, without launching anything. AUTOTUNE_OK: *winner is its configuration, whose names, labels and
   strings live as long as the process. AUTOTUNE_ERR_MISS: no tuner of that name knows the key. AUTOTUNE_ERR_AMBIGUOUS:
   several do, of different spaces, versions or devices; "name#2" is the second of them in the order of their first use.
   AUTOTUNE_ERR_ARGUMENT: no name, or no such key. On all but AUTOTUNE_OK *winner is zeroed: it has no axes, and every
   value of it reads as 0, NaN or NULL. winner may be NULL. Numbers of the key are compared by value, whatever their
   types: KEY(512) finds what a size_t of 512 was tuned for. Any thread. */
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner);
/* Calls visit for each key whose winner is known or whose configurations all failed, tuners in the order of their first
   use, as it is at the moment of the call: visit may call anything. Any thread. Without memory nothing is visited, and
   the last error says so. */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user);
