/* Ranks of an MPI program that choose the same configuration. The rows of a stencil are divided among the ranks. The
   ranks exchange borders in one of three ways. A rank that chose another way than its neighbours would wait for ever.

       mpicc -O2 -fopenmp -I.. mpi_stencil.c -o mpi_stencil -lm && mpirun -n 2 ./mpi_stencil

   With the argument `online` there are no trials: each step is made once, and the ranks compare configurations from
   step to step. */
#define AUTOTUNE_MPI_IMPLEMENTATION
#include "autotune_mpi.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 512, STEPS = 200 };
enum { BLOCKING, NON_BLOCKING, PERSISTENT };
/* The rows of this rank, 1 to `rows`. Rows 0 and `rows` + 1 are copies of the neighbours' border rows. */
typedef struct grid {
    double (*at)[N];
    MPI_Request persistent[4];
} grid;
static int rank, ranks, rows, above, below;
static autotune_mode mode;

static void average(double (*to)[N], double (*from)[N], int first, int last, int tile, int threads) {
    (void)threads;                              /* without OpenMP `threads` has no effect */
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int start = 1; start < N - 1; start += tile)
        for (int y = first; y <= last; y++)
            for (int x = start; x < start + tile && x < N - 1; x++)
                to[y][x] = (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]) / 4;
}
/* Each point becomes the mean of its four neighbours. If the exchange of borders does not block, the rank computes its
   inner rows during the exchange. */
static void step(grid *to, grid *from, int tile, int exchange, int threads) {
    MPI_Request started[4], *requests = exchange == PERSISTENT ? from->persistent : started;
    double (*a)[N] = from->at;
    if (exchange == BLOCKING) {
        MPI_Sendrecv(a[1], N, MPI_DOUBLE, above, 0, a[rows + 1], N, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(a[rows], N, MPI_DOUBLE, below, 1, a[0], N, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        average(to->at, a, 1, rows, tile, threads);
        return;
    }
    if (exchange == NON_BLOCKING) {
        MPI_Irecv(a[rows + 1], N, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &started[0]);
        MPI_Irecv(a[0], N, MPI_DOUBLE, above, 3, MPI_COMM_WORLD, &started[1]);
        MPI_Isend(a[1], N, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &started[2]);
        MPI_Isend(a[rows], N, MPI_DOUBLE, below, 3, MPI_COMM_WORLD, &started[3]);
    } else MPI_Startall(4, requests);
    average(to->at, a, 2, rows - 1, tile, threads);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    average(to->at, a, 1, 1, tile, threads);
    average(to->at, a, rows, rows, tile, threads);
}
/* A step reads `from` and writes `to`. So it can be repeated for trials, and nothing has to be restored. */
static autotune_result tuned_step(grid *to, grid *from) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 32, 128, 512), AXIS(exchange, BLOCKING, NON_BLOCKING, PERSISTENT), AXIS(threads, 1, 2)),
             1, step(to, from, tile, exchange, threads),
             .key = KEY(rows), .ranks = MPI_RANKS(MPI_COMM_WORLD), .mode = mode, .result = &result);
    return result;
}

static void make_grid(grid *g, int tag) {
    if (!(g->at = calloc((size_t)rows + 2, sizeof *g->at))) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Recv_init(g->at[rows + 1], N, MPI_DOUBLE, below, tag, MPI_COMM_WORLD, &g->persistent[0]);
    MPI_Recv_init(g->at[0], N, MPI_DOUBLE, above, tag + 1, MPI_COMM_WORLD, &g->persistent[1]);
    MPI_Send_init(g->at[1], N, MPI_DOUBLE, above, tag, MPI_COMM_WORLD, &g->persistent[2]);
    MPI_Send_init(g->at[rows], N, MPI_DOUBLE, below, tag + 1, MPI_COMM_WORLD, &g->persistent[3]);
}
static void free_grid(grid *g) {
    for (int i = 0; i < 4; i++) MPI_Request_free(&g->persistent[i]);
    free(g->at);
}
/* Returns the exact heat after `steps` steps, at row y of this rank: a wave with eight half-waves along each
   side, and 0 on the edges. Each step only scales the wave. The whole grid has the rows 0 to ranks * rows + 1. */
static double heat(int y, int x, int steps) {
    const double along = 8 * acos(-1) / (N - 1), across = 8 * acos(-1) / (ranks * rows + 1);
    return sin(across * (rank * rows + y)) * sin(along * x) * pow((cos(along) + cos(across)) / 2, steps);
}

int main(int count, char **arguments) {
    grid even, odd;
    double error = 0;
    MPI_Init(&count, &arguments);
    mode = count > 1 && !strcmp(arguments[1], "online") ? AUTOTUNE_ONLINE : AUTOTUNE_ON;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rows = N / ranks;
    above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    make_grid(&even, 10);
    make_grid(&odd, 20);
    for (int y = 1; y <= rows; y++) for (int x = 1; x < N - 1; x++) even.at[y][x] = heat(y, x, 0);

    autotune_result r = tuned_step(&odd, &even);
    for (int t = 1; t < STEPS; t++) r = tuned_step(t % 2 ? &even : &odd, t % 2 ? &odd : &even);

    for (int y = 1; y <= rows; y++)
        for (int x = 1; x < N - 1; x++) error = fmax(error, fabs(even.at[y][x] - heat(y, x, STEPS)));
    long extremes[2] = {(long)r.index, -(long)r.index};
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const bool agreed = extremes[0] == -extremes[1], right = agreed && r.status == AUTOTUNE_OK && error < 1e-9;
    if (rank == 0)
        printf("%d ranks %s on tile %s, exchange %s, threads %s: %.1f us a step\n"
               "after %d steps off by %.1g at most, %s\n",
               ranks, agreed ? "agree" : "DO NOT AGREE", autotune_get_label(&r.config, "tile"),
               autotune_get_label(&r.config, "exchange"), autotune_get_label(&r.config, "threads"), r.median_ns / 1e3,
               STEPS, error, right ? "right" : "WRONG");
    free_grid(&even);
    free_grid(&odd);
    MPI_Finalize();
    return right ? 0 : 1;
}
