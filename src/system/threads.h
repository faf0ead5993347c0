/* Threads: locks within the process, conditions, what is done once, cancellation, the end of a thread, and fork. */
#pragma once
#include <errno.h>
#ifdef _WIN32
#include <process.h>
#include <windows.h>
#else
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif
#include "../api/language.h"
#include "clock.h"

/* Cancellation. Both functions return the state before, for autotune__set_cancellation(). Windows and Android have no
   cancellation, and so one state. */
#if !defined _WIN32 && defined PTHREAD_CANCEL_DISABLE
static int autotune__set_cancellation(int state) {
    pthread_setcancelstate(state, &state);
    return state;
}
static int autotune__hold_cancellation(void) { return autotune__set_cancellation(PTHREAD_CANCEL_DISABLE); }
#else
static int autotune__set_cancellation(int state) { return state; }
static int autotune__hold_cancellation(void) { return 0; }
#endif

#ifndef _WIN32
/* A lock of the process. A static one begins with the value AUTOTUNE__MUTEX. */
typedef pthread_mutex_t autotune__mutex;
#define AUTOTUNE__MUTEX PTHREAD_MUTEX_INITIALIZER
static void autotune__lock_mutex(autotune__mutex *mutex) { pthread_mutex_lock(mutex); }
/* Without waiting. False: another thread has it, or this one. */
static AUTOTUNE__UNUSED bool autotune__try_mutex(autotune__mutex *mutex) { return pthread_mutex_trylock(mutex) == 0; }
static void autotune__unlock_mutex(autotune__mutex *mutex) { pthread_mutex_unlock(mutex); }
/* Makes an open mutex of whatever it was before. In the child of a fork this frees a lock that the parent held. */
static void autotune__make_mutex(autotune__mutex *mutex) { pthread_mutex_init(mutex, NULL); }
/* Makes a mutex that one thread may lock several times. */
static void autotune__make_recursive_mutex(autotune__mutex *mutex) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

/* Whatever is called through `autotune__run_once(&once, function)` is called once in the process; all callers return
   after it has returned. */
typedef pthread_once_t autotune__once;
#define AUTOTUNE__ONCE PTHREAD_ONCE_INIT
AUTOTUNE__INLINE void autotune__run_once(autotune__once *once, void (*function)(void)) { pthread_once(once, function); }

/* A condition, for which threads wait with its mutex locked. A static one for which nobody waits with a deadline begins
   with the value AUTOTUNE__CONDITION. */
typedef pthread_cond_t autotune__condition;
#define AUTOTUNE__CONDITION PTHREAD_COND_INITIALIZER
/* The deadlines of autotune__await() are times of this clock: nanoseconds. Apple's conditions know no other clock than
   that of the calendar. */
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
static void autotune__unlock_cancelled(void *mutex) { pthread_mutex_unlock((pthread_mutex_t *)mutex); }
/* Waits until the condition is signalled, or until the deadline. Meanwhile the thread has this state of cancellation;
   if it is cancelled, the mutex is unlocked. Afterwards cancellation is held. */
static void autotune__await(autotune__condition *condition, autotune__mutex *mutex, uint64_t deadline,
                            int cancellation) {
    struct timespec until;
    until.tv_sec = (time_t)(deadline / 1000000000u);
    until.tv_nsec = (long)(deadline % 1000000000u);
    pthread_cleanup_push(autotune__unlock_cancelled, mutex);
    autotune__set_cancellation(cancellation);
    pthread_cond_timedwait(condition, mutex, &until);
    autotune__hold_cancellation();
    pthread_cleanup_pop(0);
}

