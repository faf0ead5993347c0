/* A block of plain loops that works in place. Some configurations are fast because they compute wrong results. The
   library refuses these configurations. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <math.h>
#include <stdio.h>

enum { N = 512, STEPS = 100 };
typedef float membrane[N][N];
static membrane even, odd;

/* One step of a vibrating membrane. The call reads `now` and `old`, and overwrites `old` with the state after `now`. So
   .restore gives `old` its content back before every trial. A stride of 2 leaves out every second row: it takes half
   the time, and the result is wrong. .outputs compares the result of each configuration with the result of the first
   configuration. So a configuration with stride 2 is refused. */
static autotune_result step(membrane now, membrane old) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32, 64, 128, 512), AXIS(stride, 1, 2)),
                   .restore = BUFFERS({old, sizeof(membrane)}),
                   .outputs = BUFFERS({old, sizeof(membrane), AUTOTUNE_F32, 1e-4}),
                   .result = &result) {
        for (int start = 1; start < N - 1; start += tile)
            for (int y = 1; y < N - 1; y += stride)
                for (int x = start; x < start + tile && x < N - 1; x++)
                    old[y][x] = (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1]) / 2 - old[y][x];
    }
    return result;
}

/* Returns the exact solution of the steps above, at time t: a standing wave with eight half-waves along each side. */
static double height(int x, int y, int t) {
    double wave = 8 * acos(-1) / (N - 1);
    return sin(wave * x) * sin(wave * y) * cos(wave * t);
}

int main(void) {
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) { even[y][x] = (float)height(x, y, 0); odd[y][x] = (float)height(x, y, 1); }

    autotune_result r = step(odd, even);
    for (int t = 3; t <= STEPS; t++) step(t % 2 ? even : odd, t % 2 ? odd : even);

    double error = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) error = fmax(error, fabs((double)even[y][x] - height(x, y, STEPS)));
    int64_t stride = autotune_get_int(&r.config, "stride");
    bool right = r.status == AUTOTUNE_OK && (r.cache_hit || r.failed == r.space_size / 2) && stride == 1 &&
                 error < 1e-3;
    if (r.cache_hit) printf("configurations  %zu, raced in an earlier run\n", r.space_size);
    else printf("configurations  %zu, of which %zu computed something else and were refused\n", r.space_size, r.failed);
    printf("winner          tile %s, stride %d: %.1f us a step\n", autotune_get_label(&r.config, "tile"), (int)stride,
           r.median_ns / 1e3);
    printf("after %d steps off by %.1g at most from the exact wave, %s\n", STEPS, error, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
