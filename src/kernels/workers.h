/* Worker threads that compile ahead, in the order of a queue, and how many of them work at once. */
#pragma once
#include "../api/options.h"
#include "../system/clock.h"
#include "../system/threads.h"
#include "../system/processor.h"
#include "../base/memory.h"
#include "compiler.h"
#include "program.h"
#include "compile.h"

/* How many kernels to compile at once. Programs differ: a compiler may take large headers in one thread at a time,
   whatever the others do. Then more threads only have more in work that a race does not need yet, or not at all. So one
   thread begins, and there are four times as many as long as that gains half as much again: as long as more kernels are
   compiled in the same time, or, since the next kernels may take far longer than those before, as the threads compute
   more in it. A thread that waits for another computes nothing. (Less than one thread that computes tells nothing: then
   the compiler works in other processes.) */
typedef struct autotune__compile_pace {
    size_t at_once, most;
    size_t best_at_once;                        /* that gained most; 0: nothing is known yet */
    double best_rate, best_threads;             /* kernels in a nanosecond; threads that computed, in the mean */
    /* since it was last decided */
    uint64_t began;
    size_t compiled;                            /* kernels */
    double took_ns, computed_ns;                /* how long they took in sum, and for how much of it threads computed */
} autotune__compile_pace;
static autotune__compile_pace autotune__set_pace(size_t most, bool adapts, uint64_t now) {
    autotune__compile_pace pace;
    memset(&pace, 0, sizeof pace);
    pace.most = most;
    pace.at_once = adapts ? 1 : most;
    pace.best_at_once = adapts ? 0 : most;
    pace.began = now;
    return pace;
}
static bool autotune__is_settled(const autotune__compile_pace *pace) { return pace->at_once == pace->best_at_once; }
/* One more is compiled: it took so long, and its thread computed for so much of that. */
static void autotune__keep_pace(autotune__compile_pace *pace, uint64_t now, uint64_t took_ns, uint64_t computed_ns) {
    const double enough = 1.5;
    double rate, threads;
    pace->took_ns += (double)took_ns;
    pace->computed_ns += (double)computed_ns;
    if (autotune__is_settled(pace) || ++pace->compiled < pace->at_once) return;
    rate = (double)pace->compiled / (now > pace->began ? (double)(now - pace->began) : 1);
    threads = pace->took_ns > 0 ? (double)pace->at_once * pace->computed_ns / pace->took_ns : 0;
    if (rate >= enough * pace->best_rate || (threads > 1 && threads > enough * pace->best_threads)) {
        if (rate > pace->best_rate) pace->best_rate = rate;
        if (threads > pace->best_threads) pace->best_threads = threads;
        pace->best_at_once = pace->at_once;
        pace->at_once = 4 * pace->at_once < pace->most ? 4 * pace->at_once : pace->most;
    } else pace->at_once = pace->best_at_once;
    pace->compiled = 0;
    pace->took_ns = pace->computed_ns = 0;
    pace->began = now;
}

/* Workers of a session compile ahead of its measurements, in the order of the queue. A thread is started when there is
   work for it: a race whose kernels are all compiled starts none. */
typedef struct autotune__workers {
    autotune__thread *threads;                  /* behind it */
    size_t most;                                /* that there may be; 0: none can be started */
    size_t count, running, next;                /* next: of the queue */
    autotune__compile_pace pace;
    autotune__compilation **queue;
    const struct autotune__kernel_session *session;
    unsigned generation;                        /* of the process that hired them: its child has not got them */
    bool dismissed;
} autotune__workers;
/* What a race expects its configurations to launch. */
typedef struct autotune__launch_guess {
    autotune__program *program;
    char *name;                                 /* NULL: an axis has it */
    size_t name_axis, threads_axis;             /* the axes that have the name, and the number of threads; SIZE_MAX:
                                                   none */
    uint64_t threads;
    size_t last;                                /* the configuration that launched it last */
    bool wrong;                                 /* not all did */
} autotune__launch_guess;
/* What a session has of kernels. */
typedef struct autotune__kernel_session {
    const autotune__target *target;
    autotune_cache policy;                      /* of the cache on disk */
    int threads;                                /* .compile_threads */
    autotune__workers *workers;                 /* NULL before its race launches the first kernel of a program */
    autotune__launch_guess *guesses;            /* what they compile */
    size_t last;                                /* the configuration that launched last */
    autotune__kernel **used;                    /* that it tried */
    autotune__listed_kernel **listed;           /* what it put into the lists of its trials, besides kernels' own */
} autotune__kernel_session;

