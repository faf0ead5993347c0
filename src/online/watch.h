/* The watch of a winner: shows whether its calls still take their usual time. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* The first 20 calls show the usual times. A later call is long if it takes more than 1.1 times their third quartile.
   It is short if it takes less than their first quartile divided by 1.1.

   As long as nothing changes, at most a quarter of all calls is long, or at times a third. So neither interruptions nor
   light and heavy calls in turn count as a change. After a change to longer calls, nine of ten calls are long. The test
   compares these two assumptions. Each long call multiplies the evidence for a change by 0.9 / 0.25, and each other
   call by 0.1 / 0.75. The mean of this factor is 1 if a quarter of all calls is long. Evidence below 1 is set to 1
   before the next call. Without a change, the evidence then takes at least N calls in the mean to reach N (Shin, Ramdas
   and Rinaldo, E-detectors, 2024). A change is shown once the evidence is 200,000. Ten long calls in a row show a
   change; nine do not. There are two such tests, for long and for short calls.

   A shown change begins no comparison if the same configuration was compared earlier when its calls took about as long.
   The last 8 comparisons count. So a program that returns to its earlier work keeps the winner. */
enum { AUTOTUNE__USUAL = 20, AUTOTUNE__LEVELS = 8 };
static const double autotune__tolerance = 1.1, autotune__shown_by = 2e5;
typedef struct autotune__call_watch {
    double first[AUTOTUNE__USUAL];              /* the first times, in ns per unit of work, which show the usual time */
    size_t count;                               /* how many calls were taken since the watch began */
    double usual, short_ns, long_ns;            /* in ns per unit of work: the median of `first`; a call below short_ns
                                                   is short, above long_ns long */
    double evidence[2];                         /* evidence that calls are short; that calls are long */
    autotune__pulse pulse;                      /* the time of calls now, in ns per unit of work */
    struct { size_t row; double ns; } compared[AUTOTUNE__LEVELS];   /* the times, in ns per unit of work, at which a row
                                                                       was compared with others */
    size_t levels;                              /* how many notes were made in `compared`, which keeps the last 8 */
    double change;                              /* the time after the last change divided by the time before; 0: no
                                                   change */
} autotune__call_watch;

/* Notes the time of a row, in ns per unit of work. Returns false if `compared` already has about this time of the row:
   then nothing is noted. */
static bool autotune__note_level(autotune__call_watch *watch, size_t row, double ns) {
    size_t i;
    for (i = 0; i < watch->levels && i < AUTOTUNE__LEVELS; i++)
        if (watch->compared[i].row == row && ns < autotune__tolerance * watch->compared[i].ns &&
            watch->compared[i].ns < autotune__tolerance * ns)
            return false;
    i = watch->levels++ % AUTOTUNE__LEVELS;
    watch->compared[i].row = row;
    watch->compared[i].ns = ns;
    return true;
}
/* Learns the usual times from the first 20 calls. */
static void autotune__learn_usual(autotune__call_watch *watch) {
    const size_t quarter = AUTOTUNE__USUAL / 4;
    watch->usual = autotune__median(watch->first, AUTOTUNE__USUAL);
    watch->short_ns = watch->first[quarter] / autotune__tolerance;
    watch->long_ns = watch->first[AUTOTUNE__USUAL - 1 - quarter] * autotune__tolerance;
    watch->evidence[0] = watch->evidence[1] = 1;
}
/* Updates the evidence by a call. beyond: the call is long, or short. Returns true if a change is shown. */
static bool autotune__is_shown_by(double *evidence, bool beyond) {
    *evidence = (*evidence > 1 ? *evidence : 1) * (beyond ? 0.9 / 0.25 : 0.1 / 0.75);
    return *evidence >= autotune__shown_by;
}
/* Takes a call of the winner, which has this row. ns: the time of the call, per unit of work. Returns true if the
   winner has to be compared again. */
static bool autotune__watch_call(autotune__call_watch *watch, size_t row, double ns) {
    const size_t before = watch->count++;
    const bool are_short = autotune__is_shown_by(&watch->evidence[0], ns < watch->short_ns),
               are_long = autotune__is_shown_by(&watch->evidence[1], ns > watch->long_ns);
    autotune__add_beat(&watch->pulse, ns);
    if (before < AUTOTUNE__USUAL) watch->first[before] = ns;
    if (before == AUTOTUNE__USUAL - 1) {
        autotune__learn_usual(watch);
        (void)autotune__note_level(watch, row, watch->usual);
    }
    if (before < AUTOTUNE__USUAL || !(are_short || are_long)) return false;
    watch->count = 0;
    watch->change = autotune__pulse_ns(&watch->pulse) / watch->usual;
    return autotune__note_level(watch, row, autotune__pulse_ns(&watch->pulse));
}
