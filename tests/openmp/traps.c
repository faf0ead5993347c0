/* traps.c - a program that an invalid floating-point operation ends, as with gfortran -ffpe-trap=invalid. */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>

static volatile double sums[64];
static __attribute__((noinline)) void add(int count) {
    int thread;
#pragma omp parallel for
    for (thread = 0; thread < 64; thread++)
        for (int i = 0; i < count; i++) sums[thread] += i;
}
int main(void) {
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
    for (int call = 0; call < 200; call++) add(100);
    puts("not trapped");
    return 0;
}
