/* gain.c - how much faster is a function if the values of its axes are constants? A source is compiled for each
   configuration, with the axes as macros. It is also compiled once, with the axes as arguments of one function. Both
   variants are tuned, with the same options of the same compiler. Then calls of both winners are timed alternately, in
   pairs.

       bench_gain [COMPILER ...]        without arguments: gcc and clang */
#define _GNU_SOURCE
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"
#include "bench.h"

enum { N = 256, COUNT = 4096, LONG = 1 << 16, WIDEST = 16, ROOM = 12 * 12 * COUNT };
static float a[N * N], b[N * N], c[N * N];
static double x[ROOM], y[ROOM], z[ROOM];

/* If FIXED is not defined, the macros of a source are the arguments of its function. */
#define OPTIONS "--cc=$COMPILER", "-O3", "-march=native", "-ffast-math"
#define PROGRAMS(name, text) \
    static autotune_cc_program name##_fixed = CC_PROGRAM(text, OPTIONS, "-DFIXED"), \
                               name##_free = CC_PROGRAM(text, OPTIONS)

void gemm(int n, const float *left, const float *right, float *out, int rows, int columns);
PROGRAMS(gemm,
    "#ifndef FIXED\n"
    "#define ROWS rows\n"
    "#define COLUMNS columns\n"
    "#endif\n"
    "void gemm(int n, const float *restrict a, const float *restrict b, float *restrict c, int rows, int columns) {\n"
    "    for (int i = 0; i < n; i += ROWS) for (int j = 0; j < n; j += COLUMNS) {\n"
    "        float sum[8][32];\n"
    "        for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++) sum[r][s] = 0;\n"
    "        for (int k = 0; k < n; k++) for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++)\n"
    "            sum[r][s] += a[(i + r) * n + k] * b[k * n + j + s];\n"
    "        for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++) c[(i + r) * n + j + s] = sum[r][s];\n"
    "    }\n"
    "}\n");
/* Products of matrices of n x n. Groups of `width` matrices are stored together: first their first elements, then their
   second elements, and so on. */
void batch(int count, const double *left, const double *right, double *out, int n, int width);
PROGRAMS(batch,
    "#ifndef FIXED\n"
    "#define SIZE n\n"
    "#define WIDTH width\n"
    "#endif\n"
    "void batch(int count, const double *restrict a, const double *restrict b, double *restrict c, int n,\n"
    "           int width) {\n"
    "    for (int m = 0; m < count; m += WIDTH, a += SIZE * SIZE * WIDTH, b += SIZE * SIZE * WIDTH,\n"
    "         c += SIZE * SIZE * WIDTH)\n"
    "        for (int i = 0; i < SIZE; i++) for (int j = 0; j < SIZE; j++) {\n"
    "            double sum[16];\n"
    "            for (int l = 0; l < WIDTH; l++) sum[l] = 0;\n"
    "            for (int k = 0; k < SIZE; k++) for (int l = 0; l < WIDTH; l++)\n"
    "                sum[l] += a[(i * SIZE + k) * WIDTH + l] * b[(k * SIZE + j) * WIDTH + l];\n"
    "            for (int l = 0; l < WIDTH; l++) c[(i * SIZE + j) * WIDTH + l] = sum[l];\n"
    "        }\n"
    "}\n");
/* A stencil of one dimension, in blocks of results. */
void stencil(int n, const double *in, const double *weights, double *out, int radius, int block);
PROGRAMS(stencil,
    "#ifndef FIXED\n"
    "#define RADIUS radius\n"
    "#define BLOCK block\n"
    "#endif\n"
    "void stencil(int n, const double *restrict in, const double *restrict w, double *restrict out, int radius,\n"
    "             int block) {\n"
    "    for (int i = RADIUS; i + BLOCK <= n - RADIUS; i += BLOCK) for (int l = 0; l < BLOCK; l++) {\n"
    "        double sum = 0;\n"
    "        for (int k = -RADIUS; k <= RADIUS; k++) sum += w[k + RADIUS] * in[i + l + k];\n"
    "        out[i + l] = sum;\n"
    "    }\n"
    "}\n");

/* The first call with a key tunes; later calls are hits. The compiler gets each axis as a macro. So axes that are
   arguments have names that the source does not contain. */
