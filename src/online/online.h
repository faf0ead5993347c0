/* An online race: each call runs exactly one configuration, once, for real; and the race goes on from call to call.

   The race is that of the floor below, with its rows, its order and its duel. What is different is who is tried, and
   when: one configuration is in use, the incumbent, at first the first of the space; a call in between tries another,
   if the gate admits it. The time of that call counts as its ratio to what the incumbent takes at the time. This file:
   the state, and how a sample becomes a ratio. It knows no statement: it is told times. */
#pragma once
#include "../api/backend.h"
#include "../base/numbers.h"
#include "../race/race.h"
#include "gate.h"
#include "pulse.h"

typedef enum autotune__online_stage {
    AUTOTUNE__GLANCING,                         /* each configuration is tried once, those that are near twice */
    AUTOTUNE__COMPARING,                        /* what is near the best is compared in rounds, with the incumbent */
    AUTOTUNE__DECIDING,                         /* the duel of the race */
    AUTOTUNE__DECIDED                           /* race.outcome is complete */
} autotune__online_stage;
typedef struct autotune__online {
    autotune__race race;
    autotune__gate gate;
    autotune__pulse pulse;
    autotune__online_stage stage;
    size_t incumbent;                           /* a row; SIZE_MAX: none works so far */
    double pace;                                /* what the incumbent takes, over what the first configuration does */
    autotune__pulse audits;                     /* what the first configuration took, over what the incumbent did */
    size_t audited;                             /* the call of the last audit */
    double audit_pulse;                         /* and the pulse at that time */
    double first_ns;                            /* what a unit of work takes with the first configuration, now */
    double reference_ns;                        /* and at the beginning, with the work of the first call: samples in
                                                   the rows are ratios to the first configuration, times this */
    double reference_work;
    double handed_pulse_ns;                     /* the pulse in the process before; AUTOTUNE__NEVER: this one has its
                                                   own, or none is known */
    double speed;                               /* of the device now, over that when the duel began, in another process
                                                   maybe: samples are multiplied by it */
    bool chosen;                                /* the call runs what comes next, and not the incumbent in its place */
    bool awaited;                               /* such a call was made, and its time is not known yet */
    bool tried_last;                            /* the call before was no call of the incumbent */
    autotune_backend *backend;                  /* which says what may be tried now; NULL: all */
    size_t again;                               /* a row that is tried again at once; SIZE_MAX: none */
    size_t turn;                                /* of a round of COMPARING: the position in race.live that comes next */
    size_t failed;                              /* how many configurations did */
} autotune__online;

/* What a call with so much work takes with the first configuration now. */
static double autotune__first_takes(const autotune__online *online, double work) {
    return autotune__is_definite(online->first_ns) ? online->first_ns * work : 0;
}
/* What a row takes over what the first configuration does, by the best that is known. */
static double autotune__online_ratio(const autotune__online *online, size_t row) {
    const autotune__row *rows = online->race.rows;
    const bool duelled = online->incumbent != SIZE_MAX && autotune__is_definite(rows[row].relative) &&
                         autotune__is_definite(rows[online->incumbent].relative);
    return duelled ? online->pace * rows[row].relative / rows[online->incumbent].relative
                   : rows[row].minimum / online->reference_ns;
}
/* The audits. Once something else is in use, the first configuration is called now and then, to see what it would
   take: such a call loses nothing. Until there are five of them nothing counts as gained; so a configuration that came
   into use by chance does not pay for more trying. Three are enough if each of them shows a large gain. */
static const double autotune__large_gain = 1.5;
static double autotune__least_audit(const autotune__online *online) {
    double sorted[AUTOTUNE__PULSE] = { 0 };
    (void)autotune__sorted_beats(&online->audits, sorted);
    return sorted[online->audits.count >= AUTOTUNE__PULSE];    /* of five the second least */
}
static bool autotune__is_audited(const autotune__online *online) {
    const size_t count = online->audits.count, few = 3;
    return count >= AUTOTUNE__PULSE || (count >= few && autotune__least_audit(online) > autotune__large_gain);
}
static bool autotune__audit_is_due(const autotune__online *online) {
    const size_t soon = 3, interval = 16, since = online->gate.calls - online->audited;
    if (online->incumbent == 0 || autotune__failed(&online->race.rows[0])) return false;
    if (!autotune__is_audited(online)) return since >= soon;
    return since >= interval && autotune__least_audit(online) <= autotune__large_gain;
}
/* What the first configuration would surely take, over what the incumbent does. */
static double autotune__worth(const autotune__online *online) {
    return online->incumbent != 0 && autotune__is_audited(online) ? autotune__least_audit(online) : 1;
}
/* What the incumbent takes now tells what the first configuration does: by the audits, and else no less than that. */
static void autotune__follow_first(autotune__online *online) {
    online->first_ns = autotune__pulse_ns(&online->pulse) * autotune__worth(online);
}
/* Another configuration comes into use. It takes about pace times what the first configuration does. */
static void autotune__take_over(autotune__online *online, size_t row, double pace) {
    if (autotune__is_definite(online->handed_pulse_ns)) online->handed_pulse_ns *= pace / online->pace;
    online->incumbent = row;
    online->pace = pace;
    online->audits.count = online->pulse.count = 0;
}
/* A call of the first configuration that is not the incumbent. If it was faster, it comes into use again: at once where
   it was clearly faster, for what disturbs a call only ever makes it longer; else when the audits agree. */
static void autotune__audit(autotune__online *online, double ns, double work) {
    const double ratio = ns / work / autotune__pulse_ns(&online->pulse);
    autotune__beat(&online->audits, ratio);
    online->audited = online->gate.calls;
    online->audit_pulse = autotune__pulse_ns(&online->pulse);
    if (autotune__is_audited(online)) online->pace = 1 / autotune__pulse_ns(&online->audits);
    else if (ratio < 0.95) online->pace = 1 / ratio;
    else return;
    autotune__follow_first(online);
    if (online->pace <= 1.01) return;
    online->race.rows[online->incumbent].minimum = online->pace * online->reference_ns;
    autotune__take_over(online, 0, 1);
}
/* The first pulse of a process that took over a race: by it the device's speed in the two processes is compared. */
static void autotune__compare_speeds(autotune__online *online) {
    if (!autotune__is_definite(online->handed_pulse_ns)) return;
    online->audit_pulse = autotune__pulse_ns(&online->pulse);
    online->speed = online->handed_pulse_ns / online->audit_pulse;
    online->handed_pulse_ns = AUTOTUNE__NEVER;
}
/* A call of the incumbent: its pulse, and by it what the first configuration takes now. */
static void autotune__feel_pulse(autotune__online *online, double ns, double work) {
    autotune__row *row = &online->race.rows[online->incumbent];
    autotune__beat(&online->pulse, ns / work);
    if (!autotune__has_pulse(&online->pulse)) return;
    autotune__compare_speeds(online);
    /* Far slower than at the last audit: nobody knows whether the first configuration is, too. */
    if (autotune__pulse_ns(&online->pulse) > 1.25 * online->audit_pulse) online->audits.count = 0;
    autotune__follow_first(online);
    if (!autotune__is_definite(online->reference_ns)) {
        online->reference_work = work;
        online->reference_ns = online->first_ns * work;
    }
    if (!autotune__is_definite(row->minimum)) row->minimum = online->pace * online->reference_ns;
}
