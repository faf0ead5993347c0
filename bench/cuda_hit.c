/* cuda_hit.c - what a hit costs with the CUDA backend: CUDA_LAUNCH, and a wrapped cuLaunchKernel, against
   cuLaunchKernel called directly with the winner's function, stream and arguments.

   The bench measures twice. First with a launch that does nothing: the difference is the time of the tuner and of
   cuCtxGetCurrent(). Then with the launch of the driver: the bench waits for launches only between the loops. On a
   machine without a GPU the stand-in of tests/cuda can replace the driver:

       LD_LIBRARY_PATH=build/test/tests/cuda/standin build/test/bench/bench_cuda_hit

   Its launches take some microseconds each, so only the first half of the results is useful then. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "bench.h"

enum { CALLS = 256 };                   /* a stream takes about a thousand launches before a launch has to wait for
                                           room */

static const char text[] = "extern \"C\" __global__ void nothing(int n, float *x) { if (n < 0) x[0] = TILE; }";
static autotune_cuda_program program = CUDA_PROGRAM(text);

/* Three launches: that of the driver, one that does nothing, and one that remembers its function: at a hit, the
   winner. */
typedef CUresult CUDAAPI launch_function(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                         unsigned, CUstream, void **, void **);
static launch_function *driver_launch, *volatile launch;
static CUfunction winner;
static CUresult CUDAAPI no_launch(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared, CUstream stream, void **arguments, void **extra) {
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream,
        (void)arguments, (void)extra;
    return CUDA_SUCCESS;
}
static CUresult CUDAAPI note_function(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                      unsigned by, unsigned bz, unsigned shared, CUstream stream, void **arguments,
                                      void **extra) {
    winner = function;
    return driver_launch(function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra);
}
static void launch_by(launch_function *function) {      /* all of them: direct calls, wrapped ones, and those of
                                                           CUDA_LAUNCH */
    launch = function;
    autotune__driver.cuLaunchKernel_ = function;
}

typedef CUresult call(int n, float *x);
static __attribute__((__noinline__)) CUresult direct(int n, float *x) {
    void *arguments[] = { &n, &x };
    return launch(winner, (unsigned)n, 1, 1, 32, 1, 1, 0, CU_STREAM_LEGACY, arguments, NULL);
}
static __attribute__((__noinline__)) CUresult wrapped(int n, float *x) {
    void *arguments[] = { &n, &x };
    AUTOTUNE(SPACE(AXIS(block, 32, 64)), n,
             launch(winner, blocks.x, 1, 1, (unsigned)block, 1, 1, 0, CU_STREAM_LEGACY, arguments, NULL),
             .backend = CUDA(0), .key = KEY(n));
    return CUDA_SUCCESS;
}
static __attribute__((__noinline__)) CUresult compiled(int n, float *x) {
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), n, CUDA_LAUNCH(&program, "nothing", THREADS(32), SHARED(0), n, x),
             .backend = CUDA(0), .key = KEY(n));
    return CUDA_SUCCESS;
}

static double ns_per_call(call *f, int loops) {
    call *volatile unknown = f;
    double seconds = 0;
    for (int loop = 0; loop < loops; loop++) {
        const double start = bench_thread_seconds();
        for (int i = 0; i < CALLS; i++) unknown(7, NULL);
        seconds += bench_thread_seconds() - start;
        autotune__driver.cuStreamSynchronize_(CU_STREAM_LEGACY);
    }
    return seconds * 1e9 / (CALLS * loops);
}
static void measure(const char *name, call *tuned, int loops, double goal, int tabs) {
    double direct_ns[BENCH_PAIRS], cost_ns[BENCH_PAIRS], tuned_ns;
    for (int pair = 0; pair < BENCH_PAIRS; pair++) {
        if (pair % 2) tuned_ns = ns_per_call(tuned, loops);
        direct_ns[pair] = ns_per_call(direct, loops);
        if (pair % 2 == 0) tuned_ns = ns_per_call(tuned, loops);
        cost_ns[pair] = tuned_ns - direct_ns[pair];
    }
    const bench_spread plain = bench_summary(direct_ns, BENCH_PAIRS), cost = bench_summary(cost_ns, BENCH_PAIRS);
    printf(tabs ? "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%s\n" : "%-44s %8.1f %8.1f %8.1f %8.1f %8.0f %6s\n", name,
           plain.median, cost.median, cost.low, cost.high, goal, bench_judge(cost.median, goal));
}
static int fail(const char *what) { return fprintf(stderr, "%s: %s\n", what, autotune_last_error()), 1; }

int main(int argc, char **argv) {
    const int tabs = bench_tabs(argc, argv);
    autotune_backend *backend = CUDA(0);                                    /* opens the driver */
    CUcontext context;
    CUdevice device;
    setenv("AUTOTUNE_CACHE", "off", 1);
    if (!autotune__cuda_works()) return fprintf(stderr, "SKIPPED: %s\n", autotune__driver.problem), 77;
    if (autotune__driver.cuDeviceGet_(&device, 0) != CUDA_SUCCESS ||
        autotune__driver.cuDevicePrimaryCtxRetain_(&context, device) != CUDA_SUCCESS ||
        autotune__driver.cuCtxPushCurrent_(context) != CUDA_SUCCESS) return fail("no context");
    backend = CUDA(0);
    bench_pin(0);

    driver_launch = autotune__driver.cuLaunchKernel_;
    compiled(7, NULL);      /* tunes: from here on every call is a hit */
    launch_by(note_function);
    compiled(7, NULL);
    launch_by(driver_launch);
    if (!winner) return fail("nothing was tuned");
    wrapped(7, NULL);

    if (!tabs)
        printf("%s; %d pairs; ns per call\n\n%-44s %8s %8s %17s %8s %6s\n", backend->device, BENCH_PAIRS, "", "direct",
               "cost", "(middle half)", "goal", "met");
    launch_by(no_launch);
    measure("cuLaunchKernel, which does nothing", wrapped, 512, 60, tabs);
    measure("CUDA_LAUNCH, which does nothing", compiled, 512, 60, tabs);
    launch_by(driver_launch);
    measure("cuLaunchKernel", wrapped, 8, 200, tabs);
    measure("CUDA_LAUNCH", compiled, 8, 200, tabs);
    return 0;
}
