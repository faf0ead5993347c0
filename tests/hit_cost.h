/* hit_cost.h - what the hits of a device's backend cost, beside a measure of the processor: machines differ, and one of
   them may be slower for minutes. */
#ifndef HIT_COST_H
#define HIT_COST_H

#include "plain.h"

/* The least of many batches counts, because what disturbs one only ever makes it longer. The calls take turns, so that
   a slower time of the processor is one of all of them. */
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
/* Multiplications that wait for each other take 190 ns at 3 GHz, and hits take 20 to 75 ns. Hits take the most if
   another program uses the same core, which the multiplications do not notice. */
static inline void multiply_160_times(void) {
    static volatile uint64_t seed = 3;
    uint64_t x = seed;
    for (int i = 0; i < 160; i++) x = x * x + 1;
    seed = x | 1;
}

#endif
