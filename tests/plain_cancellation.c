/* plain_cancellation.c - threads that are cancelled, or end by pthread_exit(), in the middle of a statement: they leave
   no lock and no race behind. C without -fexceptions: nothing unwinds the statement. Clean under the thread sanitizers
   of gcc and clang. */
#include "plain.h"
#include "sanitized.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { FIRST = 16, LAST = 64 };
static autotune_backend backend;
static sem_t in_trial, go_on, about_to_wait;

/* What a trial of the first tile does, besides taking its time. */
typedef enum deed { NOTHING, WAITS, IS_CANCELLED, EXITS } deed;
typedef struct seen {
    autotune_result result;
    int key, trials, calls, tile;
    deed deed;
} seen;
static void launch(seen *s, bool trial, int tile) {
    spend((uint64_t)(tile == LAST ? 10 : 20) * SECOND); /* by the virtual clock: waiters are patient for four times as
                                                           long */
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    if (!trial || s->trials != 2) return;
    if (s->deed != NOTHING) sem_post(&in_trial);
    if (s->deed == WAITS) sem_wait(&go_on);
    if (s->deed == EXITS) pthread_exit(NULL);
    while (s->deed == IS_CANCELLED) { /* the thread sanitizers lose track of who is cancelled in a function that they
                                         watch */
        pthread_testcancel();
        sched_yield();
    }
}
static void *enter(void *argument) {
    seen *s = argument;
    AUTOTUNE(SPACE(AXIS(tile, FIRST, 32, LAST)), 1, launch(s, autotune_trial, tile), .key = KEY(s->key),
             .backend = &backend, .max_seconds = 1e9, .result = &s->result);
    return NULL;
}
static void *enter_and_wait(void *s) {
    sem_post(&about_to_wait);
    return enter(s);
}
static pthread_t start(void *(*function)(void *), seen *s) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, s) == 0);
    return thread;
}
static void finish(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }
static bool tuned(const seen *s) {
    return s->calls == 1 && s->tile == LAST && s->trials > 0 && s->result.status == AUTOTUNE_OK;
}
static bool hit(const seen *s) { return s->calls == 1 && s->tile == LAST && s->trials == 0 && s->result.cache_hit; }

/* One that waits for another's race, of its own key and of another. */
static void who_waits_can_be_cancelled(void) {
    for (int key = 1; key <= 2; key++) {
        seen racing = {.key = 10 + key, .deed = WAITS}, waiting = {.key = key == 1 ? 11 : 20},
             after = {.key = 30 + key};
        const struct timespec moment = {0, 20 * MILLISECOND};
        const pthread_t race = start(enter, &racing);
        sem_wait(&in_trial);
        const pthread_t waits = start(enter_and_wait, &waiting);
        sem_wait(&about_to_wait);
        nanosleep(&moment, NULL); /* and it waits, or soon will */
        CHECK(pthread_cancel(waits) == 0);
        finish(waits);
        CHECK(waiting.calls == 0 && waiting.trials == 0);
        sem_post(&go_on);
        finish(race);
        CHECK(tuned(&racing));
        enter(&after);
        CHECK(tuned(&after));
    }
}
/* One whose trial is cancelled, or ends its thread: the next call tunes. */
static void who_races_can_end(deed does, int key) {
    seen racing = {.key = key, .deed = does}, same = {.key = key}, other = {.key = key + 1}, again = {.key = key};
    const pthread_t race = start(enter, &racing);
    sem_wait(&in_trial);
    if (does == IS_CANCELLED) CHECK(pthread_cancel(race) == 0);
    finish(race);
    CHECK(racing.calls == 0 && racing.trials == 2);
    enter(&same);
    CHECK(tuned(&same));
    enter(&other);
    CHECK(tuned(&other));
    enter(&again);
    CHECK(hit(&again));
}
static void a_cancelled_trial_ends_its_race(void) { who_races_can_end(IS_CANCELLED, 40); }
static void a_trial_that_exits_its_thread_ends_its_race(void) { who_races_can_end(EXITS, 50); }

/* Those that wait for it take the race up. */
static void who_waits_for_a_thread_that_ends_goes_on(void) {
    seen racing = {.key = 60, .deed = IS_CANCELLED}, waiting = {.key = 60};
    const pthread_t race = start(enter, &racing);
    sem_wait(&in_trial);
    const pthread_t waits = start(enter_and_wait, &waiting);
    sem_wait(&about_to_wait);
    CHECK(pthread_cancel(race) == 0);
    finish(race);
    finish(waits);
    CHECK(tuned(&waiting));
}
/* A thread that nobody cancels keeps the state that it chose. */
static void the_state_of_the_thread_is_its_own(void) {
    int state;
    for (int i = 0; i < 2; i++) {
        seen s = {.key = 70 + i};
        pthread_setcancelstate(i ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, &state);
        enter(&s);
        CHECK(tuned(&s));
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
        CHECK(state == (i ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE));
    }
}

int main(void) {
    static const plain_test tests[] = {
        {"who waits can be cancelled", who_waits_can_be_cancelled},
        {"a cancelled trial ends its race", a_cancelled_trial_ends_its_race},
        {"a trial that exits its thread ends its race", a_trial_that_exits_its_thread_ends_its_race},
        {"who waits for a thread that ends goes on", who_waits_for_a_thread_that_ends_goes_on},
        {"the state of the thread is its own", the_state_of_the_thread_is_its_own},
    };
#if ADDRESS_SANITIZED
    puts(
        "skipped: the address sanitizer takes the stack of a cancelled thread, whose functions did not return, for "
        "overwritten");
    return 77;
#endif
    backend = virtual_backend("one device");
    sem_init(&in_trial, 0, 0);
    sem_init(&go_on, 0, 0);
    sem_init(&about_to_wait, 0, 0);
    return RUN_PLAIN_TESTS(tests);
}
