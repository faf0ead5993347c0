/* The time since a race began, and what does not count against the limit of the race. */
#pragma once
#include "../system/floor.h"
#include "../device/floor.h"
#include "statement.h"
#include "peers.h"

static double autotune__own_seconds(const autotune__trial_state *trial, uint64_t now) {    /* since the race began */
    const double ns = (double)(int64_t)(now - trial->watch.began);     /* of a clock that turned back: below 0 */
    return ns > 0 ? ns / 1e9 : 0;
}
/* Returns true if peers make each launch, too, also where one of a batch fails. */
static bool autotune__makes_each_launch(const autotune__trial_state *trial) {
    return trial->peers && trial->peers->make_each_launch(trial);
}
/* Seconds since the race began: of ranks in step those that they agreed on. */
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {
    return autotune__makes_each_launch(trial) ? trial->seconds : autotune__own_seconds(trial, now);
}
static double autotune__now(const autotune__trial_state *trial) {
    return autotune__seconds(trial, autotune__clock_now(trial->subject));
}
/* The time since `from` is not that of a launch: checking large outputs, or compiling, may take longer than all
   launches of a configuration. */
static void autotune__spend_besides(autotune__trial_state *trial, uint64_t from) {
    trial->answer.besides_seconds += autotune__passed_ns(from, autotune__clock_now(trial->subject)) / 1e9;
}
/* A device may compile a kernel while its first launch waits, and its clock does not count that. So a first launch
   counts twice as long as it took there, at most, against the limit of the race. */
static void autotune__put_off_first_launch(autotune__trial_state *trial, double ns) {
    const double passed_ns = autotune__passed_ns(trial->watch.started, autotune__clock_now(trial->subject));
    if (passed_ns > 2 * ns) trial->answer.besides_seconds += (passed_ns - 2 * ns) / 1e9;
}
