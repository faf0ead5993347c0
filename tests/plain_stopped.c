/* plain_stopped.c - a process that is stopped for longer than its budget while it races (Ctrl-Z, a container that is
   paused) goes on with the race when it is continued: the time is not the race's, and the launch it was stopped in is
   made again. */
#include "autotune.h"
#include "plain.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 4, FASTEST = 2, WAITED_FOR = 3 };
static const double budget = 0.4; /* seconds: a hundred times what a race needs alone on its processor */
static const struct timespec longer = {0, 500000000}, soon = {0, 20000000};

/* The program runs in a child process that stops itself, and that its parent continues later. Returns how the child
   ended. */
static int continue_whenever_stopped(pid_t child) {
    int status;
    for (;;) {
        CHECK(waitpid(child, &status, WUNTRACED) == child);
        if (!WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
        nanosleep(&longer, NULL);
        kill(child, SIGCONT);
    }
}

static size_t trials, stop_in, stop_before; /* launches; those that the process is stopped in, and before; 0: none */
static bool with_waiter; /* a second thread waits for the race meanwhile */
static pthread_t waiter;
static void *wait_for_race(void *user);
static void work(int id, bool trial) {
    const clock_t until = clock() + (id == FASTEST ? 1 : 20) * CLOCKS_PER_SEC / 40000;
    if (trial) trials++;
    while (clock() < until) continue;
    if (trial && trials == stop_in) {
        if (with_waiter) CHECK(pthread_create(&waiter, NULL, wait_for_race, NULL) == 0);
        if (with_waiter) nanosleep(&soon, NULL); /* by then it waits; on a busy machine it may come later */
        raise(SIGSTOP);
        if (with_waiter) nanosleep(&soon, NULL); /* it looks for progress, and there is none yet */
    }
}
static void set_up(void *user) {
    (void)user;
    if (trials + 1 == stop_before) raise(SIGSTOP);
}
static autotune_result tune(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, COUNT - 1, 1)), 1, work(id, autotune_trial), .key = KEY(key), .max_seconds = budget,
             .setup = set_up, .cache = AUTOTUNE_CACHE_OFF, .result = &result);
    return result;
}
static void *wait_for_race(void *user) {
    const autotune_result result = tune(WAITED_FOR);
    CHECK(result.status == AUTOTUNE_OK && result.index == FASTEST && result.verdict != AUTOTUNE_DEFAULT);
    return user;
}
static void race(int key) {
    autotune_result result;
    trials = 0;
    result = tune(key);
    CHECK(result.status == AUTOTUNE_OK && result.tried == COUNT);
    CHECK(result.index == FASTEST);
    CHECK(!result.doubt || !strstr(result.doubt, "clock"));
}

int main(void) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child) return continue_whenever_stopped(child);
    stop_in = 1;
    race(0);
    stop_in = 4;
    race(1);
    stop_in = 0;
    stop_before = 3;
    race(2);
    stop_before = 0;
    stop_in = 4;
    with_waiter = true;
    race(WAITED_FOR);
    CHECK(pthread_join(waiter, NULL) == 0);
    return 0;
}
