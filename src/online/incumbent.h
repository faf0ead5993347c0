/* The incumbent of an online race: its pulse, the audits of the first configuration beside it, and what happens when
   one of them becomes slower. */
#pragma once
#include "../base/numbers.h"
#include "../race/race.h"
#include "pulse.h"
#include "online.h"

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
/* Another configuration comes into use. It takes about ratio times what the first configuration does. */
static void autotune__take_over(autotune__online *online, size_t row, double ratio) {
    if (autotune__is_definite(online->handed_pulse_ns)) online->handed_pulse_ns *= ratio / online->ratio;
    online->incumbent = row;
    online->ratio = ratio;
    online->audits.count = online->pulse.count = 0;
}
/* A call of the first configuration that is not the incumbent. If it was faster, it comes into use again: at once where
   it was clearly faster, for what disturbs a call only ever makes it longer; else when the audits agree. */
static void autotune__audit(autotune__online *online, double ns, double work) {
    const double ratio = ns / work / autotune__pulse_ns(&online->pulse);
    autotune__beat(&online->audits, ratio);
    online->audited = online->gate.calls;
    online->audit_pulse = autotune__pulse_ns(&online->pulse);
    if (autotune__is_audited(online)) online->ratio = 1 / autotune__pulse_ns(&online->audits);
    else if (ratio < 0.95) online->ratio = 1 / ratio;
    else return;
    autotune__follow_first(online);
    if (online->ratio <= 1.01) return;
    online->race.rows[online->incumbent].minimum = online->ratio * online->reference_ns;
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
    if (!autotune__is_definite(row->minimum)) row->minimum = online->ratio * online->reference_ns;
}
