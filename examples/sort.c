/* The fastest sort depends on the number of values. The values of the axis are functions. The key is ANCHOR(n), so that
   sizes near the same power of two share a winner. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 100000 };
static uint32_t values[LARGEST], scratch[LARGEST];

static void insertion_sort(uint32_t *v, int n) {
    for (int i = 1; i < n; i++) {
        uint32_t x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}
static void merge_sort(uint32_t *v, int n) {
    if (n < 2) return;
    int half = n / 2, left = 0, right = half;
    merge_sort(v, half);
    merge_sort(v + half, n - half);
    memcpy(scratch, v, sizeof *v * (size_t)n);
    for (int i = 0; i < n; i++)
        v[i] = right == n || (left < half && scratch[left] <= scratch[right]) ? scratch[left++] : scratch[right++];
}
static void radix_sort(uint32_t *v, int n) {
    for (int shift = 0; shift < 32; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < n; i++) start[(v[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 255; d++) start[d + 1] += start[d];
        for (int i = 0; i < n; i++) scratch[start[v[i] >> shift & 255]++] = v[i];
        memcpy(v, scratch, sizeof *v * (size_t)n);
    }
}
static int compare(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}
static void library_sort(uint32_t *v, int n) { qsort(v, (size_t)n, sizeof *v, compare); }

/* Puts the values in another order before each trial. If short data never change, the branch predictor of the processor
   learns their order. Then a sort with many branches looks faster than it is on the data of the next call. */
static void shuffle(void *user, const autotune_config *config) {
    (void)config;
    for (int i = *(int *)user - 1; i > 0; i--) {
        int other = rand() % (i + 1);
        uint32_t x = values[i];
        values[i] = values[other];
        values[other] = x;
    }
}

/* The sort works in place, so .restore gives each trial the unsorted values. Insertion sort takes n * n / 4 steps. On
   large arrays a single trial would take too long, so WHERE leaves it out. 4096 is a power of two, so that WHERE admits
   the same functions for all sizes with the same ANCHOR. */
static autotune_result sort(uint32_t *v, int n) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(algorithm, library_sort, insertion_sort, merge_sort, radix_sort),
                   WHERE(algorithm != insertion_sort || n <= 4096)),
             1, algorithm(v, n), .key = KEY(ANCHOR(n)), .restore = BUFFERS({v, sizeof *v * (size_t)n}),
             .setup = shuffle, .user = &n, .result = &result);
    return result;
}

static bool sorted(const uint32_t *v, int n) {
    for (int i = 1; i < n; i++) if (v[i - 1] > v[i]) return false;
    return true;
}

int main(void) {
    const int sizes[] = { 10, 200, 900, 1000, 30000, LARGEST };
    bool right = true;
    uint32_t state = 1, sum = 0;
    printf("%8s  %-16s%12s\n", "values", "algorithm", "median");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int i = 0; i < sizes[s]; i++) sum += values[i] = state = state * 1664525u + 1013904223u;
        autotune_result r = sort(values, sizes[s]);
        for (int i = 0; i < sizes[s]; i++) sum -= values[i];
        right = right && r.status == AUTOTUNE_OK && sum == 0 && sorted(values, sizes[s]);
        printf("%8d  %-16s%9.2f us  %s\n", sizes[s], autotune_get_label(&r.config, "algorithm"), r.median_ns / 1e3,
               r.cache_hit ? "known" : "raced");
    }
    puts(right ? "all sorted" : "NOT sorted");
    return right ? 0 : 1;
}
