/* Streaks: calls of one configuration in a row. They tell the cost of a change of configuration, and whether one call
   tells the time of a configuration. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* Calls are not alike if a change of configuration costs something, since lists or layouts are made anew. They are not
   alike if a first call builds something, as a plan, or if light and heavy calls alternate. So a trial is two calls in
   a row, of which the lesser counts, as long as calls of one configuration differ. It is so, too, until three changes
   have shown that they cost no more than a tenth of a call. The same holds for the configuration in use: the call
   behind a change is charged, and tells nothing else. Three second calls in a row show that a first call is as long as
   the second one. Until then slow configurations are called a second time, too, as far as the gate admits it. */
enum { AUTOTUNE__SHOWN_BY = 3 };
static const double autotune__alike = 1.3, autotune__costly = 0.1, autotune__built = 1.5;
typedef struct autotune__streak {
    size_t row, calls;                          /* what the last call ran, and the how-many-th in a row that was */
    double ns, before_ns, work;                 /* what it took and what the call before it did, if that was one of the
                                                   same row, per unit of work; and its work */
    bool changed;                               /* the call before ran another row */
    autotune__pulse steps;                      /* the longer of two calls in a row, over the other one */
    autotune__pulse change;                     /* what calls behind a change took beyond their pulse, in ns */
    size_t truthful;                            /* second calls in a row that took as long as the first ones */
    double second;                              /* what the last of them took, over the first one */
} autotune__streak;

/* charged: the call before had something else to do, too. */
static void autotune__note_call(autotune__streak *streak, size_t row, double unit_ns, double work, bool charged) {
    const bool same = row == streak->row;
    streak->changed = !same && streak->row != SIZE_MAX;
    if (same && !charged)
        autotune__beat(&streak->steps, unit_ns > streak->ns ? unit_ns / streak->ns : streak->ns / unit_ns);
    streak->before_ns = same ? streak->ns : AUTOTUNE__NEVER;
    streak->calls = same ? streak->calls + 1 : 1;
    streak->row = row;
    streak->ns = unit_ns;
    streak->work = work;
}
