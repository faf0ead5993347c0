/* The incumbent of an online race: its pulse, and the audits that compare the first configuration with it. If the first
   configuration is faster in audits, it comes into use again. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "online.h"

/* An audit is a call of the first configuration while another configuration is in use. The audit shows the time that
   the first configuration takes now, and loses nothing. Until there are five audits, the gate counts no gain. So a
   configuration that came into use by chance does not pay for more trials. Three audits are enough if each shows a gain
   of more than 1.5 times. */
static const double autotune__large_gain = 1.5;
static double autotune__least_audit(const autotune__online *online) {
    double sorted[AUTOTUNE__PULSE] = { 0 };
    (void)autotune__sorted_beats(&online->audits, AUTOTUNE__PULSE, sorted);
    return sorted[online->audits.count >= AUTOTUNE__PULSE];    /* of five audits the second least ratio */
}
static bool autotune__is_audited(const autotune__online *online) {
    return online->audits.count >= AUTOTUNE__PULSE ||
           (online->audits.count >= AUTOTUNE__SHOWN_BY && autotune__least_audit(online) > autotune__large_gain);
}
/* Returns true if calls of a row cost no more in the mean than calls of the first configuration. taken: a sum
   of one ratio for each call of the row, the call's time divided by the first configuration's time. The margin allows
   for the error of the mean. */
static bool autotune__is_cheap(const autotune__online *online, const autotune__row *row, double taken) {
    const autotune__excess_shares *first = &online->gate.first_excess;
    const double of_first = 1 + (first->count ? first->sum / (double)first->count : 0),
                 margin = 1 + (double)autotune__inverse_root((float)(row->calls + 1));
    return taken <= margin * of_first * (double)row->calls;
}
/* Returns true if an audit is due. No audit is due until the incumbent was called again after the last call of the
   first configuration. If the calls of a winner took too long in the mean, the device may be the cause. Then every
   second call after that is an audit, on average. These audits come at random, so that they do not follow a rhythm of
   the device. */
static bool autotune__audit_is_due(autotune__online *online) {
    const autotune__row *row = &online->race.rows[online->incumbent];
    const size_t soon = 3, usual = 16, since = online->gate.calls - online->audited;
    const double share = 0.02, since_ns = (double)since * autotune__pulse_ns(&online->pulse) * online->streak.work;
    if (online->incumbent == 0 || autotune__failed(&online->race.rows[0]) || online->gate.since_work <= 0) return false;
    if (online->stage == AUTOTUNE__PROVING && !autotune__is_cheap(online, row, row->taken) &&
        autotune__random(&online->race.random) % 2)
        return true;
    if (!autotune__is_audited(online)) return since >= soon;
    return since >= usual && 2 * autotune__next_change_ns(online) <= share * since_ns &&
           autotune__least_audit(online) <= autotune__large_gain;
}
/* Returns the time of the first configuration divided by the incumbent's, by audits. AUTOTUNE__NEVER: unknown. */
static double autotune__audited_ratio(const autotune__online *online) {
    return online->incumbent && autotune__is_audited(online) ? autotune__pulse_ns(&online->audits) : AUTOTUNE__NEVER;
}
/* Returns the least ratio that is sure: the first configuration's time divided by the incumbent's. 1: audits are too
   few. */
static double autotune__sure_ratio(const autotune__online *online) {
    return online->incumbent && autotune__is_audited(online) ? autotune__least_audit(online) : 1;
}
/* Sets the time of the first configuration now: by the pulse of the incumbent and the audits, but at most the pulse of
   the first configuration's own last calls. The limit matters if only the incumbent has become slower. */
static void autotune__follow_first(autotune__online *online) {
    const double by_pulse_ns = autotune__pulse_ns(&online->pulse) * autotune__sure_ratio(online),
                 own_ns = autotune__pulse_ns(&online->first_pulse);
    online->first_ns = online->incumbent != 0 && own_ns < by_pulse_ns ? own_ns : by_pulse_ns;
}
/* Another configuration comes into use. ratio: its time divided by the first configuration's, roughly. */
static void autotune__take_over(autotune__online *online, size_t row, double ratio, const char *why) {
    online->incumbent = row;
    online->why = why;
    online->ratio = ratio;
    online->audits.count = online->pulse.count = 0;
    online->served_ns = online->served_first_ns = 0;
    if (row == 0) online->unaudited_work = online->counted_ns = 0;
}
/* The incumbent failed: the best other row comes into use. */
static void autotune__replace_incumbent(autotune__online *online) {
    autotune__race *race = &online->race;
    size_t i, best = SIZE_MAX;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (!autotune__failed(&race->rows[i]) && autotune__is_definite(race->rows[i].minimum) &&
            (best == SIZE_MAX || race->rows[i].minimum < race->rows[best].minimum))
            best = i;
    autotune__take_over(online, best, best == SIZE_MAX ? 1 : autotune__online_ratio(online, best),
                        "the configuration used before failed");
}
/* Returns true if the calls of the incumbent cost less in the mean than calls of the first configuration. The mean of
   few calls shows little, so the test adds the time of an imagined call to those of the incumbent. This time is the
   largest excess of one call, or a quarter of the longest call, whichever is longer. */
