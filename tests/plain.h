/* plain.h - functions for the plain programs: checks that work in any thread, and a clock that only kernels move. For C
   and C++. */
#ifndef PLAIN_H
#define PLAIN_H

#include "autotune.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef _WIN32
#include <process.h>
static inline void alarm(unsigned seconds) { (void)seconds; } /* CTest ends a program that hangs */
#endif

/* A failed check ends the program, since later checks depend on it. */
#define CHECK(condition) \
    ((condition) ? (void)0 \
     : (fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition), _exit(EXIT_FAILURE)))

enum { MILLISECOND = 1000000 };
#define SECOND (1000 * (uint64_t)MILLISECOND)

/* Only kernels move the virtual clock, so that a race ends the same on any machine. */
static uint64_t virtual_time;

static inline void spend(uint64_t nanoseconds) { __atomic_fetch_add(&virtual_time, nanoseconds, __ATOMIC_RELAXED); }
static inline uint64_t virtual_now(autotune_backend *self) {
    (void)self;
    return __atomic_load_n(&virtual_time, __ATOMIC_RELAXED);
}
static inline autotune_backend virtual_backend(const char *device) {
    autotune_backend backend = autotune_cpu();
    backend.device = device;
    backend.now = virtual_now;
    return backend;
}

static inline uint64_t machine_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Returns true if is_so() returns true in one of ten tries. For checks that need the machine's clock: other programs
   may disturb one try, but hardly ten. There are pauses between tries, since a processor may be slow for half a
   second. */
static inline bool in_one_of_ten_tries(bool (*is_so)(void)) {
    const struct timespec pause = {0, 300000000};
    int tries;
    for (tries = 0; tries < 10; tries++) {
        if (is_so()) return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Drops the log, since some statements fail on purpose. Tests check autotune_last_error() instead. */
static inline void say_nothing(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level, (void)line;
}
static inline bool last_error_has(const char *part) { return strstr(autotune_last_error(), part) != NULL; }

typedef struct plain_test {
    const char *name;
    void (*run)(void);
} plain_test;

/* Runs all tests, and prints the name of each before it runs. A test that hangs is killed. */
static inline int run_plain_tests(const plain_test *tests, size_t count) {
    size_t i;
    autotune_set_log(say_nothing, NULL);
    for (i = 0; i < count; i++) {
        puts(tests[i].name);
        fflush(stdout);
        alarm(600);
        tests[i].run();
    }
    return EXIT_SUCCESS;
}
#define RUN_PLAIN_TESTS(tests) run_plain_tests(tests, sizeof(tests) / sizeof *(tests))

#endif
