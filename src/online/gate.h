/* The gate bounds the cost of tuning: it admits or refuses a call that may be slow. */
#pragma once
#include "../base/floor.h"

/* The gate keeps two sums over the measured calls of a key, except for calls of a watched winner. would_have_taken is
   the time that the first configuration would have taken in these calls. The loss is the time of these calls less
   would_have_taken. A call of the first configuration loses nothing but the cost of a change of configuration. Once a
   faster configuration is in use, the loss becomes negative, so that gains pay for more trials. A configuration that
   was never tried is expected to be as slow as the mean of the tried configurations. So the gate admits few trials in a
   space of slow configurations. The gate admits a call if

   loss + expected <= 0.9 * max_loss * would_have_taken + allowance

   A tenth of max_loss is kept for the error of would_have_taken. After 300 calls there is a second bound, in which
   max_loss is multiplied by the root of 300 / calls. For this bound the loss does not include the time in which first
   calls built something. So a long run whose first configuration is among the best loses next to nothing.

   If one call is slower than expected, the loss may exceed the bound. Then the gate admits no trial until the loss is
   within the bound again. Gains reduce the loss, and each call raises the bound. Meanwhile the incumbent rests unless
   its own calls are a gain: see autotune__incumbent_rests().

   A call of another configuration does not show how long the first configuration would have taken. So the excess of a
   long call of the incumbent counts as a loss. Calls of the first configuration may reduce this loss:

   - The next call of the first configuration is slow. Then the gate assumes that the device was as slow in all calls
     of the incumbent since the last call of the first configuration. The gate counts more time for the first
     configuration in these calls, up to `since_ns`.
   - The first configuration's calls are longer in the mean than in the median. Then the gate counts
     more time for the first configuration in calls of other incumbents, by the same share. This additional time is at
     most the excess of these calls over their own median. For the mean, the longest call counts as the second longest,
     since anything may hold up a single call. */
typedef struct autotune__excess_shares {        /* by what share calls took longer than their median */
    size_t count, held_up;                      /* how many calls were added; how many of them took more than twice the
                                                   median */
    double sum, longest, second_longest;        /* the sum of the shares; the largest share and the second largest */
} autotune__excess_shares;
/* All times of the gate are in ns per call, or sums of such times. Only since_work is in units of work. */
typedef struct autotune__gate {
    double max_loss, allowance_ns;              /* the bound is max_loss * would_have_taken_ns + allowance_ns */
    double would_have_taken_ns, lost_ns;        /* the two sums described above, without the additional time that
                                                   autotune__credit_ns() returns */
    size_t calls;                               /* how many calls the two sums include */
    double longest_ns;                          /* the time of the longest of these calls */
    size_t first_calls;                         /* how many configurations were called for the first time */
    double slowness, built_ns;                  /* sums over first calls of configurations: by what share they took
                                                   longer than the first configuration (0: not longer); their excess
                                                   over second calls, in ns, if they built something */
    autotune__excess_shares first_excess;       /* of calls of the first configuration */
    double incumbent_first_ns;                  /* the part of would_have_taken_ns that belongs to calls of other
                                                   incumbents */
    double excess_ns, longest_excess_ns;        /* a part of lost_ns: the excess of calls of other incumbents over their
                                                   median; the largest excess of one such call */
    double unproven_gain_ns;                    /* gain of calls before audits showed the gain. Users see this gain, but
                                                   it pays for no trial */
    /* Three sums over calls of another incumbent since the last call of the first configuration. since_ns: the times of
       these calls, multiplied by autotune__sure_ratio(). since_first_ns: the time that was counted for the first
       configuration. since_work: their work. */
    double since_ns, since_first_ns, since_work;
} autotune__gate;

