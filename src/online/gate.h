/* The gate: may a call of an online race run something that may be slow? It bounds what tuning costs. */
#pragma once
#include "../base/floor.h"

/* Over all calls of a key so far the gate keeps what the first configuration would have taken, and what the calls took
   beyond that: the loss. A call of the first configuration itself takes what it takes, and loses nothing. The loss
   becomes negative once something faster is in use, so that gains pay for more trying. A configuration that was never
   tried is expected to be as much slower as the others were in the mean, so that a space of slow configurations is
   entered slowly.

       loss + expected <= 0.9 * max_loss * would_have_taken + allowance

   A tenth is kept for what the estimate of would_have_taken may be wrong by. After 300 calls the share falls with the
   root of their number, so that a first configuration that is among the best costs a long run next to nothing.

   The one call that turns out slower than was expected is what the loss may exceed this by. Until that is paid for
   nothing is tried, and what is in use rests unless its own calls are a gain: see autotune__rests().

   Nothing that a call of another configuration took says what the first one would have taken. So a call of the
   incumbent that takes long counts as lost, until the first configuration shows that it is slow, too:

   - by its next call. The gate assumes that the device was as slow in the calls in between as in this one. It gives
     back what the first configuration would have taken in them.
   - by how long its own calls are in the mean, over their median. The longest of them counts as the next one does: one
     may have been held up by anything. So much is expected of it in the calls of others, too, but no more than these
     took beyond their median. */
typedef struct autotune__tail {                 /* of calls: what each took beyond the median, over that */
    size_t count, held_up;                      /* held_up: how many took more than twice the median */
    double sum, longest, second;
} autotune__tail;
typedef struct autotune__gate {
    double max_loss, allowance_ns;              /* a share of what the first configuration would have taken; and so
                                                   much besides */
    double would_have_taken_ns, lost_ns;        /* by the medians of the first configuration */
    size_t calls;                               /* that were measured */
    double longest_ns;                          /* of them */
    size_t entered;                             /* how many first calls there were */
    double slowness, built_ns;                  /* the sum of what they took beyond the first configuration, in units
                                                   of what that takes; and of lost_ns, beyond second calls */
    autotune__tail of_first;
    double others_ns;                           /* of would_have_taken_ns: in calls of other incumbents */
    double excess_ns, longest_excess_ns;        /* of lost_ns: what these took beyond their own medians; one of them */
    double early_ns;                            /* gained before audits had shown a gain: nothing is paid with it */
    /* The calls of another incumbent since the last call of the first configuration. Their time is at the speed of the
       first configuration. Then follow the time that it would have taken, and their work. */
    double since_ns, since_first_ns, since_work;
} autotune__gate;

static void autotune__add_to_tail(autotune__tail *tail, double beyond) {
    tail->count++;
    tail->sum += beyond;
    tail->held_up += beyond > 1;
    if (tail->count == 1 || beyond > tail->longest) {
        tail->second = tail->count == 1 ? beyond : tail->longest;
        tail->longest = beyond;
    } else if (tail->count == 2 || beyond > tail->second) tail->second = beyond;
}
/* Returns how much longer than the median calls are, in the mean. */
static double autotune__mean_of_tail(const autotune__tail *tail) {
    return tail->count ? (tail->sum - tail->longest + tail->second) / (double)tail->count : 0;
}
/* Returns the time that the first configuration would have taken beyond its medians in calls of others. */
static double autotune__credit_ns(const autotune__gate *gate) {
    const double expected_ns = autotune__mean_of_tail(&gate->of_first) * gate->others_ns,
                 credit_ns = expected_ns < gate->excess_ns ? expected_ns : gate->excess_ns;
    return credit_ns > 0 ? credit_ns : 0;
}
static double autotune__loss_ns(const autotune__gate *gate) { return gate->lost_ns - autotune__credit_ns(gate); }
/* Returns the loss that users are told. */
static double autotune__told_loss_ns(const autotune__gate *gate) { return autotune__loss_ns(gate) - gate->early_ns; }
static double autotune__bound_ns(const autotune__gate *gate, double fading) {
    return 0.9 * fading * gate->max_loss * (gate->would_have_taken_ns + autotune__credit_ns(gate)) + gate->allowance_ns;
}
/* once_ns: the part of it that is not expected a second time. */
static bool autotune__gate_admits(const autotune__gate *gate, double expected_ns, double once_ns) {
    const size_t full = 300;
    const double fading = gate->calls > full ? (double)autotune__inverse_root((float)gate->calls / (float)full) : 1,
                 lost_ns = autotune__loss_ns(gate) + expected_ns;
    return lost_ns <= autotune__bound_ns(gate, 1) &&
           lost_ns - gate->built_ns - once_ns <= autotune__bound_ns(gate, fading);
}
/* Returns how much longer than the first configuration a first call is expected to take, in units of the first
   configuration's time. At the beginning it is expected to take twice the time. */
static double autotune__expected_slowness(const autotune__gate *gate) {
    return (1 + gate->slowness) / (double)(1 + gate->entered);
}
static void autotune__note_entered(autotune__gate *gate, double ratio) {
    gate->slowness += ratio > 1 ? ratio - 1 : 0;
    gate->entered++;
}
/* A call of something that is tried took ns, where the first configuration would have taken first_ns. */
static void autotune__pass_gate(autotune__gate *gate, double ns, double first_ns) {
    gate->calls++;
    if (ns > gate->longest_ns) gate->longest_ns = ns;
    gate->would_have_taken_ns += first_ns;
    gate->lost_ns += ns - first_ns;
}
/* So did a call of an incumbent that is another one. usual_ns: its median; worth: what the first configuration takes
   over what it does. */
static void autotune__pass_in_use(autotune__gate *gate, double ns, double first_ns, double usual_ns, double worth,
                                  double work) {
    autotune__pass_gate(gate, ns, first_ns);
    gate->others_ns += first_ns;
    gate->excess_ns += ns - usual_ns;
    if (ns - usual_ns > gate->longest_excess_ns) gate->longest_excess_ns = ns - usual_ns;
    gate->since_ns += ns * worth;
    gate->since_first_ns += first_ns;
    gate->since_work += work;
}
/* A call of the first configuration took ns. usual_ns: its median; 0: not known yet. */
static void autotune__pass_first(autotune__gate *gate, double ns, double usual_ns, double work) {
    const double slow_ns = ns / work * gate->since_work,
                 shown_ns = (gate->since_ns < slow_ns ? gate->since_ns : slow_ns) - gate->since_first_ns;
    if (shown_ns > 0) {
        gate->would_have_taken_ns += shown_ns;
        gate->lost_ns -= shown_ns;
        gate->excess_ns -= shown_ns;
    }
    gate->since_ns = gate->since_first_ns = gate->since_work = 0;
    autotune__pass_gate(gate, ns, ns);
    if (usual_ns > 0) autotune__add_to_tail(&gate->of_first, ns / usual_ns - 1);
}
