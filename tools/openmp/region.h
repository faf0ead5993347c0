/* Regions: each is one place in the program where a parallel region begins, with the number of threads that it asks
   for. The return address of the call and the body of the region tell the place. The address alone does not: a call at
   the end of a function may return to that function's caller. */
#pragma once
#include <pthread.h>
#include "library.h"
#include "module.h"
#include "runtime.h"

/* A region is tuned over batches of calls: one batch is one step of its race. So the cost of a step is small beside the
   measured time. If processors are shared, a call whose threads wait for one that lost its processor takes a hundred
   times as long as others. The cost of such calls shows in the mean of many calls. The members below `busy` belong to
   the thread that has set it: a call that is measured, or the teller. */
typedef struct openmp_region {
    const void *address;                        /* where the call returns to; NULL while its module is unloaded */
    openmp_function *body;                      /* what the threads run */
    int asked;                                  /* 0: the call says how many it wants, or nothing is chosen for it */
    openmp_function *real;                      /* the function of the runtime that begins the region */
    bool left_alone;                            /* it has the number of threads that the program gives it */
    openmp_module module;
    char version[72];                           /* the build of the module, and where the body is in it from there */
    struct openmp_region *next, *older;         /* with the same hash; of all */
    int threads;                                /* that calls get which are not measured; 0: as asked */
    bool known;                                 /* the winner is, and nothing is measured any more */
    int64_t asked_ns;                           /* what a call takes with the threads it asks for; 0: not known yet */
    int64_t debt_ns;                            /* what its batch cost regions in between; any thread adds to it */
    bool busy;                                  /* see above */
    bool is_handed_over;                        /* to the teller */
    autotune_tuner *tuner;                      /* NULL: its first call is still to come */
    autotune_options options;
    autotune_step step;
    autotune_result result;
    int trying;                                 /* the threads of the batch; 0: as asked */
    int planned, made;                          /* calls of the batch; planned is 0 where no batch was begun */
    double batch_ns, target_ns;                 /* what they took, and what all of them should take */
} openmp_region;

enum { OPENMP_HASHES = 4096 };
extern openmp_region *openmp_regions[OPENMP_HASHES], *openmp_newest;
/* The process was made by fork(), in which threads of the runtime are missing. */
extern bool openmp_is_child;
/* If functions of another runtime are called, too, no threads are chosen any more. */
extern openmp_runtime openmp_first_runtime;
/* How many threads a call asks for that does not say how many it wants. 0: nothing is chosen for it. */
int openmp_asked(void);
/* The first call of a region: `entry` is the name of the function that it calls. NULL: there is no memory. */
openmp_region *openmp_add_region(const void *address, openmp_function *body, const char *entry, bool given);

static inline openmp_region **openmp_first_region(const void *address) {
    const uint64_t mixed = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
    return &openmp_regions[mixed >> 52 & (OPENMP_HASHES - 1)];
}
/* NULL: it is not known yet. */
static inline openmp_region *openmp_find_region(const void *address, openmp_function *body, int asked) {
    openmp_region *region = __atomic_load_n(openmp_first_region(address), __ATOMIC_ACQUIRE);
    while (region && (__atomic_load_n(&region->address, __ATOMIC_ACQUIRE) != address || region->body != body ||
                      region->asked != asked))
        region = __atomic_load_n(&region->next, __ATOMIC_ACQUIRE);
    return region;
}
