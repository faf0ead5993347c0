/* Worker threads that compile ahead, in the order of a queue. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "program.h"
#include "compile.h"

/* Workers of a session compile ahead of its measurements, in the order of the queue. A thread is started when there is
   work for it: a race whose kernels are all compiled starts none. */
typedef struct autotune__workers {
    autotune__thread *threads;                  /* behind it */
    size_t most;                                /* that there may be; 0: none can be started */
    size_t count, alive, running, next;         /* threads that were started, that have not ended, and that compile;
                                                   next: of the queue */
    autotune__compilation **queue;
    const autotune__target *target;             /* of their session, as the policy */
    autotune_cache policy;
    unsigned generation;                        /* of the process that hired them: its child has not got them */
    bool dismissed;
    bool left;                                  /* their session has ended while some compile: the last frees them */
    autotune__compile_limits limits;            /* of what they compile */
} autotune__workers;
static size_t autotune__compiling;              /* workers of all sessions that compile. With autotune__kernels_lock */
/* A kernel that a race expects each of its configurations to launch. */
typedef struct autotune__launch_guess {
    autotune__program *program;
    char *name;                                 /* NULL: an axis has it */
    size_t name_axis;                           /* the axis that has the name; SIZE_MAX: none */
} autotune__launch_guess;
/* The kernels of a session. */
typedef struct autotune__kernel_session {
    const autotune__target *target;
    const autotune__target *other;              /* the target's; NULL: there is none, or it took no kernel once */
    bool loads_nothing;                         /* a stream is captured: only what is loaded can be launched */
    autotune_cache policy;                      /* of the cache on disk */
    int threads;                                /* .compile_threads */
    autotune__compile_limits limits;            /* of what is compiled when it is needed */
    autotune__workers *workers;                 /* NULL before its race launches the first kernel of a program */
    autotune__launch_guess *guesses;            /* what they compile */
    size_t first;                               /* the configuration that launched first: they are made of it */
    autotune__kernel **used;                    /* that it tried */
    autotune_status status;                     /* why the last autotune__find_kernel() found none, */
    int error;                                  /* and the backend's number if the kernel could not be loaded; else 0 */
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
/* With the lock: what nobody began to compile is left. */
static void autotune__withdraw_queue(autotune__workers *workers) {
    for (; workers->next < autotune__count(workers->queue); workers->next++)
        workers->queue[workers->next]->queued = false;
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
            compilation->queued = false;
            workers->running++;
            autotune__compiling++;
            if (compilation->progress == AUTOTUNE__CODE_WAITING)
                autotune__finish_compilation(compilation, workers->target, workers->policy, &workers->limits);
            workers->running--;
            autotune__compiling--;
        } else autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    }
    autotune__wake_all(&autotune__kernels_changed);
    if (!--workers->alive && workers->left) autotune__free_workers(workers);
    return NULL;
}
/* With the lock: something was queued. */
static void autotune__call_workers(autotune__workers *workers) {
    const size_t queued = autotune__count(workers->queue) - workers->next, useful = workers->running + queued;
    if (autotune__program_ends || workers->generation != autotune__kernels_generation) workers->most = 0;
    while (workers->count < useful && workers->count < workers->most)
        if (autotune__start_thread(&workers->threads[workers->count], autotune__compile_queued, workers)) {
            workers->count++;
            workers->alive++;
        } else workers->most = workers->count;
    if (!workers->most) autotune__withdraw_queue(workers);
    if (queued) autotune__wake_all(&autotune__kernels_changed);
}
/* With the lock. Waits until no worker of this process compiles any more. */
static void autotune__await_workers(void) {
    while (autotune__compiling) autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
}
/* The program ends. No worker compiles while the libraries are destroyed that it uses. A race that goes on in another
   thread compiles by itself. */
static void autotune__end_workers(void) {
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    __atomic_store_n(&autotune__program_ends, true, __ATOMIC_RELAXED);  /* compilers ask without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    autotune__await_workers();
}
/* As many may be started as are asked for. 0: one for each processor but that which measures, eight at most. NULL: no
   memory, and everything is compiled when it is needed. */
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
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    workers->generation = autotune__kernels_generation;
    if (!watched) watched = atexit(autotune__end_workers) == 0;
    return workers;
}
/* A compilation that runs is given up, and left to its thread. One that waits is not begun. */
static void autotune__dismiss_workers(autotune__workers *workers) {
    size_t i;
    if (!workers) return;
    autotune__lock_mutex(&autotune__kernels_lock);
    if (workers->generation != autotune__kernels_generation) workers->count = workers->running = 0;
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* compilers ask without the lock */
    autotune__withdraw_queue(workers);
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
