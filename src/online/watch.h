/* Watch: do calls of the winner still take what they usually do? */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* The first 20 calls show what is usual. A later one is long if it takes 1.1 times what three quarters of these took at
   most, and short in the same way. As long as nothing changes, at most a quarter of all calls is long, or a third at
   times, however long they are. So interruptions and calls that do different things in turn are no change. The evidence
   is that nine of ten calls are long. Each long call multiplies it by 0.9 / 0.25, and each other call by 0.1 / 0.75,
   which is 1 in the mean if a quarter is long. The evidence begins anew whenever it is below 1. To reach a number it
   then takes as many calls in the mean (Shin, Ramdas and Rinaldo, E-detectors, 2024). There are two such tests, for
   long calls and for short ones. Ten long calls in a row show a change; a burst of fewer does not.

   If the same configuration took as long before, and was compared with others then, there is no change. So a program
   that returns to what it did before finds the winner that it had. */
enum { AUTOTUNE__USUAL = 20, AUTOTUNE__LEVELS = 8 };
static const double autotune__tolerance = 1.1, autotune__shown_by = 2e5;
typedef struct autotune__call_watch {
    double first[AUTOTUNE__USUAL];              /* the times, per unit of work, that show what is usual */
    size_t count;                               /* of all since it is looked for that */
    double usual, short_ns, long_ns;            /* the median; below and above these a call is short, or long */
    double evidence[2];                         /* that calls are short, and long */
    autotune__pulse pulse;                      /* what calls take now */
    struct { size_t row; double ns; } compared[AUTOTUNE__LEVELS];       /* what took how long when it was compared */
    size_t levels;                              /* how many of these there were */
    double change;                              /* the last one that was shown: so many times as long; 0: none was */
} autotune__call_watch;

/* Notes that the row takes so long. Returns false if it took so long before. */
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
static void autotune__learn_usual(autotune__call_watch *watch) {
    const size_t quarter = AUTOTUNE__USUAL / 4;
    watch->usual = autotune__median(watch->first, AUTOTUNE__USUAL);
    watch->short_ns = watch->first[quarter] / autotune__tolerance;
    watch->long_ns = watch->first[AUTOTUNE__USUAL - 1 - quarter] * autotune__tolerance;
    watch->evidence[0] = watch->evidence[1] = 1;
}
static bool autotune__is_shown_by(double *evidence, bool beyond) {
    *evidence = (*evidence > 1 ? *evidence : 1) * (beyond ? 0.9 / 0.25 : 0.1 / 0.75);
    return *evidence >= autotune__shown_by;
}
/* A call of the winner, this row, took so long per unit of work. Returns true if it is to be compared with others. */
static bool autotune__watch_call(autotune__call_watch *watch, size_t row, double ns) {
    const size_t before = watch->count++;
    const bool are_short = autotune__is_shown_by(&watch->evidence[0], ns < watch->short_ns),
               are_long = autotune__is_shown_by(&watch->evidence[1], ns > watch->long_ns);
    autotune__beat(&watch->pulse, ns);
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
