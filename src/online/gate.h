/* The gate: may a call of an online race try something that may be slow? It bounds what trying costs. */
#pragma once
#include "../base/numbers.h"

/* Over all calls of a key so far the gate keeps what the first configuration would have taken, and what the calls took
   beyond that. A call of the first configuration itself takes what it takes: it loses nothing. The loss becomes
   negative once something faster is in use, so that gains pay for more trying. A configuration that was never tried is
   expected to be as much slower as the others were in the mean, so that a space of slow configurations is entered
   slowly.

       loss + expected <= 0.9 * max_loss * would_have_taken + allowance

   A tenth is kept for what the estimate of would_have_taken may be wrong by. After 300 calls the share falls with the
   root of their number, so that a first configuration that is among the best costs a long run next to nothing.

   The one call that turns out slower than was expected is what the loss may exceed this by; nothing is tried until it
   is paid for. */
typedef struct autotune__gate {
    double max_loss;                            /* a share of the time that the first configuration would have taken */
    double allowance_ns;                        /* and so much besides */
    double would_have_taken_ns, loss_ns;
    size_t calls;                               /* that were measured */
    double slowness;                            /* of first calls: the sum of what they took beyond the first
                                                   configuration, in units of what that takes */
    size_t entered;                             /* how many first calls there were */
} autotune__gate;

static bool autotune__gate_admits(const autotune__gate *gate, double expected_ns) {
    const size_t full = 300;
    const double fading = gate->calls > full ? (double)autotune__inverse_root((float)gate->calls / (float)full) : 1;
    return gate->loss_ns + expected_ns <=
           0.9 * fading * gate->max_loss * gate->would_have_taken_ns + gate->allowance_ns;
}
/* What a first call is expected to take beyond the first configuration, in units of what that takes. At the beginning
   it is expected to take twice the time. */
static double autotune__expected_slowness(const autotune__gate *gate) {
    return (1 + gate->slowness) / (double)(1 + gate->entered);
}
/* A call took ns, where the first configuration would have taken other_ns. */
static void autotune__pass_gate(autotune__gate *gate, double ns, double other_ns) {
    gate->calls++;
    gate->would_have_taken_ns += other_ns;
    gate->loss_ns += ns - other_ns;
}
static void autotune__note_entered(autotune__gate *gate, double ratio) {
    gate->slowness += ratio > 1 ? ratio - 1 : 0;
    gate->entered++;
}
