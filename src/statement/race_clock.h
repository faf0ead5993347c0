/* The time since a race began; jumps of the clock, and times for which the process was stopped. */
#pragma once
#include "../system/clock.h"
#include "../device/cpu.h"
#include "../ranks/council.h"
#include "statement.h"

/* A time is lost if it is far longer than any launch, and a second clock, the witness, saw less than a tenth of it. The
   clock of a backend of the user's own may jump: its witness is the machine's clock, and far means 10 s and 100 times
   the longest launch. The machine's clock goes on while the process is stopped (by Ctrl-Z, or with its container): its
   witness is the time for which the process computed, and far means 100 ms, which is twice the pause for a throttled
   device, and 10 times the longest launch. */
static bool autotune__has_own_clock(const autotune__trial_state *trial) {
    return trial->subject->backend->now != autotune__cpu_now && !trial->subject->backend->start;
}
static uint64_t autotune__witness(const autotune__trial_state *trial) {
    return autotune__has_own_clock(trial) ? autotune__monotonic_ns() : autotune__computed_ns();
}
static bool autotune__has_jumped(const autotune__trial_state *trial, uint64_t from, uint64_t to) {
    const bool own = autotune__has_own_clock(trial);
    const uint64_t ns = to > from ? to - from : 0, enough = own ? 10000000000u : 100000000u, times = own ? 100 : 10;
    return ns >= enough && (double)(ns / times) > trial->watch.longest_known_ns &&
           autotune__witness(trial) - trial->watch.witnessed < ns / 10;
}
static void autotune__lose(autotune__trial_state *trial, double ns) {
    trial->watch.lost_ns += ns;
    trial->answer.clock_jumped = autotune__has_own_clock(trial);
}
/* Loses the time between two launches, but at most eight times in a race: a .setup that sleeps looks the same. */
static void autotune__lose_gap(autotune__trial_state *trial) {
    const unsigned most = 8;
    if (!autotune__has_jumped(trial, trial->watch.stopped, trial->watch.started) || trial->watch.gaps >= most) return;
    trial->watch.gaps++;
    autotune__lose(trial, (double)(trial->watch.started - trial->watch.stopped));
}
static double autotune__own_seconds(const autotune__trial_state *trial, uint64_t now) {    /* since the race began */
    return ((double)(now - trial->watch.began) - trial->watch.lost_ns) / 1e9;
}
/* The same on all ranks that race in step. */
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {
    return autotune__is_in_step(trial->council) ? trial->agreed_seconds : autotune__own_seconds(trial, now);
}
static double autotune__now(const autotune__trial_state *trial) {
    return autotune__seconds(trial, autotune__clock_now(trial->subject));
}
