/* plain_cache.c - many users of one cache on disk: processes that tune at once, threads that look up at once, processes
   that are killed or stopped. The thread sanitizer must find nothing. */
#define _DEFAULT_SOURCE
#include "plain.h"
#include "cache_file.h"
#include "sanitized.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>

/* ---- What all tests use ------------------------------------------------------------------------------------------ */

enum { TILES = 4 };

/* Sleeps. Each process has its own virtual clock. A launch also takes some real time, so that races of several
   processes overlap. */
static void pass_microseconds(long microseconds) {
    const struct timespec time = {0, 1000 * microseconds};
    nanosleep(&time, NULL);
}
typedef struct seen {
    autotune_result result;
    int trials, calls, tile;
} seen;
static autotune_backend own_clock;
static void (*in_trial)(void); /* called within each trial */
static seen tune(int key, autotune_mode mode, double max_seconds) {
    seen s = {.tile = -1};
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, TILES - 1, 1)), .name = "many", .key = KEY(key), .mode = mode,
                   .max_seconds = max_seconds, .backend = &own_clock, .result = &s.result) {
        spend((tile == key % TILES ? 1 : 2) * (uint64_t)MILLISECOND);
        s.trials += autotune_trial;
        s.calls += !autotune_trial;
        s.tile = tile;
        if (autotune_trial && in_trial) in_trial();
    }
    return s;
}
static bool right(const seen *s, int key) {
    return s->result.status == AUTOTUNE_OK && s->calls == 1 && s->tile == key % TILES;
}

static pid_t start(void (*program)(int), int number) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        program(number);
        _exit(EXIT_SUCCESS);
    }
    return child;
}
static void ended_well(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}
static int gate[2]; /* a pipe. Children wait until its writing end is closed */
static void make_gate(void) { CHECK(pipe(gate) == 0); }
static void wait_at_gate(void) {
    char nothing;
    close(gate[1]);
    CHECK(read(gate[0], &nothing, 1) == 0);
}
static void open_gate(void) {
    close(gate[0]);
    close(gate[1]);
}

/* ---- Processes that tune at once ------------------------------------------------------------------------------------
 */

enum { PROCESSES = 8, KEYS = SANITIZED ? 20 : 50 };
static int (*raced)[KEYS]; /* raced[i][key]: whether process i raced the key. Shared memory */
static void a_moment(void) { pass_microseconds(20); }
static void tune_all_keys(int process) {
    wait_at_gate();
    in_trial = a_moment;
    for (int i = 0; i < KEYS; i++) {
        const int key = (i * 7 + process * 3) % KEYS; /* each process has its own order of keys */
        const seen s = tune(key, AUTOTUNE_ON, 0);
        CHECK(right(&s, key));
        raced[process][key] = s.trials > 0;
    }
}
static void one_race_per_key_among_processes(void) {
    pid_t child[PROCESSES];
    use_new_folder();
    raced = (int(*)[KEYS])shared_memory(sizeof(int[PROCESSES][KEYS]));
    make_gate();
    for (int i = 0; i < PROCESSES; i++) child[i] = start(tune_all_keys, i);
    open_gate();
    for (int i = 0; i < PROCESSES; i++) ended_well(child[i]);
    for (int key = 0; key < KEYS; key++) {
        int races = 0;
        for (int i = 0; i < PROCESSES; i++) races += raced[i][key];
        CHECK(races == 1);
    }
    CHECK(sound_lines(cache_bytes()) == KEYS && count_lines(cache_bytes()) == KEYS);
    remove_folder();
}

/* The process that races is stopped in the middle of a trial. The second process does not wait longer than max_seconds:
   it launches the first configuration. Once the race goes on and ends, the second process finds the winner on disk. */
