/* Hints: axes that tell the compiler how many registers a kernel may use. See CUDA_PROGRAM in cuda/site.h. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "context.h"

/* The number that a hint gives; 0: none. false: it is none between 0 and most, and why says so. */
static bool autotune__cuda_hint(const autotune__program *program, const autotune__text *definitions,
                                const char *name, long most, long *number, char *why, size_t bytes) {
    const char *value = autotune__macro(program, definitions, name);
    char *end = NULL;
    *number = value ? strtol(value, &end, 10) : 0;
    if (!value) return true;
    if (*end == 'u') end++;                                 /* as unsigned values are defined */
    if (end > value && !*end && *number >= 0 && *number <= most) return true;
    snprintf(why, bytes, "%s is %s: a whole number from 0 to %ld is needed", name, value, most);
    return false;
}
/* Adds to the definitions what hints make of them: a limit of registers, of which the compiler is told as of a
   definition, so that it is part of what tells compilations apart. threads: of a block. false: they cannot be, and why
   says so. */
static bool autotune__cuda_add_hints(autotune__text *definitions, const autotune__program *program,
                                     const autotune__target *target, uint64_t threads, char *why, size_t bytes) {
    enum { MOST_REGISTERS = 255, MOST_BLOCKS = 32 };        /* of any compute capability so far: CUDA C++ Programming
                                                               Guide */
    enum { UNIT = 8, WARP = 32 };                           /* a warp's registers are given out by 256: 8 a thread */
    const autotune__cuda_context *context = autotune__cuda_context_at(target);
    long registers, blocks, derived;
    if (!autotune__cuda_hint(program, definitions, "REGISTERS_PER_THREAD", MOST_REGISTERS, &registers, why, bytes) ||
        !autotune__cuda_hint(program, definitions, "BLOCKS_PER_MULTIPROCESSOR", MOST_BLOCKS, &blocks, why, bytes))
        return false;
    if (blocks && threads) {
        const uint64_t needed = (uint64_t)blocks * ((threads + WARP - 1) / WARP * WARP);
        if (context->most_threads && needed > (uint64_t)context->most_threads) {
            snprintf(
                why, bytes,
                "BLOCKS_PER_MULTIPROCESSOR is %ld: with %llu threads each they need %llu, and a multiprocessor has %d",
                blocks, (unsigned long long)threads, (unsigned long long)needed, context->most_threads);
            return false;
        }
        derived = (long)((uint64_t)context->registers / needed / UNIT * UNIT);
        if (derived && derived <= MOST_REGISTERS && (!registers || derived < registers)) registers = derived;
    }
    if (registers) autotune__append(definitions, "--maxrregcount=%ld%c", registers, 0);
    return true;
}