/* Threads that are started. They handle no signals: those are the program's. */
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
    pthread_sigmask(SIG_SETMASK, &all, &before);                    /* a thread begins with the mask of its maker */
    started = pthread_create(thread, NULL, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
static AUTOTUNE__UNUSED void autotune__join_thread(autotune__thread thread) { pthread_join(thread, NULL); }

/* A value that each thread has for itself. A thread that ends with a value other than NULL calls `at_end` with it. */
static pthread_key_t autotune__thread_value;
static bool autotune__watch_thread_ends(void (*at_end)(void *value)) {
    return pthread_key_create(&autotune__thread_value, at_end) == 0;
}
static void autotune__forget_thread_ends(void) { pthread_key_delete(autotune__thread_value); }
static void autotune__set_thread_value(const void *value) { (void)pthread_setspecific(autotune__thread_value, value); }

/* The functions are called around every fork of the process: in the parent before and after it, and in the child. */
static void autotune__watch_forks(void (*before)(void), void (*after)(void), void (*in_child)(void)) {
    (void)pthread_atfork(before, after, in_child);
}

/* The number of this process, which a child made by fork does not share. */
static AUTOTUNE__UNUSED uint64_t autotune__process_number(void) { return (uint64_t)getpid(); }
/* Is there a process of this number, or may there be one? */
static AUTOTUNE__UNUSED bool autotune__process_exists(unsigned long number) {
    const pid_t process = (pid_t)number;
    return process <= 0 || (unsigned long)process != number || kill(process, 0) == 0 || errno != ESRCH;
}
#else

/* A lock is free, or has the number of a thread, which may have it several times if it is recursive. */
typedef struct autotune__mutex {
    SRWLOCK lock;
    bool recursive;
    unsigned depth;
    DWORD owner;
} autotune__mutex;
#define AUTOTUNE__MUTEX { SRWLOCK_INIT, false, 0, 0 }
static bool autotune__owns(autotune__mutex *mutex) {
    return mutex->recursive && __atomic_load_n(&mutex->owner, __ATOMIC_RELAXED) == GetCurrentThreadId();
}
static void autotune__own(autotune__mutex *mutex) {
    if (mutex->recursive) __atomic_store_n(&mutex->owner, GetCurrentThreadId(), __ATOMIC_RELAXED);
}
static void autotune__lock_mutex(autotune__mutex *mutex) {
    if (autotune__owns(mutex)) { mutex->depth++; return; }
    AcquireSRWLockExclusive(&mutex->lock);
    autotune__own(mutex);
}
static AUTOTUNE__UNUSED bool autotune__try_mutex(autotune__mutex *mutex) {
    if (autotune__owns(mutex)) { mutex->depth++; return true; }
    if (!TryAcquireSRWLockExclusive(&mutex->lock)) return false;
    autotune__own(mutex);
    return true;
}
static void autotune__unlock_mutex(autotune__mutex *mutex) {
    if (mutex->depth) { mutex->depth--; return; }
    if (mutex->recursive) __atomic_store_n(&mutex->owner, 0, __ATOMIC_RELAXED);
    ReleaseSRWLockExclusive(&mutex->lock);
}
static void autotune__make_mutex(autotune__mutex *mutex) { memset(mutex, 0, sizeof *mutex); }
static void autotune__make_recursive_mutex(autotune__mutex *mutex) {
    autotune__make_mutex(mutex);
    mutex->recursive = true;
}

typedef INIT_ONCE autotune__once;
#define AUTOTUNE__ONCE INIT_ONCE_STATIC_INIT
AUTOTUNE__INLINE void autotune__run_once(autotune__once *once, void (*function)(void)) {
    BOOL pending = FALSE;
    if (!InitOnceBeginInitialize(once, 0, &pending, NULL) || !pending) return;
    function();
    InitOnceComplete(once, 0, NULL);
}

typedef CONDITION_VARIABLE autotune__condition;
#define AUTOTUNE__CONDITION CONDITION_VARIABLE_INIT
static void autotune__make_condition(autotune__condition *condition) { InitializeConditionVariable(condition); }
static void autotune__wake_all(autotune__condition *condition) { WakeAllConditionVariable(condition); }
static AUTOTUNE__UNUSED void autotune__wait_for(autotune__condition *condition, autotune__mutex *mutex) {
    SleepConditionVariableSRW(condition, &mutex->lock, INFINITE, 0);
}
static uint64_t autotune__wait_clock(void) { return autotune__monotonic_ns(); }
static void autotune__await(autotune__condition *condition, autotune__mutex *mutex, uint64_t deadline,
                            int cancellation AUTOTUNE__UNUSED) {
    const uint64_t now = autotune__wait_clock(), longest = 1000000, left = deadline > now ? deadline - now : 0,
                   milliseconds = (left + 999999) / 1000000;
    SleepConditionVariableSRW(condition, &mutex->lock, (DWORD)(milliseconds < longest ? milliseconds : longest), 0);
}

typedef struct autotune__thread {
    DWORD number;
    HANDLE handle;                              /* of a thread that was started here */
} autotune__thread;
static AUTOTUNE__UNUSED autotune__thread autotune__this_thread(void) {
    const autotune__thread here = { GetCurrentThreadId(), NULL };
    return here;
}
static AUTOTUNE__UNUSED bool autotune__is_same_thread(autotune__thread a, autotune__thread b) {
    return a.number == b.number;
}
/* What a thread is started with. It lives until the thread has begun, and taken it. */
typedef struct autotune__thread_start {
    void *(*function)(void *);
    void *argument;
    bool taken;
} autotune__thread_start;
static AUTOTUNE__UNUSED unsigned __stdcall autotune__begin_thread(void *given) {
    autotune__thread_start *start = (autotune__thread_start *)given;
    void *(*const function)(void *) = start->function;
    void *const argument = start->argument;
    __atomic_store_n(&start->taken, true, __ATOMIC_RELEASE);
    (void)function(argument);
    return 0;
}
static AUTOTUNE__UNUSED bool autotune__start_thread(autotune__thread *thread, void *(*function)(void *),
                                                    void *argument) {
    autotune__thread_start start = { function, argument, false };
    unsigned number;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, autotune__begin_thread, &start, 0, &number);
    if (!thread->handle) return false;
    thread->number = number;
    while (!__atomic_load_n(&start.taken, __ATOMIC_ACQUIRE)) SwitchToThread();
    return true;
}
static AUTOTUNE__UNUSED void autotune__join_thread(autotune__thread thread) {
    WaitForSingleObject(thread.handle, INFINITE);
    CloseHandle(thread.handle);
}

