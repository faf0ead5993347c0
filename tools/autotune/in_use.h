/* in_use.h - what calls of winners take in use, as the lines behind their records say */
#pragma once
#include "records.h"

struct in_use {
    double ns, raced_ns, scatter; /* AUTOTUNE__NEVER: nothing is known */
    const char *date;             /* as shown; NULL: nothing is known */
    bool told;                    /* the log said that calls do not take what the race measured */
};
struct in_use in_use_of(const struct record *record);
const char *shown_in_use(const struct in_use *in_use); /* 146 us, 7.30 x what the race measured */
