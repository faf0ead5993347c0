/* Adds the transpose of a matrix. The first call finds the fastest tiles, and later calls use them. */
#define AUTOTUNE_IMPLEMENTATION      /* in exactly one .c file of a program */
#include "autotune.h"
#include <stdio.h>

enum { N = 1024 };
static float from[N * N], to[N * N];

static void add_transpose(int n, const float *x, float *y, int rows, int columns) {
    for (int r = 0; r < n; r += rows)
        for (int c = 0; c < n; c += columns)
            for (int i = r; i < r + rows; i++)
                for (int j = c; j < c + columns; j++) y[j * n + i] += x[i * n + j];
}

int main(void) {
    for (int i = 0; i < N * N; i++) from[i] = (float)(i % 7);
    for (int call = 0; call < 3; call++)
        AUTOTUNE(SPACE(AXIS(rows, 1, 4, 8, 16, 32, 64), AXIS(columns, N, 4, 8, 16, 32, 64, 128)), 1,
                 add_transpose(N, from, to, rows, columns),
                 .key = KEY(N), .restore = BUFFERS({to, sizeof to}));
    printf("to[1] is %g, and has to be %g\n", to[1], 3 * from[N]);
    return to[1] != 3 * from[N];
}
