/* A pulse: the median of the last five times. Of the incumbent it tells what a call takes now; of the audits, how much
   longer the first configuration takes. */
#pragma once
#include "../base/numbers.h"

/* The median of the last five calls follows a device whose speed drifts, and is not moved by two calls that were
   interrupted. Times are per unit of work. */
enum { AUTOTUNE__PULSE = 5 };
typedef struct autotune__pulse {
    double beats[AUTOTUNE__PULSE];
    size_t count;                               /* of all that were taken */
} autotune__pulse;

static void autotune__beat(autotune__pulse *pulse, double ns) {
    pulse->beats[pulse->count++ % AUTOTUNE__PULSE] = ns;
}
static bool autotune__has_pulse(const autotune__pulse *pulse) { return pulse->count >= AUTOTUNE__PULSE; }
/* The beats in use, in ascending order. Returns how many there are. */
static size_t autotune__sorted_beats(const autotune__pulse *pulse, double *sorted) {
    const size_t count = pulse->count < AUTOTUNE__PULSE ? pulse->count : (size_t)AUTOTUNE__PULSE;
    memcpy(sorted, pulse->beats, count * sizeof *sorted);
    autotune__sort(sorted, count);
    return count;
}
static double autotune__pulse_ns(const autotune__pulse *pulse) {
    double sorted[AUTOTUNE__PULSE];
    const size_t count = autotune__sorted_beats(pulse, sorted);
    return autotune__median(sorted, count);
}
