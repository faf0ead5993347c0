/* Compiling ahead: queues the kernels that the race will probably try next for the workers of a session. This room also
   ends the part of a session that has kernels.

   The kernels of later configurations are not known before their launch. The guess is that they launch the kernel of
   the first configuration. If the name of this kernel is the value of an axis, the value at each configuration is used.
   After a wrong guess a worker compiles a kernel in vain, and the right kernel is compiled at its launch. */
#pragma once
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../statement/floor.h"
#include "compiler.h"
#include "definitions.h"
#include "program.h"
#include "compilation.h"
#include "kernels.h"
#include "workers.h"

/* Called for a kernel that a configuration launches in a trial or in a measured call. Returns the guess that the next
   configurations launch the same kernel. NULL: no guess. */
static const autotune__launch_guess *autotune__guess_launch(autotune__kernel_session *session,
                                                            autotune__tuning *tuning, autotune__program *program,
                                                            const char *name) {
    const size_t count = autotune__count(session->guesses), index = autotune__point_of(tuning);
    const autotune__space *space = autotune__space_of(tuning);
    autotune__launch_guess guess;
    size_t i, axis = 0;
    if (!count) session->first = index;
    while (axis < space->axis_count && space->value[axis] != (uint64_t)(uintptr_t)name) axis++;
    if (axis < space->axis_count) name = NULL;
    guess.program = program;
    guess.name_axis = axis;
    for (i = 0; i < count; i++) {
        const autotune__launch_guess *known = &session->guesses[i];
        if (known->program == program && known->name_axis == axis &&
            (!name || !strcmp(name, known->name))) return known;
    }
    if (session->first != index) return NULL;
    guess.name = name ? autotune__copy_string(name) : NULL;
    if ((!name || guess.name) && AUTOTUNE__PUSH(session->guesses, guess)) return &session->guesses[count];
    autotune__free(guess.name);
    return NULL;
}
/* The caller holds the lock. Locates the point `index`, and returns the compilation that this point will probably
   launch. NULL: there is no memory. */
static autotune__compilation *autotune__guessed_compilation(autotune__kernel_session *session, autotune__space *space,
                                                            size_t index, const autotune__launch_guess *guess) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__locate(space, index);
    autotune__define_point(&definitions, space);
    return autotune__compilation_of(session->target, guess->program,
                                    guess->name ? guess->name
                                                : autotune__string_of_value(space->value[guess->name_axis]),
                                    &definitions);
}
/* The caller holds the lock. Queues a compilation unless it is made, in work, or queued. */
static void autotune__queue_compilation(autotune__workers *workers, autotune__compilation *compilation) {
    size_t i = workers->next;
    while (i < autotune__count(workers->queue) && workers->queue[i] != compilation) i++;
    if (compilation && compilation->progress == AUTOTUNE__CODE_WAITING && i == autotune__count(workers->queue))
        (void)AUTOTUNE__PUSH(workers->queue, compilation);
}
/* The caller holds the lock. Queues compilations for the next configurations of the race, two for each worker. */
static void autotune__compile_ahead(autotune__kernel_session *session, autotune__tuning *tuning,
                                    autotune__program *program, const char *name) {
    autotune__space *space = autotune__space_of(tuning);
    const autotune__launch_guess *guess;
    size_t k, index, ahead;
    if (!session->workers && !(session->workers = autotune__hire_workers(session))) return;
    guess = autotune__guess_launch(session, tuning, program, name);
    ahead = guess ? 2 * session->workers->most : 0;
    for (k = 0; k < ahead && (index = autotune__coming_point(tuning, k)) != SIZE_MAX; k++)
        autotune__queue_compilation(session->workers, autotune__guessed_compilation(session, space, index, guess));
    autotune__locate(space, autotune__point_of(tuning));
    autotune__call_workers(session->workers);
}
/* Returns true if all kernels that the configuration at `index` will probably launch are compiled or refused. Queues
   the other kernels. Without workers the function always returns true. tuning: NULL if the session works for no
   statement. */
static bool autotune__is_compiled(autotune__kernel_session *session, autotune__tuning *tuning, size_t index) {
    bool compiled = true;
    size_t i;
    if (!session->workers || !tuning) return true;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; session->workers->most && i < autotune__count(session->guesses) && compiled; i++) {
        autotune__compilation *compilation =
            autotune__guessed_compilation(session, autotune__space_of(tuning), index, &session->guesses[i]);
        autotune__queue_compilation(session->workers, compilation);
        compiled = !compilation || compilation->progress >= AUTOTUNE__CODE_MADE;
    }
    if (!compiled) autotune__call_workers(session->workers);
    return compiled;
}
/* Returns the class of an error. Without a compiler or a device the race ends, since no other configuration would
   work. */
static AUTOTUNE__UNUSED autotune_error_class autotune__classify_by_status(autotune_backend *self,
                                                                            autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE
         : status == AUTOTUNE_ERR_ENVIRONMENT ? AUTOTUNE_ERROR_ENVIRONMENT
         : AUTOTUNE_ERROR_CONFIGURATION;
}
static void autotune__end_kernel_session(autotune__kernel_session *session) {
    size_t i;
    autotune__dismiss_workers(session->workers);
    autotune__let_kernels_go(session->used);
    for (i = 0; i < autotune__count(session->guesses); i++) autotune__free(session->guesses[i].name);
    AUTOTUNE__FREE_ARRAY(session->guesses);
}
