/* cc_gemm.c [N] - a matrix product that is compiled for each configuration. The axes are the registers for a tile of c,
   the depth and height of blocks, and the flags of the compiler. The source is cc_gemm_kernel.c. The program compares
   the winner with two other products: the same source, with the numbers of registers as variables, and OpenBLAS with
   one thread, if it is installed.

       cc -I.. cc_gemm.c -lm -pthread -ldl && ./a.out 1024 */
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef KERNEL_FILE
#define KERNEL_FILE "cc_gemm_kernel.c"
#endif
void gemm(int n, const float *a, const float *b, float *c);
void gemm_at_run_time(int rows, int vectors, int n, const float *a, const float *b, float *c);
static autotune_cc_program compiled = CC_PROGRAM_FILE(KERNEL_FILE, "-march=native", "$FLAGS"),
    variable = CC_PROGRAM_FILE(KERNEL_FILE, "-march=native", "-O3", "-DAT_RUN_TIME", "-DDEPTH=256", "-DBLOCK=96");

static autotune_result tune(int n, const float *a, const float *b, float *c) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(ROWS, 4, 6, 8), AXIS(VECTORS, 1, 2, 3), AXIS(DEPTH, 128, 256, 384), AXIS(BLOCK, 96, 192),
                   AXIS(FLAGS, "-O2", "-O3")),
             1, CC_CALL(&compiled, gemm, n, a, b, c), .key = KEY(n),
             .outputs = BUFFERS({c, sizeof *c * (size_t)n * (size_t)n, AUTOTUNE_F32, 1e-4}), .result = &result);
    return result;
}
static autotune_result tune_at_run_time(int n, const float *a, const float *b, float *c) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(high, 4, 6, 8), AXIS(wide, 1, 2, 3)), 1,
             CC_CALL(&variable, gemm_at_run_time, high, wide, n, a, b, c), .key = KEY(n), .result = &result);
    return result;
}
typedef void blas_gemm(int order, int of_a, int of_b, int m, int n, int k, float alpha, const float *a, int lda,
                       const float *b, int ldb, float beta, float *c, int ldc);
static autotune_result time_openblas(int n, const float *a, const float *b, float *c) {
    void *const library = dlopen("libopenblas.so.0", RTLD_NOW);
    void *const symbol = library ? dlsym(library, "cblas_sgemm") : NULL;
    autotune_result result = {.median_ns = NAN};
    blas_gemm *multiply;
    memcpy(&multiply, &symbol, sizeof multiply);
    if (multiply)
        AUTOTUNE(SPACE(AXIS(once, 1, 2)), 1, multiply(101, 111, 111, n, n, n, 1, a, n, b, n, 0, c, n), .key = KEY(n),
                 .cache = AUTOTUNE_CACHE_OFF, .result = &result);
    return result;
}
static void print(const char *what, int n, const autotune_result *result) {
    const double operations = 2.0 * n * n * n;
    if (result->median_ns > 0)
        printf("%-18s %9.3f ms  %6.1f GFLOP/s\n", what, result->median_ns / 1e6, operations / result->median_ns);
    else printf("%-18s not measured: %s\n", what, autotune_status_text(result->status));
}
int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 256;
    const size_t elements = (size_t)n * (size_t)n;
    float *a = malloc(sizeof *a * elements), *b = malloc(sizeof *b * elements), *c = malloc(sizeof *c * elements);
    autotune_result at_run_time, blas, result;
    double largest = 0;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (n < 1 || !a || !b || !c) return EXIT_FAILURE;
    for (size_t i = 0; i < elements; i++) { a[i] = (float)(i % 7) - 2; b[i] = (float)(i % 5) - 1; }
    at_run_time = tune_at_run_time(n, a, b, c);
    blas = time_openblas(n, a, b, c);
    result = tune(n, a, b, c);
    if (result.status != AUTOTUNE_OK) return EXIT_FAILURE;
    print("numbers, variable", n, &at_run_time);
    print("numbers, compiled", n, &result);
    print("OpenBLAS, 1 thread", n, &blas);
    for (size_t x = 0; x < result.config.count; x++) printf("%s=%s ", result.config.names[x], result.config.labels[x]);
    for (int i = 0; i < n; i += 1 + n / 16)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * (double)b[k * n + j];
            largest = fmax(largest, fabs(sum - (double)c[i * n + j]) / (fabs(sum) + 1));
        }
    printf("(%d of %d tried, %d failed): %s\n", (int)result.tried, (int)result.space_size, (int)result.failed,
           largest < 1e-4 ? "right" : "wrong");
    free(a);
    free(b);
    free(c);
    return largest < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