/* Windows calls what stands in this section at the end of each thread; at the end of the program, where the thread that
   ends it may be in the middle of a statement, it gives another reason. */
static void (*autotune__at_thread_end)(void *value);
static __thread const void *autotune__thread_value;
static void NTAPI autotune__end_windows_thread(PVOID module AUTOTUNE__UNUSED, DWORD reason,
                                               PVOID reserved AUTOTUNE__UNUSED) {
    void (*const at_end)(void *) = __atomic_load_n(&autotune__at_thread_end, __ATOMIC_ACQUIRE);
    const void *value;
    if (reason != DLL_THREAD_DETACH || !at_end || (value = autotune__thread_value) == NULL) return;
    autotune__thread_value = NULL;
    at_end((void *)(uintptr_t)value);
}
static const PIMAGE_TLS_CALLBACK autotune__thread_end_entry
    __attribute__((__used__, __section__(".CRT$XLB"))) = autotune__end_windows_thread;
static bool autotune__watch_thread_ends(void (*at_end)(void *value)) {
    __atomic_store_n(&autotune__at_thread_end, at_end, __ATOMIC_RELEASE);
    return true;
}
static void autotune__forget_thread_ends(void) { (void)autotune__watch_thread_ends(NULL); }
static void autotune__set_thread_value(const void *value) { autotune__thread_value = value; }

/* Windows has no fork(). */
static void autotune__watch_forks(void (*before)(void) AUTOTUNE__UNUSED, void (*after)(void) AUTOTUNE__UNUSED,
                                  void (*in_child)(void) AUTOTUNE__UNUSED) {}

static AUTOTUNE__UNUSED uint64_t autotune__process_number(void) { return GetCurrentProcessId(); }
static AUTOTUNE__UNUSED bool autotune__process_exists(unsigned long number) {
    const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)number);
    bool ended;
    if (!process) return GetLastError() != ERROR_INVALID_PARAMETER;         /* it may be another user's */
    ended = WaitForSingleObject(process, 0) == WAIT_OBJECT_0;
    CloseHandle(process);
    return !ended;
}
#endif

/* Locks the mutex if that takes no longer than so many milliseconds. */
static AUTOTUNE__UNUSED bool autotune__lock_within(autotune__mutex *mutex, unsigned milliseconds) {
    for (; !autotune__try_mutex(mutex); milliseconds--) {
        if (!milliseconds) return false;
        autotune__sleep_ns(1000000);
    }
    return true;
}
