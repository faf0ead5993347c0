/* module.c - a shared library with one region: it costs 20 us for each of its threads, or if MANY, the less the more
   threads it has. The code is the same, so that both have their region at the same place. */
#include <omp.h>
#include <stdint.h>

void spend(uint64_t ns);        /* of the program */
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
