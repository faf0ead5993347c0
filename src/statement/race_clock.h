/* The time since a race began: jumps of the clock, times for which the process was stopped, and what does not count
   against the limit of the race. */
#pragma once
#include "../system/floor.h"
#include "../device/floor.h"
#include "../ranks/floor.h"
#include "statement.h"

/* A time is lost if it is far longer than any launch, forward or back, and a second clock, the witness, saw less than a
   tenth of it. The clock of a backend of the user's own may jump: its witness is the machine's clock, and far means
   10 s and 100 times the longest launch. The machine's clock goes on while the process is stopped (by Ctrl-Z, or with
   its container): its witness is the time for which the process computed, and far means 100 ms, which is twice the
   pause for a throttled device, and 10 times the longest launch. */
static bool autotune__has_own_clock(const autotune__trial_state *trial) {
    return trial->subject->backend->now != autotune__cpu_now && !trial->subject->backend->start;
}
static uint64_t autotune__witness(const autotune__trial_state *trial) {
    return autotune__has_own_clock(trial) ? autotune__monotonic_ns() : autotune__computed_ns();
}
/* Negative: the clock jumped back. */
static double autotune__signed_ns(uint64_t from, uint64_t to) { return (double)(int64_t)(to - from); }
static bool autotune__has_jumped(const autotune__trial_state *trial, double ns) {
    const bool own = autotune__has_own_clock(trial);
    const double far_ns = ns < 0 ? -ns : ns, enough_ns = own ? 10e9 : 100e6, times = own ? 100 : 10;
    return far_ns >= enough_ns && far_ns / times > trial->watch.longest_known_ns &&
           (double)(autotune__witness(trial) - trial->watch.witnessed) < far_ns / 10;
}
static void autotune__lose(autotune__trial_state *trial, double ns) {
    trial->watch.lost_ns += ns;
    trial->answer.clock_jumped = autotune__has_own_clock(trial);
}
/* Loses the time between two launches, but at most eight times in a race: a .setup that sleeps looks the same. */
static void autotune__lose_gap(autotune__trial_state *trial) {
    const double ns = autotune__signed_ns(trial->watch.stopped, trial->watch.started);
    const unsigned most = 8;
    if (!autotune__has_jumped(trial, ns) || trial->watch.gaps >= most) return;
    trial->watch.gaps++;
    autotune__lose(trial, ns);
}
/* Is the time of the RUN in doubt, because the clock jumped or the process was stopped? Then the RUN is repeated, once.
   The time before is lost if it was negative, or if the RUN now takes less than a tenth of it. */
static bool autotune__is_doubted(autotune__trial_state *trial, uint64_t stopped) {
    const double ns = autotune__signed_ns(trial->watch.started, stopped), before_ns = trial->watch.doubted_ns;
    const bool repeated = before_ns < 0 || before_ns > 0,
               doubted = !repeated && (ns < 0 || autotune__has_jumped(trial, ns));
    if (repeated && (before_ns < 0 || ns < before_ns / 10)) autotune__lose(trial, before_ns);
    trial->watch.doubted_ns = doubted ? ns : 0;
    if (!doubted && ns / trial->batch > trial->watch.longest_known_ns)
        trial->watch.longest_known_ns = ns / trial->batch;
    return doubted;
}
static double autotune__own_seconds(const autotune__trial_state *trial, uint64_t now) {    /* since the race began */
    const double ns = autotune__signed_ns(trial->watch.began, now) - trial->watch.lost_ns;
    return ns > 0 ? ns / 1e9 : 0;
}
/* The same on all ranks that race in step. */
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {
    return autotune__is_in_step(trial->group) ? trial->agreed_seconds : autotune__own_seconds(trial, now);
}
static double autotune__now(const autotune__trial_state *trial) {
    return autotune__seconds(trial, autotune__clock_now(trial->subject));
}
/* What was done since `from` is no launch: checking large outputs, or compiling, may take longer than all launches of a
   configuration. */
static void autotune__spend_besides(autotune__trial_state *trial, uint64_t from) {
    trial->answer.besides_seconds += autotune__passed_ns(from, autotune__clock_now(trial->subject)) / 1e9;
}
/* A device may compile a kernel while its first launch waits, and its clock does not count that. So a first launch
   counts twice as long as it took there, at most, against the limit of the race. */
static void autotune__put_off_first_launch(autotune__trial_state *trial, double ns) {
    const double passed_ns = autotune__passed_ns(trial->watch.started, autotune__clock_now(trial->subject));
    if (passed_ns > 2 * ns) trial->answer.besides_seconds += (passed_ns - 2 * ns) / 1e9;
}
