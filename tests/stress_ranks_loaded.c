/* stress_ranks_loaded.c - mode ONLINE with ranks beside four busy processes, on the machine's own clock. In most
   calls other processes delay one of the two ranks, and times of single calls differ by a factor of several. In each
   call all ranks must run the same configuration, and no configuration may leave the race after one call. A winner with
   the verdict SEPARATED must have been compared. */
#define _DEFAULT_SOURCE
#include "forked_ranks.h"

enum { RANKS = 2, BUSY = 4, SECONDS = 6, MOST_CALLS = 4000, KEYS = 8 };
enum { FIRST = 1060, BEST = 1000, LAST = 1080, SLOW = 3000 }; /* how much a call of each configuration computes */
typedef struct seen { int calls, settled, separated, wrong, once, unfounded; } seen;

static volatile double sink;
static void compute(int thousands) {
    for (int i = 0; i < 250 * thousands; i++) sink = sink * 0.999 + 1;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static seen *seen_by(int rank) { return (seen *)(void *)shared->results + rank; }
static void read_line(void *user, autotune_log_level level, const char *line) {
    static bool none; /* true: the race that the log describes had no rounds. The line of its winner comes last */
    seen *mine = seen_by(own_rank);
    (void)user, (void)level;
    if (strstr(line, "the second: ")) none = strstr(line, " after 0 rounds") != NULL;
    mine->once += strstr(line, ", 1 launches ") != NULL;
    mine->unfounded += none && strstr(line, ", separated") != NULL;
}
/* Returns the largest value of all ranks, on each rank. */
static double most_of_all(autotune_ranks *ranks, double value) {
    (void)max_of_all(ranks, &value, 1);
    return value;
}
static void tune_beside_others(int rank, int count) {
    autotune_ranks ranks = all_ranks(count);
    seen *mine = seen_by(rank);
    const double began = now();
    autotune_set_log(read_line, NULL);
    for (int key = 0; key < KEYS; key++) {
        autotune_result result = {.cache_hit = false};
        for (int call = 0; call < MOST_CALLS && !result.cache_hit; call++) {
            int ran = 0;
            if (call % 32 == 0 && most_of_all(&ranks, now() - began) >= SECONDS) return;
            AUTOTUNE(SPACE(AXIS(work, FIRST, BEST, LAST, SLOW)), 1, compute(ran = work), .name = "loaded",
                     .key = KEY(key), .mode = AUTOTUNE_ONLINE, .max_loss = 1, .ranks = &ranks, .result = &result,
                     .cache = AUTOTUNE_CACHE_OFF);
            mine->calls++;
            CHECK(result.status == AUTOTUNE_OK);
            const double largest = most_of_all(&ranks, ran), least = -most_of_all(&ranks, -ran);
            CHECK(largest == least);
        }
        mine->settled += result.cache_hit;
        mine->separated += result.verdict == AUTOTUNE_SEPARATED;
        mine->wrong += result.verdict == AUTOTUNE_SEPARATED && autotune_get_int(&result.config, "work") != BEST;
    }
}
int main(void) {
    pid_t busy[BUSY];
    setenv("AUTOTUNE_LOG", "full", 1);
    share_run();
    for (int i = 0; i < BUSY; i++) {
        CHECK((busy[i] = fork()) >= 0);
        if (busy[i]) continue;
        alarm(60); /* the process ends even if this program does not end it */
        for (;;) compute(1000);
    }
    run_ranks(RANKS, 60, tune_beside_others);
    for (int i = 0; i < BUSY; i++) kill(busy[i], SIGKILL);
    for (int i = 0; i < BUSY; i++) CHECK(waitpid(busy[i], NULL, 0) == busy[i]);
    for (int r = 0; r < RANKS; r++) {
        const seen *s = seen_by(r);
        printf("rank %d: %d calls, %d settled, %d separated, %d of them wrong\n", r, s->calls, s->settled, s->separated,
               s->wrong);
        CHECK(s->calls >= 20 && s->once == 0 && s->unfounded == 0);
        CHECK(s->wrong <= 1);
    }
    return 0;
}
