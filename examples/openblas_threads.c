/* The best number of OpenBLAS threads depends on the sizes of the matrices, and on the other programs that run. Often
   OpenBLAS is slower with all threads. Here the number of threads is an axis, and sizes near each other share a winner.

       cc -O2 -I.. openblas_threads.c -lopenblas -lm -pthread && ./a.out */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* c = a * b. The call writes c and does not read it, so nothing has to be restored. */
static int multiply(int m, int n, int k, const double *a, const double *b, double *c, autotune_result *result) {
    const int most = openblas_get_num_procs();
    int used = 0;
    AUTOTUNE(SPACE(POW2(threads, 1, most)), 1,
             (openblas_set_num_threads(used = threads),
              cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n)),
             .key = KEY(ANCHOR(m), ANCHOR(n), ANCHOR(k), most), .result = result);
    return used;
}
static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static double *matrix(int rows, int columns, int seed) {
    double *at = malloc((size_t)rows * (size_t)columns * sizeof *at);
    if (!at) exit(1);
    for (int i = 0; i < rows * columns; i++) at[i] = (double)((i * 7 + seed) % 11) - 5;
    return at;
}

int main(void) {
    static const int sizes[][3] = {{8, 8, 8}, {60, 64, 50}, {64, 64, 64}, {512, 16, 512}, {400, 400, 400}};
    int right = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int m = sizes[s][0], n = sizes[s][1], k = sizes[s][2], calls = m * n * k > 1000000 ? 20 : 200;
        double *a = matrix(m, k, 1), *b = matrix(k, n, 2), *c = matrix(m, n, 3), *expected = matrix(m, n, 4);
        autotune_result result;
        const int threads = multiply(m, n, k, a, b, c, &result);
        double began = seconds(), tuned, all;
        for (int i = 0; i < calls; i++) multiply(m, n, k, a, b, c, NULL);
        tuned = (seconds() - began) / calls;
        openblas_set_num_threads(openblas_get_num_procs());
        began = seconds();
        for (int i = 0; i < calls; i++)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, expected, n);
        all = (seconds() - began) / calls;
        for (int i = 0; i < m * n; i++) right = right && c[i] == expected[i];       /* sums of integers are exact */
        printf("%4d x %4d x %4d: %d of %d threads, %9.2f us a call, %9.2f us with all\n", m, n, k, threads,
               openblas_get_num_procs(), tuned * 1e6, all * 1e6);
        free(a); free(b); free(c); free(expected);
    }
    puts(right ? "all products right" : "WRONG");
    return !right;
}
