/* plain_cancellation.c - a thread that is cancelled while it waits for a race ends once it has made its call. One that
   ends in the middle of a race, where nothing unwinds the statement (C without -fexceptions), leaves no lock behind:
   other calls do not tune, and do not hang. Clean under the thread sanitizers of gcc and clang. */
#include "plain.h"
#include "sanitized.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { FIRST = 16, LAST = 64 };
static autotune_backend devices[3], *backend = &devices[0];
static sem_t in_trial, go_on, about_to_wait;

/* What a trial of the first tile does, besides taking its time. */
typedef enum deed { NOTHING, WAITS, IS_CANCELLED, EXITS } deed;
typedef struct seen {
    autotune_result result;
    int key, trials, calls, tile;
    deed deed;
} seen;
static void launch(seen *s, bool trial, int tile) {
    spend((uint64_t)(tile == LAST ? 10 : 20) * MILLISECOND); /* by the virtual clock */
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
             .backend = backend, .max_seconds = 1e9, .result = &s->result);
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
static bool untuned(const seen *s) {
    return s->calls == 1 && s->tile == FIRST && s->trials == 0 && s->result.verdict == AUTOTUNE_DEFAULT;
}

/* One that waits for another's race. */
static void who_waits_is_cancelled_after_its_call(void) {
    seen racing = {.key = 10, .deed = WAITS}, waiting = {.key = 10};
    const pthread_t race = start(enter, &racing);
    sem_wait(&in_trial);
    const pthread_t waits = start(enter_and_wait, &waiting);
    sem_wait(&about_to_wait);
    CHECK(pthread_cancel(waits) == 0);
    sem_post(&go_on);
    finish(race);
    finish(waits);
    CHECK(tuned(&racing) && waiting.calls == 1 && waiting.trials == 0);
}
/* One whose trial is cancelled, or ends its thread: nothing more is tuned on its device, and nothing is freed. */
static void a_race_whose_thread_ended(deed does, int key, const char *device) {
    seen racing = {.key = key, .deed = does}, same = {.key = key}, other = {.key = key + 1};
    *++backend = virtual_backend(device);
    const pthread_t race = start(enter, &racing);
    sem_wait(&in_trial);
    if (does == IS_CANCELLED) CHECK(pthread_cancel(race) == 0);
    finish(race);
    CHECK(racing.calls == 0 && racing.trials == 2);
    enter(&same);
    enter(&other);
    CHECK(untuned(&same) && untuned(&other));
    CHECK(autotune_shutdown() == AUTOTUNE_ERR_ARGUMENT); /* the race has not ended */
}
static void after_a_trial_that_exits_its_thread_nothing_is_tuned(void) {
    a_race_whose_thread_ended(EXITS, 50, "of one that exits");
}
static void nor_after_one_that_is_cancelled(void) {
    a_race_whose_thread_ended(IS_CANCELLED, 40, "of one that is cancelled");
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
        {"who waits is cancelled after its call", who_waits_is_cancelled_after_its_call},
        {"the state of the thread is its own", the_state_of_the_thread_is_its_own},
        {"after a trial that exits its thread nothing is tuned", after_a_trial_that_exits_its_thread_nothing_is_tuned},
        {"nor after one that is cancelled", nor_after_one_that_is_cancelled},
    };
#if ADDRESS_SANITIZED
    puts(
        "skipped: the address sanitizer takes the stack of a cancelled thread, whose functions did not return, for "
        "overwritten");
    return 77;
#endif
    *backend = virtual_backend("one device");
    sem_init(&in_trial, 0, 0);
    sem_init(&go_on, 0, 0);
    sem_init(&about_to_wait, 0, 0);
    return RUN_PLAIN_TESTS(tests);
}
