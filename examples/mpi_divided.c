/* Ranks of an MPI program that divide the work of tuning. All ranks have equal processors. Each rank multiplies its own
   matrices, without communication. Each rank tries its part of the space. Then all ranks compare the best of all parts.

       mpicc -O2 -I.. mpi_divided.c -o mpi_divided && mpirun -n 2 ./mpi_divided */
#define AUTOTUNE_MPI_IMPLEMENTATION
#include "autotune_mpi.h"
#include <stdio.h>

enum { N = 192 };
static float a[N][N], b[N][N], c[N][N];

static int least(int x, int y) { return x < y ? x : y; }
/* c = a b, in blocks of `rows` rows, `columns` columns and `depth` terms of the sum. Blocks at edges may be smaller. */
static void multiply(int rows, int columns, int depth) {
    for (int y = 0; y < N; y++) for (int x = 0; x < N; x++) c[y][x] = 0;
    for (int y0 = 0; y0 < N; y0 += rows)
        for (int k0 = 0; k0 < N; k0 += depth)
            for (int x0 = 0; x0 < N; x0 += columns)
                for (int y = y0; y < least(y0 + rows, N); y++)
                    for (int k = k0; k < least(k0 + depth, N); k++)
                        for (int x = x0; x < least(x0 + columns, N); x++) c[y][x] += a[y][k] * b[k][x];
}

int main(int count, char **arguments) {
    autotune_result r;
    int rank, ranks;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            a[y][x] = (float)(y == x);          /* a is the identity, so c becomes b */
            b[y][x] = (float)(rank + y + 2 * x);
        }

    AUTOTUNE(SPACE(AXIS(rows, 4, 8, 16, 32, 64), AXIS(columns, 16, 32, 48, 96, 192), AXIS(depth, 8, 16, 32, 64)), 1,
             multiply(rows, columns, depth),
             .key = KEY(N), .ranks = MPI_RANKS(MPI_COMM_WORLD), .agree = AUTOTUNE_DIVIDED, .result = &r);

    bool right = r.status == AUTOTUNE_OK;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) right = right && !(c[y][x] < b[y][x]) && !(c[y][x] > b[y][x]);
    int extremes[3] = {(int)r.index, -(int)r.index, !right};
    MPI_Allreduce(MPI_IN_PLACE, extremes, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    right = extremes[0] == -extremes[1] && !extremes[2];
    if (rank == 0)
        printf("%d ranks %s on rows %s, columns %s, depth %s: %.0f us, %s\n"
               "rank 0 tried %lu of %lu configurations\n",
               ranks, extremes[0] == -extremes[1] ? "agree" : "DO NOT AGREE", autotune_get_label(&r.config, "rows"),
               autotune_get_label(&r.config, "columns"), autotune_get_label(&r.config, "depth"), r.median_ns / 1e3,
               right ? "right" : "WRONG", (unsigned long)r.tried, (unsigned long)r.space_size);
    MPI_Finalize();
    return right ? 0 : 1;
}
