/* Eight threads call one tuner at once: one thread tunes, and the others wait for the winner. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, N = 1 << 16 };
static uint32_t numbers[N];
static pthread_barrier_t together;

static uint64_t sum_of_squares(const uint32_t *v, int n, int lanes) {
    uint64_t sum[16] = {0};
    for (int i = 0; i < n; i += lanes)
        for (int l = 0; l < lanes; l++) sum[l] += (uint64_t)v[i + l] * v[i + l];
    for (int l = 1; l < lanes; l++) sum[0] += sum[l];
    return sum[0];
}

typedef struct { pthread_t thread; uint64_t sum; autotune_result result; } worker;

static void *work(void *argument) {
    worker *self = argument;
    pthread_barrier_wait(&together);
    AUTOTUNE(SPACE(AXIS(lanes, 1, 2, 4, 8, 16)), 1, self->sum = sum_of_squares(numbers, N, lanes),
             .key = KEY(N), .outputs = BUFFERS({&self->sum, sizeof self->sum}), .result = &self->result);
    return NULL;
}

int main(void) {
    static worker workers[THREADS];
    uint64_t expected = 0;
    int races = 0, right = 0;
    for (uint32_t i = 0; i < N; i++) { numbers[i] = i * 2654435761u; expected += (uint64_t)numbers[i] * numbers[i]; }

    pthread_barrier_init(&together, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) if (pthread_create(&workers[t].thread, NULL, work, &workers[t])) return 1;
    for (int t = 0; t < THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        races += !workers[t].result.cache_hit;
        right += workers[t].result.status == AUTOTUNE_OK && workers[t].sum == expected;
    }
    pthread_barrier_destroy(&together);

    printf("%d threads, %d race, %d right sums\n", THREADS, races, right);
    printf("winner: %d lanes\n", (int)autotune_get_int(&workers[0].result.config, "lanes"));
    return races <= 1 && right == THREADS ? 0 : 1;      /* no race: the winner is known from an earlier run */
}
