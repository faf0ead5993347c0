/* The call lock of a key. A thread that measures a call holds this lock until the end of the call, so a key has one
   such thread at a time. Open calls of a device need no lock. Only the holder uses the race of the key and the
   statement of the race. A step holds the lock from its begin to its end. One thread may begin the step, and another
   thread may end the step. */
#pragma once
#include "../base/floor.h"
#include "../registry/floor.h"

/* Tries to take the call lock, without waiting. Returns true if this thread holds the lock from now on. */
static bool autotune__take_call_lock(autotune__known_key *known_key) {
    return !__atomic_exchange_n(&known_key->calls.locked, true, __ATOMIC_ACQUIRE);
}
/* Closes the step with this ticket, and takes over the call lock that the step holds. Returns true if this thread holds
   the lock from now on. Several threads may try to close the same step at once: one of these threads gets the lock. */
static bool autotune__take_over_lock(autotune__known_key *known_key, uint64_t ticket) {
    return __atomic_compare_exchange_n(&known_key->calls.open_step, &ticket, 0, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}
static void autotune__release_call_lock(autotune__known_key *known_key) {
    __atomic_store_n(&known_key->calls.locked, false, __ATOMIC_RELEASE);
}