static bool autotune__is_worth_it(const autotune__online *online) {
    const autotune__gate *gate = &online->gate;
    const double quarter_ns = 0.25 * gate->longest_ns,
                 more_ns = quarter_ns > gate->longest_excess_ns ? quarter_ns : gate->longest_excess_ns;
    return online->served_ns + more_ns < online->served_first_ns * (1 + autotune__mean_excess(&gate->first_excess));
}
/* Returns true if the incumbent rests, which means that calls run the first configuration in its place. The incumbent
   rests while the loss exceeds the bound, unless its calls pay the loss back. So after one very long call of the
   incumbent there is no second one. */
static bool autotune__incumbent_rests(const autotune__online *online) {
    return online->incumbent != 0 && online->incumbent != SIZE_MAX && !autotune__failed(&online->race.rows[0]) &&
           online->stage != AUTOTUNE__WATCHING && !autotune__is_worth_it(online) &&
           autotune__loss_ns(&online->gate) > autotune__bound_ns(&online->gate, 1);
}
static size_t autotune__row_in_use(const autotune__online *online) {
    return autotune__incumbent_rests(online) ? 0 : online->incumbent;
}
/* Takes an audit. unit_ns: its time, in ns per unit of work. The first configuration comes into use again if it is
   faster by more than 1 %, by the median of the last audits. Before there are enough audits, it has to be faster by
   more than 5 % in this audit. This audit alone is then enough, since a disturbance only makes a call longer. */
static void autotune__audit(autotune__online *online, double unit_ns) {
    const double pulse_ns = autotune__pulse_ns(&online->pulse), ratio = unit_ns / pulse_ns;
    autotune__add_beat(&online->audits, ratio);
    online->audited = online->gate.calls;
    online->audit_pulse = pulse_ns;
    if (autotune__is_audited(online)) {
        online->ratio = 1 / autotune__pulse_ns(&online->audits);
        const double gain_ns = online->unaudited_work * pulse_ns * autotune__sure_ratio(online) - online->counted_ns;
        online->gate.unproven_gain_ns += gain_ns > 0 ? gain_ns : 0;
        online->unaudited_work = online->counted_ns = 0;
    } else if (ratio < 0.95) online->ratio = 1 / ratio;
    else return;
    autotune__follow_first(online);
    if (online->ratio <= 1.01) return;
    online->race.rows[online->incumbent].minimum = online->ratio * online->reference_ns;
    autotune__take_over(online, 0, 1, "it was faster in calls beside the other");
}
/* Takes a call of the incumbent: updates its pulse, and by the pulse the time of the first configuration. Times of
   calls with different work can be compared only in ns per unit of work, or after a conversion to reference_work. */
static void autotune__take_incumbent_call(autotune__online *online, double work) {
    autotune__row *row = &online->race.rows[online->incumbent];
    autotune__add_beat(&online->pulse, autotune__trial_ns(online));
    if (!autotune__has_pulse(&online->pulse)) return;
    /* The incumbent is far slower than at the last audit. New audits have to show if the first configuration is slower,
       too. */
    if (autotune__pulse_ns(&online->pulse) > 1.25 * online->audit_pulse) online->audits.count = 0;
    autotune__follow_first(online);
    if (!autotune__is_definite(online->reference_ns)) {
        online->reference_work = work;
        online->reference_ns = online->first_ns * work;
    }
    if (!autotune__is_definite(row->minimum)) row->minimum = online->ratio * online->reference_ns;
}

/* ---- What the gate counts ---- */

/* The gate counts whole calls, so these functions take times in ns per call.

   Takes a call of the incumbent or the first configuration after a change. The call's time beyond the usual time of
   its row is the cost of the change. */
static void autotune__account_change(autotune__online *online, size_t row, double ns, double work) {
    const bool is_incumbent = row == online->incumbent && autotune__has_pulse(&online->pulse);
    const double unit_ns = autotune__pulse_ns(is_incumbent ? &online->pulse : &online->first_pulse);
    if (autotune__is_definite(unit_ns) && (is_incumbent || row == 0))
        autotune__add_beat(&online->streak.change_cost, ns - unit_ns * work);
}
/* Returns how long the first configuration would have taken in a call, in ns. The call itself does not show this
   time. */
static double autotune__first_would_take(const autotune__online *online, size_t row, double ns, double work) {
    const double own_ns = autotune__pulse_ns(&online->first_pulse) * work;
    return row != 0 ? autotune__first_takes(online, work) : own_ns < ns ? own_ns : ns;
}
static void autotune__account_incumbent(autotune__online *online, double ns, double work) {
    const bool has_pulse = autotune__has_pulse(&online->pulse);
    const double usual_ns = has_pulse ? autotune__pulse_ns(&online->pulse) * work : ns,
                 own_ns = autotune__pulse_ns(&online->first_pulse), known_ns = autotune__first_takes(online, work),
                 first_ns = has_pulse || (known_ns > 0 && known_ns < ns) ? known_ns : ns; /* no gain without a pulse */
    autotune__count_incumbent_call(&online->gate, ns, first_ns, usual_ns, autotune__sure_ratio(online), work);
    online->served_ns += ns;
    online->served_first_ns += autotune__is_definite(own_ns) ? own_ns * work : first_ns;
}
