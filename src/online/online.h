/* An online race: each call runs exactly one configuration, once, for real. The race goes on from call to call.

   An online race uses the rows, the halving and the duel of the floor `race`. The order of first trials is different:
   see order.h. One configuration is in use, the incumbent; at first it is the first configuration of the space. Calls
   of the incumbent alternate with trials, which are calls of other configurations. The gate has to admit each trial.
   The time of a trial is divided by the incumbent's time, and this ratio counts; in the duel the time itself counts.
   This file has the state of the race, and turns times into ratios. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "watch.h"

typedef enum autotune__online_stage {
    AUTOTUNE__GLANCING,                         /* glances, the first trials: each configuration is tried once, and
                                                   some configurations twice: see second_calls.h */
    AUTOTUNE__COMPARING,                        /* compares configurations near the best: halving and duel */
    AUTOTUNE__PROVING,                          /* calls the winner, to measure the mean cost of its calls */
    AUTOTUNE__WATCHING,                         /* the winner is published, and some of its calls are timed */
    AUTOTUNE__DECIDED                           /* race.outcome is complete */
} autotune__online_stage;
typedef struct autotune__online {
    autotune__race race;
    autotune__gate gate;
    autotune__pulse pulse;                      /* the pulse of the incumbent's calls, in ns per unit of work */
    autotune__streak streak;
    autotune__call_watch watch;                 /* watches the winner, which then is the incumbent */
    autotune__online_stage stage;
    size_t incumbent;                           /* the row in use, unless the incumbent rests; SIZE_MAX: no row
                                                   works */
    const char *why;                            /* why the incumbent came into use, for the log; NULL: the log
                                                   does not say it */
    double ratio;                               /* time of the incumbent divided by the first configuration's */
    double served_ns, served_first_ns;          /* sums over the incumbent's calls since it came into use, in ns: their
                                                   times; the times that the first configuration would have taken */
    double unaudited_work, counted_ns;          /* while there are too few audits, sums over calls of other rows than
                                                   the first: their work; the time in ns that the gate counted for the
                                                   first configuration */
    autotune__pulse first_pulse;                /* the last calls of the first configuration, in ns per unit of work */
    autotune__pulse audits;                     /* audits: time of the first configuration divided by the incumbent's */
    size_t audited;                             /* the number of the call of the last audit */
    double audit_pulse;                         /* the pulse of the incumbent at that audit, in ns per unit of work */
    double first_ns;                            /* time of the first configuration now, in ns per unit of work */
    double reference_ns;                        /* `first_ns` at the beginning, but in ns for the work `reference_work`.
                                                   Times in rows are ratios multiplied by `reference_ns` */
    double reference_work;                      /* the work of the call that first gave the incumbent a pulse, or of
                                                   an earlier run */
    size_t tried;                               /* the last choice of the rule: a row for a trial or an audit;
                                                   SIZE_MAX: the row in use */
    bool chosen;                                /* true: the rule chose `tried` for this call */
    autotune_backend *backend;                  /* the backend of the calls. It knows if a configuration is ready to
                                                   be tried, and may tell times later. NULL: each configuration is
                                                   ready, and no time comes later */
    size_t second_call;                         /* the row to try again next; SIZE_MAX: no row */
    size_t gap;                                 /* how many calls of the incumbent have to come before the next trial */
    size_t refused;                             /* in how many calls in a row the gate admitted no trial */
    bool calls_each_twice;                      /* ranks measure calls together: each row is called twice before it may
                                                   be cut */
    double second_ns;                           /* sum over second calls of rows whose first two calls both took longer
                                                   than the incumbent's: the shorter call's time beyond the
                                                   incumbent's, in ns; see second_calls.h */
    size_t least_calls;                         /* how many calls a winner makes before it is published */
    size_t failed;                              /* how many configurations failed */
} autotune__online;

