/* How many threads a region gets, and what it took with them. */
#pragma once
#include "region.h"

/* Marks a function that stands in the place of one of the runtime. */
#define EXPORTED __attribute__((visibility("default")))

typedef struct openmp_call {
    openmp_function *real;                      /* the function of the runtime that begins the region */
    int threads;                                /* that the region gets; 0: as many as without this library */
    openmp_region *timed;                       /* the region, if it matters what the call takes; else NULL */
    bool measured;                              /* the race of the region is told */
    int64_t *debt_ns;                           /* of who ended threads that the call starts anew; NULL: nobody did */
    double began_ns;
} openmp_call;

/* Chooses the threads of a call that does not say itself how many it wants. */
void openmp_choose(openmp_call *call, openmp_region *region);
/* The region is over. */
void openmp_end(const openmp_call *call);

/* given: what num_threads of the region says; 0: it says nothing. */
static inline openmp_call openmp_begin(const void *address, openmp_function *body, const char *entry, int given) {
    openmp_region *known = openmp_find_region(address, body, given ? 0 : openmp_asked()),
                  *region = known ? known : openmp_add_region(address, body, entry, given);
    openmp_call call = { .real = region ? region->real : openmp_real_function(entry, address), .threads = given };
    if (region && !region->left_alone) openmp_choose(&call, region);
    return call;
}
