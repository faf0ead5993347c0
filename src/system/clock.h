/* Clocks of the system, in nanoseconds, and sleeping. */
#pragma once
#include <time.h>
#include "../api/floor.h"

static inline uint64_t autotune__read_clock(clockid_t clock) {      /* 0: unknown */
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec : 0;
}
/* Returns the time since some moment before the process began. No program can set this clock. */
static inline uint64_t autotune__monotonic_ns(void) { return autotune__read_clock(CLOCK_MONOTONIC); }
/* Returns the processor time of all threads of this process. This clock stands still while the process is stopped. */
static AUTOTUNE__UNUSED uint64_t autotune__process_ns(void) { return autotune__read_clock(CLOCK_PROCESS_CPUTIME_ID); }
/* Sleeps for `ns` nanoseconds, or until a signal is handled. */
static void autotune__sleep_ns(uint64_t ns) {
    const struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
    nanosleep(&time, NULL);
}
