/* plain_hit_path.c - a hit takes at most the time of 160 multiplications more than a call of cuLaunchKernel with the
   winner's function. After tuning, the two driver functions that a hit calls are replaced by functions that do
   nothing. */
#include "autotune_cuda.h"

#include "../backends.h"
#include "../hit_cost.h"
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
/* Takes the place of the launch during tuning. It fills memory, because a trial that takes no time on the stream
   fails. */
static CUresult CUDAAPI fill(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                             unsigned bz, unsigned shared_bytes, CUstream stream, void **arguments, void **extra) {
    static CUdeviceptr memory;
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared_bytes, (void)arguments,
        (void)extra;
    if (!memory && cuMemAlloc(&memory, 1 << 16) != CUDA_SUCCESS) return CUDA_ERROR_OUT_OF_MEMORY;
    return cuMemsetD8Async(memory, 0, 1 << 16, stream);
}

static volatile int items = 7;
static void tuned_program(void) {
    const int n = items;
    float *x = NULL;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), n, CUDA_LAUNCH(&program, "nothing", THREADS(32), SHARED(0), n, x),
             .backend = CUDA(0), .key = KEY(n));
}
static void launch_on(int n, unsigned blocks, int block) {
    float *x = NULL;
    void *arguments[] = {&n, &x};
    launch(NULL, blocks, 1, 1, (unsigned)block, 1, 1, 0, CU_STREAM_LEGACY, arguments, NULL);
}
static void tuned_launch(void) {
    const int n = items;
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), n, launch_on(n, blocks.x, block), .backend = CUDA(0), .key = KEY(n));
}
static void direct(void) { launch_on(items, 7, 64); }

static bool hits_cost_little(void) {
    static void (*const hits[])(void) = {multiply_160_times, direct, tuned_launch, tuned_program};
    double ns[4];
    calls = 0;
    least_ns(hits, ns, 4);
    CHECK(calls == 3 * HIT_CALLS);
    fprintf(stderr, "over the launch: a wrapped one %.1f ns, CUDA_LAUNCH %.1f ns, 160 multiplications %.1f ns\n",
            ns[2] - ns[1], ns[3] - ns[1], ns[0]);
    return ns[2] - ns[1] < ns[0] && ns[3] - ns[1] < ns[0];
}
static void a_hit_costs_little_over_the_launch(void) {
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
    tuned_program();
    launch = fill;
    tuned_launch();
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
