/* cc_gemm_kernel.c - the matrix product c = a b, which examples/cc_gemm.c compiles. Each matrix has n x n floats,
   stored by rows. ROWS x VECTORS registers hold a tile of c. DEPTH terms of each sum are added before the next tile,
   and BLOCK rows of a stay in the cache. */
#include <stdlib.h>
#include <string.h>

#if defined __AVX512F__
enum { WIDTH = 16 };
#else
enum { WIDTH = 8 };
#endif
typedef float vector __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));

#ifndef DEPTH                                   /* the file is compiled without cc_gemm.c */
#define ROWS 6
#define VECTORS 2
#define DEPTH 256
#define BLOCK 96
#endif
#ifdef AT_RUN_TIME                              /* the same function with variable ROWS and VECTORS */
#define TILE_ROWS 8
#define TILE_VECTORS 4
#define ROWS rows
#define VECTORS vectors
#define NAME gemm_at_run_time
#define NUMBERS int rows, int vectors,
#define PASSED rows, vectors,
#else
#define TILE_ROWS ROWS
#define TILE_VECTORS VECTORS
#define NAME gemm
#define NUMBERS
#define PASSED
#endif
static int least(int x, int y) { return x < y ? x : y; }

/* Adds to a tile of c the product of `depth` columns of packed a and `depth` rows of packed b. */
static inline void tile(NUMBERS int depth, const float *a, const float *b, float *c, int stride, int height,
                        int width) {
    vector sum[TILE_ROWS][TILE_VECTORS];
    memset(sum, 0, sizeof sum);
    for (int k = 0; k < depth; k++, a += ROWS, b += VECTORS * WIDTH)
#pragma GCC unroll 16
        for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 16
            for (int j = 0; j < VECTORS; j++) sum[i][j] += a[i] * *(const vector *)(b + j * WIDTH);
    if (height == ROWS && width == VECTORS * WIDTH)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < VECTORS; j++) *(vector *)(c + i * stride + j * WIDTH) += sum[i][j];
    else
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++) c[i * stride + j] += sum[i][j / WIDTH][j % WIDTH];
}
/* Packs strips of `size` columns, one behind the other, and fills the last strip up with zeros. If the caller swaps the
   strides `step` and `next`, the strips consist of rows. */
static void pack(int size, int count, int depth, const float *from, int step, int next, float *to) {
    for (int s = 0; s < count; s += size)
        for (int k = 0; k < depth; k++)
            for (int i = 0; i < size; i++) *to++ = s + i < count ? from[(s + i) * step + k * next] : 0;
}
void NAME(NUMBERS int n, const float *a, const float *b, float *c);
void NAME(NUMBERS int n, const float *a, const float *b, float *c) {
    enum { SPARE = 64 };
    const int columns = VECTORS * WIDTH;
    float *const pack_a = aligned_alloc(64, sizeof(float) * (size_t)(DEPTH * (BLOCK + SPARE))),
          *const pack_b = aligned_alloc(64, sizeof(float) * (size_t)(DEPTH * (n + SPARE) + 15) / 64 * 64 + 64);
    memset(c, 0, sizeof(float) * (size_t)n * (size_t)n);
    for (int k = 0; k < n; k += DEPTH) {
        const int depth = least(DEPTH, n - k);
        pack(columns, n, depth, b + k * n, 1, n, pack_b);
        for (int i = 0; i < n; i += BLOCK) {
            const int height = least(BLOCK, n - i);
            pack(ROWS, height, depth, a + i * n + k, n, 1, pack_a);
            for (int j = 0; j < n; j += columns)
                for (int r = 0; r < height; r += ROWS)
                    tile(PASSED depth, pack_a + r * depth, pack_b + j * depth, c + (i + r) * n + j, n,
                         least(ROWS, height - r), least(columns, n - j));
        }
    }
    free(pack_a);
    free(pack_b);
}
