/* backends.c - the implementations of CUDA, OpenCL and compiled functions in one file, as in a program that uses all of
   them. Their test programs link it, unless a program has its own implementation. A test can make one allocation fail:
   see backends.h. */
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
#include "backends.h"

#ifdef WITH_CUDA
const char *const *cuda_functions(size_t *count) {
#define NAME_OF(name, version, parameters) #name,
    static const char *const names[] = {AUTOTUNE__CUDA_FUNCTIONS(NAME_OF) AUTOTUNE__CUDA_NEW_FUNCTIONS(NAME_OF)};
#undef NAME_OF
    *count = sizeof names / sizeof *names;
    return names;
}
pthread_mutex_t *const *locks_of_cuda(size_t *count) {
    static pthread_mutex_t *const locks[] = {&autotune__kernels_lock, &autotune__accelerators_lock};
    autotune__ready();
    *count = sizeof locks / sizeof *locks;
    return locks;
}
void replace_cuda_hit(__typeof__(&cuLaunchKernel) launch, __typeof__(&cuCtxGetCurrent) current_context) {
    autotune__driver.cuLaunchKernel_ = launch;
    autotune__driver.cuCtxGetCurrent_ = current_context;
}
#endif
#ifdef WITH_OPENCL
void replace_opencl_hit(__typeof__(&clEnqueueNDRangeKernel) launch, __typeof__(&clSetKernelArg) set_argument) {
    autotune__libopencl.clEnqueueNDRangeKernel_ = launch;
    autotune__libopencl.clSetKernelArg_ = set_argument;
}
#endif
