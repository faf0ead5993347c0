/* The kernels that a configuration launches stand behind its values, where a hit and a trial look first. Those that do
   not are found here: compiled and loaded, if nobody has done so, and put there. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "site.h"
#include "compiler.h"
#include "definitions.h"
#include "program.h"
#include "compilation.h"
#include "compile.h"
#include "kernels.h"
#include "workers.h"
#include "ahead.h"

/* The program and the kernel that a launch names. */
typedef struct autotune__kernel_call {
    autotune_program_source *declared;
    const char *name;
    const void *key;                            /* by which the call site knows the function at once; NULL: none */
    const char *function;                       /* with a key: of the kernel, which has several */
} autotune__kernel_call;

AUTOTUNE__INLINE const autotune__listed_kernel *autotune__kernels_behind(const uint64_t *values) {
    const autotune__shared_word *prepared = (const autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    return (const autotune__listed_kernel *)(uintptr_t)__atomic_load_n(prepared, __ATOMIC_ACQUIRE);
}
/* NULL: it does not stand there. */
AUTOTUNE__INLINE autotune__kernel *autotune__listed_kernel_of(const uint64_t *values, const void *program,
                                                           const char *name) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && (at->program != program || strcmp(at->name, name))) at = at->next;
    return at ? at->kernel : NULL;
}
static AUTOTUNE__UNUSED const autotune__listed_kernel *autotune__listed_by_key(const uint64_t *values,
                                                                               const void *key) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && at->function.key != key) at = at->next;
    return at;
}
/* With the lock: puts a kernel into a list. One that is alone there, and has no function with a key, stands there
   itself; else a copy does, the same one in all lists that are alike. Without memory for that the kernel is looked for
   again at each launch. */
