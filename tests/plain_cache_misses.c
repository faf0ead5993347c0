/* plain_cache_misses.c - threads that miss the same keys: all their calls are counted, while other threads tune, and
   while the counts are written. The thread sanitizers of gcc and clang must find nothing. */
#define _DEFAULT_SOURCE
#include "opened.h"
#include "plain.h"
#include "cache_file.h"
#include <pthread.h>

enum { THREADS = 6, CALLS = 4000, KEYS = 5, TUNED = 99 };
static autotune_backend clock_of_thread;
static __thread uint64_t own_time;
static uint64_t own_now(autotune_backend *self) { return (void)self, own_time; }

static autotune_status launch(int x) { return (void)x, own_time += 1000, AUTOTUNE_OK; }
static void miss(int key, autotune_mode mode) {
    AUTOTUNE(SPACE(AXIS(x, 1, 2)), 1, launch(x), .key = KEY(key), .name = "missed", .mode = mode,
             .backend = &clock_of_thread);
}
static void *call(void *argument) {
    const int thread = (int)(intptr_t)argument;
    for (int i = 0; i < CALLS; i++) {
        miss(i % KEYS, AUTOTUNE_CACHED);
        if (thread == 0 && i % 500 == 0) miss(TUNED + i, AUTOTUNE_ON); /* a race makes stand-ins out of date */
        if (thread == 1 && i % 500 == 0) write_misses();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    double calls = 0;
    use_new_folder();
    setenv("AUTOTUNE_LOG", "off", 1);
    clock_of_thread = autotune_cpu();
    clock_of_thread.now = own_now;
    for (intptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, call, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    char path[300];
    snprintf(path, sizeof path, "%s/misses.jsonl", cache_folder);
    const bytes all = read_file(path);
    CHECK(all.at && sound_lines(all) == count_lines(all));
    for (char *at = all.at; (at = strstr(at, ",\"calls\":")) != NULL; at++)
        calls += strtod(at + strlen(",\"calls\":"), NULL);
    CHECK(calls == (double)THREADS * CALLS);
    remove_folder();
    return 0;
}
