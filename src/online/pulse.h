/* A pulse: the median of the last five times. Of the incumbent it tells what a call takes now; of the audits, how much
   longer the first configuration takes. */
#pragma once
#include "../base/floor.h"

/* The median of the last five calls follows a device whose speed drifts, and is not moved by two calls that were
   interrupted. Times are per unit of work. */
enum { AUTOTUNE__PULSE = 5 };
typedef struct autotune__pulse {
    double beats[AUTOTUNE__PULSE];
    size_t count;                               /* of all that were taken */
} autotune__pulse;

static void autotune__beat(autotune__pulse *pulse, double ns) { pulse->beats[pulse->count++ % AUTOTUNE__PULSE] = ns; }
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

/* Did the last call take more than twice the pulse? */
static bool autotune__is_surprising(const autotune__pulse *pulse) {
    return autotune__has_pulse(pulse) &&
           pulse->beats[(pulse->count - 1) % AUTOTUNE__PULSE] > 2 * autotune__pulse_ns(pulse);
}

/* How much longer than its pulse calls of the incumbent take: of its last 16 calls two took longer than this, or one.
   Where something disturbs many calls, one or two of another configuration show less. */
enum { AUTOTUNE__SCATTER = 16 };
typedef struct autotune__scatter {
    double ratios[AUTOTUNE__SCATTER];           /* of calls to the pulse */
    size_t count;
    double longest;                             /* of all calls: how many times as long as the ones before and after it
                                                   a single call took; a device that becomes slower shows none */
} autotune__scatter;

static void autotune__scatter_by(autotune__scatter *scatter, double ratio) {
    const size_t count = scatter->count++, most = AUTOTUNE__SCATTER;
    const double last = scatter->ratios[(count + most - 1) % most], before = scatter->ratios[(count + most - 2) % most],
                 beside = ratio > before ? ratio : before;
    scatter->ratios[count % most] = ratio;
    if (last > scatter->longest * beside) scatter->longest = last / beside;
}
static double autotune__scatter_beyond(const autotune__scatter *scatter, size_t calls) {        /* 1 or more */
    const size_t count = scatter->count < AUTOTUNE__SCATTER ? scatter->count : (size_t)AUTOTUNE__SCATTER;
    double sorted[AUTOTUNE__SCATTER] = { 0 };
    memcpy(sorted, scatter->ratios, count * sizeof *sorted);
    autotune__sort(sorted, count);
    calls = calls * count / AUTOTUNE__SCATTER;
    return count && sorted[count - 1 - calls] > 1 ? sorted[count - 1 - calls] : 1;
}
static double autotune__usual_scatter(const autotune__scatter *scatter) { return autotune__scatter_beyond(scatter, 2); }
