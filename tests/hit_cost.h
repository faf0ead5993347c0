/* hit_cost.h - compares the time of a device backend's hits with the time of multiplications. Machines differ in speed,
   and a machine may be slow for minutes. */
#ifndef HIT_COST_H
#define HIT_COST_H

#include "plain.h"

/* The least time of many batches counts, because a disturbance only makes a batch longer. Batches of the kinds of calls
   alternate, so that a slow phase of the processor affects all kinds. */
enum { HIT_BATCHES = 200, HIT_BATCH = 2000, HIT_CALLS = HIT_BATCHES * HIT_BATCH };
static inline void least_ns(void (*const calls[])(void), double least[], int count) {
    for (int i = 0; i < count; i++) least[i] = 1e18;
    for (int batch = 0; batch < HIT_BATCHES; batch++)
        for (int i = 0; i < count; i++) {
            void (*volatile unknown)(void) = calls[i];
            const uint64_t began = machine_ns();
            for (int k = 0; k < HIT_BATCH; k++) unknown();
            const double ns = (double)(machine_ns() - began) / HIT_BATCH;
            if (ns < least[i]) least[i] = ns;
        }
}
/* 160 multiplications, each of which waits for the one before, take 190 ns at 3 GHz. Hits take 20 to 75 ns: the most if
   another program uses the same core, which does not slow the multiplications down. */
static inline void multiply_160_times(void) {
    static volatile uint64_t seed = 3;
    uint64_t x = seed;
    for (int i = 0; i < 160; i++) x = x * x + 1;
    seed = x | 1;
}

#endif
