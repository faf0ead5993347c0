/* Worker threads that compile ahead, in the order in which the race will try configurations. */
#pragma once
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../space/values.h"
#include "../space/axes.h"
#include "../race/race.h"
#include "../race/decide.h"
#include "../statement/work.h"
#include "../registry/thread_turns.h"
#include "site.h"
#include "session.h"
#include "compilation.h"
#include "compile.h"
#include "kernels.h"

/* How many kernels to compile at once. Programs differ: NVRTC compiles large headers in one thread at a time, whatever
   the others do, and then more threads only have more in work that a race does not need yet, or not at all. So one
   begins, and there are four times as many as long as half as much again is compiled in the same time. */
typedef struct autotune__cuda_pace {
    size_t at_once, most;
    size_t best_at_once, compiled;              /* that did most in a time; since it was last decided */
    double best_rate;                           /* kernels in a nanosecond */
    uint64_t began;
    bool settled;
} autotune__cuda_pace;
static autotune__cuda_pace autotune__cuda_set_out(size_t most, bool adapts, uint64_t now) {
    autotune__cuda_pace pace;
    memset(&pace, 0, sizeof pace);
    pace.most = most;
    pace.at_once = pace.best_at_once = adapts ? 1 : most;
    pace.began = now;
    pace.settled = pace.at_once == most;
    return pace;
}
static void autotune__cuda_pace_on(autotune__cuda_pace *pace, uint64_t now) {           /* one more is compiled */
    const double enough = 1.5;
    const uint64_t ns = now > pace->began ? now - pace->began : 1;
    if (pace->settled || ++pace->compiled < pace->at_once) return;
    if ((double)pace->compiled / (double)ns >= enough * pace->best_rate) {
        pace->best_rate = (double)pace->compiled / (double)ns;
        pace->best_at_once = pace->at_once;
        pace->at_once = 4 * pace->at_once < pace->most ? 4 * pace->at_once : pace->most;
    } else pace->at_once = pace->best_at_once;
    pace->settled = pace->at_once == pace->best_at_once;
    pace->compiled = 0;
    pace->began = now;
}

/* Workers of a session compile ahead of its measurements, in the order of the queue. */
typedef struct autotune__cuda_workers {
    pthread_t *threads;                         /* behind it */
    size_t count, running, next;                /* next: of the queue */
    autotune__cuda_pace pace;
    autotune__cuda_compilation **queue;
    int capability;
    autotune_cache policy;
    bool dismissed;
} autotune__cuda_workers;

static void *autotune__cuda_work(void *argument) {
    autotune__cuda_workers *workers = (autotune__cuda_workers *)argument;
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    while (!workers->dismissed) {
        if (workers->running < workers->pace.at_once && workers->next < autotune__count(workers->queue)) {
            autotune__cuda_compilation *compilation = workers->queue[workers->next++];
            compilation->queued = false;
            if (compilation->progress == AUTOTUNE__CUDA_WAITING) {
                workers->running++;
                if (autotune__cuda_finish(compilation, workers->capability, workers->policy, &workers->dismissed))
                    autotune__cuda_pace_on(&workers->pace, autotune__wait_clock());
                workers->running--;
            }
        } else pthread_cond_wait(&autotune__cuda_progressed, &autotune__cuda_programs_lock);
    }
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
    return NULL;
}
/* without workers, everything is compiled when it is needed */
static void autotune__cuda_hire(autotune__cuda_session *session) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN), usual = processors <= 2    ? 1
                                                                   : processors <= 16 ? processors - 1
                                                                                      : 16;
    const size_t wanted = (size_t)(session->compile_threads ? session->compile_threads : usual);
    autotune__cuda_workers *workers = (autotune__cuda_workers *)autotune__allocate(sizeof *workers +
                                                                                   wanted * sizeof *workers->threads);
    sigset_t all, before;
    if (!(session->workers = workers)) return;
    workers->threads = (pthread_t *)(void *)(workers + 1);
    workers->capability = session->context->capability;
    workers->policy = session->policy;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);                /* workers begin with what is blocked here: signals are
                                                                   the program's */
    while (workers->count < wanted &&
           pthread_create(&workers->threads[workers->count], NULL, autotune__cuda_work, workers) == 0)
        workers->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    workers->pace = autotune__cuda_set_out(workers->count, !session->compile_threads, autotune__wait_clock());
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
}
/* what is in work is given up, what waits is left */
static void autotune__cuda_dismiss(autotune__cuda_workers *workers) {
    size_t i;
    if (!workers) return;
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* NVRTC's question is asked without the lock */
    pthread_cond_broadcast(&autotune__cuda_progressed);
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
    for (i = 0; i < workers->count; i++) pthread_join(workers->threads[i], NULL);
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    for (i = 0; i < autotune__count(workers->queue); i++) {
        if (i >= workers->next) workers->queue[i]->queued = false;
        autotune__cuda_forget_image(workers->queue[i]);
    }
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
    AUTOTUNE__FREE_ARRAY(workers->queue);
    autotune__free(workers);
}
/* What the configurations to come launch is not known before. It is guessed that they launch what every one has
   launched so far, with the name, and as many threads, as the axis has it that this one's name, or number of threads,
   is a value of. */
