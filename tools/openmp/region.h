/* Regions. A region is one place in the program where a parallel region begins, and the number of threads that it asks
   for. The return address of the call and the body of the region identify the place. The address alone is not enough: a
   call at the end of a function may return to that function's caller. */
#pragma once
#include <pthread.h>
#include "library.h"
#include "module.h"
#include "runtime.h"

/* A batch of calls is one step of the region's race. So the cost of a step is small beside the measured time. If other
   programs use the processors, a thread may lose its processor, and the other threads of the call wait for it. Such a
   call takes a hundred times as long. The mean of many calls contains the cost of such calls. The thread that has set
   `busy` owns the members below `busy`. This thread makes a measured call, or is the reporter: see tune.c. */
typedef struct openmp_region {
    const void *address;                        /* the return address of the call; NULL: its module is unloaded */
    openmp_function *body;                      /* the function that the threads run */
    int default_threads;                        /* the threads that a call without num_threads gets without this
                                                   library; 0: the region has num_threads, or is left alone */
    openmp_function *real;                      /* the function of the runtime that begins the region */
    bool left_alone;                            /* true: the program alone determines its threads. Any thread sets it
                                                   to true, and no thread to false */
    openmp_module module;
    char version[72];                           /* the build of the module, and the distance from address to body */
    struct openmp_region *next;                 /* the next region with the same hash */
    struct openmp_region *older;                /* the next in the list of all regions */
    int threads;                                /* the threads of a call that is not measured; 0: default_threads */
    bool known;                                 /* the winner is known, and no call is measured any more */
    int64_t default_ns;                         /* the time of a call with default_threads; 0: not known yet */
    int64_t debt_ns;                            /* the cost of its batch for calls of other regions, in ns; any thread
                                                   adds to it */
    bool busy;                                  /* see above */
    bool is_handed_over;                        /* a call has handed the region over to the reporter */
    autotune_tuner *tuner;                      /* NULL: no call was made yet */
    autotune_options options;
    autotune_step step;
    autotune_result result;
    int trying;                                 /* the threads of the batch; 0: default_threads */
    int planned, made;                          /* calls of the batch; planned is 0: there is no batch */
    double batch_ns;                            /* the time of the calls that were made */
    double target_ns;                           /* the planned time of the whole batch */
} openmp_region;

enum { OPENMP_HASHES = 4096 };
extern openmp_region *openmp_regions[OPENMP_HASHES], *openmp_newest;
/* This thread has asked for the maximum of threads since its last region: see maximum.c. */
extern __thread bool openmp_asks_maximum;
/* The process was made by fork(). Threads of the runtime are missing in it. */
extern bool openmp_is_child;
/* The runtime whose function was called first. If functions of a second runtime are called, no region is tuned any
   more. */
extern openmp_runtime openmp_first_runtime;
/* Returns how many threads a call without num_threads asks for. 0: the call is left alone. */
int openmp_default_threads(void);
/* Adds the region of a first call. function_name: the name of the called function. NULL: there is no memory. */
openmp_region *openmp_add_region(const void *address, openmp_function *body, const char *function_name, bool given);

static inline openmp_region **openmp_first_region(const void *address) {
    const uint64_t mixed = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
    return &openmp_regions[mixed >> 52 & (OPENMP_HASHES - 1)];
}
/* Finds a known region without the lock. NULL: the region is not known yet. */
static inline openmp_region *openmp_find_region(const void *address, openmp_function *body,
                                                 int default_threads) {
    openmp_region *region = __atomic_load_n(openmp_first_region(address), __ATOMIC_ACQUIRE);
    while (region && (__atomic_load_n(&region->address, __ATOMIC_ACQUIRE) != address || region->body != body ||
                      region->default_threads != default_threads))
        region = __atomic_load_n(&region->next, __ATOMIC_ACQUIRE);
    return region;
}
