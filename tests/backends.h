/* backends.h - private parts of the implementation in backends.c, for tests that need them. */
#ifndef BACKENDS_H
#define BACKENDS_H

#include <stddef.h>

extern long allocations_before_failure; /* how many allocations succeed before one fails; -1: none fails */

#ifdef AUTOTUNE_CUDA_H
#include <pthread.h>

const char *const *cuda_functions(size_t *count);      /* the driver's functions that the backend calls */
pthread_mutex_t *const *locks_of_cuda(size_t *count);
void replace_cuda_hit(__typeof__(&cuLaunchKernel) launch, __typeof__(&cuCtxGetCurrent) current_context);
#endif
#ifdef AUTOTUNE_OPENCL_H
void replace_opencl_hit(__typeof__(&clEnqueueNDRangeKernel) launch, __typeof__(&clSetKernelArg) set_argument);
#endif

#endif
