/* Clocks of the system, in nanoseconds, and sleeping. */
#pragma once
#include <time.h>
#ifdef _WIN32
#include <windows.h>
#endif
#include "../api/language.h"

#ifndef _WIN32
static inline uint64_t autotune__read_clock(clockid_t clock) {      /* 0: the system does not tell */
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec : 0;
}
/* Since some moment before the process began. Nobody sets this clock. */
static inline uint64_t autotune__monotonic_ns(void) { return autotune__read_clock(CLOCK_MONOTONIC); }
/* The two clocks of computing go on in steps of so much. */
enum { AUTOTUNE__COMPUTED_STEP_NS = 1 };
/* For which all threads of this process have computed. The clock stands still while the process is stopped. */
static uint64_t autotune__computed_ns(void) { return autotune__read_clock(CLOCK_PROCESS_CPUTIME_ID); }
/* For which the calling thread has computed. */
static uint64_t autotune__thread_computed_ns(void) {
    return autotune__read_clock(CLOCK_THREAD_CPUTIME_ID);
}
/* Sleeps for so long, or until a signal is handled. */
static void autotune__sleep_ns(uint64_t ns) {
    const struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
    nanosleep(&time, NULL);
}
#else
static inline uint64_t autotune__monotonic_ns(void) {
    LARGE_INTEGER ticks, in_a_second;
    uint64_t a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&in_a_second);
    a_second = (uint64_t)in_a_second.QuadPart;
    return (uint64_t)ticks.QuadPart / a_second * 1000000000u +
           (uint64_t)ticks.QuadPart % a_second * 1000000000u / a_second;
}
static uint64_t autotune__hundreds_of_ns(FILETIME time) {
    return 100 * ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
}
enum { AUTOTUNE__COMPUTED_STEP_NS = 15625000 };         /* Windows looks 64 times a second which thread computes */
static uint64_t autotune__computed_ns(void) {
    FILETIME began, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &began, &ended, &kernel, &user)) return 0;
    return autotune__hundreds_of_ns(kernel) + autotune__hundreds_of_ns(user);
}
static uint64_t autotune__thread_computed_ns(void) {
    FILETIME began, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &began, &ended, &kernel, &user)) return 0;
    return autotune__hundreds_of_ns(kernel) + autotune__hundreds_of_ns(user);
}
static void autotune__sleep_ns(uint64_t ns) { Sleep((DWORD)((ns + 999999) / 1000000)); }
#endif

/* Since 1970, in seconds, as the clock of the calendar has it. */
static AUTOTUNE__UNUSED int64_t autotune__calendar_seconds(void) { return (int64_t)time(NULL); }
