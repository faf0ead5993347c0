/* backends.c - the bodies of the headers for CUDA, OpenCL and compiled functions, in one unit, as in a program that
   uses all of them; for every test program of theirs that does not bring its own. An allocation fails once when a test
   asks for that. */
#include <stddef.h>
#include <stdlib.h>

long allocations_before_failure = -1;
static void *allocate_or_fail(void *old, size_t bytes) {
    const int counts = __atomic_load_n(&allocations_before_failure, __ATOMIC_RELAXED) >= 0;
    return counts && !__atomic_fetch_sub(&allocations_before_failure, 1, __ATOMIC_RELAXED) ? NULL : realloc(old, bytes);
}
#define AUTOTUNE_REALLOC(old, bytes) allocate_or_fail(old, bytes)
#define AUTOTUNE_FREE(block)         free(block)
#ifdef WITH_CUDA
#define AUTOTUNE_CUDA_IMPLEMENTATION
#endif
#ifdef WITH_OPENCL
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#endif
#ifdef WITH_CC
#define AUTOTUNE_CC_IMPLEMENTATION
#endif
#ifdef WITH_CUDA
#include "autotune_cuda.h"
#endif
#ifdef WITH_OPENCL
#include "autotune_opencl.h"
#endif
#ifdef WITH_CC
#include "autotune_cc.h"
#endif
