/* Kernels: compilations loaded into a target. A race lets go of those that it only tried. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "program.h"
#include "compile.h"

/* With the lock. NULL: it is not loaded. */
static autotune__kernel *autotune__loaded_kernel(const autotune__target *target,
                                                 const autotune__compilation *compilation) {
    autotune__kernel *kernel = compilation->kernels;
    while (kernel && kernel->target != target) kernel = kernel->sibling;
    return kernel;
}
/* With the lock: loaded already, or now from what was compiled. NULL: it cannot be, the trial was told why, and error
   is the backend's number for it. */
static autotune__kernel *autotune__load_kernel(const autotune__target *target, autotune__compilation *compilation,
                                               int *error) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    if (!kernel && (kernel = target->compiler->load(target, compilation, error))) {
        kernel->listed.program = compilation->program->declared;
        kernel->listed.name = compilation->name;
        kernel->listed.kernel = kernel;
        kernel->target = target;
        kernel->compilation = compilation;
        kernel->sibling = compilation->kernels;
        compilation->kernels = kernel;
    }
    return kernel;
}
static void autotune__unload_kernel(autotune__kernel *kernel) {         /* with the lock */
    AUTOTUNE__UNLINK(kernel->compilation->kernels, kernel, sibling);
    while (kernel->listed.made_before) {
        autotune__listed_kernel *const copy = kernel->listed.made_before;
        kernel->listed.made_before = copy->made_before;
        autotune__free(copy);
    }
    kernel->target->compiler->unload(kernel);
}

/* With the lock: a session tries the kernel, and keeps it in its list. */
static void autotune__use_kernel(autotune__kernel ***used, autotune__kernel *kernel) {
    size_t i;
    for (i = 0; i < autotune__count(*used); i++) if ((*used)[i] == kernel) return;
    if (AUTOTUNE__PUSH(*used, kernel)) kernel->users++;
    else kernel->kept = true;                   /* no memory to remember that it is to be let go */
}
/* The session ends: kernels that nobody tries any more, and that were not launched for real, are unloaded. */
static void autotune__let_kernels_go(autotune__kernel **used) {
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; i < autotune__count(used); i++)
        if (!--used[i]->users && !used[i]->kept) autotune__unload_kernel(used[i]);
    AUTOTUNE__FREE_ARRAY(used);
}
