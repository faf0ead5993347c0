/* plain_threads.c - several threads, each with its stream, call tuners of the CUDA backend at once: wrapped launches
   and programs, one key and several. Also for the thread sanitizer: each thread's kernels write to their own memory. */
#include "autotune_cuda.h"

#include "../plain.h"
#include "standin.h"
#include <pthread.h>

enum { THREADS_OF_ALL = 4, CALLS = 40, N = 256 };
static const char text[] = "extern \"C\" __global__ void set(int n, int *x) {\n"
                           "    for (int i = (int)threadIdx.x; i < n; i += STEP) x[i] += 1;\n"
                           "}\n";
static autotune_cuda_program program = CUDA_PROGRAM(text);
static CUcontext context;
static CUfunction saxpy;

typedef struct caller {
    pthread_t thread;
    CUstream stream;
    CUdeviceptr x, y;
    unsigned failed, tuned;
} caller;

static void call_program(caller *me, int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 32, 64)), 1,
             CUDA_LAUNCH(&program, "set", THREADS(STEP), SHARED(key > 1 ? 50000 : 0), N, me->x),
             .backend = CUDA(me->stream), .key = KEY(key),
             .restore = BUFFERS({(void *)(uintptr_t)me->x, N * sizeof(int)}), .result = &result);
    me->failed += result.status != AUTOTUNE_OK;
    me->tuned += result.tried > 0;
}
static void call_launch(caller *me, int key) {
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &me->x, &me->y};
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u)), N / block,
             cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, me->stream, arguments, NULL),
             .backend = CUDA(me->stream), .key = KEY(key), .result = &result);
    me->failed += result.status != AUTOTUNE_OK;
    me->tuned += result.tried > 0;
}
static void *call_both(void *argument) {
    caller *me = argument;
    CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS &&
          cuStreamCreate(&me->stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    CHECK(cuMemAlloc(&me->x, N * sizeof(int)) == CUDA_SUCCESS && cuMemAlloc(&me->y, N * sizeof(int)) == CUDA_SUCCESS);
    for (int i = 0; i < CALLS; i++) {
        call_program(me, i % 3);
        call_launch(me, i % 2);
    }
    return NULL;
}
static void all_threads_get_winners(void) {
    static caller callers[THREADS_OF_ALL];
    CUmodule module;
    unsigned tuned = 0;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
    CHECK(cuModuleLoad(&module, KERNELS "/saxpy.cubin") == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy") == CUDA_SUCCESS);
    for (int i = 0; i < THREADS_OF_ALL; i++) pthread_create(&callers[i].thread, NULL, call_both, &callers[i]);
    for (int i = 0; i < THREADS_OF_ALL; i++) {
        pthread_join(callers[i].thread, NULL);
        CHECK(callers[i].failed == 0);
        tuned += callers[i].tuned;
    }
    CHECK(tuned == 5); /* three keys of the program and two of the launch, and one thread tunes each key */
    CHECK(SEEN(standin_compilations() == 2 && !*standin_misuse()));
}

int main(void) {
    const plain_test tests[] = {{"all_threads_get_winners", all_threads_get_winners}};
    return RUN_PLAIN_TESTS(tests);
}
