/* Streaks: calls of one configuration in a row. What a change of configuration costs, and whether one call tells what a
   configuration takes. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* Calls are not alike where a change of configuration costs something, since lists or layouts are made anew; where a
   first call builds something, as a plan; and where light and heavy calls alternate. So until three changes have shown
   that they cost no more than a tenth of a call, and as long as calls of one configuration differ, a trial is two calls
   in a row, of which the lesser counts, and so it is for what is in use: the call behind a change is charged, and tells
   nothing else. That a first call is as long as the second one is shown by three of these in a row; until then what is
   slow is called a second time, too, as far as the gate admits it. */
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