static void autotune__add_excess(autotune__excess_shares *shares, double share) {
    shares->count++;
    shares->sum += share;
    shares->held_up += share > 1;
    if (shares->count == 1 || share > shares->longest) {
        shares->second_longest = shares->count == 1 ? share : shares->longest;
        shares->longest = share;
    } else if (shares->count == 2 || share > shares->second_longest) shares->second_longest = share;
}
/* Returns how much longer the mean of calls is than their median, as a share of the median. */
static double autotune__mean_excess(const autotune__excess_shares *shares) {
    return shares->count ? (shares->sum - shares->longest + shares->second_longest) / (double)shares->count : 0;
}
/* Returns the time that the first configuration would have taken beyond its median in calls of other incumbents. */
static double autotune__credit_ns(const autotune__gate *gate) {
    const double expected_ns = autotune__mean_excess(&gate->first_excess) * gate->incumbent_first_ns,
                 credit_ns = expected_ns < gate->excess_ns ? expected_ns : gate->excess_ns;
    return credit_ns > 0 ? credit_ns : 0;
}
static double autotune__loss_ns(const autotune__gate *gate) { return gate->lost_ns - autotune__credit_ns(gate); }
/* Returns the loss that users see. */
static double autotune__shown_loss_ns(const autotune__gate *gate) {
    return autotune__loss_ns(gate) - gate->unproven_gain_ns;
}
static double autotune__bound_ns(const autotune__gate *gate, double fading) {
    return 0.9 * fading * gate->max_loss * (gate->would_have_taken_ns + autotune__credit_ns(gate)) + gate->allowance_ns;
}
/* Returns true if the gate admits a call. expected_ns: the expected loss of the call. once_ns: the part of this loss in
   which the first call of a configuration is expected to build something. */
static bool autotune__gate_admits(const autotune__gate *gate, double expected_ns, double once_ns) {
    const size_t full = 300;
    const double fading = gate->calls > full ? (double)autotune__inverse_root((float)gate->calls / (float)full) : 1,
                 lost_ns = autotune__loss_ns(gate) + expected_ns;
    return lost_ns <= autotune__bound_ns(gate, 1) &&
           lost_ns - gate->built_ns - once_ns <= autotune__bound_ns(gate, fading);
}
/* Returns by what share the first call of a configuration is expected to take longer than the first configuration. The
   share is 1 before any such call. */
static double autotune__expected_slowness(const autotune__gate *gate) {
    return (1 + gate->slowness) / (double)(1 + gate->first_calls);
}
static void autotune__note_first_call(autotune__gate *gate, double ratio) {
    gate->slowness += ratio > 1 ? ratio - 1 : 0;
    gate->first_calls++;
}
/* Counts a call that took ns. The first configuration would have taken first_ns. */
static void autotune__count_any_call(autotune__gate *gate, double ns, double first_ns) {
    gate->calls++;
    if (ns > gate->longest_ns) gate->longest_ns = ns;
    gate->would_have_taken_ns += first_ns;
    gate->lost_ns += ns - first_ns;
}
/* Counts a call of another incumbent. usual_ns: the median of the incumbent's calls. sure_ratio: see
   autotune__sure_ratio(). */
static void autotune__count_incumbent_call(autotune__gate *gate, double ns, double first_ns, double usual_ns,
                                           double sure_ratio, double work) {
    autotune__count_any_call(gate, ns, first_ns);
    gate->incumbent_first_ns += first_ns;
    gate->excess_ns += ns - usual_ns;
    if (ns - usual_ns > gate->longest_excess_ns) gate->longest_excess_ns = ns - usual_ns;
    gate->since_ns += ns * sure_ratio;
    gate->since_first_ns += first_ns;
    gate->since_work += work;
}
/* Counts a call of the first configuration. usual_ns: the median of its calls; 0: the excess of this call does not
   count. */
static void autotune__count_call_of_first(autotune__gate *gate, double ns, double usual_ns, double work) {
    const double slow_ns = ns / work * gate->since_work,
                 shown_ns = (gate->since_ns < slow_ns ? gate->since_ns : slow_ns) - gate->since_first_ns;
    if (shown_ns > 0) {
        gate->would_have_taken_ns += shown_ns;
        gate->lost_ns -= shown_ns;
        gate->excess_ns -= shown_ns;
    }
    gate->since_ns = gate->since_first_ns = gate->since_work = 0;
    autotune__count_any_call(gate, ns, ns);
    if (usual_ns > 0) autotune__add_excess(&gate->first_excess, ns / usual_ns - 1);
}
