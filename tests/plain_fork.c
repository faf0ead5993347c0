/* plain_fork.c - processes that fork() makes while other threads tune: the child tunes on its own, and does not wait
   for a thread of its parent. */
#include "plain.h"
#include "sanitized.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>

enum { FIRST = 16, LAST = 64 };
static autotune_backend backend;
static sem_t in_trial, go_on;

typedef struct seen {
    autotune_result result;
    int key, trials, calls, tile;
    bool waits, forks;
} seen;
static void launch(seen *s, bool trial, int tile);
static void enter(seen *s) {
    AUTOTUNE(SPACE(AXIS(tile, FIRST, 32, LAST)), 1, launch(s, autotune_trial, tile), .key = KEY(s->key),
             .backend = &backend, .max_seconds = 1e9, .result = &s->result);
}
static bool tuned(const seen *s) {
    return s->calls == 1 && s->tile == LAST && s->trials > 0 && s->result.status == AUTOTUNE_OK;
}
static bool hit(const seen *s) { return s->calls == 1 && s->tile == LAST && s->trials == 0 && s->result.cache_hit; }

static pid_t begin_child(void) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) alarm(600); /* no other process would end a child that hangs */
    return child;
}
static void finish_child(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) fprintf(stderr, "the child was ended by signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status)) fprintf(stderr, "the child exited with %d\n", WEXITSTATUS(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

static void launch(seen *s, bool trial, int tile) {
    spend((uint64_t)(tile == LAST ? 10 : 20) * SECOND);
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    if (trial && s->trials == 2 && s->waits) {
        sem_post(&in_trial);
        sem_wait(&go_on);
    }
    /* forks in the second trial. The first child ends, the second child tunes another key */
    if (trial && s->trials == 2 && s->forks) {
        for (int i = 0; i < 2; i++) {
            const pid_t child = begin_child();
            if (child == 0) {
                seen inner = {.key = 1000};
                if (i) enter(&inner);
                CHECK(!i || tuned(&inner));
                _exit(EXIT_SUCCESS);
            }
            finish_child(child);
        }
    }
}
static void *enter_in_a_thread(void *s) { return enter(s), NULL; }

/* The process forks while its other thread is in the middle of a trial. The child tunes on its own. */
static void a_child_tunes_for_itself(void) {
    seen racing = {.key = 1, .waits = true}, after = {.key = 1};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, enter_in_a_thread, &racing) == 0);
    sem_wait(&in_trial);
    const pid_t child = begin_child();
    if (child == 0) {
        for (int key = 1; key <= 2; key++) {
            seen s = {.key = key}, again = {.key = key};
            enter(&s);
            CHECK(tuned(&s));
            enter(&again);
            CHECK(hit(&again));
        }
        _exit(EXIT_SUCCESS);
    }
    finish_child(child);
    sem_post(&go_on);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(tuned(&racing));
    enter(&after);
    CHECK(hit(&after));
}
/* The process forks while two threads begin and end races all the time. A third thread calls gmtime_r(), whose lock the
   C library does not make ready for a child. */
#if !SANITIZED /* a sanitizer's allocator may be locked in a child */
static int over;
static void *race_on(void *first) {
    for (int key = *(int *)first; !__atomic_load_n(&over, __ATOMIC_RELAXED); key += 2) {
        seen s = {.key = key};
        enter(&s);
    }
    return NULL;
}
static void *ask_for_the_date(void *nothing) {
    const time_t now = time(NULL);
    struct tm date;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) CHECK(gmtime_r(&now, &date) == &date);
    return nothing;
}
static void a_child_at_any_moment(void) {
    enum { CHILDREN = 40 };
    static int first[2] = {100000, 100001};
    pthread_t thread[3];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, race_on, &first[i]) == 0);
    CHECK(pthread_create(&thread[2], NULL, ask_for_the_date, NULL) == 0);
    for (int i = 0; i < CHILDREN; i++) {
        const pid_t child = begin_child();
        if (child == 0) {
            seen s = {.key = 10 + i};
            enter(&s);
            CHECK(tuned(&s));
            _exit(EXIT_SUCCESS);
        }
        finish_child(child);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(thread[i], NULL) == 0);
}
#endif
static void a_trial_may_fork(void) {
    seen s = {.key = 3, .forks = true}, again = {.key = 3};
    enter(&s);
    CHECK(tuned(&s));
    enter(&again);
    CHECK(hit(&again));
}

int main(void) {
    static const plain_test tests[] = {
        {"a child tunes for itself", a_child_tunes_for_itself},
#if !SANITIZED
        {"a child at any moment", a_child_at_any_moment},
#endif
        {"a trial may fork", a_trial_may_fork},
    };
    backend = virtual_backend("one device");
    sem_init(&in_trial, 0, 0);
    sem_init(&go_on, 0, 0);
    return RUN_PLAIN_TESTS(tests);
}
