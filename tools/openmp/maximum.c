/* Functions that replace omp_get_max_threads(). A program may make an array with a part for each of these threads, and
   read all parts after its next region. With fewer threads some parts would have no value. So a region is left alone
   if its thread has asked for the maximum since the region before. */
#include "tune.h"

__thread bool openmp_asks_maximum;

/* The real function is NULL if the process has no OpenMP runtime. */
#define ENTRY(name) \
    int name(void); \
    EXPORTED int name(void) { \
        static openmp_function *place; \
        openmp_function *const real = openmp_find_once(&place, #name, __builtin_return_address(0)); \
        openmp_asks_maximum = true; \
        return real ? ((int (*)(void))real)() : 1; \
    }
ENTRY(omp_get_max_threads)
ENTRY(omp_get_max_threads_)                     /* for Fortran */
