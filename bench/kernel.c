/* kernel.c - the function that the benchmarks tune, and call directly to compare.

   It stands in a unit of its own, so that no compiler looks inside: it can neither inline it nor learn which registers
   it leaves alone. It does as little as a function can, which makes the call as cheap, and what a tuner adds as
   visible, as possible. */
#define _GNU_SOURCE
#include "bench.h"

long kernel(long n, long m, int tile, int unroll) { return n + m + tile + unroll; }
