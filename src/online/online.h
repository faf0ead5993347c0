/* An online race: each call runs exactly one configuration, once, for real; and the race goes on from call to call.

   The race is that of the floor below, with its rows, its order and its duel. It tries configurations in another order,
   and at other times. One configuration is in use, the incumbent, at first the first of the space. A call in between
   tries another configuration, if the gate admits it. The time of that call counts as its ratio to the incumbent's
   time. This file has the state, and how a sample becomes a ratio. It knows no statement. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "watch.h"

typedef enum autotune__online_stage {
    AUTOTUNE__GLANCING,                         /* each configuration is tried once, those that are near twice */
    AUTOTUNE__COMPARING,                        /* what is near the best, in the halving and the duel of the race */
    AUTOTUNE__PROVING,                          /* the winner is in use, to see what its calls cost in the mean */
    AUTOTUNE__WATCHING,                         /* the winner was published, and now and then a call of it is told */
    AUTOTUNE__DECIDED                           /* race.outcome is complete */
} autotune__online_stage;
typedef struct autotune__online {
    autotune__race race;
    autotune__gate gate;
    autotune__pulse pulse;                      /* of the incumbent */
    autotune__streak streak;
    autotune__call_watch watch;                 /* of the winner, which then is the incumbent */
    autotune__online_stage stage;
    size_t incumbent;                           /* a row; SIZE_MAX: none works so far */
    const char *why;                            /* it came into use; NULL: it is one of those near the best */
    double ratio;                               /* what the incumbent takes, over what the first configuration does */
    double served_ns, served_first_ns;          /* what it took since it came into use, per unit of work; and what the
                                                   first configuration would have taken */
    double unaudited, counted_ns;               /* the work of calls before that was known; what was counted for it */
    autotune__pulse own;                        /* the last calls of the first configuration itself */
    autotune__pulse audits;                     /* what the first configuration took, over what the incumbent did */
    size_t audited;                             /* the call of the last audit */
    double audit_pulse;                         /* and the pulse at that time */
    double first_ns;                            /* what a unit of work takes with the first configuration, now */
    double reference_ns;                        /* and at the beginning, with the work of the first call: samples in
                                                   the rows are ratios to the first configuration, times this */
    double reference_work;
    size_t tried;                               /* the row that the rule chose last, until its time is known and another
                                                   call was made since; SIZE_MAX: none, and what is in use was called */
    bool chosen;                                /* the call is the one that the rule chose that row for */
    autotune_backend *backend;                  /* which says what may be tried now; NULL: all */
    size_t again;                               /* a row that is tried again at once; SIZE_MAX: none */
    size_t gap;                                 /* so many calls of the incumbent come before the next trial */
    size_t refused;                             /* calls since the last trial in which the gate admitted none */
    bool together;                              /* each row is called twice before it may leave */
    double second_ns;                           /* what second calls took beyond the incumbent: see second_calls.h */
    size_t least_calls;                         /* that a winner has made before it is published */
    size_t failed;                              /* how many configurations did */
} autotune__online;

/* Returns the time of a call with so much work and the first configuration now. */
static double autotune__first_takes(const autotune__online *online, double work) {
    return autotune__is_definite(online->first_ns) ? online->first_ns * work : 0;
}
/* A configuration whose first call took up to 1.25 times the best is called again at once, and the lesser time counts.
   The first call after a switch is slower, since pages and caches are those of another configuration. It comes into use
   at once if both calls were more than 5 % faster than the incumbent. Configurations within 15 % of the best in the end
   are compared in rounds. If calls scatter by more than a few per cent, all of these shares but the 5 % are so much
   wider. The figures are those of bench/online.c. */
static const double autotune__near = 1.25, autotune__clearly = 0.05, autotune__measurable = 0.02,
                    autotune__contending = 1.15;
/* Returns the ratio to the configuration in use at which another one comes into use: less than 1 by this share, or by
   the margin. */
static double autotune__gain_for_use(const autotune__online *online, double share) {
    return 1 - (online->race.limits.margin > share ? online->race.limits.margin : share);
}
/* Returns the cost of the next change of configuration; 0: too little to matter, or unknown. */
static double autotune__next_change_ns(const autotune__online *online) {
    const double ns = autotune__pulse_ns(&online->streak.change),
                 call_ns = autotune__pulse_ns(&online->pulse) * online->streak.work;
    return online->streak.change.count >= AUTOTUNE__SHOWN_BY && ns > autotune__costly * call_ns ? ns : 0;
}
/* Does what the last call took have the cost of a change in it, as far as is known? */
static bool autotune__is_charged(const autotune__online *online) {
    return online->streak.changed &&
           (online->streak.change.count < AUTOTUNE__SHOWN_BY || autotune__next_change_ns(online) > 0);
}
/* Is what a call took asked for later? Then no calls are in a row, and the device's clock knows of no building. */
static bool autotune__is_awaited(const autotune__online *online) { return online->backend && online->backend->ask; }
/* Do calls of one configuration differ? */
static bool autotune__calls_differ(const autotune__online *online) {
    return autotune__usual_scatter(&online->streak.ratios) > autotune__alike;
}
/* Is a trial two calls in a row? */
static bool autotune__pairs_calls(const autotune__online *online) {
    return !autotune__is_awaited(online) && (online->streak.change.count < AUTOTUNE__SHOWN_BY ||
                                             autotune__next_change_ns(online) > 0 || autotune__calls_differ(online));
}
/* Do first calls take what second ones do? */
static bool autotune__is_truthful(const autotune__online *online) {
    return online->streak.truthful >= AUTOTUNE__SHOWN_BY || autotune__is_awaited(online);
}
/* Returns the time that the call tells, per unit of work. */
static double autotune__told_ns(const autotune__online *online) {
    const autotune__streak *streak = &online->streak;
    return autotune__pairs_calls(online) && streak->before_ns < streak->ns ? streak->before_ns : streak->ns;
}
/* Returns the time of a row over that of the first configuration, by the best that is known. */
static double autotune__online_ratio(const autotune__online *online, size_t row) {
    const autotune__row *rows = online->race.rows;
    const bool duelled = online->incumbent != SIZE_MAX && autotune__is_definite(rows[row].relative) &&
                         autotune__is_definite(rows[online->incumbent].relative);
    return duelled ? online->ratio * rows[row].relative / rows[online->incumbent].relative
                   : rows[row].minimum / online->reference_ns;
}
