/* How many threads a region gets, and what it took with them. */
#pragma once
#include "region.h"

/* What stands in the place of a function of the runtime. */
#define EXPORTED __attribute__((visibility("default")))

typedef struct openmp_call {
    openmp_function *real;                      /* the function of the runtime that begins the region */
    int threads;                                /* that the region gets; 0: as many as without this library */
    openmp_case *measured;                      /* NULL: the call is not timed */
    double began_ns;
} openmp_call;

/* Chooses the threads of a call that does not say itself how many it wants. */
void openmp_choose(openmp_call *call, openmp_region *region);
/* The region is over: what it took is told to the race of its case. */
void openmp_take(openmp_case *measured, double began_ns);

/* given: what num_threads of the region says; 0: it says nothing. */
static inline openmp_call openmp_begin(const void *address, openmp_function *body, const char *entry, int given) {
    openmp_region *known = openmp_find_region(address, body),
                  *region = known ? known : openmp_add_region(address, body, entry);
    openmp_call call = { region->real, given, 0, 0 };
    if (!given && !region->left_alone) openmp_choose(&call, region);
    return call;
}
static inline void openmp_end(const openmp_call *call) {
    if (call->measured) openmp_take(call->measured, call->began_ns);
}
