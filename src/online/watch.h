/* The watch of a winner: shows whether its calls still take their usual time. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* The first 20 calls show the usual times. A later call is long if it takes more than 1.1 times the third quartile of
   these. It is short if it takes less than the first quartile divided by 1.1. As long as nothing changes, at most a
   quarter of all calls is long, or at times a third. So interruptions are no change, and neither are different calls in
   turn. The test compares this with another assumption: nine of ten calls are long. Each long call multiplies the
   evidence by 0.9 / 0.25, and each other call by 0.1 / 0.75. In the mean this factor is 1 if a quarter is long. The
   evidence starts again at 1 whenever it is below 1. To reach a number it then takes at least as many calls in the mean
   (Shin, Ramdas and Rinaldo, E-detectors, 2024). There are two such tests, for long and for short calls. Ten long calls
   in a row show a change; a shorter burst does not.

   If the same configuration took as long before, and was compared with others then, this is no change. So a program
   that returns to its earlier work finds its earlier winner. */
enum { AUTOTUNE__USUAL = 20, AUTOTUNE__LEVELS = 8 };
static const double autotune__tolerance = 1.1, autotune__shown_by = 2e5;
typedef struct autotune__call_watch {
    double first[AUTOTUNE__USUAL];              /* the first times, per unit of work, which show what is usual */
    size_t count;                               /* how many calls were taken since the watch began */
    double usual, short_ns, long_ns;            /* the median; a call below short_ns is short, above long_ns long */
    double evidence[2];                         /* evidence that calls are short; that calls are long */
    autotune__pulse pulse;                      /* the time of calls now */
    struct { size_t row; double ns; } compared[AUTOTUNE__LEVELS];   /* which row took how long when it was compared */
    size_t levels;                              /* how many of these were noted */
    double change;                              /* the last change: times became so many times as long; 0: none */
} autotune__call_watch;

/* Notes that the row takes so long. Returns false if this was noted before. */
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
/* Takes a call of the winner, a row. ns: per unit of work. Returns true if the winner has to be compared again. */
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
