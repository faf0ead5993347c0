/* verified.h - what runs in mode VERIFY found of the winners that are known: the lines of verify.jsonl */
#pragma once
#include "files.h"

#define LEAST_SHOWN 0.00005 /* a smaller share would be shown as 0.00 % */
struct verified { /* the last line of a tuner, key, build and device */
    struct line line;
    const char *tuner, *key, *winner; /* as shown */
    const char *best;                 /* what is best now: another configuration, or the winner */
    bool unknown;                     /* the key has no record; */
    const char *failed;               /* the winner no longer works, and why; NULL: it does */
    double slower, at_least;          /* by which share the winner is slower than the best: the median, and what is
                                         shown. AUTOTUNE__NEVER: not measured; not shown */
    bool few;                         /* the rounds were too few to show anything */
    const char *doubt;                /* why the times cannot be trusted; NULL: they can */
    double rounds;
    double margin;                    /* of the call site: so much faster another one has to be. 0: not written */
};
/* Those of the file that are meant (see records.h), by tuner and key. An array of stb_ds; NULL: there are none. Lines
   that are unsound are reported. */
struct verified *read_verified(const struct input *input, char *const *arguments);
/* The same of the folder that the cache is in, without a word. NULL: --file names another file, or there are none. */
struct verified *read_verified_if_any(void);
/* The one that was made of a record's winner, on its device. NULL: none. */
const struct verified *verified_of(const struct verified *all, const struct line *record);
/* For instance: 5.2 % slower than tile=64 (at least 4.1 %) */
const char *shown_verified(const struct verified *verified);
