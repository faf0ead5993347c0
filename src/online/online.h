/* An online race: each call runs exactly one configuration, once, for real. The race goes on from call to call.

   The race has the rows, the order and the duel of the floor below. It tries configurations in another order, and at
   other times. One configuration is in use, the incumbent; at first it is the first configuration of the space. If the
   gate admits it, a call in between tries another configuration. The time of that call counts as its ratio to the
   incumbent's time. This file has the state, and turns times into ratios. It knows no statement. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "watch.h"

typedef enum autotune__online_stage {
    AUTOTUNE__GLANCING,                         /* tries each configuration once, and near ones twice */
    AUTOTUNE__COMPARING,                        /* compares configurations near the best: halving and duel */
    AUTOTUNE__PROVING,                          /* calls the winner, to measure the mean cost of its calls */
    AUTOTUNE__WATCHING,                         /* the winner is published, and some of its calls are timed */
    AUTOTUNE__DECIDED                           /* race.outcome is complete */
} autotune__online_stage;
typedef struct autotune__online {
    autotune__race race;
    autotune__gate gate;
    autotune__pulse pulse;                      /* the pulse of the incumbent's calls */
    autotune__streak streak;
    autotune__call_watch watch;                 /* watches the winner, which then is the incumbent */
    autotune__online_stage stage;
    size_t incumbent;                           /* the row in use; SIZE_MAX: no row works so far */
    const char *why;                            /* why the incumbent came into use; NULL: it is near the best */
    double ratio;                               /* time of the incumbent divided by the first configuration's */
    double served_ns, served_first_ns;          /* since the incumbent came into use, per unit of work, in ns: time of
                                                   its calls; what the first configuration would have taken */
    double unaudited, counted_ns;               /* until audits are enough: work of calls of others; what the gate
                                                   counted for the first configuration in them */
    autotune__pulse own;                        /* the last calls of the first configuration */
    autotune__pulse audits;                     /* audits: time of the first configuration divided by the incumbent's */
    size_t audited;                             /* the number of the call of the last audit */
    double audit_pulse;                         /* the pulse of the incumbent at that audit, in ns */
    double first_ns;                            /* time of the first configuration now, per unit of work */
    double reference_ns;                        /* its time at the beginning, for the work of the first call. Times in
                                                   rows are ratios multiplied by this */
    double reference_work;
    size_t tried;                               /* the row that the rule chose last; SIZE_MAX: the row in use */
    bool chosen;                                /* this call is the one for which the rule chose `tried` */
    autotune_backend *backend;                  /* may say that a configuration cannot be tried yet; NULL: all can */
    size_t again;                               /* the row to try again at once; SIZE_MAX: none */
    size_t gap;                                 /* so many calls of the incumbent come before the next trial */
    size_t refused;                             /* in how many calls in a row the gate admitted no trial */
    bool together;                              /* each row is called twice before it may be cut */
    double second_ns;                           /* time of second calls beyond the incumbent's: see second_calls.h */
    size_t least_calls;                         /* how many calls a winner makes before it is published */
    size_t failed;                              /* how many configurations failed */
} autotune__online;

/* Returns the time of a call with so much work and the first configuration now. */
static double autotune__first_takes(const autotune__online *online, double work) {
    return autotune__is_definite(online->first_ns) ? online->first_ns * work : 0;
}
/* A configuration whose first call took up to 1.25 times the best is called again at once. The shorter time counts. The
   first call after a change is slower, since pages and caches belong to another configuration. A configuration comes
   into use at once if both calls were more than 5 % faster than the incumbent. In the end configurations within 15 % of
   the best are compared in rounds. If calls scatter by more than a few per cent, these shares grow by the scatter,
   except the 5 %. The figures are from bench/online.c. */
static const double autotune__near = 1.25, autotune__clearly = 0.05, autotune__measurable = 0.02,
                    autotune__contending = 1.15;
/* Returns the ratio to the incumbent below which a row comes into use: less than 1 by the share, or by a larger
   margin. */
static double autotune__gain_for_use(const autotune__online *online, double share) {
    return 1 - (online->race.limits.margin > share ? online->race.limits.margin : share);
}
/* Returns the cost of the next change of configuration; 0: too little to matter, or unknown. */
static double autotune__next_change_ns(const autotune__online *online) {
    const double ns = autotune__pulse_ns(&online->streak.change),
                 call_ns = autotune__pulse_ns(&online->pulse) * online->streak.work;
    return online->streak.change.count >= AUTOTUNE__SHOWN_BY && ns > autotune__costly * call_ns ? ns : 0;
}
/* Returns true if the time of the last call includes the cost of a change, as far as is known. */
static bool autotune__is_charged(const autotune__online *online) {
    return online->streak.changed &&
           (online->streak.change.count < AUTOTUNE__SHOWN_BY || autotune__next_change_ns(online) > 0);
}
/* Returns true if times come later. Then no calls are in a row, and the device's clock does not count first builds. */
static bool autotune__is_awaited(const autotune__online *online) { return online->backend && online->backend->ask; }
/* Returns true if calls of one configuration differ. */
static bool autotune__calls_differ(const autotune__online *online) {
    return autotune__usual_scatter(&online->streak.ratios) > autotune__alike;
}
/* Returns true if a trial is two calls in a row. */
static bool autotune__pairs_calls(const autotune__online *online) {
    return !autotune__is_awaited(online) && (online->streak.change.count < AUTOTUNE__SHOWN_BY ||
                                             autotune__next_change_ns(online) > 0 || autotune__calls_differ(online));
}
/* Returns true if first calls take as long as second calls. */
static bool autotune__is_truthful(const autotune__online *online) {
    return online->streak.truthful >= AUTOTUNE__SHOWN_BY || autotune__is_awaited(online);
}
/* Returns the time of the trial, per unit of work: of two calls in a row the shorter one. */
static double autotune__trial_ns(const autotune__online *online) {
    const autotune__streak *streak = &online->streak;
    return autotune__pairs_calls(online) && streak->before_ns < streak->ns ? streak->before_ns : streak->ns;
}
/* Returns the time of a row divided by the time of the first configuration, as far as is known. */
static double autotune__online_ratio(const autotune__online *online, size_t row) {
    const autotune__row *rows = online->race.rows;
    const bool duelled = online->incumbent != SIZE_MAX && autotune__is_definite(rows[row].relative) &&
                         autotune__is_definite(rows[online->incumbent].relative);
    return duelled ? online->ratio * rows[row].relative / rows[online->incumbent].relative
                   : rows[row].minimum / online->reference_ns;
}