typedef struct autotune__cuda_guess {
    const autotune_cuda_program *program;
    char *name;                                 /* NULL: an axis has it */
    size_t last;                                /* the configuration that launched it last */
    bool wrong;                                 /* not all did */
} autotune__cuda_guess;
static size_t autotune__cuda_axis_of(const autotune__space *space, uint64_t value) {        /* SIZE_MAX: none */
    size_t a;
    for (a = 0; a < space->axis_count; a++) if (space->value[a] == value) return a;
    return SIZE_MAX;
}
/* what nobody began to compile; with the lock */
static void autotune__cuda_withdraw(autotune__cuda_workers *workers) {
    for (; workers->next < autotune__count(workers->queue); workers->next++)
        workers->queue[workers->next]->queued = false;
}
static bool autotune__cuda_failed_last(const autotune__cuda_session *session, const autotune__race *race) {
    size_t i = autotune__count(race->rows);
    while (i-- > 0) if (race->rows[i].index == session->last) return race->rows[i].state == AUTOTUNE__FAILED;
    return false;
}
/* A configuration begins: what did the one before launch? One that failed may not have come to launch all. */
static void autotune__cuda_review_guesses(autotune__cuda_session *session, const autotune__race *race, size_t index) {
    const size_t count = autotune__count(session->guesses);
    size_t i;
    if (session->last == index || autotune__cuda_failed_last(session, race)) return;
    for (i = 0; i < count; i++) {
        autotune__cuda_guess *guess = &session->guesses[i];
        if (guess->wrong || guess->last == session->last) continue;
        guess->wrong = true;
        autotune__cuda_withdraw(session->workers);
    }
}
static bool autotune__cuda_guesses(autotune__cuda_session *session, const autotune__work *work,
                                   const autotune_cuda_program *program, const char *name) {
    const size_t count = autotune__count(session->guesses), index = work->request.index;
    autotune__cuda_guess guess;
    size_t i;
    autotune__cuda_review_guesses(session, &work->race, index);
    guess.wrong = count && session->last != index;
    session->last = index;
    for (i = 0; i < count; i++) {
        autotune__cuda_guess *known = &session->guesses[i];
        if (known->program != program || !name != !known->name || (name && strcmp(name, known->name))) continue;
        known->last = index;
        return !known->wrong;
    }
    guess.program = program;
    guess.name = name ? autotune__copy_string(name) : NULL;
    guess.last = index;
    if ((!name || guess.name) && AUTOTUNE__PUSH(session->guesses, guess)) return !guess.wrong;
    autotune__free(guess.name);
    return false;
}
static void autotune__cuda_free_guesses(autotune__cuda_session *session) {
    size_t i;
    for (i = 0; i < autotune__count(session->guesses); i++) autotune__free(session->guesses[i].name);
    AUTOTUNE__FREE_ARRAY(session->guesses);
}
/* Queues what the race tries next, two for each that is compiled at once. */
static void autotune__cuda_compile_ahead(autotune__cuda_session *session, autotune__work *work,
                                         autotune_cuda_program *program, const char *name, uint64_t threads) {
    const size_t name_axis = autotune__cuda_axis_of(&work->subject.space, (uint64_t)(uintptr_t)name),
                 threads_axis = autotune__cuda_axis_of(&work->subject.space, threads);
    autotune__text definitions = { NULL, false };
    char why[256];
    size_t k, index, ahead;
    if (program->image) return;
    if (!session->workers) autotune__cuda_hire(session);
    if (!session->workers || !session->workers->count) return;
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    ahead = autotune__cuda_guesses(session, work, program, name_axis == SIZE_MAX ? name : NULL)
                ? 2 * session->workers->pace.at_once
                : 0;
    for (k = 0; k < ahead && (index = autotune__upcoming(&work->race, k)) != SIZE_MAX; k++) {
        autotune__cuda_compilation *compilation;
        autotune__clear_text(&definitions);
        autotune__locate(&work->subject.space, index);
        if (name_axis != SIZE_MAX) name = autotune__string_of_value(work->subject.space.value[name_axis]);
        if (threads_axis != SIZE_MAX) threads = work->subject.space.value[threads_axis];
        autotune__cuda_define_point(&definitions, &work->subject.space);
        if (!autotune__cuda_complete(&definitions, session->context, program, threads, why, sizeof why)) continue;
        compilation = autotune__cuda_compilation_of(session->context, program, name, &definitions);
        if (compilation && compilation->progress == AUTOTUNE__CUDA_WAITING && !compilation->queued &&
            !autotune__cuda_loaded(session->context, compilation))
            compilation->queued = AUTOTUNE__PUSH(session->workers->queue, compilation);
    }
    autotune__locate(&work->subject.space, work->request.index);
    pthread_cond_broadcast(&autotune__cuda_progressed);
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
    autotune__free_text(&definitions);
}