/* With the lock: compiles what is waiting to be compiled, in this thread, and notes the pace. */
static void autotune__compile_at_pace(const autotune__kernel_session *session, autotune__compilation *compilation,
                                      bool *unwanted) {
    const uint64_t began = autotune__wait_clock(), computed_ns = autotune__thread_computed_ns();
    if (autotune__finish_compilation(compilation, session->target, session->policy, unwanted) && session->workers) {
        const uint64_t now = autotune__wait_clock();
        autotune__keep_pace(&session->workers->pace, now, now - began, autotune__thread_computed_ns() - computed_ns);
    }
}
/* With the lock: what nobody began to compile is left. */
static void autotune__withdraw_queue(autotune__workers *workers) {
    for (; workers->next < autotune__count(workers->queue); workers->next++)
        workers->queue[workers->next]->queued = false;
}
static void *autotune__compile_queued(void *argument);
/* With the lock: something was queued, or more may be compiled at once. */
static void autotune__call_workers(autotune__workers *workers) {
    const size_t waiting = autotune__count(workers->queue) - workers->next,
                 useful = workers->running + waiting < workers->pace.at_once ? workers->running + waiting
                                                                             : workers->pace.at_once;
    const bool may_be_joined = !workers->dismissed && workers->generation == autotune__kernels_generation;
    while (may_be_joined && workers->count < useful && workers->count < workers->most)
        if (autotune__start_thread(&workers->threads[workers->count], autotune__compile_queued, workers))
            workers->count++;
        else workers->most = workers->count;
    if (!workers->most) autotune__withdraw_queue(workers);
    autotune__wake_all(&autotune__kernels_changed);
}
static void *autotune__compile_queued(void *argument) {
    autotune__workers *workers = (autotune__workers *)argument;
    autotune__lock_mutex(&autotune__kernels_lock);
    while (!workers->dismissed) {
        if (workers->running < workers->pace.at_once && workers->next < autotune__count(workers->queue)) {
            autotune__compilation *compilation = workers->queue[workers->next++];
            compilation->queued = false;
            if (compilation->progress == AUTOTUNE__CODE_WAITING) {
                workers->running++;
                autotune__compile_at_pace(workers->session, compilation, &workers->dismissed);
                workers->running--;
                autotune__call_workers(workers);
            }
        } else autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    }
    autotune__unlock_mutex(&autotune__kernels_lock);
    return NULL;
}
/* As many may be started as are asked for, 0: as many as suit the machine. NULL: no memory, and everything is compiled
   when it is needed. */
static autotune__workers *autotune__hire_workers(const autotune__kernel_session *session) {
    const int asked = session->threads;
    const long processors = autotune__processor_count(), usual = processors <= 2    ? 1
                                                                   : processors <= 16 ? processors - 1
                                                                                      : 16;
    const size_t most = (size_t)(asked ? asked : usual);
    autotune__workers *workers = (autotune__workers *)autotune__allocate(sizeof *workers +
                                                                         most * sizeof *workers->threads);
    if (!workers) return NULL;
    workers->threads = (autotune__thread *)(void *)(workers + 1);
    workers->most = most;
    workers->session = session;
    workers->generation = autotune__kernels_generation;
    workers->pace = autotune__set_pace(most, !asked, autotune__wait_clock());
    return workers;
}
/* what is in work is given up, what waits is left */
static void autotune__dismiss_workers(autotune__workers *workers) {
    size_t i;
    if (!workers) return;
    autotune__lock_mutex(&autotune__kernels_lock);
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* compilers ask without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    autotune__unlock_mutex(&autotune__kernels_lock);
    for (i = 0; workers->generation == autotune__kernels_generation && i < workers->count; i++)
        autotune__join_thread(workers->threads[i]);
    autotune__lock_mutex(&autotune__kernels_lock);
    for (i = 0; i < autotune__count(workers->queue); i++) {
        if (i >= workers->next) workers->queue[i]->queued = false;
        autotune__forget_image(workers->queue[i]);
    }
    autotune__unlock_mutex(&autotune__kernels_lock);
    AUTOTUNE__FREE_ARRAY(workers->queue);
    autotune__free(workers);
}
