/* Streaks: calls of one configuration in a row. Streaks show the cost of a change of configuration, and whether one
   call is enough to know the time of a configuration. */
#pragma once
#include "../base/floor.h"
#include "pulse.h"

/* Calls of one configuration differ in length for three reasons: a change of configuration costs time, a first call
   builds something, or light and heavy calls alternate.

   If a change costs more than a tenth of a call, or if calls differ by more than 30 %, a trial is two calls in a row.
   The shorter call counts. Until three changes have shown their cost, a trial is two calls in a row, too. In all these
   cases the first call of the incumbent or of the first configuration after a change measures only the cost of the
   change. If a device tells the times later, a trial is always one call: see autotune__is_timed_later().

   First calls build nothing if three first calls in a row took at most 1.5 times as long as the second calls. Until
   this is known, slow configurations are called twice, too, if the gate admits the second call.

   Thresholds:
   - alike: calls scatter if the longer of two calls in a row usually takes more than 1.3 times the shorter.
   - costly: a change matters if it costs more than a tenth of a call.
   - built: a first call that took more than 1.5 times the second call built something. */
enum { AUTOTUNE__SHOWN_BY = 3 };                /* three changes, second calls or audits show something */
static const double autotune__alike = 1.3, autotune__costly = 0.1, autotune__built = 1.5;
typedef struct autotune__streak {
    size_t row, calls;                          /* the row of the last call; how many calls in a row were of this row.
                                                   A sample of a comparison sets the number of calls to 0 */
    double ns, before_ns, work;                 /* the time of the last call, and of the call before, in ns per unit of
                                                   work; the work of the last call. NEVER: the call before was of
                                                   another row */
    bool changed;                               /* the call before ran another row */
    autotune__pulse ratios;                     /* of two calls in a row: the longer time divided by the shorter */
    autotune__pulse change_cost;                /* how much longer calls after a change took than usual calls of their
                                                   row, in ns per call, whatever the work of the call is */
    size_t true_firsts;                         /* how many times in a row the first call of a row built
                                                   nothing, as the second call showed */
    double second_call_ratio;                   /* of the row that was called a second time last: time of the
                                                   second call divided by the first's; 1 at most */
} autotune__streak;

/* Notes a call of a row. includes_cost: the call before was the first call of its row, or includes the cost of a
   change. Then the two calls are not compared. */
static void autotune__note_call(autotune__streak *streak, size_t row, double unit_ns, double work, bool includes_cost) {
    const bool same = row == streak->row;
    streak->changed = !same && streak->row != SIZE_MAX;
    if (same && !includes_cost)
        autotune__add_beat(&streak->ratios, unit_ns > streak->ns ? unit_ns / streak->ns : streak->ns / unit_ns);
    streak->before_ns = same ? streak->ns : AUTOTUNE__NEVER;
    streak->calls = same ? streak->calls + 1 : 1;
    streak->row = row;
    streak->ns = unit_ns;
    streak->work = work;
}
