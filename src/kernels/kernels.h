/* Kernels: compilations that are loaded into a target. The end of a session unloads kernels that were only tried. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "program.h"
#include "compile.h"

/* The caller holds the lock. NULL: the compilation is not loaded into this target. */
static autotune__kernel *autotune__loaded_kernel(const autotune__target *target,
                                                 const autotune__compilation *compilation) {
    autotune__kernel *kernel = compilation->kernels;
    while (kernel && kernel->target != target) kernel = kernel->sibling;
    return kernel;
}
/* The caller holds the lock. Returns the loaded kernel, and loads it if needed. NULL: loading failed, the trial has the
   reason, and *error is the backend's error number. */
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
static void autotune__unload_kernel(autotune__kernel *kernel) {         /* the caller holds the lock */
    AUTOTUNE__UNLINK(kernel->compilation->kernels, kernel, sibling);
    while (kernel->listed.older_copy) {
        autotune__listed_kernel *const copy = kernel->listed.older_copy;
        kernel->listed.older_copy = copy->older_copy;
        autotune__free(copy);
    }
    kernel->target->compiler->unload(kernel);
}

/* The caller holds the lock. Notes in the list `used` of a session that the session tries the kernel. */
static void autotune__use_kernel(autotune__kernel ***used, autotune__kernel *kernel) {
    size_t i;
    for (i = 0; i < autotune__count(*used); i++) if ((*used)[i] == kernel) return;
    if (AUTOTUNE__PUSH(*used, kernel)) kernel->users++;
    else kernel->kept = true;                   /* no memory for the note: the kernel stays loaded */
}
/* Unloads kernels of a session that ends, if no other session tries them and they were not launched for real. */
static void autotune__let_kernels_go(autotune__kernel **used) {
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; i < autotune__count(used); i++)
        if (!--used[i]->users && !used[i]->kept) autotune__unload_kernel(used[i]);
    AUTOTUNE__FREE_ARRAY(used);
}
