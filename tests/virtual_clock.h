/* virtual_clock.h - functions for the suites. Only the test moves the clock of this CPU backend, so races have no noise
   and take no time. The log is kept for the test. Every test runs in its own process, so nothing has to be reset. */
#ifndef VIRTUAL_CLOCK_H
#define VIRTUAL_CLOCK_H

#include "autotune.h"
#include "set_environment.h"
#include <stdio.h>
#include <string.h>

static uint64_t virtual_ns;       /* kernels add their time */
static uint64_t virtual_step = 1; /* the clock shows multiples of this step, in ns */

static inline uint64_t virtual_now(autotune_backend *self) {
    (void)self;
    return virtual_ns - virtual_ns % virtual_step;
}
static inline autotune_backend *virtual_backend(void) {
    static autotune_backend backend;
    if (!backend.now) {
        backend = autotune_cpu();
        backend.now = virtual_now;
    }
    return &backend;
}
/* Moves the clock on by 20 ms without a launch. The next race then begins with a warm-up. */
static inline void idle_before_warm_up(void) { virtual_ns += 20000000; }
/* Returns how many launches of `ns` a warm-up has: two windows of 2.5 ms. */
static inline size_t warm_ups(double ns) { return 2 * (size_t)(ns < 2.5e6 ? (2.5e6 - 1) / ns + 1 : 1); }

/* The log, line after line. */
static char logged[1 << 16];
static size_t logged_lines[AUTOTUNE_LOG_FULL + 1]; /* how many lines of each level */

static inline void keep_line(void *user, autotune_log_level level, const char *line) {
    const size_t used = strlen(logged);
    (void)user;
    logged_lines[level]++;
    snprintf(logged + used, sizeof logged - used, "%s\n", line);
}
static inline size_t all_logged_lines(void) {
    size_t sum = 0;
    for (int level = AUTOTUNE_LOG_OFF; level <= AUTOTUNE_LOG_FULL; level++) sum += logged_lines[level];
    return sum;
}
static inline bool contains(const char *text, const char *part) { return strstr(text, part) != NULL; }

#endif
