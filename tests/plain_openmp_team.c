/* plain_openmp_team.c - statements that all threads of an OpenMP team make. If a call needs all threads, nothing hangs.
   All threads launch the same configuration, once for each call, and a sentence says what to do. */
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
/* A group of two ranks. The other rank always has the same values as this rank. */
static autotune_status max_of_all(autotune_ranks *self, double *values, size_t count) {
    (void)self, (void)values, (void)count;
    return AUTOTUNE_OK;
}
static autotune_status share(autotune_ranks *self, void *bytes, size_t count) {
    (void)self, (void)bytes, (void)count;
    return AUTOTUNE_OK;
}
static autotune_ranks of_two = {.rank = 0, .count = 2, .max = max_of_all, .share = share};
static autotune_isolate isolate;
static autotune_options more; /* options that a test adds */
static autotune_result step(int key, bool dynamic) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(chunk, 16, 64, 256)), .key = KEY(key), .restore = BUFFERS({sums, sizeof sums}),
                   .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_F64}), .isolate = isolate,
                   .mode = more.mode, .ranks = more.ranks, .agree = more.agree, .result = &result) {
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
        others += seen.config.index != 0 || (seen.verdict > AUTOTUNE_DEFAULT && seen.verdict != AUTOTUNE_ONGOING);
        refused += seen.status == AUTOTUNE_ERR_ARGUMENT;
        answered += seen.status == AUTOTUNE_OK && seen.cache_hit;
        if (seen.status == AUTOTUNE_ERR_ARGUMENT) CHECK(last_error_has("all threads of an OpenMP team make this call"));
        if (i == 0) CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT);
    }
    CHECK(omp_get_max_threads() >= 1 && others == 0);
    for (int i = 0; i < COUNT; i++) CHECK(sums[i] == STEPS);
    CHECK(trials == (more.mode != AUTOTUNE_ONLINE)); /* one trial was launched. In mode ONLINE all launches are calls */
    CHECK(refused + answered == STEPS * threads && refused >= threads && answered >= threads);
}
static void all_threads_may_call(void) {
    autotune_set_log(count_sentences, NULL);
    call_in_team(1, 2, false);
    CHECK(said == 1);
    call_in_team(2, 3, true);
    isolate = AUTOTUNE_CHILD; /* a child has no team of threads */
    call_in_team(3, 2, false);
    isolate = AUTOTUNE_IN_PROCESS;
    CHECK(said == 1); /* each call site logs the sentence once */
}
/* In mode ONLINE each call is real: without the rule, the second call would try another configuration. */
static void all_threads_may_call_online(void) {
    more.mode = AUTOTUNE_ONLINE;
    call_in_team(11, 2, false);
    call_in_team(12, 3, true);
}
static void all_threads_of_ranks_may_call(void) {
    more.ranks = &of_two;
    for (int mode = 0; mode < 2; mode++)
        for (int agree = AUTOTUNE_TOGETHER; agree <= AUTOTUNE_DIVIDED; agree++) {
            more.mode = mode ? AUTOTUNE_ONLINE : AUTOTUNE_ON;
            more.agree = (autotune_agreement)agree;
            call_in_team(20 + 10 * mode + agree, 2, agree == AUTOTUNE_FIRST);
        }
    memset(&more, 0, sizeof more);
}

/* Calls that need no other thread are tuned. A call that one thread makes is tuned, too. */
static void calls_alone_are_tuned(void) {
    int tuned = 0;
#pragma omp parallel num_threads(3) reduction(+ : tuned)
    for (int key = 0; key < 6; key++) {
        autotune_result result;
        int called = 0;
        AUTOTUNE(SPACE(AXIS(chunk, 1, 2)), 1, (void)(called += !autotune_trial, chunk), .key = KEY(key),
                 .mode = key < 3 ? AUTOTUNE_ON : AUTOTUNE_ONLINE, .max_seconds = 0.05, .result = &result);
        tuned += result.status == AUTOTUNE_OK && called == 1;
    }
    CHECK(tuned == 18);
    autotune_result alone;
#pragma omp parallel num_threads(2)
#pragma omp single
    AUTOTUNE(SPACE(AXIS(chunk, 1, 2)), 1, (void)chunk, .max_seconds = 0.05, .result = &alone);
    CHECK(alone.status == AUTOTUNE_OK && alone.verdict > AUTOTUNE_DEFAULT);
}

int main(void) {
    static const plain_test tests[] = {
        {"all threads may call", all_threads_may_call},
        {"all threads may call online", all_threads_may_call_online},
        {"all threads of ranks may call", all_threads_of_ranks_may_call},
        {"calls alone are tuned", calls_alone_are_tuned},
    };
    return RUN_PLAIN_TESTS(tests);
}
