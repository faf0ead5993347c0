/* plain_churn.c - eight threads on two devices tune the same programs anew, again and again. Kernels are loaded for a
   race and unloaded after it, while other threads launch them. For the thread sanitizer too. */
#include "autotune_cuda.h"

#include "../plain.h"
#include "../sanitized.h"
#include "standin.h"
#include <pthread.h>

enum { CALLERS = 8, CONTEXTS = 2, ROUNDS = SANITIZED ? 6 : 12, N = 64 };
static const char text[] = "extern \"C\" __global__ void add(int n, int *x) {\n"
                           "    for (int i = (int)threadIdx.x; i < n; i += STEP) x[i] += 1;\n"
                           "}\n";
static autotune_cuda_program programs[2] = {CUDA_PROGRAM(text), CUDA_PROGRAM(text, "-w")};
static CUcontext contexts[CONTEXTS];

typedef struct caller {
    pthread_t thread;
    size_t number;
    CUstream stream;
    CUdeviceptr x;
    unsigned failed, calls, tried;
} caller;

/* Each call begins a race of three kernels. After the race the two losers are unloaded, unless another race uses
   them. */
static double cost(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)kernel, (void)grid, (void)shared_bytes;
    return block[0] == 64 ? 5e3 : 50e3;
}
static void add_one(caller *me, unsigned round) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 16, 32, 64)), 1,
             CUDA_LAUNCH(&programs[round % 2], "add", THREADS(STEP), SHARED(round % 3 ? 0 : 50000), (int)N, me->x),
             .backend = CUDA(me->stream), .key = KEY(round, me->number),
             .restore = BUFFERS({(void *)(uintptr_t)me->x, N * sizeof(int)}), .result = &result);
    me->failed += result.status != AUTOTUNE_OK;
    me->tried += result.tried > 0;
    me->calls++;
}
static void *churn(void *argument) {
    caller *me = argument;
    static const int zeros[N];
    CHECK(cuCtxSetCurrent(contexts[me->number % CONTEXTS]) == CUDA_SUCCESS);
    CHECK(cuStreamCreate(&me->stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
          cuMemAlloc(&me->x, sizeof zeros) == CUDA_SUCCESS);
    CHECK(cuMemcpyHtoD(me->x, zeros, sizeof zeros) == CUDA_SUCCESS && cuCtxSynchronize() == CUDA_SUCCESS);
    for (unsigned round = 0; round < ROUNDS; round++) add_one(me, round);
    return NULL;
}
static void kernels_come_and_go(void) {
    static caller callers[CALLERS];
    unsigned tried = 0;
    standin_set_cost(cost);
    CHECK(cuInit(0) == CUDA_SUCCESS);
    for (int i = 0; i < CONTEXTS; i++) CHECK(cuCtxCreate(&contexts[i], NULL, 0, i) == CUDA_SUCCESS);
    for (size_t i = 0; i < CALLERS; i++) {
        callers[i].number = i;
        pthread_create(&callers[i].thread, NULL, churn, &callers[i]);
    }
    for (size_t i = 0; i < CALLERS; i++) {
        int x[N];
        pthread_join(callers[i].thread, NULL);
        CHECK(callers[i].failed == 0);
        CHECK(cuCtxSetCurrent(contexts[i % CONTEXTS]) == CUDA_SUCCESS &&
              cuMemcpyDtoH(x, callers[i].x, sizeof x) == CUDA_SUCCESS);
        for (int k = 0; k < N; k++) CHECK(x[k] == (int)callers[i].calls);
        tried += callers[i].tried;
    }
    printf("%u races, %u modules let go of\n", tried, standin_calls("cuModuleUnload"));
    CHECK(!*standin_misuse() && standin_compilations() == 6 * CONTEXTS);
    CHECK(tried >= ROUNDS && standin_calls("cuModuleUnload") >= ROUNDS);
    /* There is a stream for each caller, and each of the 6 kernels is loaded at most once in each context. */
    CHECK(standin_objects() <= CALLERS + 6 * CONTEXTS);
}

int main(void) {
    setenv("AUTOTUNE_PRESET", "fast", 1);
    const plain_test tests[] = {{"kernels_come_and_go", kernels_come_and_go}};
    return RUN_PLAIN_TESTS(tests);
}