/* Returns the time that the first configuration takes now for this work, in ns; 0: unknown. */
static double autotune__first_takes(const autotune__online *online, double work) {
    return autotune__is_definite(online->first_ns) ? online->first_ns * work : 0;
}
/* Thresholds. The figures are from bench/online.c.
   - near_ratio: a configuration whose first call took less than 1.25 times the incumbent's time is called again at
     once. The shorter time counts, since pages and caches still belong to another configuration in the first call.
   - gain_at_once: a configuration comes into use at once if both calls were more than 5 % faster than the incumbent.
   - gain_in_rounds: in the rounds of a comparison the leader comes into use if it is more than 2 % faster than the
     incumbent.
   - contending_ratio: after all glances, configurations within 15 % of the best are compared in rounds.

   If calls of one configuration scatter, near_ratio and contending_ratio are multiplied by the scatter. */
static const double autotune__near_ratio = 1.25, autotune__gain_at_once = 0.05, autotune__gain_in_rounds = 0.02,
                    autotune__contending_ratio = 1.15;
/* Returns the limit of a row's time divided by the incumbent's time: below this limit the row comes into use. The limit
   is 1 - share, or 1 - margin if the margin is larger. */
static double autotune__gain_for_use(const autotune__online *online, double share) {
    return 1 - (online->race.limits.margin > share ? online->race.limits.margin : share);
}
/* Returns the cost of the next change of configuration, in ns; 0: too little to matter, or unknown. */
static double autotune__next_change_ns(const autotune__online *online) {
    const double ns = autotune__pulse_ns(&online->streak.change_cost),
                 call_ns = autotune__pulse_ns(&online->pulse) * online->streak.work;
    return online->streak.change_cost.count >= AUTOTUNE__SHOWN_BY && ns > autotune__costly * call_ns ? ns : 0;
}
/* Returns true if a change of configuration costs more than a tenth of a call, or if its cost is unknown. */
static bool autotune__change_may_cost(const autotune__online *online) {
    return online->streak.change_cost.count < AUTOTUNE__SHOWN_BY || autotune__next_change_ns(online) > 0;
}
/* Returns true if the last call came after a change of configuration, and its time may include the cost of the
   change. */
static bool autotune__includes_change(const autotune__online *online) {
    return online->streak.changed && autotune__change_may_cost(online);
}
/* Returns true if a device tells the times of calls later. Then a trial is never two calls in a row. A first call shows
   the time of its row, since the clock of the device does not count what the processor builds. */
static bool autotune__is_timed_later(const autotune__online *online) { return online->backend && online->backend->ask; }
/* Returns true if calls of one configuration usually scatter by more than 30 %. */
static bool autotune__calls_differ(const autotune__online *online) {
    return autotune__usual_scatter(&online->streak.ratios) > autotune__alike;
}
/* Returns true if a trial is two calls in a row. */
static bool autotune__trial_is_two_calls(const autotune__online *online) {
    return !autotune__is_timed_later(online) && (autotune__change_may_cost(online) || autotune__calls_differ(online));
}
/* Returns true if first calls take as long as second calls. */
static bool autotune__are_firsts_true(const autotune__online *online) {
    return online->streak.true_firsts >= AUTOTUNE__SHOWN_BY || autotune__is_timed_later(online);
}
/* Returns the time of the last call, in ns per unit of work. If a trial is two calls in a row, and the call before ran
   the same row, the shorter time of both calls counts. */
static double autotune__trial_ns(const autotune__online *online) {
    const autotune__streak *streak = &online->streak;
    return autotune__trial_is_two_calls(online) && streak->before_ns < streak->ns ? streak->before_ns : streak->ns;
}
/* Returns the time of a row divided by the time of the first configuration. If the row and the incumbent
   were duelled, the times of the duel count, else the least time of the row. */
static double autotune__online_ratio(const autotune__online *online, size_t row) {
    const autotune__row *rows = online->race.rows;
    const bool duelled = online->incumbent != SIZE_MAX && autotune__is_definite(rows[row].relative) &&
                         autotune__is_definite(rows[online->incumbent].relative);
    return duelled ? online->ratio * rows[row].relative / rows[online->incumbent].relative
                   : rows[row].minimum / online->reference_ns;
}
