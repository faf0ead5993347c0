/* cuda_online.c [ELEMENTS] - mode ONLINE on a GPU: a loop of 10,000 launches of a smoothing kernel with 60
   configurations. The bench compares it with the same loop untuned, and with a loop whose first call holds an ordinary
   race. The loop waits for its stream after each launch, after several launches, or only at its end. So the host runs
   ahead of the device by that many launches. The bench prints medians of five loops of each kind: seconds, also as a
   part of the untuned loop's, and the call from which the winner was known. It also prints the profile of the stream,
   which comes from the device: each launch writes when it began. A launch was held up if it began too late after the
   launch before: later than 1.1 times the time of the slowest configuration, plus 2 us.

       cc -O2 -I.. -I/usr/local/cuda/include cuda_online.c -lcuda -ldl -lm -pthread && ./a.out */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "bench.h"

enum { CALLS = 10000, LOOPS = 5 };      /* LOOPS: of each kind, interleaved; the median counts */
#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))

static autotune_cuda_program program = CUDA_PROGRAM(
    "__device__ float smooth(const float *x, int i, int n) {\n"
    "    return i >= n ? 0 : 0.25f * x[i > 0 ? i - 1 : 0] + 0.5f * x[i] + 0.25f * x[i + 1 < n ? i + 1 : i];\n"
    "}\n"
    "__device__ void note(unsigned long long *begun) {\n"
    "    if (blockIdx.x == 0 && threadIdx.x == 0) asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(*begun));\n"
    "}\n"
    "extern \"C\" __global__ void strided(int n, const float *x, float *y, unsigned long long *begun) {\n"
    "    note(begun);\n"
    "    for (int k = 0; k < EACH; k++) {\n"
    "        const int i = (int)((blockIdx.x * EACH + k) * BLOCK + threadIdx.x);\n"
    "        if (i < n) y[i] = smooth(x, i, n);\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void in_a_row(int n, const float *x, float *y, unsigned long long *begun) {\n"
    "    note(begun);\n"
    "    for (int k = 0; k < EACH; k++) {\n"
    "        const int i = (int)((blockIdx.x * BLOCK + threadIdx.x) * EACH + k);\n"
    "        if (i < n) y[i] = smooth(x, i, n);\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void shared(int n, const float *x, float *y, unsigned long long *begun) {\n"
    "    __shared__ float tile[BLOCK * EACH + 2];\n"
    "    const int first = (int)(blockIdx.x * BLOCK * EACH) - 1;\n"
    "    note(begun);\n"
    "    for (int j = threadIdx.x; j < BLOCK * EACH + 2; j += BLOCK) {\n"
    "        const int i = first + j < 0 ? 0 : first + j < n ? first + j : n - 1;\n"
    "        tile[j] = x[i];\n"
    "    }\n"
    "    __syncthreads();\n"
    "    for (int j = threadIdx.x; j < BLOCK * EACH; j += BLOCK)\n"
    "        if (first + 1 + j < n) y[first + 1 + j] = 0.25f * tile[j] + 0.5f * tile[j + 1] + 0.25f * tile[j + 2];\n"
    "}\n");

typedef struct loop { double seconds, settled, longest_us, held_up, last_ns; autotune_result result; } loop;
static int n = 1 << 23;
static CUstream stream;
static CUdeviceptr x, y, trace;
static unsigned long long begun[CALLS];