static void autotune__list_kernel(uint64_t *values, autotune__kernel *kernel,
                                  const autotune__listed_function *function) {
    autotune__shared_word *prepared = (autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    autotune__listed_kernel *head = (autotune__listed_kernel *)(uintptr_t)*prepared, *at = &kernel->listed;
    if (head || function->key) {
        at = kernel->listed.made_before;
        while (at && (at->function.key != function->key || at->next != head)) at = at->made_before;
        if (!at && (at = (autotune__listed_kernel *)autotune__allocate(sizeof *at)) != NULL) {
            *at = kernel->listed;
            at->function = *function;
            at->next = head;
            kernel->listed.made_before = at;
        }
    }
    if (at) __atomic_store_n(prepared, (uint64_t)(uintptr_t)at, __ATOMIC_RELEASE);
}
/* With the lock: puts the kernel where the next launch of the configuration finds it. */
static void autotune__file_kernel(autotune__kernel_session *session, autotune__tuning *tuning, const uint64_t *values,
                                  autotune__kernel *kernel, const autotune__kernel_call *call) {
    const autotune__listed_function function = {
        call->key, call->key ? kernel->target->compiler->function_of(kernel, call->function) : NULL };
    uint64_t *list = tuning ? autotune__lasting_values(tuning) : autotune__entry_of(values)->value;
    if (autotune__is_trying(tuning)) autotune__use_kernel(&session->used, kernel);
    else kernel->kept = true;
    if (list && !call->key == !function.address &&
        !(call->key ? autotune__listed_by_key(list, call->key) != NULL
                    : autotune__listed_kernel_of(list, kernel->listed.program, kernel->listed.name) != NULL))
        autotune__list_kernel(list, kernel, &function);
}
/* With the lock. Returns false if the winner in the cache was found with another source or compiler. Such a winner is
   not launched. */
static bool autotune__is_known_source(autotune__tuning *tuning, const autotune__compilation *compilation) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    return !scan ||
           autotune__is_known_kernel(tuning, compilation->name, scan->code, scan->digest.word[0] ^ scan->digest.word[1],
                                     program->compiler->version ? program->compiler->version : compilation->version);
}
/* With the lock, which it gives up meanwhile, since a log function may launch kernels. */
static void autotune__compile_for_launch(autotune__kernel_session *session, autotune__tuning *tuning,
                                         autotune__compilation *compilation) {
    bool put_off;
    if (compilation->progress >= AUTOTUNE__CODE_MADE) return;
    autotune__unlock_mutex(&autotune__kernels_lock);
    put_off = autotune__puts_off_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__finish_compilation(compilation, session->target, session->policy, &session->limits);
    autotune__unlock_mutex(&autotune__kernels_lock);
    if (put_off) autotune__goes_on_to_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
}
/* With the lock. NULL: there is no memory, and session->status stays as it is; or the trial was told why. */
static autotune__kernel *autotune__make_kernel(autotune__kernel_session *session, const autotune__target *target,
                                               autotune__tuning *tuning, autotune__compilation *compilation) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    const uint64_t began = autotune__wait_clock();
    if (kernel) return kernel;
    if (session->loads_nothing) { session->status = AUTOTUNE_ERR_ENVIRONMENT; return NULL; }
    autotune__compile_for_launch(session, tuning, compilation);
    if (autotune__is_trying(tuning)) autotune__be_patient(tuning, autotune__wait_clock() - began);
    autotune__can_share(tuning, autotune__wait_clock() - began, session->workers ? session->workers->most : 0);
    if (compilation->progress == AUTOTUNE__CODE_WAITING) return NULL;
    session->status = compilation->no_compiler ? AUTOTUNE_ERR_ENVIRONMENT : AUTOTUNE_FAILED;
    if (compilation->progress == AUTOTUNE__CODE_MADE)
        return autotune__load_kernel(target, compilation, &session->error);
    autotune_explain("%s", compilation->reason);
    return NULL;
}
/* The same. The control of a duel launches the kernel of the other target, in all rounds or in none. */
static autotune__kernel *autotune__make_kernel_or_copy(autotune__kernel_session *session, autotune__tuning *tuning,
                                                       autotune__compilation *compilation) {
    autotune__kernel *kernel = NULL;
    if (session->other && autotune__tries_control(tuning)) {
        kernel = autotune__make_kernel(session, session->other, tuning, compilation);
        if (kernel) autotune__launches_copy(tuning);
        else session->other = NULL;
    }
    return kernel ? kernel : autotune__make_kernel(session, session->target, tuning, compilation);
}
/* The kernel of a launch that does not stand behind the values of its configuration. tuning: NULL on a hit. NULL:
   there is none, session->status and session->error say why, and unless there is no memory the trial was told. */
static autotune__kernel *autotune__find_kernel(autotune__kernel_session *session, autotune__tuning *tuning,
                                               const uint64_t *values, const autotune__kernel_call *call) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation;
    autotune__kernel *kernel = NULL;
    autotune__program *program;
    session->status = AUTOTUNE_ERR_MEMORY;
    session->error = 0;
    autotune__lock_mutex(&autotune__kernels_lock);
    program = autotune__program_from(call->declared, session->target->compiler);
    autotune__unlock_mutex(&autotune__kernels_lock);
    if (!program) return NULL;
    if (tuning) autotune__define_point(&definitions, autotune__space_of(tuning));
    else autotune__define_config(&definitions, &autotune__entry_of(values)->result.config);
    if (autotune__is_trying(tuning) || autotune__is_measuring(tuning)) {
        autotune__be_patient(tuning, 2000000000u);          /* NVRTC takes 0.2 to 3 s for a matrix product */
        autotune__compile_ahead(session, tuning, program, call->name);
    }
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    compilation = autotune__compilation_of(session->target, program, call->name, &definitions);
    if (compilation) kernel = autotune__make_kernel_or_copy(session, tuning, compilation);
    if (kernel && tuning && !autotune__is_known_source(tuning, compilation)) {      /* whose compiler is known now */
        session->status = AUTOTUNE_FAILED;
        kernel = NULL;
    }
    if (kernel) autotune__file_kernel(session, tuning, values, kernel, call);
    return kernel;
}
