/* Streaks: calls of one configuration in a row. They tell the cost of a change of configuration, and whether one call
   tells the time of a configuration. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* Calls of one configuration differ if a change of configuration costs something, if a first call builds something, or
   if light and heavy calls alternate. Then a trial is two calls in a row, and the shorter call counts. A trial is two
   calls, too, until three changes have shown that a change costs at most a tenth of a call. In both cases a call
   of the configuration in use behind a change shows only the cost of the change. First calls build nothing if three
   second calls in a row took as long as the first calls. Until then slow configurations are called twice, too, if the
   gate admits it. */
enum { AUTOTUNE__SHOWN_BY = 3 };
static const double autotune__alike = 1.3, autotune__costly = 0.1, autotune__built = 1.5;
typedef struct autotune__streak {
    size_t row, calls;                          /* the row of the last call; how many calls in a row were of this row */
    double ns, before_ns, work;                 /* per unit of work: the time of the last call, and of the call before
                                                   if that was of the same row; the work of the last call */
    bool changed;                               /* the call before ran another row */
    autotune__pulse ratios;                     /* of two calls in a row: the longer time divided by the shorter */
    autotune__pulse change;                     /* how much longer calls behind a change took than others, in ns */
    size_t truthful;                            /* how many second calls in a row took as long as the first calls */
    double second;                              /* the last second call's time divided by its first call's; 1 at most */
} autotune__streak;

/* charged: the call before was the first of its row, or the cost of a change is in it. */
static void autotune__note_call(autotune__streak *streak, size_t row, double unit_ns, double work, bool charged) {
    const bool same = row == streak->row;
    streak->changed = !same && streak->row != SIZE_MAX;
    if (same && !charged)
        autotune__add_beat(&streak->ratios, unit_ns > streak->ns ? unit_ns / streak->ns : streak->ns / unit_ns);
    streak->before_ns = same ? streak->ns : AUTOTUNE__NEVER;
    streak->calls = same ? streak->calls + 1 : 1;
    streak->row = row;
    streak->ns = unit_ns;
    streak->work = work;
}
