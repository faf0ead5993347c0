/* The hint: an axis that tells the compiler how many registers a kernel may use. See CUDA_PROGRAM in cuda/site.h. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../base/floor.h"
#include "../kernels/floor.h"

/* Adds to the definitions what the hint makes of them: a limit of registers, of which the compiler is told as of a
   definition, so that it is part of what tells compilations apart. False: it cannot be, and why says so. */
static bool autotune__cuda_add_hint(autotune__text *definitions, const autotune__program *program, char *why,
                                    size_t bytes) {
    enum { MOST_REGISTERS = 255 };              /* of any compute capability so far: CUDA C++ Programming Guide */
    const char *value = autotune__macro(program, definitions, "REGISTERS_PER_THREAD");
    char *end = NULL;
    const long registers = value ? strtol(value, &end, 10) : 0;
    if (autotune__macro(program, definitions, "BLOCKS_PER_MULTIPROCESSOR")) {
        snprintf(why, bytes, "BLOCKS_PER_MULTIPROCESSOR is no hint: write __launch_bounds__(THREADS, BLOCKS) in the "
                             "source, where both may be axes");
        return false;
    }
    if (value && *end == 'u') end++;                        /* as unsigned values are defined */
    if (value && (end == value || *end || registers < 0 || registers > MOST_REGISTERS)) {
        snprintf(why, bytes, "REGISTERS_PER_THREAD is %s: a whole number from 0 to %d is needed", value,
                 MOST_REGISTERS);
        return false;
    }
    if (registers) autotune__append(definitions, "--maxrregcount=%ld%c", registers, 0);
    return true;
}
