/* Sampling: divides a RUN of a race into batches of launches, and makes the sample from their times. The next batch
   depends only on the request, the timing, the earlier batches and the time since the race began. The room runner.h
   makes the batches. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"

/* How the launches of a RUN are made. */
typedef enum autotune__timing {
    AUTOTUNE__AT_ONCE,                          /* the clock starts once for all launches of a batch */
    AUTOTUNE__APART,                            /* each launch is prepared and timed alone */
    AUTOTUNE__QUEUED                            /* as APART, but the CPU waits for the device after many launches */
} autotune__timing;
typedef struct autotune__sampling {
    uint32_t launched, readings;                /* how many launches were made; how often the clock was read */
    double elapsed_ns;                          /* the time of all launches */
    double settled_ns;                          /* the part of elapsed_ns that does not depend on later launches */
    double alone_ns[AUTOTUNE_MOST_QUEUED];      /* times of launches that are not in settled_ns, ascending; each launch
                                                   was timed alone */
    size_t alone;                               /* the number of times in alone_ns */
} autotune__sampling;

/* Returns the sum of the times of launches that were timed one by one. `sorted` has these times in ascending order. A
   few times are too long. Between two readings of the clock the process may wait for a processor, and the driver may
   wait for a lock while the device idles. On an H100 one cold launch in a hundred took 100 us, and all other launches
   took 3 us. So a time is outlying if it exceeds twice the sum of the median and the clock step. An outlying time
   counts as the mean of the other times. If the median is 0, the clock steps are longer than the launches, and no time
   is outlying. The median of two times is the shorter time. */
static double autotune__sum_of_launches(const double *sorted, size_t count, double tick_ns) {
    const double median = count ? sorted[(count - 1) / 2] : 0,
                 most = median > 0 ? 2 * (median + tick_ns) : AUTOTUNE__NEVER;
    double sum = 0;
    size_t i;
    for (i = 0; i < count && sorted[i] <= most; i++) sum += sorted[i];
    return i ? sum * (double)count / (double)i : 0;
}
/* Returns the number of launches of the next batch. It is 1 for a first launch, for a request with a limit, and for
   timing APART. */
static uint32_t autotune__next_batch(const autotune__sampling *sampling, const autotune__request *asked,
                                     autotune__timing timing) {
    const bool limited = asked->limit_ns > 0;
    const uint32_t left = asked->launches - sampling->launched,
                   most = timing != AUTOTUNE__QUEUED || limited ? 1 : (uint32_t)AUTOTUNE_MOST_QUEUED;
    if (timing == AUTOTUNE__AT_ONCE && !autotune__is_first_launch(asked) && !limited) return left;
    return left < most ? left : most;
}
/* Adds the time of a batch. */
static void autotune__add_batch(autotune__sampling *sampling, uint32_t launches, uint32_t readings, double ns,
                                double tick_ns) {
    size_t at = sampling->alone;
    sampling->launched += launches;
    sampling->readings += readings;
    if (launches > 1 || at == AUTOTUNE_MOST_QUEUED) {
        sampling->settled_ns = sampling->elapsed_ns;
        sampling->alone = at = 0;
    }
    if (launches > 1) { sampling->elapsed_ns = sampling->settled_ns += ns; return; }
    for (; at && sampling->alone_ns[at - 1] > ns; at--) sampling->alone_ns[at] = sampling->alone_ns[at - 1];
    sampling->alone_ns[at] = ns;
    sampling->elapsed_ns =
        sampling->settled_ns + autotune__sum_of_launches(sampling->alone_ns, ++sampling->alone, tick_ns);
}
/* Returns true if the mean launch took less than least_launch_ns: then nothing ran. Even if nothing ran, a clock that
   moves in steps may show up to a quarter of a step, in the mean over many readings. So half a step for each reading is
   added to the least time. If the steps of all readings are longer than the least time of all launches, at least 16
   readings are needed. */
static bool autotune__is_below_least(const autotune__sampling *sampling, double least_launch_ns, double tick_ns) {
    const double steps_ns = sampling->readings * tick_ns, least_ns = sampling->launched * least_launch_ns;
    const uint32_t some = 16;
    return least_ns > 0 && sampling->elapsed_ns < least_ns + steps_ns / 2 &&
           (steps_ns <= least_ns || sampling->readings >= some);
}
/* Counts a disturbance of the RUN. Returns true if the RUN was disturbed, and is repeated. A repetition may be
   disturbed, too, so a RUN is repeated at most three times. */
static bool autotune__count_disturbance(autotune__answer *answer, bool disturbed) {
    return disturbed && answer->disturbances++ < AUTOTUNE__MOST_REPEATS;
}
/* Returns true if the sample needs more launches. seconds: since the race began. */
static bool autotune__sample_goes_on(const autotune__sampling *sampling, const autotune__request *asked,
                                     double seconds) {
    const bool enough = asked->limit_ns > 0 && sampling->elapsed_ns > asked->limit_ns;
    return sampling->launched < asked->launches && !enough && seconds < asked->until_seconds;
}
