/* plain_cache_threads.c - several threads tune keys of one program at once, with kernels on disk: one race reads a
   kernel while another race frees it. Also for the thread sanitizer: each thread's kernels write to their own
   memory. */
#define _DEFAULT_SOURCE
#include "autotune_cuda.h"

#include "../cache_file.h"
#include "../plain.h"
#include "standin.h"
#include <pthread.h>

enum { CALLERS = 4, KEYS = 6, STEPS = 4, N = 256 };
static const char text[] = "extern \"C\" __global__ void set(int n, int *x) {\n"
                           "    for (int i = (int)threadIdx.x; i < n; i += STEP) x[i] += 1;\n"
                           "}\n";
static autotune_cuda_program program = CUDA_PROGRAM(text);
static CUcontext contexts[2];

typedef struct caller {
    pthread_t thread;
    int number;
    unsigned failed;
} caller;

static void *call_all_keys(void *argument) {
    caller *me = argument;
    CUstream stream;
    CUdeviceptr x;
    CHECK(cuCtxSetCurrent(contexts[me->number % 2]) == CUDA_SUCCESS &&
          cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    CHECK(cuMemAlloc(&x, N * sizeof(int)) == CUDA_SUCCESS);
    for (int i = 0; i < 2 * KEYS; i++) {
        autotune_result result;
        AUTOTUNE(SPACE(AXIS(STEP, 32, 64, 128, 256)), 1, CUDA_LAUNCH(&program, "set", THREADS(STEP), SHARED(0), N, x),
                 .backend = CUDA(stream), .key = KEY((i * 5 + me->number) % KEYS),
                 .restore = BUFFERS({(void *)(uintptr_t)x, N * sizeof(int)}), .result = &result);
        me->failed += result.status != AUTOTUNE_OK;
    }
    return NULL;
}
static void one_threads_kernels_do_not_vanish_under_another(void) {
    static caller callers[CALLERS];
    CHECK(cuInit(0) == CUDA_SUCCESS);
    for (int i = 0; i < 2; i++) CHECK(cuCtxCreate(&contexts[i], NULL, 0, 0) == CUDA_SUCCESS);
    for (int i = 0; i < CALLERS; i++) {
        callers[i].number = i;
        pthread_create(&callers[i].thread, NULL, call_all_keys, &callers[i]);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        CHECK(callers[i].failed == 0);
    }
    CHECK(SEEN(standin_compilations() == STEPS && !*standin_misuse()));
}

int main(void) {
    const plain_test tests[] = {
        {"one_threads_kernels_do_not_vanish_under_another", one_threads_kernels_do_not_vanish_under_another}};
    use_new_folder();
    const int failed = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return failed;
}