static int *stage; /* shared memory. 0: nothing is stopped; 1: a trial is stopped; 2: the trial goes on */
static void stop_once(void) {
    if (*stage == 0) {
        *stage = 1;
        while (*stage < 2) pass_microseconds(100);
    }
}
static void race_and_stop(int key) {
    in_trial = stop_once;
    const seen s = tune(key, AUTOTUNE_ON, 0);
    CHECK(right(&s, key) && s.trials > 0);
}
static void do_not_wait_for_ever(int key) {
    while (*stage < 1) pass_microseconds(100);
    seen s = tune(key, AUTOTUNE_ON, 0.01);
    CHECK(s.calls == 1 && s.trials == 0 && s.tile == 0 && s.result.verdict == AUTOTUNE_DEFAULT &&
          s.result.status == AUTOTUNE_OK);
    s = tune(key, AUTOTUNE_ON, 1e6); /* the second call does not wait, although max_seconds is long */
    CHECK(s.calls == 1 && s.trials == 0 && s.tile == 0);
    *stage = 2;
    do {
        s = tune(key, AUTOTUNE_ON, 0.01);
        CHECK(s.calls == 1 && s.trials == 0);
        pass_microseconds(500);
    } while (!s.result.cache_hit);
    CHECK(right(&s, key));
}
static void a_stopped_race_holds_nobody_for_ever(void) {
    use_new_folder();
    stage = (int *)shared_memory(sizeof *stage);
    const pid_t racing = start(race_and_stop, 3), waiting = start(do_not_wait_for_ever, 3);
    ended_well(waiting);
    ended_well(racing);
    remove_folder();
}

/* ---- Processes that are killed --------------------------------------------------------------------------------------
 */

/* Tunes ten keys that all runs tune, so that the file is rewritten now and then, and five keys of its own. Writes each
   tuned key to the pipe `told`. */
static int told[2];
static void tune_and_tell(int number) {
    close(told[0]);
    for (int i = 0;; i++) {
        const int key = i < 10 ? -1 - i : 1000 * number + i;
        if (i == 15) pause();
        const seen s = tune(key, AUTOTUNE_FORCE, 0);
        if (s.result.status != AUTOTUNE_OK || write(told[1], &key, sizeof key) != (ssize_t)sizeof key)
            _exit(EXIT_FAILURE);
    }
}
enum { RUNS = SANITIZED ? 50 : 200, MOST_TOLD = 100000 };
static int told_keys[MOST_TOLD], told_count;
static bool hear(void) { /* reads one more key from the pipe. Returns false if the child has ended */
    CHECK(told_count < MOST_TOLD);
    return read(told[0], &told_keys[told_count], sizeof(int)) == (ssize_t)sizeof(int) && ++told_count;
}
static void all_told_are_known(int unused) {
    (void)unused;
    for (int i = 0; i < told_count; i++) {
        const seen s = tune(told_keys[i], AUTOTUNE_REQUIRE, 0);
        CHECK(s.result.status == AUTOTUNE_OK && s.calls == 1 && s.trials == 0);
        CHECK(told_keys[i] < 0 || s.tile == told_keys[i] % TILES);
    }
}
static void whoever_is_killed_loses_nothing(void) {
    uint32_t random = 1;
    use_new_folder();
    told_count = 0;
    for (int run = 1; run <= RUNS; run++) {
        int status;
        CHECK(pipe(told) == 0);
        const pid_t child = start(tune_and_tell, run);
        close(told[1]);
        random = random * 1664525u + 1013904223u;
        for (int keys = (int)(random >> 24) % 16; keys > 0; keys--) CHECK(hear());
        pass_microseconds((long)(random >> 12) % 1000);
        CHECK(kill(child, SIGKILL) == 0);
        while (hear()) {}
        close(told[0]);
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    }
    /* the file has fewer lines than the children wrote, so it was rewritten */
    CHECK(told_count > RUNS && (int)count_lines(cache_bytes()) < told_count);
    ended_well(start(all_told_are_known, 0));
    remove_folder();
}

/* ---- A thread that waits for another process --------------------------------------------------------------------- */

