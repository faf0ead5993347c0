/* stress_isolation.c - races in child processes beside busy processes. At random, configurations crash, abort, exit,
   hang, close all files, end their process group or start helpers. The program ignores SIGCHLD, waits for all children
   in its handler, or does neither, and another thread allocates memory. Only the bad configurations fail, the winner
   works, and no process and no open file is left. Its argument is the seed. */
#define _DEFAULT_SOURCE
#include "busy.h"
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>

enum { TILES = 12 };
typedef enum deed { WORKS, CRASH, ABORT, EXIT, HANG, CLOSE, KILL_GROUP, HELP, LATER, DEEDS } deed;
static deed deeds[TILES];
static int launches_of[TILES], calls;
static char memory[1 << 16];
static volatile int stop;

static void compute(int tile) {
    volatile double sum = 0;
    for (int i = 0; i < 2000 * (tile + 4); i++) sum += i;
}
static void launch(int tile, bool trial) {
    calls += !trial;
    launches_of[tile]++;
    if (trial) memset(memory, tile, sizeof memory);
    if (trial) switch (deeds[tile]) {
    case CRASH: raise(SIGSEGV); break;
    case ABORT: abort();
    case EXIT: exit(3);
    case HANG: for (;;) pause();
    case CLOSE: for (int file = 3; file < 256; file++) close(file); break;
    case KILL_GROUP: kill(0, SIGKILL); break;
    case HELP:
        if (fork() == 0) for (;;) pause();
        abort();
    case LATER: if (launches_of[tile] > 2) raise(SIGBUS); break;
    default: break;
    }
    compute(tile);
}
static void check_rows(void *user, const autotune_known *known) {
    if (known->key.word[0] != *(uint64_t *)user) return;
    for (size_t i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *m = &known->measurements[i];
        const deed did = deeds[autotune_get_int(&m->config, "tile")];
        if (did == WORKS && m->status != AUTOTUNE_OK) fprintf(stderr, "works, but: %s\n", m->reason);
        CHECK(did == WORKS || did == LATER ? did == LATER || m->status == AUTOTUNE_OK : m->status != AUTOTUNE_OK);
    }
}
static autotune_result tune(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(tile, autotune_trial), .key = KEY(key),
             .isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST, .launch_timeout = 3, .result = &result);
    return result;
}

static int open_files(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    if (!folder) return 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}
/* Collects the ended children of trials only. It must leave the children that keep the processors busy. */
static void wait_for_all(int signal_number) {
    const int before = errno;
    (void)signal_number;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    errno = before;
}
static void *allocate(void *unused) {
    while (!stop) {
        free(malloc(1000));
        usleep(100);
    }
    return unused;
}
static void race_once(int key) {
    static void (*const actions[])(int) = {SIG_DFL, SIG_IGN, wait_for_all};
    struct pollfd lives = {0, POLLIN, 0};
    uint64_t number = (uint64_t)key;
    int ends[2], works = roll(TILES);
    autotune_result result;
    for (int tile = 0; tile < TILES; tile++) deeds[tile] = roll(2) ? WORKS : (deed)roll(DEEDS);
    /* each hang takes three seconds, so at most one configuration hangs */
    for (int tile = 0, hangs = 0; tile < TILES; tile++)
        if (deeds[tile] == HANG && (hangs++ || roll(4))) deeds[tile] = CRASH;
    deeds[works] = WORKS;
    memset(launches_of, 0, sizeof launches_of);
    memset(memory, 77, sizeof memory);
    calls = 0;
    CHECK(pipe(ends) == 0); /* each process that a trial starts holds the pipe open */
    signal(SIGCHLD, actions[roll(3)]);
    result = tune(key);
    signal(SIGCHLD, SIG_DFL);
    close(ends[1]);
    lives.fd = ends[0];
    CHECK(poll(&lives, 1, 10000) == 1 && (lives.revents & POLLHUP));
    close(ends[0]);
    CHECK(result.status == AUTOTUNE_OK && calls == 1);
    CHECK(deeds[result.index] == WORKS || deeds[result.index] == LATER);
    for (size_t i = 0; i < sizeof memory; i++) CHECK(memory[i] == 77);
    autotune_each(check_rows, &number);
    CHECK(tune(key).cache_hit && calls == 2);
}

int main(int count, char **arguments) {
    const double end = seconds_now() + STRESS_SECONDS;
    pthread_t thread;
    int races = 0;
    if (count > 1) dice = strtoull(arguments[1], NULL, 0);
    alarm(600);
    autotune_set_log(say_nothing, NULL);
    begin_busy_processes();
    CHECK(pthread_create(&thread, NULL, allocate, NULL) == 0);
    race_once(races++);
    for (const int files = open_files(); seconds_now() < end;) {
        race_once(races++);
        CHECK(open_files() == files);
    }
    stop = 1;
    pthread_join(thread, NULL);
    end_busy_processes();
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    printf("%d races\n", races);
    return EXIT_SUCCESS;
}