static autotune_result said;
#define TUNED(kind, program, first, second, ...) \
    AUTOTUNE(SPACE(AXIS(COMPILER, compiler), __VA_ARGS__), 1, \
             CC_CALL(&program, kind, ARGUMENTS_##kind, first, second), \
             .key = KEY(compiler, size), .name = #program, .cache = AUTOTUNE_CACHE_OFF, .preset = AUTOTUNE_FAST, \
             .result = &said)
#define ARGUMENTS_gemm N, a, b, c
#define ARGUMENTS_batch COUNT, x, y, z
#define ARGUMENTS_stencil LONG, x, y, z
static void gemm_as_constants(const char *compiler, int size) {
    TUNED(gemm, gemm_fixed, 0, 0, AXIS(ROWS, 1, 2, 4, 8), AXIS(COLUMNS, 8, 16, 32));
}
static void gemm_as_arguments(const char *compiler, int size) {
    TUNED(gemm, gemm_free, tile_rows, tile_columns, AXIS(tile_rows, 1, 2, 4, 8), AXIS(tile_columns, 8, 16, 32));
}
static void batch_as_constants(const char *compiler, int size) {
    TUNED(batch, batch_fixed, 0, 0, AXIS(SIZE, size), AXIS(WIDTH, 4, 8, 16));
}
static void batch_as_arguments(const char *compiler, int size) {
    TUNED(batch, batch_free, size, side_by_side, AXIS(side_by_side, 4, 8, 16));
}
static void stencil_as_constants(const char *compiler, int size) {
    TUNED(stencil, stencil_fixed, 0, 0, AXIS(RADIUS, size), AXIS(BLOCK, 64, 512, 4096));
}
static void stencil_as_arguments(const char *compiler, int size) {
    TUNED(stencil, stencil_free, size, together, AXIS(together, 64, 512, 4096));
}

typedef void variant(const char *compiler, int size);
static double seconds_of(variant *call, const char *compiler, int size, int calls) {
    const double began = bench_thread_seconds();
    for (int k = 0; k < calls; k++) call(compiler, size);
    return (bench_thread_seconds() - began) / calls;
}
static void compare(const char *what, variant *constants, variant *arguments, const char *compiler, int size) {
    double gain[BENCH_PAIRS], times[2], least[2] = { 1e9, 1e9 };
    bench_spread spread;
    int calls;
    constants(compiler, size);
    if (said.status != AUTOTUNE_OK) {
        printf("%-10s %2d  %-6s  %s\n", what, size, compiler, autotune_last_error());
        return;
    }
    arguments(compiler, size);
    calls = 1 + (int)(2e-3 / seconds_of(arguments, compiler, size, 3));
    for (int pair = 0; pair < BENCH_PAIRS; pair++) {
        for (int k = 0; k < 2; k++) {
            const int which = (pair + k) & 1;
            times[which] = seconds_of(which ? arguments : constants, compiler, size, calls);
            if (times[which] < least[which]) least[which] = times[which];
        }
        gain[pair] = times[1] / times[0];
    }
    spread = bench_summary(gain, BENCH_PAIRS);
    printf("%-10s %2d  %-6s  constants %8.1f us  arguments %8.1f us  %5.2f times  (%.2f to %.2f)\n", what, size,
           compiler, least[0] * 1e6, least[1] * 1e6, spread.median, spread.low, spread.high);
}
int main(int argc, char **argv) {
    static char *usual[] = { NULL, "gcc", "clang" };
    char **compilers = argc > 1 ? argv : usual;
    const int count = argc > 1 ? argc : 3;
    for (int k = 0; k < ROOM; k++) { x[k] = k % 7; y[k] = k % 5; }
    for (int k = 0; k < N * N; k++) { a[k] = (float)(k % 7); b[k] = (float)(k % 5); }
    for (int k = 1; k < count; k++) {
        compare("gemm", gemm_as_constants, gemm_as_arguments, compilers[k], N);
        for (int n = 3; n <= 12; n *= 2) compare("batch", batch_as_constants, batch_as_arguments, compilers[k], n);
        for (int radius = 1; radius <= 4; radius *= 4)
            compare("stencil", stencil_as_constants, stencil_as_arguments, compilers[k], radius);
    }
    return 0;
}
