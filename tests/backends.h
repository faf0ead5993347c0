/* backends.h - what backends.c has besides: what is private to the implementation, for the tests that look at it. */
#ifndef BACKENDS_H
#define BACKENDS_H

#include <stddef.h>

extern long allocations_before_failure; /* so many succeed, then one fails; -1: none does */

#ifdef AUTOTUNE_CUDA_H
#include <pthread.h>

const char *const *cuda_functions(size_t *count);      /* of the driver, that are called */
pthread_mutex_t *const *locks_of_cuda(size_t *count);
void replace_cuda_hit(__typeof__(&cuLaunchKernel) launch, __typeof__(&cuCtxGetCurrent) current_context);
#endif
#ifdef AUTOTUNE_OPENCL_H
void replace_opencl_hit(__typeof__(&clEnqueueNDRangeKernel) launch, __typeof__(&clSetKernelArg) set_argument);
#endif

#endif
