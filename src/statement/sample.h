/* A sample: the time of a RUN from the times of its launches. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "statement.h"

/* The time of several launches that were timed one by one. Now and then something else happens between the two readings
   of the clock: the process waits for a processor, or the driver for a lock while the device idles. On an H100 one cold
   launch in a hundred took 100 us, where the others took 3 us. So a launch of more than twice the median, and more than
   the steps of the clock explain, counts as the mean of the others. If the median is 0, all times count, since the
   steps are longer than the launches. The times are sorted; the median of two times is the shorter. */
static double autotune__sum_of_launches(const double *sorted, size_t count, double tick_ns) {
    const double median = count ? sorted[(count - 1) / 2] : 0,
                 most = median > 0 ? 2 * (median + tick_ns) : AUTOTUNE__NEVER;
    double sum = 0;
    size_t i;
    for (i = 0; i < count && sorted[i] <= most; i++) sum += sorted[i];
    return i ? sum * (double)count / (double)i : 0;
}
static void autotune__forget_times(autotune__trial_state *trial) {
    trial->elapsed_ns = trial->settled_ns = 0;
    trial->alone = 0;
}
/* Adds the time of the batch that ended. */
static void autotune__take_time(autotune__trial_state *trial, double ns) {
    size_t at = trial->alone;
    if (trial->batch > 1 || at == AUTOTUNE_MOST_QUEUED) {
        trial->settled_ns = trial->elapsed_ns;
        trial->alone = at = 0;
    }
    if (trial->batch > 1) { trial->elapsed_ns = trial->settled_ns += ns; return; }
    for (; at && trial->alone_ns[at - 1] > ns; at--) trial->alone_ns[at] = trial->alone_ns[at - 1];
    trial->alone_ns[at] = ns;
    trial->elapsed_ns = trial->settled_ns + autotune__sum_of_launches(trial->alone_ns, ++trial->alone,
                                                                      trial->request.tick_ns);
}
