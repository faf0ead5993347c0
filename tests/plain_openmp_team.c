/* plain_openmp_team.c - statements that all threads of an OpenMP team make. If a call needs all of them, nothing hangs,
   all launch one configuration, once for each call, and a sentence says what to do. */
#include "plain.h"
#include <omp.h>

enum { COUNT = 1200, STEPS = 4 };
static double sums[COUNT];
static int trials, said;
static void count_sentences(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level;
    said += strstr(line, "make it in `#pragma omp single`, or before the region") != NULL;
}
static void of_threads(int chunk) {
#pragma omp for schedule(static, chunk)
    for (int i = 0; i < COUNT; i++) sums[i] += 1;
}
static void of_rules(int chunk) {
#pragma omp barrier
#pragma omp for schedule(dynamic, chunk)
    for (int i = 0; i < COUNT; i++) sums[i] += 1;
}
static autotune_isolate isolate;
static autotune_result step(int key, bool dynamic) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(chunk, 16, 64, 256)), .key = KEY(key), .restore = BUFFERS({sums, sizeof sums}),
                   .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_F64}), .isolate = isolate, .result = &result) {
        __atomic_fetch_add(&trials, autotune_trial, __ATOMIC_RELAXED);
        if (dynamic) of_rules(chunk);
        else of_threads(chunk);
    }
    return result;
}
static void call_in_team(int key, int threads, bool dynamic) {
    int refused = 0, answered = 0, others = 0;
    memset(sums, 0, sizeof sums);
    trials = 0;
#pragma omp parallel num_threads(threads) reduction(+ : refused, answered, others)
    for (int i = 0; i < STEPS; i++) {
        const autotune_result seen = step(key, dynamic);
        others += seen.config.index != 0 || seen.verdict > AUTOTUNE_DEFAULT;
        refused += seen.status == AUTOTUNE_ERR_ARGUMENT;
        answered += seen.status == AUTOTUNE_OK && seen.cache_hit;
        if (seen.status == AUTOTUNE_ERR_ARGUMENT) CHECK(last_error_has("all threads of an OpenMP team make this call"));
        if (i == 0) CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT);
    }
    CHECK(omp_get_max_threads() >= 1 && others == 0);
    for (int i = 0; i < COUNT; i++) CHECK(sums[i] == STEPS);
    CHECK(trials == 1); /* which was a call */
    CHECK(refused + answered == STEPS * threads && refused >= threads && answered >= threads);
}
static void all_threads_may_call(void) {
    autotune_set_log(count_sentences, NULL);
    call_in_team(1, 2, false);
    CHECK(said == 1);
    call_in_team(2, 3, true);
    isolate = AUTOTUNE_CHILD; /* which has no team */
    call_in_team(3, 2, false);
    isolate = AUTOTUNE_IN_PROCESS;
    CHECK(said == 1); /* once for a call site */
}

/* Calls of threads that need no other one are tuned, and so is a call of one thread. */
static void calls_alone_are_tuned(void) {
    int tuned = 0;
#pragma omp parallel num_threads(3) reduction(+ : tuned)
    for (int key = 0; key < 3; key++) {
        autotune_result result;
        int called = 0;
        AUTOTUNE(SPACE(AXIS(chunk, 1, 2)), 1, (void)(called += !autotune_trial, chunk), .key = KEY(key),
                 .max_seconds = 0.05, .result = &result);
        tuned += result.status == AUTOTUNE_OK && called == 1;
    }
    CHECK(tuned == 9);
    autotune_result alone;
#pragma omp parallel num_threads(2)
#pragma omp single
    AUTOTUNE(SPACE(AXIS(chunk, 1, 2)), 1, (void)chunk, .max_seconds = 0.05, .result = &alone);
    CHECK(alone.status == AUTOTUNE_OK && alone.verdict > AUTOTUNE_DEFAULT);
}

int main(void) {
    static const plain_test tests[] = {
        {"all threads may call", all_threads_may_call},
        {"calls alone are tuned", calls_alone_are_tuned},
    };
    return RUN_PLAIN_TESTS(tests);
}
