/* A pulse: the median of the last five times or ratios. The pulse of the incumbent is the time that its calls take now.
   The pulse of the audits shows how much longer the first configuration takes. This file also computes how far calls
   scatter. */
#pragma once
#include "../base/floor.h"

/* The median follows a device whose speed drifts. Two interrupted calls among the last five hardly move it. */
enum { AUTOTUNE__PULSE = 5, AUTOTUNE__BEATS = 16 };
typedef struct autotune__pulse {
    double beats[AUTOTUNE__BEATS];              /* a ring of times, or of ratios: each pulse says which, and its unit */
    size_t count;                               /* how many beats were added; the ring keeps the last 16 */
} autotune__pulse;

static void autotune__add_beat(autotune__pulse *pulse, double t) { pulse->beats[pulse->count++ % AUTOTUNE__BEATS] = t; }
static bool autotune__has_pulse(const autotune__pulse *pulse) { return pulse->count >= AUTOTUNE__PULSE; }
/* Copies the last beats, at most `most`, in ascending order. Returns the number of copied beats. */
static size_t autotune__sorted_beats(const autotune__pulse *pulse, size_t most, double *sorted) {
    const size_t count = pulse->count < most ? pulse->count : most;
    size_t i;
    for (i = 0; i < count; i++) sorted[i] = pulse->beats[(pulse->count - 1 - i) % AUTOTUNE__BEATS];
    autotune__sort(sorted, count);
    return count;
}
/* Returns the median of the last five beats, or of all beats if there are fewer. AUTOTUNE__NEVER: no beat was added. */
static double autotune__pulse_ns(const autotune__pulse *pulse) {
    double sorted[AUTOTUNE__PULSE];
    return autotune__median(sorted, autotune__sorted_beats(pulse, AUTOTUNE__PULSE, sorted));
}
/* Returns by which factor calls of one configuration scatter: the third largest of the last 16 ratios. Of 8 to 15
   ratios the second largest counts, of fewer ratios the largest. 1: there are no ratios. ratios: of two calls in a row,
   the longer time divided by the shorter. If the factor is large, one or two calls of another configuration show
   little. */
static double autotune__usual_scatter(const autotune__pulse *ratios) {
    double sorted[AUTOTUNE__BEATS];
    const size_t count = autotune__sorted_beats(ratios, AUTOTUNE__BEATS, sorted);
    return count && sorted[count - 1 - count / 8] > 1 ? sorted[count - 1 - count / 8] : 1;
}
