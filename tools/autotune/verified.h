/* verified.h - the results of mode VERIFY for known winners: the lines of verify.jsonl */
#pragma once
#include "files.h"

#define LEAST_SHOWN 0.00005 /* a smaller share would be shown as 0.00 % */
struct verified { /* the last line of verify.jsonl for one tuner, key, build and device */
    struct line line;
    const char *tuner, *key, *winner; /* as shown */
    const char *best;                 /* the configuration that is best now; it may be the winner */
    bool key_is_unknown;              /* the key has no record */
    const char *failed;               /* why the winner no longer works; NULL: the winner works */
    double slower;                    /* the share by which the winner is slower than the best, in the median.
                                         AUTOTUNE__NEVER: not measured */
    double at_least;                  /* the share by which the winner is shown to be slower. AUTOTUNE__NEVER: none */
    bool too_few_rounds;              /* the rounds were too few to show anything */
    const char *doubt;                /* why the times cannot be trusted; NULL: they can */
    double rounds;
    double margin;                    /* the margin of the call site, as a share. 0: the line has none */
};
/* Returns the lines of the file that the arguments select, as is_selected() in records.h does, sorted by tuner and key.
   Reports unsound lines. The result is an array of stb_ds; NULL: there are none. */
struct verified *read_verified(const struct input *input, char *const *arguments);
/* The same for verify.jsonl beside the cache, without messages. NULL: --file names another file, or there are none. */
struct verified *read_verified_if_any(void);
/* Returns the verification of a record's winner on the device of the record. NULL: there is none. */
const struct verified *verified_of(const struct verified *all, const struct line *record);
/* Such as: 5.2 % slower than tile=64 (at least 4.1 %) */
const char *shown_verified(const struct verified *verified);
