/* How many threads a region gets, and what it took with them. */
#pragma once
#include "region.h"

/* What stands in the place of a function of the runtime. */
#define EXPORTED __attribute__((visibility("default")))

typedef struct openmp_call {
    openmp_function *real;                      /* the function of the runtime that begins the region */
    int threads;                                /* that the region gets; 0: as many as without this library */
    openmp_region *measured;                    /* whose race is told what the call takes; NULL: none */
    openmp_region *to_blame;                    /* for threads that the call has to start; NULL: none is */
    double usual_ns;                            /* what a call with so many threads takes; 0: it is not known */
    double began_ns;                            /* where one of both is there */
} openmp_call;

/* Chooses the threads of a call that does not say itself how many it wants. */
void openmp_choose(openmp_call *call, openmp_region *region);
/* The region is over, which was timed. */
void openmp_take(const openmp_call *call);

/* given: what num_threads of the region says; 0: it says nothing. */
static inline openmp_call openmp_begin(const void *address, openmp_function *body, const char *entry, int given) {
    openmp_region *known = openmp_find_region(address, body, given ? 0 : openmp_asked()),
                  *region = known ? known : openmp_add_region(address, body, entry, given);
    openmp_call call = { .real = region->real, .threads = given };
    if (!region->left_alone) openmp_choose(&call, region);
    return call;
}
static inline void openmp_end(const openmp_call *call) {
    if (call->measured || call->to_blame) openmp_take(call);
}
