/* Threads: locks within the process, conditions, functions that run once, and fork. */
#pragma once
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "../api/floor.h"
#include "clock.h"

/* A lock within the process. AUTOTUNE__MUTEX initialises a static lock. */
typedef pthread_mutex_t autotune__mutex;
#define AUTOTUNE__MUTEX PTHREAD_MUTEX_INITIALIZER
static void autotune__lock_mutex(autotune__mutex *mutex) { pthread_mutex_lock(mutex); }
/* Takes the lock without waiting. Returns false if any thread has it, even this thread. */
static AUTOTUNE__UNUSED bool autotune__try_mutex(autotune__mutex *mutex) { return pthread_mutex_trylock(mutex) == 0; }
static void autotune__unlock_mutex(autotune__mutex *mutex) { pthread_mutex_unlock(mutex); }
/* Initialises a lock, which is then unlocked. In the child of a fork this also releases a lock that a thread of the
   parent held. */
static void autotune__make_mutex(autotune__mutex *mutex) { pthread_mutex_init(mutex, NULL); }

/* autotune__run_once(&once, function) calls the function once in the process. Every caller returns after the function
   has returned. */
typedef pthread_once_t autotune__once;
#define AUTOTUNE__ONCE PTHREAD_ONCE_INIT
AUTOTUNE__INLINE void autotune__run_once(autotune__once *once, void (*function)(void)) { pthread_once(once, function); }

/* A condition variable. A thread that waits for it has the mutex locked. AUTOTUNE__CONDITION initialises a static
   condition variable, but not one for autotune__await(). */
typedef pthread_cond_t autotune__condition;
#define AUTOTUNE__CONDITION PTHREAD_COND_INITIALIZER
/* The clock of deadlines for autotune__await(). On Apple's systems condition variables have no monotonic clock. */
#ifdef __APPLE__
enum { AUTOTUNE__DEADLINE_CLOCK = CLOCK_REALTIME };
#else
enum { AUTOTUNE__DEADLINE_CLOCK = CLOCK_MONOTONIC };
#endif
static void autotune__make_condition(autotune__condition *condition) {
#ifdef __APPLE__
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, AUTOTUNE__DEADLINE_CLOCK);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
#endif
}
static void autotune__wake_all(autotune__condition *condition) { pthread_cond_broadcast(condition); }
static AUTOTUNE__UNUSED void autotune__wait_for(autotune__condition *condition, autotune__mutex *mutex) {
    pthread_cond_wait(condition, mutex);
}
static uint64_t autotune__wait_clock(void) { return autotune__read_clock(AUTOTUNE__DEADLINE_CLOCK); }
/* Waits until the condition is signalled, at most until `deadline`, a time of autotune__wait_clock() in nanoseconds. */
static void autotune__await(autotune__condition *condition, autotune__mutex *mutex, uint64_t deadline) {
    struct timespec until;
    until.tv_sec = (time_t)(deadline / 1000000000u);
    until.tv_nsec = (long)(deadline % 1000000000u);
    pthread_cond_timedwait(condition, mutex, &until);
}

/* Threads that the library starts. All signals are blocked in them, since signals are for the program. */
typedef pthread_t autotune__thread;
static AUTOTUNE__UNUSED autotune__thread autotune__this_thread(void) { return pthread_self(); }
static AUTOTUNE__UNUSED bool autotune__is_same_thread(autotune__thread a, autotune__thread b) {
    return pthread_equal(a, b) != 0;
}
static AUTOTUNE__UNUSED bool autotune__start_thread(autotune__thread *thread, void *(*function)(void *),
                                                    void *argument) {
    sigset_t all, before;
    bool started;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);                    /* the new thread inherits this mask */
    started = pthread_create(thread, NULL, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
static AUTOTUNE__UNUSED void autotune__join_thread(autotune__thread thread) { pthread_join(thread, NULL); }
static AUTOTUNE__UNUSED void autotune__detach_thread(autotune__thread thread) { pthread_detach(thread); }

/* Sets functions that each later fork() calls: `before` and `after` in the parent, and `forked` in the child. */
static void autotune__watch_forks(void (*before)(void), void (*after)(void), void (*forked)(void)) {
    (void)pthread_atfork(before, after, forked);
}

/* Returns the process id, which differs in a child of fork(). */
static AUTOTUNE__UNUSED uint64_t autotune__process_number(void) { return (uint64_t)getpid(); }
