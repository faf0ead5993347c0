/* busy.h - for stress programs: how long they run, processes that keep the processors busy meanwhile, and random
   numbers. Define _DEFAULT_SOURCE before it. */
#ifndef BUSY_H
#define BUSY_H

#include "plain.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { BUSY_PROCESSES = 4, STRESS_SECONDS = 10 };
static pid_t busy_processes[BUSY_PROCESSES];

/* Starts the busy processes. They end when this process ends. */
static inline void begin_busy_processes(void) {
    const pid_t parent = getpid();
    for (int i = 0; i < BUSY_PROCESSES; i++) {
        busy_processes[i] = fork();
        CHECK(busy_processes[i] >= 0);
        if (busy_processes[i] == 0)
            for (volatile unsigned long n = 0;; n++)
                if (n % 1000000 == 0 && getppid() != parent) _exit(EXIT_SUCCESS);
    }
}
static inline void end_busy_processes(void) {
    for (int i = 0; i < BUSY_PROCESSES; i++) kill(busy_processes[i], SIGKILL);
    for (int i = 0; i < BUSY_PROCESSES; i++) waitpid(busy_processes[i], NULL, 0);
}
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
/* The state of the random numbers. The same seed gives the same numbers, so a failed run can be repeated. */
static uint64_t dice = 1;
static inline int roll(int sides) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)sides);
}

#endif
