/* module.c - a shared library with one region: it takes 20 us for each of its threads; with MANY it takes less with
   more threads. The code is the same, so that both variants have their region at the same place. */
#include <omp.h>
#include <stdint.h>

void spend(uint64_t ns);        /* a function of the program */
int module_sweep(void);
static const volatile unsigned many = MANY;
int module_sweep(void) {
    int threads = 0;
#pragma omp parallel
#pragma omp master
    {
        threads = omp_get_num_threads();
        spend(many ? 200000u - 20000u * (unsigned)threads : 20000u * (unsigned)threads);
    }
    return threads;
}
