/* The examples of README.md and docs/manual.md, each with the declarations that it needs. check.sh takes the examples
   from these files. Only compile it. */
#include "autotune.h"
#include <math.h>
#include <stdio.h>

void matmul_blocked(int n, const float *a, const float *b, float *c, int tile, int unroll);
void insertion_sort(int *v, int n);
void merge_sort(int *v, int n);
void radix_sort(int *v, int n);
void shuffle(void *numbers, const autotune_config *config);
struct numbers { int *at, count; };
void sorts(int *v, int n);
void sorts(int *v, int n) {
    struct numbers all = {v, n};
#include "sort.inc"
}

void sort_small(int *v, int n);
void sort_radix(int *v, int n, int *scratch);
void selects(int *v, int n, int *scratch);
void selects(int *v, int n, int *scratch) {
#include "select.inc"
}

void kernel(int n, int tile);
void results(int n);
void results(int n) {
#include "result.inc"
}

double measure(size_t first, size_t second, size_t third);
size_t searches(void);
size_t searches(void) {
#include "search.inc"
    return best;
}

struct product { int n; const float *a, *b; float *c; };
#include "callbacks.inc"
void creates(struct product p, size_t bytes, const int64_t *tiles, size_t tile_count, const int64_t *unrolls,
             size_t unroll_count);
void creates(struct product p, size_t bytes, const int64_t *tiles, size_t tile_count, const int64_t *unrolls,
             size_t unroll_count) {
#include "created.inc"
}
