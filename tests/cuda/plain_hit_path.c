/* plain_hit_path.c - what a hit costs over calling cuLaunchKernel with the winner's function: at most 60 ns. The
   driver's two functions that a hit calls are replaced by ones that do nothing, after tuning; the least of many batches
   counts, because what disturbs one only ever makes it longer. */
#include "autotune_cuda.h"

#include "../backends.h"
#include "../plain.h"
#include "../sanitized.h"
#include "standin.h"

static const char text[] = "extern \"C\" __global__ void nothing(int n, float *x) { if (n < 0) x[0] = TILE; }";
static autotune_cuda_program program = CUDA_PROGRAM(text);
static CUcontext context;
static unsigned calls;

static CUresult CUDAAPI no_launch(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared_bytes, CUstream stream, void **arguments, void **extra) {
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared_bytes, (void)stream,
        (void)extra;
    calls += *(int *)arguments[0] == 7;
    return CUDA_SUCCESS;
}
static CUresult CUDAAPI current_context(CUcontext *current) { return *current = context, CUDA_SUCCESS; }
static CUresult(CUDAAPI *volatile launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                          unsigned, CUstream, void **, void **) = no_launch;
/* For the time of tuning, when what does nothing on the stream is a failure. */
static CUresult CUDAAPI fill(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                             unsigned bz, unsigned shared_bytes, CUstream stream, void **arguments, void **extra) {
    static CUdeviceptr memory;
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared_bytes, (void)arguments,
        (void)extra;
    if (!memory && cuMemAlloc(&memory, 1 << 16) != CUDA_SUCCESS) return CUDA_ERROR_OUT_OF_MEMORY;
    return cuMemsetD8Async(memory, 0, 1 << 16, stream);
}

static void tuned_program(int n, float *x) {
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), n, CUDA_LAUNCH(&program, "nothing", THREADS(32), SHARED(0), n, x),
             .backend = CUDA(0), .key = KEY(n));
}
static void tuned_launch(int n, float *x) {
    void *arguments[] = {&n, &x};
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), n,
             launch(NULL, blocks.x, 1, 1, (unsigned)block, 1, 1, 0, CU_STREAM_LEGACY, arguments, NULL),
             .backend = CUDA(0), .key = KEY(n));
}
static void direct(int n, float *x) {
    void *arguments[] = {&n, &x};
    launch(NULL, (unsigned)n, 1, 1, 32, 1, 1, 0, CU_STREAM_LEGACY, arguments, NULL);
}
static double least_ns(void (*call)(int, float *)) {
    enum { BATCHES = 200, BATCH = 2000 };
    void (*volatile unknown)(int, float *) = call;
    double least = 1e18;
    for (int i = 0; i < BATCHES; i++) {
        const uint64_t began = machine_ns();
        for (int k = 0; k < BATCH; k++) unknown(7, NULL);
        const double ns = (double)(machine_ns() - began) / BATCH;
        if (ns < least) least = ns;
    }
    return least;
}

static bool hits_cost_little(void) {
    calls = 0;
    const double plain = least_ns(direct), wrapped = least_ns(tuned_launch), compiled = least_ns(tuned_program);
    printf("over the launch: a wrapped one %.1f ns, CUDA_LAUNCH %.1f ns\n", wrapped - plain, compiled - plain);
    CHECK(calls == 3 * 200 * 2000);
    return wrapped - plain <= 60 && compiled - plain <= 60;
}
static void a_hit_costs_little_over_the_launch(void) {
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
    tuned_program(7, NULL);
    launch = fill;
    tuned_launch(7, NULL);
    launch = no_launch;
    CHECK(standin_launches("instance_0") > 2);
    replace_cuda_hit(no_launch, current_context);
    CHECK(in_one_of_ten_tries(hits_cost_little));
}

int main(void) {
#if SANITIZED
    return puts("SKIPPED: a sanitizer's code is in the way"), 77;
#endif
    const plain_test tests[] = {{"a_hit_costs_little_over_the_launch", a_hit_costs_little_over_the_launch}};
    return RUN_PLAIN_TESTS(tests);
}
