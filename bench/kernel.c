/* kernel.c - the function that the benchmarks tune, and call directly to compare.

   It has its own file, so that the compiler of a caller cannot inline it, and does not know which registers it uses. It
   does as little as a function can. So the call is cheap, and the time that a tuner adds is visible. */
#define _GNU_SOURCE
#include "bench.h"

long kernel(long n, long m, int tile, int unroll) { return n + m + tile + unroll; }
