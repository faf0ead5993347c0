/* A simulation that is tuned while it runs. Each step changes the grid in place, so no step can be repeated for a
   trial. With AUTOTUNE_ONLINE each call runs one configuration, once, for real. Now and then a call tries another
   configuration than the best so far. So later steps become faster. The cost of these tries is bounded.

       online            makes 2,000 steps tuned, and the same 2,000 steps with the first configuration
       online FILE       also writes a line for each step: its number, its time tuned and its time untuned, in us

   To use more than one thread, compile the program with -fopenmp. */
#define _POSIX_C_SOURCE 200809L
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdio.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_procs(void) { return 1; }
static void omp_set_num_threads(int threads) { (void)threads; }
typedef int omp_sched_t;
enum { omp_sched_static, omp_sched_dynamic };
static void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
#endif

enum { N = 386, STEPS = 2000 };
static float tuned[N][N], untuned[N][N];
static double tuned_us[STEPS], untuned_us[STEPS];

/* Relaxes the points of one colour in one tile. The colours are those of a chessboard: each point becomes the mean of
   its four neighbours, which have the other colour. So the order of the tiles does not matter, and every configuration
   computes the same bits. */
static void relax(float grid[N][N], int colour, int tile, int columns, int down) {
    const int top = 1 + tile / columns * down, left = 1 + tile % columns * ((N - 2 + columns - 1) / columns);
    const int right = left + (N - 2 + columns - 1) / columns;
    for (int y = top; y < top + down && y < N - 1; y++)
        for (int x = left + (left + y + colour) % 2; x < right && x < N - 1; x += 2)
            grid[y][x] = 0.25f * (grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] + grid[y][x + 1]);
}
static void step(float grid[N][N], int rows, int columns, int threads, int schedule) {
    const int tiles = (N - 2 + rows - 1) / rows * columns;
    omp_set_num_threads(threads);
    omp_set_schedule(schedule ? omp_sched_dynamic : omp_sched_static, 1);
    for (int colour = 0; colour < 2; colour++) {
#ifdef _OPENMP
#pragma omp parallel for schedule(runtime)
#endif
        for (int tile = 0; tile < tiles; tile++) relax(grid, colour, tile, columns, rows);
    }
}

static double microseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}
static void begin(float grid[N][N]) {
    memset(grid, 0, sizeof tuned);
    for (int i = 0; i < N; i++) grid[0][i] = grid[i][0] = 100;
}
/* Prints the mean time of each 200 steps. */
static void print(void) {
    printf("steps            tuned    untuned, in us\n");
    for (int from = 0; from < STEPS; from += 200) {
        double a = 0, b = 0;
        for (int i = from; i < from + 200; i++) a += tuned_us[i], b += untuned_us[i];
        printf("%4d to %4d  %8.1f   %8.1f\n", from, from + 199, a / 200, b / 200);
    }
}

int main(int argc, char **argv) {
    const int most = omp_get_num_procs() < 64 ? omp_get_num_procs() : 64;
    double total = 0, first = 0;
    autotune_result r;
    begin(tuned);
    begin(untuned);
    for (int i = 0; i < STEPS; i++) {           /* alternately, so that other programs disturb both alike */
        double from = microseconds();
        AUTOTUNE(SPACE(AXIS(threads, 1, most, (most + 1) / 2), AXIS(rows, 4, 16, 64, 256), AXIS(columns, 12, 1, 3),
                       AXIS(schedule, 0, 1)),
                 1, step(tuned, rows, columns, threads, schedule),
                 .mode = AUTOTUNE_ONLINE, .max_seconds = 0.02, .result = &r);
        total += tuned_us[i] = microseconds() - from;
        from = microseconds();
        step(untuned, 4, 12, 1, 0);
        first += untuned_us[i] = microseconds() - from;
    }
    print();
    printf("now in use     %s threads, tiles of %s rows, %s columns of tiles, schedule %s: %s\n",
           autotune_get_label(&r.config, "threads"), autotune_get_label(&r.config, "rows"),
           autotune_get_label(&r.config, "columns"), autotune_get_int(&r.config, "schedule") ? "dynamic" : "static",
           autotune_verdict_text(r.verdict));
    printf("all steps      %.0f ms tuned, %.0f ms untuned: %.3f\n", total / 1e3, first / 1e3, total / first);

    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    for (int i = 0; file && i < STEPS; i++) fprintf(file, "%d %.2f %.2f\n", i, tuned_us[i], untuned_us[i]);
    if (file) fclose(file);
    const bool right = !memcmp(tuned, untuned, sizeof tuned) && r.status == AUTOTUNE_OK;
    printf("both computed the same, %s\n", right ? "right" : "WRONG");
    return right ? 0 : 1;
}
