/* The processor on which a race runs: the thread stays there where AUTOTUNE_PIN says so. */
#pragma once
#include "../api/language.h"

#ifdef __linux__
#include <sys/syscall.h>
#ifndef __cplusplus
extern long syscall(long number, ...);          /* which strict POSIX hides; with sched_setaffinity it hides its types
                                                   too */
#endif
#endif

/* On which processor a thread runs. AUTOTUNE_PIN=core holds it there while it races; threads that it starts meanwhile
   inherit that, so it is for who asks. */
typedef struct autotune__affinity {
    unsigned long former[1024 / sizeof(unsigned long)];     /* the processors that it might run on: 8192 at most */
    size_t bytes;                               /* of them, that the system knows; 0: the thread is not held */
} autotune__affinity;
typedef struct autotune__pinned {               /* the thread that races */
    autotune__affinity affinity;
    int processor;                              /* on which it was at the last RUN; -1: nobody looked */
    size_t moves;                               /* how often it was on another than before */
} autotune__pinned;
#ifdef __linux__
static int autotune__processor(void) {          /* -1: nobody knows */
    unsigned processor;
    return syscall(SYS_getcpu, &processor, NULL, NULL) == 0 ? (int)processor : -1;
}
static bool autotune__pin(autotune__affinity *affinity) {
    enum { BITS = 8 * sizeof(unsigned long) };
    unsigned long here[sizeof affinity->former / sizeof *affinity->former] = { 0 };
    const int processor = autotune__processor();
    const long bytes = processor < 0 ? -1
                                     : syscall(SYS_sched_getaffinity, 0, sizeof affinity->former, affinity->former);
    if (bytes <= 0) return false;
    here[processor / BITS] = 1ul << processor % BITS;
    if (syscall(SYS_sched_setaffinity, 0, (size_t)bytes, here) != 0) return false;
    affinity->bytes = (size_t)bytes;
    return true;
}
static void autotune__unpin(autotune__affinity *affinity) {
    if (affinity->bytes) syscall(SYS_sched_setaffinity, 0, affinity->bytes, affinity->former);
    affinity->bytes = 0;
}
#else
static int autotune__processor(void) { return -1; }
/* that it is ignored was said */
static bool autotune__pin(autotune__affinity *affinity) { (void)affinity; return true; }
static void autotune__unpin(autotune__affinity *affinity) { (void)affinity; }
#endif