static int arrived[2], go_on[2]; /* pipes */
static void stop_in_trial(void) {
    char byte;
    in_trial = NULL;
    CHECK(write(arrived[1], "", 1) == 1 && read(go_on[0], &byte, 1) == 1);
}
static void tune_and_stop(int key) {
    alarm(600);
    in_trial = stop_in_trial;
    const seen s = tune(key, AUTOTUNE_ON, 0);
    CHECK(right(&s, key) && s.trials > 0);
}
static int answered; /* nonzero: the waiting thread has got its winner. Atomic */
static void *wait_for_answer(void *key) {
    const seen s = tune(*(int *)key, AUTOTUNE_ON, 0);
    CHECK(right(&s, *(int *)key) && s.trials == 0 && s.result.cache_hit);
    __atomic_store_n(&answered, 1, __ATOMIC_RELAXED);
    return NULL;
}
static void who_waits_for_a_process_holds_up_no_thread(void) {
    int key = 1;
    char byte;
    pthread_t waiter;
    use_new_folder();
    CHECK(pipe(arrived) == 0 && pipe(go_on) == 0);
    const pid_t child = start(tune_and_stop, key);
    CHECK(read(arrived[0], &byte, 1) == 1);
    CHECK(pthread_create(&waiter, NULL, wait_for_answer, &key) == 0);
    pass_microseconds(20000); /* now the thread waits for the child's race, or will soon */
    for (int other = 2; other < 12; other++) {
        const seen s = tune(other, AUTOTUNE_ON, 0);
        CHECK(right(&s, other) && s.trials > 0);
    }
    CHECK(!__atomic_load_n(&answered, __ATOMIC_RELAXED));
    CHECK(write(go_on[1], "", 1) == 1);
    CHECK(pthread_join(waiter, NULL) == 0);
    ended_well(child);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);  /* later tests fork, and their children use other folders */
    remove_folder();
}

/* ---- Threads that look up keys at the same time ------------------------------------------------------------------ */

enum { THREADS = 8, THREAD_KEYS = 20 };
static void tune_twenty(int unused) {
    (void)unused;
    for (int key = 0; key < THREAD_KEYS; key++) tune(key, AUTOTUNE_ON, 0);
}
static void *know_twenty(void *unused) {
    (void)unused;
    for (int key = 0; key < THREAD_KEYS; key++) {
        const seen s = tune(key, AUTOTUNE_ON, 0);
        CHECK(right(&s, key) && s.trials == 0 && s.result.cache_hit);
    }
    return NULL;
}
static void know_in_threads(int unused) {
    pthread_t thread[THREADS];
    (void)unused;
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, know_twenty, NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
}
static void threads_know_without_waiting(void) {
    use_new_folder();
    ended_well(start(tune_twenty, 0));
    ended_well(start(know_in_threads, 0));
    remove_folder();
}
static void *tune_new_ones(void *first) {
    for (int key = *(int *)first; key < *(int *)first + 5; key++) {
        const seen s = tune(key, AUTOTUNE_ON, 0);
        CHECK(s.calls == 1 && s.result.status == AUTOTUNE_OK);
        if (key % 2) CHECK(autotune_clear("many", NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK) == AUTOTUNE_OK);
        if (key % 3 == 0) {
            char path[300];
            snprintf(path, sizeof path, "%s/saved-%d", cache_folder, key);
            CHECK(autotune_save(path) == AUTOTUNE_OK && autotune_load(path) == AUTOTUNE_OK);
        }
    }
    return NULL;
}
static void all_functions_in_threads(int unused) {
    pthread_t thread[THREADS];
    int first[THREADS];
    (void)unused;
    for (int i = 0; i < THREADS; i++) {
        first[i] = 3 * i;
        CHECK(pthread_create(&thread[i], NULL, tune_new_ones, &first[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
}
static void threads_tune_save_load_and_clear(void) {
    use_new_folder();
    ended_well(start(all_functions_in_threads, 0));
    CHECK(sound_lines(cache_bytes()) == count_lines(cache_bytes()));
    remove_folder();
}

int main(void) {
    static const plain_test tests[] = {
        {"one race per key among processes", one_race_per_key_among_processes},
        {"a stopped race holds nobody for ever", a_stopped_race_holds_nobody_for_ever},
        {"whoever is killed loses nothing", whoever_is_killed_loses_nothing},
        {"who waits for a process holds up no thread", who_waits_for_a_process_holds_up_no_thread},
        {"threads know without waiting", threads_know_without_waiting},
        {"threads tune, save, load and clear", threads_tune_save_load_and_clear},
    };
    own_clock = virtual_backend("own clock");
    return RUN_PLAIN_TESTS(tests);
}
