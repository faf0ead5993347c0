/* plain_pin.c - AUTOTUNE_PIN=core: trials run on one processor, what comes before and after them on those of before;
   and the log says where that would help. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "autotune.h"
#include "plain.h"

#ifdef __linux__
#include <sched.h>
#include <sys/wait.h>

static cpu_set_t before;
static bool pins, fails;
static size_t trials, calls;

static bool is_as_before(void) {
    cpu_set_t now;
    return sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &before);
}
static autotune_status launch(int id, bool trial) {
    cpu_set_t now;
    CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
    if (trial && pins) CHECK(CPU_COUNT(&now) == 1 && CPU_ISSET((size_t)sched_getcpu(), &now));
    else CHECK(is_as_before());
    trials += trial;
    calls += !trial;
    for (volatile int i = 0; i < 1000 * (1 + id); i++) continue;
    return fails ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void race(int key) {
    AUTOTUNE(SPACE(AXIS(id, 0, 1, 2)), 1, launch(id, autotune_trial), .key = KEY(key), .cache = AUTOTUNE_CACHE_OFF);
    CHECK(is_as_before());
}
/* A thread that moves at every launch, and whose times spread. */
static unsigned seed = 1;
static bool advised;
static void look_for_advice(void *user, autotune_log_level level, const char *line) {
    (void)user;
    advised = advised || (level == AUTOTUNE_LOG_WINNER && strstr(line, "AUTOTUNE_PIN=core in the environment"));
}
static void hop(int id) {
    cpu_set_t one;
    size_t other = 0;
    while (!CPU_ISSET(other, &before) || (int)other == sched_getcpu()) other++;
    CPU_ZERO(&one);
    CPU_SET(other, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    seed = seed * 1664525 + 1013904223;
    for (volatile unsigned i = 0; i < 40000 + (unsigned)id + (seed >> 16) * 2; i++) continue;
}
static void advise(void) {
    autotune_set_log(look_for_advice, NULL);
    for (int key = 0; key < 40 && !advised; key++) /* not every race is in doubt */
        AUTOTUNE(SPACE(AXIS(id, 0, 1)), 1, hop(id), .key = KEY(key), .cache = AUTOTUNE_CACHE_OFF,
                 .preset = AUTOTUNE_FAST);
    CHECK(advised);
    _exit(EXIT_SUCCESS);
}
static int advised_with(const char *level) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        setenv("AUTOTUNE_LOG", level, 1);
        advise();
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}
static int raced_with(const char *value) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (value) setenv("AUTOTUNE_PIN", value, 1);
        else unsetenv("AUTOTUNE_PIN");
        pins = value && !strcmp(value, "core");
        autotune_set_log(say_nothing, NULL);
        race(1);
        CHECK(trials > 3 && calls == 1);
        race(1); /* a hit */
        CHECK(calls == 2);
        fails = true;
        race(2); /* nothing works */
        _exit(EXIT_SUCCESS);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}
int main(void) {
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    if (CPU_COUNT(&before) < 2) return 77; /* nothing to see */
    CHECK(raced_with("core") == 0);
    CHECK(raced_with("off") == 0);
    CHECK(raced_with(NULL) == 0);
    CHECK(advised_with("winner") == 0);
    return EXIT_SUCCESS;
}
#else
int main(void) { return 77; }
#endif
