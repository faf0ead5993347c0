/* Regions: each is one place in the program where a parallel region begins. The return address of the call tells which
   one, and the body that is called beside it: a call at the end of a function may return to that function's caller. */
#pragma once
#include <pthread.h>
#include "module.h"
#include "runtime.h"

typedef struct openmp_case openmp_case;
typedef struct openmp_region {
    const void *address;                        /* where the call returns to; NULL once its module was unloaded */
    openmp_function *body;                      /* what the threads run */
    openmp_function *real;                      /* the function of the runtime that begins the region */
    bool left_alone;                            /* it has the number of threads that the program gives it */
    openmp_case *cases;                         /* one for each number of threads that was asked for, newest first */
    openmp_module module;
    char version[72];                           /* the build of the module, and where the body is in it */
    struct openmp_region *next, *older;         /* with the same hash; of all */
} openmp_region;

enum { OPENMP_HASHES = 4096 };
extern openmp_region *openmp_regions[OPENMP_HASHES], *openmp_newest;
extern pthread_mutex_t openmp_lists;            /* guards what is added to them */
/* Where functions of another runtime are called, too, the process is mixed, and no threads are chosen any more. */
extern openmp_runtime openmp_only_runtime;
extern bool openmp_is_mixed;                    /* read without the lock */
/* The process was made by fork(), in which threads of the runtime are missing. */
extern bool openmp_is_child;
/* The first call of a region: `entry` is the name of the function that it calls. Never NULL. */
openmp_region *openmp_add_region(const void *address, openmp_function *body, const char *entry);

static inline openmp_region **openmp_first_region(const void *address) {
    const uint64_t mixed = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
    return &openmp_regions[mixed >> 52 & (OPENMP_HASHES - 1)];
}
/* NULL: it is not known yet. */
static inline openmp_region *openmp_find_region(const void *address, openmp_function *body) {
    openmp_region *region = __atomic_load_n(openmp_first_region(address), __ATOMIC_ACQUIRE);
    while (region && (__atomic_load_n(&region->address, __ATOMIC_RELAXED) != address || region->body != body))
        region = region->next;
    return region;
}
