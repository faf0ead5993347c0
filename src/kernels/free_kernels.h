/* autotune_shutdown() frees compilations and kernels. A child made by fork() gives up the kernels of its parent. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "includes.h"
#include "program.h"
#include "kernels.h"
#include "workers.h"

static void autotune__free_compilation(autotune__compilation *compilation) {
    while (compilation->kernels) autotune__unload_kernel(compilation->kernels);
    autotune__free(compilation->image);
    autotune__free(compilation->reason);
    autotune__free_text(&compilation->definitions);
    autotune__free_text(&compilation->options);
    autotune__free(compilation);
}
/* Frees the compilations, kernels and texts of all programs. The programs stay: the user's structs point to them. */
static void autotune__free_kernels(void) {
    autotune__program *program;
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    autotune__await_workers();
    for (program = autotune__programs; program; program = program->next) {
        for (i = 0; i < AUTOTUNE__MAP_COUNT(program->compilations); i++)
            autotune__free_compilation((autotune__compilation *)program->compilations[i].value);
        autotune__free_map(&program->compilations);
        if (program->scan) autotune__free_scan(program->scan);
        autotune__free(program->scan);
        autotune__free_map(&program->mentions);
        autotune__free(program->file_text);
        program->compiler->kept_bytes = 0;
        autotune__empty_program(program);
    }
}
/* At the fork another thread may have held the lock in the middle of a change. So the child uses no old data. */
static void autotune__forget_parents_kernels(void) {
    autotune__program *program;
    autotune__make_mutex(&autotune__kernels_lock);
    autotune__make_condition(&autotune__kernels_changed);
    autotune__kernels_generation++;
    autotune__compiling = 0;
    for (program = autotune__programs; program; program = program->next) autotune__empty_program(program);
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_kernels, autotune__forget_parents_kernels, autotune__free_kernels)
