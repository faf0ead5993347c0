/* stress_in_use.c - the first calls of a winner in use are compared with its race, beside 0, 2 and 8 busy processes.
   Prints how often the log reports a difference. If calls differ from the trials, the log has to report it on a quiet
   machine. Calls that take about twice as long are reported in half of the runs, others in all. If calls do not differ,
   the log may report a difference in at most 1 run of 100. Each run is a process. */
#define _DEFAULT_SOURCE
#include "autotune.h"
#include "busy.h"

enum { RUNS = 100, RUNS_TOLD = 20, TRIES = 3 };
enum { COUNT = 400, SIZE = 48, GRID = 200, MOST_BUSY = 8 };
static int numbers[COUNT];
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE], from[GRID][GRID], to[GRID][GRID];
static bool told;

static void mix(void) { for (int i = 0; i < COUNT; i++) numbers[i] = roll(1 << 30); }
static void mix_for_trial(void *user, const autotune_config *config) { (void)user, (void)config, mix(); }
static void sort(int *v, int count, int least) {
    while (count > least) {
        const int pivot = v[count / 2];
        int i = 0, j = count - 1;
        for (;; i++, j--) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i >= j) break;
            const int swap = v[i];
            v[i] = v[j];
            v[j] = swap;
        }
        sort(v, i, least);
        v += i;
        count -= i;
    }
    for (int i = 1; i < count; i++) {
        const int number = v[i];
        int at = i;
        for (; at > 0 && v[at - 1] > number; at--) v[at] = v[at - 1];
        v[at] = number;
    }
}
static void multiply(int tile) {
    for (int kk = 0; kk < SIZE; kk += tile)
        for (int i = 0; i < SIZE; i++)
            for (int k = kk; k < kk + tile && k < SIZE; k++)
                for (int j = 0; j < SIZE; j++) c[i][j] += a[i][k] * b[k][j];
}
static void smooth(int rows) {
    for (int ii = 1; ii < GRID - 1; ii += rows)
        for (int i = ii; i < ii + rows && i < GRID - 1; i++)
            for (int j = 1; j < GRID - 1; j++)
                to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
}
static void scale(double *v, int count, int times) {
    for (int k = 0; k < times; k++) for (int i = 0; i < count; i++) v[i] = v[i] * .999 + .001;
}

/* ---- Calls that are like the trials ---- */

static void work_between(void) { scale(&from[0][0], 1000, 3); }
static void matmul(void) {
    AUTOTUNE(SPACE(AXIS(tile, 8, 16, 48)), 1, multiply(tile), .restore = BUFFERS({c, sizeof c}), .max_seconds = .5,
             .cache = AUTOTUNE_CACHE_OFF);
}
static void stencil(void) {
    AUTOTUNE(SPACE(AXIS(rows, 1, 8, 64)), 1, smooth(rows), .max_seconds = .5, .cache = AUTOTUNE_CACHE_OFF);
}
static void sort_with_setup(void) {
    mix();
    AUTOTUNE(SPACE(AXIS(least, 16, 8, 24)), 1, sort(numbers, COUNT, least),
             .restore = BUFFERS({numbers, sizeof numbers}), .setup = mix_for_trial, .max_seconds = .5,
             .cache = AUTOTUNE_CACHE_OFF);
}

/* ---- Calls that are not ---- */

static void sort_of_same_numbers(void) { /* the branch predictor has learnt the numbers in the trials */
    mix();
    AUTOTUNE(SPACE(AXIS(least, 16, 8, 24)), 1, sort(numbers, COUNT, least),
             .restore = BUFFERS({numbers, sizeof numbers}), .max_seconds = .5, .cache = AUTOTUNE_CACHE_OFF);
}
static void finds_its_work_done(void) { /* after the first launch, trials have nothing to do */
    static bool done;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16, 48)), 1,
             (done && autotune_trial ? scale(a[0], SIZE, 1) : multiply(tile), done = true), .max_seconds = .5,
             .cache = AUTOTUNE_CACHE_OFF);
}
static void key_lacks_a_part(void) { /* the first call, and so the race, has the small case */
    static int calls;
    const int times = calls++ ? 20 : 1;
    AUTOTUNE(SPACE(AXIS(rows, 1, 8, 64)), 1, scale(&to[0][0], 100 * rows / rows * 10, times), .max_seconds = .5,
             .cache = AUTOTUNE_CACHE_OFF);
}

static void hear(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level;
    told = told || strstr(line, "a call in use");
}
static bool tells(void (*call)(void), int seed) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dice = (uint64_t)seed;
        autotune_set_log(hear, NULL);
        for (int i = 0; i < 40; i++) {
            call();
            work_between();
        }
        _exit(told ? 10 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) == 10;
}
static const struct kind { const char *name; void (*call)(void); int told_at_least; } kinds[] = {
    {"matmul", matmul, 0}, {"stencil", stencil, 0}, {"sort with .setup", sort_with_setup, 0},
    {"sort of the same numbers", sort_of_same_numbers, RUNS_TOLD / 2},
    {"work that is done already", finds_its_work_done, RUNS_TOLD},
    {"a key that lacks a part", key_lacks_a_part, RUNS_TOLD},
};
int main(void) {
    const int busy[] = {0, 2, 8};
    pid_t others[MOST_BUSY];
    int failures = 0;
    setenv("AUTOTUNE_LOG", "winner", 1);
    for (size_t at = 0; at < 3; at++) {
        for (int i = 0; i < busy[at]; i++) {
            others[i] = fork();
            if (others[i] == 0) for (volatile unsigned long n = 0;; n++) if (getppid() == 1) _exit(0);
        }
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const struct kind *kind = &kinds[k];
            const int least = kind->told_at_least, runs = least ? RUNS_TOLD : RUNS;
            bool fails = true;
            for (int tried = 0; fails && tried < TRIES; tried++) {
                int count = 0;
                for (int run = 0; run < runs; run++) count += tells(kind->call, run + 1);
                printf("%d busy, %-26s told in %3d of %d runs\n", busy[at], kind->name, count, runs);
                fails = least ? !busy[at] && count < least : count > runs / 100;
            }
            failures += fails;
        }
        for (int i = 0; i < busy[at]; i++) kill(others[i], SIGKILL);
        for (int i = 0; i < busy[at]; i++) waitpid(others[i], NULL, 0);
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
