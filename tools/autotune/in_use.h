/* in_use.h - the time of a winner's calls in use: the library writes it in a line behind the record */
#pragma once
#include "records.h"

struct in_use {
    double ns, raced_ns, scatter; /* AUTOTUNE__NEVER: nothing is known */
    const char *date;             /* as shown; NULL: nothing is known */
    bool is_logged;               /* the log reported that calls in use take another time than in the race */
};
struct in_use in_use_of(const struct record *record);
const char *shown_in_use(const struct in_use *in_use); /* such as: 146 us, 7.30 x what the race measured */
