/* openmp.c SHAPE [SECONDS] - three programs that imitate well-known benchmarks: their parallel regions have the same
   lengths and the same order. bench/openmp.sh runs them with and without libautotune_openmp.so.

   stencil  as jacobi-2d of PolyBench with OpenMP: two alternating regions, of some 10 us of work each.
   lookups  as XSBench: four long regions, in which threads look up cross sections at random. It is fastest with all
            processors.
   hydro    as LULESH: in each time step some twenty regions of different lengths, from 1 us to 1 ms, over one mesh. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* ---- stencil ---- */

enum { SIDE = 130 };
static double a[SIDE][SIDE], b[SIDE][SIDE];
static double stencil(int steps) {
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) a[i][j] = b[i][j] = (double)(i * (j + 2)) / SIDE;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
#pragma omp parallel for
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
    }
    return a[SIDE / 2][SIDE / 2];
}

/* ---- lookups ---- */

enum { GRID = 1 << 20, NUCLIDES = 5 };
static double *energy, *section[NUCLIDES];
static void fill_grid(void) {
    energy = malloc(GRID * sizeof *energy);
    for (int n = 0; n < NUCLIDES; n++) section[n] = malloc(GRID * sizeof **section);
    for (int i = 0; i < GRID; i++) {
        energy[i] = (double)i / GRID;
        for (int n = 0; n < NUCLIDES; n++) section[n][i] = sin(i * 0.001 + n) + 2;
    }
}
static double look_up(double e) {
    int low = 0, high = GRID - 1;
    double total = 0;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (energy[middle] > e) high = middle;
        else low = middle;
    }
    for (int n = 0; n < NUCLIDES; n++)
        total += section[n][low] + (section[n][high] - section[n][low]) * (e - energy[low]) * GRID;
    return total;
}
static double lookups(int thousands) {
    uint64_t sum = 0;
    fill_grid();
    for (int part = 0; part < 4; part++)
#pragma omp parallel for schedule(dynamic, 100) reduction(+ : sum)
        for (int i = 0; i < thousands * 250; i++) {
            uint64_t state = (uint64_t)(part * thousands * 250 + i) * 2654435761u + 1;
            sum += (uint64_t)(look_up((double)next_random(&state) / 2147483648.0) * 1000);
        }
    return (double)sum;
}

/* ---- hydro ---- */

enum { NODES = 20000, FIELDS = 8 };
static double field[FIELDS][NODES], step_minimum[64];
#define SWEEP(count, expression) \
    _Pragma("omp parallel for") \
    for (int i = 0; i < (count); i++) expression
static double hydro(int steps) {
    double t = 1e-3;
    for (int f = 0; f < FIELDS; f++)
        for (int i = 0; i < NODES; i++) field[f][i] = 1 + 0.01 * ((i * 7 + f) % 13);
    for (int s = 0; s < steps; s++) {
        SWEEP(NODES, field[0][i] = 0);
        SWEEP(NODES, field[1][i] = field[2][i] * 0.5 + field[3][i]);
        SWEEP(NODES, field[0][i] += sqrt(field[1][i]) * field[4][i] / (1 + field[5][i] * field[5][i]));
        SWEEP(100, field[0][i] = 0);
        SWEEP(100, field[0][NODES - 1 - i] = 0);
        SWEEP(NODES, field[6][i] = field[0][i] / field[7][i]);
        SWEEP(NODES, field[2][i] += t * field[6][i]);
        SWEEP(NODES, field[3][i] += t * field[2][i]);
        for (int region = 0; region < 6; region++) {            /* materials: short lists of elements */
            const int first = region * 700;
            SWEEP(400, field[5][first + i] = exp(-field[3][first + i] * 1e-3));
            SWEEP(400, field[4][first + i] = field[5][first + i] > 0.1 ? field[5][first + i] : 0.1);
        }
        SWEEP(NODES, field[1][i] = fabs(field[6][i]) + 1e-9);
        SWEEP(64, step_minimum[i] = 1e-3 / (1 + field[1][i * 300]));
        t = 1e-3;
        for (int i = 0; i < 64; i++) t = step_minimum[i] < t ? step_minimum[i] : t;
    }
    return field[2][NODES / 2] + field[3][NODES / 3];
}

int main(int count, char **arguments) {
    const char *shape = count > 1 ? arguments[1] : "";
    const int size = count > 2 ? atoi(arguments[2]) : 0;
    if (!strcmp(shape, "stencil")) printf("%.17g\n", stencil(size ? size : 20000));
    else if (!strcmp(shape, "lookups")) printf("%.17g\n", lookups(size ? size : 8000));
    else if (!strcmp(shape, "hydro")) printf("%.17g\n", hydro(size ? size : 600));
    else return 2;
    return 0;
}
