/* plain_waiting.c - launches that wait because another process uses the processor: this wait does not count as time of
   the launch. Other waits do count, and so does the time of other threads of the program. */
#define _GNU_SOURCE
#include "autotune.h"
#include "plain.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
static void compute(double seconds) {
    for (const double until = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
         seconds_of(CLOCK_THREAD_CPUTIME_ID) < until;) {}
}
/* Puts this process and two processes that compute all the time on one processor. */
static bool share_a_processor(pid_t busy[2]) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return false;
    for (int i = 0; i < 2; i++)
        if ((busy[i] = fork()) == 0)
            for (;;) compute(1);
    return true;
}
static void end(const pid_t busy[2]) {
    for (int i = 0; i < 2; i++) { kill(busy[i], SIGKILL); waitpid(busy[i], NULL, 0); }
}

static void *compute_beside(void *user) { compute(0.004); return user; }
static void launch(int how) {
    const struct timespec while_asleep = {0, 4000000};
    pthread_t beside;
    if (how < 3) compute(how == 1 ? 0.0035 : how == 2 ? 0.0045 : 0.004);
    if (how == 3) { nanosleep(&while_asleep, NULL); compute(0.001); }
    if (how == 4) {
        CHECK(pthread_create(&beside, NULL, compute_beside, NULL) == 0);
        compute(0.001);
        pthread_join(beside, NULL);
    }
}
static autotune_result tune(int first, int last) {
    static int races;
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(how, first, last, 1)), 1, launch(how), .key = KEY(races++), .max_seconds = 3,
             .cache = AUTOTUNE_CACHE_OFF, .result = &result);
    return result;
}

static bool only_computing_counts(void) { /* by the clock a launch takes some 10 ms */
    const autotune_result r = tune(0, 2);
    return r.index == 1 && r.verdict != AUTOTUNE_UNRELIABLE && r.median_ns > 3.4e6 && r.median_ns < 4e6 &&
           r.slowest_ns < 5.5e6;
}
static void a_processor(void) {
    pid_t busy[2];
    bool so;
    if (!share_a_processor(busy)) { puts("no processor to share"); return; }
    so = in_one_of_ten_tries(only_computing_counts);
    end(busy);
    CHECK(so);
}
/* If preempted launches of one thread and of several meet in a race, the log says that their times are of two kinds. */
static bool kinds_that_meet_are_told(void) {
    const autotune_result both = tune(2, 4), one = tune(0, 2);
    return both.note && strstr(both.note, "launches of several threads") && !one.note;
}
static void several_threads(void) {
    pid_t busy[2];
    bool so;
    if (!share_a_processor(busy)) { puts("no processor to share"); return; }
    so = in_one_of_ten_tries(kinds_that_meet_are_told);
    end(busy);
    CHECK(so);
}
static void something_else(void) {
    const autotune_result r = tune(3, 4);
    CHECK(r.median_ns > 3.9e6 && r.slowest_ns > 3.9e6); /* the thread itself computes for only 1 ms */
}

int main(void) {
    static const plain_test tests[] = {{"a processor", a_processor}, {"several threads", several_threads},
                                        {"something else", something_else}};
    return RUN_PLAIN_TESTS(tests);
}
