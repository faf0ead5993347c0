/* A matrix product that tunes its blocking, its loop order and its unrolling at its own call site. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96 };
static float a[N * N], b[N * N], c[N * N];
static int smaller(int x, int y) { return x < y ? x : y; }
static int fitting(int size, int rest) { while (size > rest) size /= 2; return size; }

/* Adds a tile's part of the sums over k to a block of z with rows x columns elements. The function is inlined with
   constant `rows` and `columns`, so that the compiler keeps `sum` in registers. */
static inline __attribute__((always_inline))
void block(int n, int depth, bool first, const float *x, const float *y, float *z, int rows, int columns) {
    float sum[8][32];
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sum[i][j] = first ? 0 : z[i * n + j];
    for (int k = 0; k < depth; k++)
        for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sum[i][j] += x[i * n + k] * y[k * n + j];
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) z[i * n + j] = sum[i][j];
}
/* At the edges of a tile the blocks have half the size, a quarter of it, and so on. Each of these sizes is a constant,
   too. With variable sizes most matrices would take longer, and neighbouring n would have different winners. */
static void unrolled(int n, int depth, bool first, const float *x, const float *y, float *z, int rows, int columns) {
    #define UNROLL(r, s) case 100 * r + s: block(n, depth, first, x, y, z, r, s); break;
    #define UNROLL_ROWS(r) UNROLL(r, 1) UNROLL(r, 2) UNROLL(r, 4) UNROLL(r, 8) UNROLL(r, 16) UNROLL(r, 32)
    switch (100 * rows + columns) { UNROLL_ROWS(1) UNROLL_ROWS(2) UNROLL_ROWS(4) UNROLL_ROWS(8) }
}
static void product(int n, const float *x, const float *y, float *z, const char *order, int tile, int rows,
                    int columns) {
    int at[3];      /* the tile's corner: i, j and k. `order` has the names of the loops over tiles, outermost first */
    for (int p = 0; p < n; p += tile) for (int q = 0; q < n; q += tile) for (int r = 0; r < n; r += tile) {
        at[order[0] - 'i'] = p; at[order[1] - 'i'] = q; at[order[2] - 'i'] = r;
        int k = at[2], i_end = smaller(at[0] + tile, n), j_end = smaller(at[1] + tile, n), depth = smaller(tile, n - k);
        for (int i = at[0], height; i < i_end; i += height) {
            height = fitting(rows, i_end - i);
            for (int j = at[1], width; j < j_end; j += width) {
                width = fitting(columns, j_end - j);
                unrolled(n, depth, k == 0, x + i * n + k, y + k * n + j, z + i * n + j, height, width);
            }
        }
    }
}

static autotune_result matmul(int n, const float *x, const float *y, float *z) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(order, "ijk", "ikj", "jik", "jki", "kij", "kji"), AXIS(tile, 16, 32, 48, 96),
                   AXIS(rows, 1, 2, 4, 8), AXIS(columns, 4, 8, 16, 32), WHERE(columns <= tile)),
             1, product(n, x, y, z, order, tile, rows, columns), .key = KEY(n),
             .outputs = BUFFERS({z, sizeof *z * (size_t)n * (size_t)n, AUTOTUNE_F32, 1e-4}), .result = &result);
    return result;
}

/* Three plain loops, to compare with: the product without tuning. */
static __attribute__((noinline)) void plain(int n, const float *x, const float *y, float *restrict z) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) z[i * n + j] = 0;
        for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) z[i * n + j] += x[i * n + k] * y[k * n + j];
    }
}
static int compare(const void *x, const void *y) {
    const uint64_t ns = *(const uint64_t *)x, other = *(const uint64_t *)y;
    return (ns > other) - (ns < other);
}
static double median_of_plain(void) {
    enum { CALLS = 501 };
    static uint64_t ns[CALLS];
    autotune_backend cpu = autotune_cpu();
    for (int call = 0; call < CALLS; call++) {
        uint64_t start = cpu.now(&cpu);
        plain(N, a, b, c);
        ns[call] = cpu.now(&cpu) - start;
    }
    qsort(ns, CALLS, sizeof *ns, compare);
    return (double)ns[CALLS / 2];
}

static double largest_error(void) {
    double largest = 0;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++) sum += (double)a[i * N + k] * (double)b[k * N + j];
        largest = fmax(largest, fabs(sum - (double)c[i * N + j]) / sum);
    }
    return largest;
}
static void row(const char *name, double ns, double winner_ns) {
    const double n = N, operations = 2 * n * n * n;
    printf("%-10s%9.1f us %9.1f GFLOP/s %8.1f x the winner's time\n", name, ns / 1e3, operations / ns, ns / winner_ns);
}

int main(void) {
    for (int i = 0; i < N * N; i++) { a[i] = (float)(1 + i * 7 % 11); b[i] = 1 / (float)(1 + i * 5 % 13); }
    autotune_result r = matmul(N, a, b, c);
    double error = largest_error();
    row("winner", r.median_ns, r.median_ns);
    row("plain", median_of_plain(), r.median_ns);
    row("first", r.default_ns, r.median_ns);
    row("slowest", r.slowest_ns, r.median_ns);
    if (r.cache_hit) printf("raced      nothing: the winner is known from an earlier run\nchosen    ");
    else
        printf("raced      %zu of %zu, %zu failed, %.2f s, %zu launches\nchosen    ", r.tried, r.space_size, r.failed,
               r.seconds, r.launches);
    for (size_t i = 0; i < r.config.count; i++) printf(" %s %s", r.config.names[i], r.config.labels[i]);
    printf(": %s\n", autotune_verdict_text(r.verdict));
    autotune_backend cpu = autotune_cpu();
    for (int call = 0; call < 8; call++) matmul(N, a, b, c);        /* the library times these calls: see "In use" */
    uint64_t start = cpu.now(&cpu), known = 0;
    for (int call = 0; call < 20; call++) known += matmul(N, a, b, c).cache_hit;
    printf("again      %.1f us a call; in %d of 20 the winner was known\n", (double)(cpu.now(&cpu) - start) / 20e3,
           (int)known);
    error = fmax(error, largest_error());
    bool right = r.status == AUTOTUNE_OK && known == 20 && error < 1e-5;
    printf("error      %.0e at most, %s\n", error, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
