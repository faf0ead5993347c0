/* Finds the kernels of a launch. Each configuration has a list of its kernels, and the word after its values points to
   the list. A hit and a trial look there first. If the list lacks a kernel, this room finds or compiles and loads it,
   and puts it into the list. */
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
    const void *key;                            /* an address that identifies the call site's function; NULL: none */
    const char *function;                       /* with a key: the name of a function of the kernel */
} autotune__kernel_call;

AUTOTUNE__INLINE const autotune__listed_kernel *autotune__kernels_behind(const uint64_t *values) {
    const autotune__shared_word *prepared = (const autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    return (const autotune__listed_kernel *)(uintptr_t)__atomic_load_n(prepared, __ATOMIC_ACQUIRE);
}
/* NULL: the list does not have the kernel. */
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
/* The caller holds the lock. Puts a kernel into a list. If the list is empty and the kernel has no key, the list gets
   the kernel's own entry. Else the list gets a copy of this entry. Lists with the same key and the same next entry
   share a copy. If there is no memory for the copy, each launch searches for the kernel again. */
static void autotune__list_kernel(uint64_t *values, autotune__kernel *kernel,
                                  const autotune__listed_function *function) {
    autotune__shared_word *prepared = (autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    autotune__listed_kernel *head = (autotune__listed_kernel *)(uintptr_t)*prepared, *at = &kernel->listed;
    if (head || function->key) {
        at = kernel->listed.older_copy;
        while (at && (at->function.key != function->key || at->next != head)) at = at->older_copy;
        if (!at && (at = (autotune__listed_kernel *)autotune__allocate(sizeof *at)) != NULL) {
            *at = kernel->listed;
            at->function = *function;
            at->next = head;
            kernel->listed.older_copy = at;
        }
    }
    if (at) __atomic_store_n(prepared, (uint64_t)(uintptr_t)at, __ATOMIC_RELEASE);
}
/* The caller holds the lock. Lists the kernel, so that the next launch of the configuration finds it. Notes that the
   session tries the kernel, or that the kernel is launched for real. */
static void autotune__put_in_list(autotune__kernel_session *session, autotune__tuning *tuning, const uint64_t *values,
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
/* The caller holds the lock. Returns false if the cached winner was found with another source or compiler. Such a
   winner is not launched. */
static bool autotune__is_known_source(autotune__tuning *tuning, const autotune__compilation *compilation) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    return !scan ||
           autotune__is_known_kernel(tuning, compilation->name, scan->code, scan->digest.word[0] ^ scan->digest.word[1],
                                     program->compiler->version ? program->compiler->version : compilation->version);
}
/* The caller holds the lock, which is released meanwhile. Compiles the kernel of a launch. The lock is also released
   around the changes of the launch note, since these changes may call a log function, which may launch kernels. */
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
/* The caller holds the lock. Returns the loaded kernel, or NULL after a failure. session->status has the failure. The
   status is unchanged if there was no memory. */
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
/* Like autotune__make_kernel(), but a duel's control launches the kernel of the other target. If this kernel cannot be
   made, the session does not ask for the other target again. */
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
/* Finds the kernel of a launch if the list of the configuration lacks it. tuning: NULL on a hit. Returns NULL after a
   failure: session->status and session->error have the error. The trial has the reason, unless there was no memory or
   session->loads_nothing is true. */
static autotune__kernel *autotune__find_kernel(autotune__kernel_session *session, autotune__tuning *tuning,
                                               const uint64_t *values, const autotune__kernel_call *call) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation;
    autotune__kernel *kernel = NULL;
    autotune__program *program;
    session->status = AUTOTUNE_ERR_MEMORY;
    session->error = 0;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    if (!(program = autotune__program_from(call->declared, session->target->compiler))) return NULL;
    if (tuning) autotune__define_point(&definitions, autotune__space_of(tuning));
    else autotune__define_config(&definitions, &autotune__entry_of(values)->result.config);
    if (autotune__is_trying(tuning) || autotune__is_measuring(tuning)) {
        autotune__be_patient(tuning, 2000000000u);          /* NVRTC takes 0.2 to 3 s for a matrix product */
        autotune__compile_ahead(session, tuning, program, call->name);
    }
    compilation = autotune__compilation_of(session->target, program, call->name, &definitions);
    if (compilation) kernel = autotune__make_kernel_or_copy(session, tuning, compilation);
    if (kernel && tuning && !autotune__is_known_source(tuning, compilation)) {      /* the compiler is known now */
        session->status = AUTOTUNE_FAILED;
        kernel = NULL;
    }
    if (kernel) autotune__put_in_list(session, tuning, values, kernel, call);
    return kernel;
}