static void profile(loop *l, double slowest_ns) {
    MUST(cuMemcpyDtoH(begun, trace, sizeof begun));
    l->longest_us = l->held_up = 0;
    for (int call = 1; call < CALLS; call++) {
        const double us = (double)(begun[call] - begun[call - 1]) / 1e3;
        if (us > l->longest_us) l->longest_us = us;
        if (us > 1.1e-3 * slowest_ns + 2) l->held_up++;         /* 2 us: between launches, and the clock's steps */
    }
}
/* One loop. `wait`: after so many launches the host waits for the device; 0: at the end only. */
static loop run(autotune_mode mode, int key, int wait) {
    loop l = { .settled = CALLS };
    MUST(cuStreamSynchronize(stream));
    const double start = bench_seconds(CLOCK_MONOTONIC);
    for (int call = 0; call < CALLS; call++) {
        CUdeviceptr from = call % 2 ? y : x, to = call % 2 ? x : y, when = trace + sizeof *begun * (size_t)call;
        AUTOTUNE(SPACE(AXIS(kernel, "strided", "in_a_row", "shared"), AXIS(BLOCK, 256, 64, 128, 512, 1024),
                       AXIS(EACH, 1, 2, 4, 8)),
                 (n + BLOCK * EACH - 1) / (BLOCK * EACH),
                 CUDA_LAUNCH(&program, kernel, THREADS(BLOCK), SHARED(0), n, from, to, when), .backend = CUDA(stream),
                 .mode = mode, .key = KEY(n, key), .cache = AUTOTUNE_CACHE_OFF, .result = &l.result);
        if (l.result.status != AUTOTUNE_OK) fprintf(stderr, "%s\n", autotune_last_error()), exit(EXIT_FAILURE);
        if (l.result.cache_hit && (double)call < l.settled) l.settled = call;
        if (wait && call % wait == wait - 1) MUST(cuStreamSynchronize(stream));
    }
    MUST(cuStreamSynchronize(stream));
    l.seconds = bench_seconds(CLOCK_MONOTONIC) - start;
    return l;
}
static double median_of(const loop *loops, size_t member) {
    double values[LOOPS];
    for (int i = 0; i < LOOPS; i++) memcpy(&values[i], (const char *)&loops[i] + member, sizeof *values);
    return bench_summary(values, LOOPS).median;
}
static void row(const char *name, const loop *loops, double untuned) {
    printf("    %-24s %10.3f %8.3f", name, median_of(loops, offsetof(loop, seconds)),
           median_of(loops, offsetof(loop, seconds)) / untuned);
    if (median_of(loops, offsetof(loop, settled)) < CALLS) printf(" %9.0f", median_of(loops, offsetof(loop, settled)));
    else printf(" %9s", "-");
    printf(" %14.1f %9.0f   ", median_of(loops, offsetof(loop, longest_us)), median_of(loops, offsetof(loop, held_up)));
    for (size_t i = 0; i < loops[0].result.config.count; i++) printf(" %s", loops[0].result.config.labels[i]);
    printf("\n");
}
static void compare(int wait, double slowest_ns) {
    static const struct { const char *name; autotune_mode mode; }
        kinds[] = { { "untuned", AUTOTUNE_OFF }, { "a race at the first call", AUTOTUNE_ON },
                    { "online", AUTOTUNE_ONLINE } };
    static loop loops[3][LOOPS];
    static int key;
    for (int i = 0; i < LOOPS; i++)
        for (int kind = 0; kind < 3; kind++) {
            loops[kind][i] = run(kinds[kind].mode, ++key, wait);
            profile(&loops[kind][i], slowest_ns);
        }
    if (wait) printf("the host waits after %d launch%s\n", wait, wait > 1 ? "es" : "");
    else printf("the host waits at the end\n");
    for (int kind = 0; kind < 3; kind++)
        row(kinds[kind].name, loops[kind], median_of(loops[0], offsetof(loop, seconds)));
}

int main(int count, char **arguments) {
    static const int waits[] = { 1, 4, 16, 64, 0 };
    CUdevice device;
    CUcontext context;
    if (count > 1) n = atoi(arguments[1]);
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuMemAlloc(&x, sizeof(float) * (size_t)n));
    MUST(cuMemAlloc(&y, sizeof(float) * (size_t)n));
    MUST(cuMemAlloc(&trace, sizeof begun));
    MUST(cuMemsetD32(x, 0, (size_t)n));
    MUST(cuMemsetD32(y, 0, (size_t)n));

    printf("%d launches, 60 configurations\n", CALLS);
    const loop cold = run(AUTOTUNE_ONLINE, -1, 1);          /* while its kernels are compiled */
    const loop race = run(AUTOTUNE_ON, -2, 1);
    printf("first configuration %.1f us, winner %.1f us, slowest %.1f us\n", race.result.default_ns / 1e3,
           race.result.median_ns / 1e3, race.result.slowest_ns / 1e3);
    printf("online, while kernels are compiled: %.3f s\n\n%28s %10s %8s %9s %14s %9s    %s\n", cold.seconds, "",
           "seconds", "untuned", "settled", "longest, us", "held up", "in use at the end");
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) compare(waits[i], race.result.slowest_ns);
    return 0;
}
