/* Chooses how many threads a region gets, and measures the time of its calls. */
#pragma once
#include "region.h"

/* Marks a function that replaces a function of the runtime. */
#define EXPORTED __attribute__((visibility("default")))

typedef struct openmp_call {
    openmp_function *real;                      /* the function of the runtime that begins the region */
    int threads;                                /* the threads that the region gets; 0: as without this library */
    openmp_region *timed;                       /* the region, if the time of the call is needed; else NULL */
    bool measured;                              /* the time counts in the region's race */
    int64_t *debt_ns;                           /* the debt of the region whose call ended threads that this call
                                                   starts again; NULL: there is none */
    double began_ns;
} openmp_call;

/* Chooses the threads of a call without num_threads. */
void openmp_choose(openmp_call *call, openmp_region *region);
/* Call this after the region has ended. */
void openmp_end(const openmp_call *call);

/* Begins a call. given: num_threads of the region; 0: the region has no num_threads. */
static inline openmp_call openmp_begin(const void *address, openmp_function *body, const char *function_name,
                                       int given) {
    openmp_region *known = openmp_find_region(address, body, given ? 0 : openmp_default_threads()),
                  *region = known ? known : openmp_add_region(address, body, function_name, given);
    openmp_call call = { .real = region ? region->real : openmp_real_function(function_name, address),
                         .threads = given };
    if (region && openmp_asks_maximum) __atomic_store_n(&region->left_alone, true, __ATOMIC_RELAXED);
    if (region && !__atomic_load_n(&region->left_alone, __ATOMIC_RELAXED)) openmp_choose(&call, region);
    return call;
}
