/* saxpy.h - functions for the CUDA suites: a context, arrays on the device, and an existing launch of y = a x + y.
   The axis of the launch is its block size. */
#ifndef SAXPY_H
#define SAXPY_H

#include "autotune_cuda.h"
#include "standin.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 1000, BYTES = N * 4 };
static CUcontext context;
static CUstream stream;
static CUmodule module;
static CUfunction saxpy_function;
static CUdeviceptr x, y;
static float host[N];

static inline unsigned cld(unsigned a, unsigned b) { return (a + b - 1) / b; }
static inline void *device(CUdeviceptr pointer) { return (void *)(uintptr_t)pointer; }

/* If cr_assert() fails in a child made by fork(), the suite would wait for ever. So the child ends, and its parent
   reports the failure. */
static bool in_child;
static inline void end_child(int line, const char *condition) {
    fprintf(stderr, "in a child, line %d: %s\n", line, condition);
    _exit(EXIT_FAILURE);
}
#define HOLDS(condition, ...)                                     \
    do {                                                          \
        const bool holds = (condition);                           \
        if (!holds && in_child) end_child(__LINE__, #condition);  \
        cr_assert(holds, __VA_ARGS__);                            \
    } while (0)
#define MUST(call) HOLDS((call) == CUDA_SUCCESS, "%s", #call)

/* The default cost of a launch: the block size 256 is the fastest. */
static inline double cost(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)kernel, (void)grid, (void)shared_bytes;
    return block[0] == 64 ? 90e3 : block[0] == 128 ? 70e3 : block[0] == 256 ? 50e3 : 60e3;
}
static inline void fill_arrays(void) {
    for (int i = 0; i < N; i++) host[i] = (float)i;
    MUST(cuMemcpyHtoD(x, host, BYTES));
    MUST(cuMemcpyHtoD(y, host, BYTES));
    MUST(cuCtxSynchronize());                   /* cuMemcpyHtoD() may return before the device has all bytes */
}
/* Returns true if y was updated `times` times. Each update adds 2 x, because a = 2. */
static inline bool y_was_updated(int times) {
    MUST(cuMemcpyDtoH(host, y, BYTES));
    for (int i = 0; i < N; i++)
        if (host[i] != (float)i * (float)(1 + 2 * times)) return false;
    return true;
}
/* The beginning of every test: the log is kept, device 0 has a context and a stream. */
static inline void start_cuda(void) {
    setenv("AUTOTUNE_LOG", "full", 1);
    setenv("AUTOTUNE_MAX_SECONDS", "60", 1); /* times on the device are virtual, but the limit is real time */
    autotune_set_log(keep_line, NULL);
    standin_set_cost(cost);
    MUST(cuInit(0));
    MUST(cuCtxCreate(&context, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuModuleLoad(&module, KERNELS "/saxpy.cubin"));
    MUST(cuModuleGetFunction(&saxpy_function, module, "saxpy"));
    MUST(cuMemAlloc(&x, BYTES));
    MUST(cuMemAlloc(&y, BYTES));
    fill_arrays();
}
/* The first eight calls of a winner are timed. The ninth call asks for the last of these times. All later calls are
   hits. */
enum { CALLS_IN_USE = 9 };
#define USE(call) for (int call_in_use = 0; call_in_use < CALLS_IN_USE; call_in_use++) (void)(call)
static inline void expect_no_misuse(void) { cr_expect(!*standin_misuse(), "%s", standin_misuse()); }

static inline CUresult launch_on(CUfunction function, CUstream where, unsigned blocks, unsigned block) {
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    return cuLaunchKernel(function, blocks, 1, 1, block, 1, 1, 0, where, arguments, NULL);
}
static inline CUresult launch(CUfunction function, unsigned blocks, unsigned block) {
    return launch_on(function, stream, blocks, block);
}
static inline CUfunction kernel(const char *name) {
    CUfunction function;
    MUST(cuModuleGetFunction(&function, module, name));
    return function;
}

#endif
