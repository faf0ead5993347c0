/* Worker threads that compile ahead, in the order of a queue. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "program.h"
#include "compile.h"

/* The workers of a session compile ahead of its measurements. A thread is started only if there is work: a race whose
   kernels are all compiled starts no thread. */
typedef struct autotune__workers {
    autotune__thread *threads;                  /* in the memory after this struct */
    size_t most;                                /* the most threads; 0: no thread can be started */
    size_t count, running, next;                /* how many threads were started, and how many compile; next: the index
                                                   of the next compilation in `queue`. If `left` is true, `count` is the
                                                   number of threads that have not ended */
    autotune__compilation **queue;              /* in the order in which the race tries the kernels */
    const autotune__target *target;             /* of the session */
    autotune_cache policy;                      /* of the session */
    unsigned generation;                        /* autotune__kernels_generation when the threads were started: a child
                                                   made by fork() has no such threads */
    bool dismissed;                             /* the session ends */
    bool left;                                  /* the session ended while threads compile: the last thread that ends
                                                   frees this struct */
    autotune__compile_limits limits;            /* of compilations in these threads */
} autotune__workers;
/* A kernel that a race expects each of its configurations to launch. */
typedef struct autotune__launch_guess {
    autotune__program *program;
    char *name;                                 /* of the kernel; NULL: it is the value of an axis */
    size_t name_axis;                           /* the axis that has the name; the number of axes: none */
} autotune__launch_guess;
/* The kernels of a session. */
typedef struct autotune__kernel_session {
    const autotune__target *target;
    const autotune__target *other;              /* the target's `other`; NULL: none, or loading into it failed once */
    bool loads_nothing;                         /* a stream is captured: only loaded kernels can be launched */
    autotune_cache policy;                      /* of the cache on disk */
    int threads;                                /* .compile_threads */
    autotune__compile_limits limits;            /* of compilations that a launch needs now */
    autotune__workers *workers;                 /* NULL: no kernel was launched yet */
    autotune__launch_guess *guesses;            /* the kernels that workers compile for each configuration */
    size_t first;                               /* the first launched configuration: the guesses are made from it */
    autotune__kernel **used;                    /* the kernels that the session tried */
    autotune_status status;                     /* of the last autotune__find_kernel(), if it returned NULL */
    int error;                                  /* the backend's error number, if loading a kernel failed in this
                                                   autotune__find_kernel(); else 0 */
} autotune__kernel_session;

static AUTOTUNE__UNUSED void autotune__begin_kernel_session(autotune__kernel_session *session,
                                                            const autotune__target *target,
                                                            const autotune_options *options) {
    memset(session, 0, sizeof *session);
    session->target = target;
    session->other = target->other;
    session->policy = autotune__cache_policy(options);
    session->threads = options->compile_threads;
    session->limits.seconds = options->compile_timeout > 0 ? options->compile_timeout : 60;
}
static void autotune__free_workers(autotune__workers *workers) {
    AUTOTUNE__FREE_ARRAY(workers->queue);
    autotune__free(workers);
}
static void *autotune__compile_queued(void *argument) {
    autotune__workers *workers = (autotune__workers *)argument;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    while (!workers->dismissed && !autotune__program_ends) {
        if (workers->next < autotune__count(workers->queue)) {
            autotune__compilation *compilation = workers->queue[workers->next++];
            workers->running++;
            __atomic_fetch_add(&autotune__compiling, 1, __ATOMIC_RELAXED);
            if (compilation->progress == AUTOTUNE__CODE_WAITING)
                autotune__finish_compilation(compilation, workers->target, workers->policy, &workers->limits);
            workers->running--;
            __atomic_fetch_sub(&autotune__compiling, 1, __ATOMIC_RELAXED);
        } else autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    }
    autotune__wake_all(&autotune__kernels_changed);
    if (workers->left && !--workers->count) autotune__free_workers(workers);
    return NULL;
}
/* The caller holds the lock. Starts or wakes threads after compilations were queued. */
static void autotune__call_workers(autotune__workers *workers) {
    const size_t queued = autotune__count(workers->queue) - workers->next, useful = workers->running + queued;
    if (autotune__program_ends || workers->generation != autotune__kernels_generation) workers->most = 0;
    while (workers->count < useful && workers->count < workers->most)
        if (autotune__start_thread(&workers->threads[workers->count], autotune__compile_queued, workers))
            workers->count++;
        else workers->most = workers->count;
    if (queued) autotune__wake_all(&autotune__kernels_changed);
}
/* The caller holds the lock. Waits until no worker of this process compiles. */
static void autotune__await_workers(void) {
    while (autotune__compiling) autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
}
/* Called at the end of the program: no worker may compile while the libraries of the program are destroyed. A race that
   goes on compiles in its own thread. */
static void autotune__end_workers(void) {
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    __atomic_store_n(&autotune__program_ends, true, __ATOMIC_RELAXED);  /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    autotune__await_workers();
}
/* The caller holds the lock. Makes the workers of a session. The limit is .compile_threads; 0: one thread less than
   processors, but at least one and at most eight. NULL: no memory, and each kernel is compiled at its launch. */
static autotune__workers *autotune__hire_workers(const autotune__kernel_session *session) {
    const long others = autotune__usable_processors(autotune__processor_count()) - 1,
               usual = others < 1 ? 1 : others < 8 ? others : 8;
    const size_t most = (size_t)(session->threads ? session->threads : usual);
    autotune__workers *workers = (autotune__workers *)autotune__allocate(sizeof *workers +
                                                                         most * sizeof *workers->threads);
    static bool watched;
    if (!workers) return NULL;
    workers->threads = (autotune__thread *)(void *)(workers + 1);
    workers->most = most;
    workers->target = session->target;
    workers->policy = session->policy;
    workers->limits = session->limits;
    workers->limits.unwanted = &workers->dismissed;
    workers->generation = autotune__kernels_generation;
    if (!watched) watched = atexit(autotune__end_workers) == 0;
    return workers;
}
/* Dismisses the workers. A running compilation is given up, and ends in its thread. The function waits for this end,
   unless the compiler outlives the session. A queued compilation is not begun. */
static void autotune__dismiss_workers(autotune__workers *workers) {
    size_t i;
    if (!workers) return;
    autotune__lock_mutex(&autotune__kernels_lock);
    if (workers->generation != autotune__kernels_generation) workers->count = workers->running = 0;
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    while (workers->running && !workers->target->compiler->outlives_session)
        autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    workers->left = workers->running > 0;
    for (i = 0; workers->left && i < workers->count; i++) autotune__detach_thread(workers->threads[i]);
    if (workers->left) workers = NULL;
    autotune__unlock_mutex(&autotune__kernels_lock);
    for (i = 0; workers && i < workers->count; i++) autotune__join_thread(workers->threads[i]);
    if (workers) autotune__free_workers(workers);
}
