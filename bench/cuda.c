/* cuda.c FOLDER [--picks] - the CUDA backend beside Triton's autotuner and cuBLAS. cuda.sh describes and runs it.
   FOLDER has the results of Triton: figures.tsv, the kernels that Triton compiled, and kernels.tsv. Figures that are
   missing are left out of the table. --picks shows the choice of each tuning, and the time that the judge measured for
   it. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "bench.h"

#include <math.h>

enum { N = 4096, ROWS = 2048, COLUMNS = 8192 };                 /* as in cuda_triton.py */
/* CALLS: so few that no launch waits for room in the stream */
enum { MOST_KERNELS = 64, MOST_PICKS = 32, RUNS = 11, CALLS = 200 };
enum { ROUNDS = 201, WARM_UP = 50 };
#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))

static const char *folder;
static CUstream stream;

static FILE *open_table(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "r");
}
static double figure(const char *wanted) {                      /* NaN: there is none */
    FILE *table = open_table("figures.tsv");
    char name[64];
    double value, found = NAN;
    while (table && fscanf(table, " %63[^\t] %lf", name, &value) == 2) if (!strcmp(name, wanted)) found = value;
    if (table) fclose(table);
    return found;
}
static CUdeviceptr on_device(size_t bytes, const void *content) {
    CUdeviceptr memory;
    MUST(cuMemAlloc(&memory, bytes));
    if (content) MUST(cuMemcpyHtoD(memory, content, bytes));
    MUST(cuCtxSynchronize());                   /* cuMemcpyHtoD() may return before the device has all bytes */
    return memory;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void column(double value) {
    if (isnan(value)) printf(" %10s", "-");
    else printf(" %10.*f", value >= 100 ? 0 : value >= 10 ? 1 : 3, value);
}
/* judged: the number that is compared with the goal; NaN: none. */
static void row(const char *name, double theirs, double ours, double judged, const char *goal, bool met) {
    printf("%-58s", name);
    column(theirs);
    column(ours);
    if (isnan(judged)) { printf("\n"); return; }
    column(judged);
    printf("   %-16s %s\n", goal, met ? "yes" : "NO");
}

/* ---- Measuring: kernels that Triton compiled, tuned by both ------------------------------------------------------ */

static struct kernel { CUfunction function; unsigned threads, shared, blocks; double ns; } kernels[MOST_KERNELS];
static int kernel_count;
static CUdeviceptr a, b, c, scratch;                            /* scratch: two parameters that Triton adds, and these
                                                                   kernels ignore */

static void load_kernels(void) {
    FILE *table = open_table("kernels.tsv");
    char file[64], name[64], path[600];
    struct kernel *k = kernels;
    CUmodule module;
    while (table && kernel_count < MOST_KERNELS &&
           fscanf(table, "%63s %63s %u %u %u", file, name, &k->threads, &k->shared, &k->blocks) == 5) {
        snprintf(path, sizeof path, "%s/%s", folder, file);
        MUST(cuModuleLoad(&module, path));
        MUST(cuModuleGetFunction(&k->function, module, name));
        MUST(cuFuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)k->shared));
        k++, kernel_count++;
    }
    if (table) fclose(table);
}
static CUresult launch(int k) {
    void *arguments[] = {&a, &b, &c, &scratch, &scratch};
    return cuLaunchKernel(kernels[k].function, kernels[k].blocks, 1, 1, kernels[k].threads, 1, 1, kernels[k].shared,
                          stream, arguments, NULL);
}
static autotune_result tune_matmul(int run) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(k, 0, kernel_count - 1, 1)), 1, launch(k), .backend = CUDA(stream), .key = KEY(run),
             .seed = (uint64_t)run, .cache = AUTOTUNE_CACHE_OFF, .result = &result);
    return result;
}
/* The judge launches every kernel of a set once in each round, in a new random order, so that no kernel always follows
   the same kernel. Caches are cold, since the race empties them, too. Each launch is alone between two events. The
   judge measures twice: first all kernels, and then the picks and the kernels within 6 % of the best. A GPU under load
   lowers its clocks. So a fast kernel between slow kernels runs faster than between fast kernels, each by another
   factor. In a program, and in the duel of the race, a kernel runs between kernels of about the same speed. */
static double times[MOST_KERNELS][ROUNDS];
static void launch_alone(int k, int round, CUdeviceptr flushed, size_t flushed_bytes, const CUevent event[2]) {
    float ms;
    MUST(cuMemsetD32Async(flushed, 0, flushed_bytes / 4, stream));
    MUST(cuEventRecord(event[0], stream));
    MUST(launch(k));
    MUST(cuEventRecord(event[1], stream));
    MUST(cuEventSynchronize(event[1]));
    MUST(cuEventElapsedTime(&ms, event[0], event[1]));
    times[k][round] = 1e6 * (double)ms;
}
static int judge(CUdevice device, int *set, int count) {        /* returns the kernel with the least median */
    int best = -1, l2_bytes;
    CUevent event[2];
    MUST(cuDeviceGetAttribute(&l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device));
    const size_t flushed_bytes = 2 * (size_t)l2_bytes;
    const CUdeviceptr flushed = on_device(flushed_bytes, NULL);
    for (int i = 0; i < 2; i++) MUST(cuEventCreate(&event[i], CU_EVENT_DEFAULT));
    for (int round = -WARM_UP; round < ROUNDS; round++)
        for (int i = count - 1; i >= 0; i--) {
            const int chosen = rand() % (i + 1), k = set[chosen];
            set[chosen] = set[i], set[i] = k;
            launch_alone(k, round < 0 ? 0 : round, flushed, flushed_bytes, event);
        }
    for (int i = 0; i < count; i++) {
        double sorted[ROUNDS];
        memcpy(sorted, times[set[i]], sizeof sorted);
        kernels[set[i]].ns = bench_summary(sorted, ROUNDS).median;
        if (best < 0 || kernels[set[i]].ns < kernels[best].ns) best = set[i];
    }
    MUST(cuMemFree(flushed));
    return best;
}
/* ours: the result of the tuning; NULL: the pick is Triton's. over: the percentage by which the pick is slower than the
   best among its like; over_of_all: among all kernels. */
static struct pick { int kernel; const autotune_result *ours; double over, over_of_all; } picks[MOST_PICKS];
static int pick_count;

/* Returns by how many percent a pick is slower than the best. Each round has a launch of both; the result is the median
   of the rounds. */
static double percent_over(int kernel, int best) {
    double over[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) over[round] = 100 * (times[kernel][round] / times[best][round] - 1);
    return bench_summary(over, ROUNDS).median;
}
static bool is_picked(int kernel) {
    for (int p = 0; p < pick_count; p++) if (picks[p].kernel == kernel) return true;
    return false;
}
static int judge_picks(CUdevice device) {                       /* the best among its like */
    int set[MOST_KERNELS], count = 0;
    srand(1);
    for (int k = 0; k < kernel_count; k++) set[k] = k;
    const int first = judge(device, set, kernel_count);
    const double near = 1.06 * kernels[first].ns;
    for (int p = 0; p < pick_count; p++) picks[p].over_of_all = percent_over(picks[p].kernel, first);
    for (int k = 0; k < kernel_count; k++) if (kernels[k].ns <= near || is_picked(k)) set[count++] = k;
    const int best = judge(device, set, count);
    for (int p = 0; p < pick_count; p++) picks[p].over = percent_over(picks[p].kernel, best);
    return best;
}
static void show_pick(const struct pick *pick) {
    printf("    %s kernel %2d, %.1f us, %.2f %% over the best, %.2f %% among all",
           pick->ours ? "autotune:" : "Triton:  ", pick->kernel, kernels[pick->kernel].ns / 1e3, pick->over,
           pick->over_of_all);
    if (pick->ours)
        printf("; its race: %.1f us, the second %.1f us, %zu launches, %s", pick->ours->median_ns / 1e3,
               pick->ours->runner_up_ns / 1e3, pick->ours->launches, autotune_verdict_text(pick->ours->verdict));
    printf("\n");
}
/* Microseconds of a known call, or of the driver's launch alone. */
static double call_us(int known) {
    const double begun = bench_seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < CALLS; i++)
        if (known < 0) tune_matmul(0);
        else MUST(launch(known));
    const double us = (bench_seconds(CLOCK_MONOTONIC) - begun) * 1e6 / CALLS;
    MUST(cuStreamSynchronize(stream));
    return us;
}
static void compare_measuring(CUdevice device, bool show_picks) {
    static autotune_result result[RUNS];
    double seconds[RUNS], launches[RUNS], over[2] = {NAN, NAN}, over_of_all[2] = {NAN, NAN}, direct[BENCH_PAIRS],
                                          more[BENCH_PAIRS];
    char name[64];
    unsigned short *halves = malloc(sizeof *halves * N * N);
    /* 0.125 to 1 */
    for (size_t i = 0; i < (size_t)N * N; i++) halves[i] = (unsigned short)(0x3000 + (i * 2654435761u >> 16) % 0x0c00);
    a = on_device(2 * (size_t)N * N, halves);
    b = on_device(2 * (size_t)N * N, halves);
    c = on_device(2 * (size_t)N * N, NULL);
    free(halves);
    for (int k = 0; k < kernel_count; k++) MUST(launch(k));     /* loads each kernel before the tuning */
    MUST(cuStreamSynchronize(stream));
    for (int run = 0; run < RUNS; run++) {
        const double begun = bench_seconds(CLOCK_MONOTONIC);
        result[run] = tune_matmul(run);
        MUST(cuStreamSynchronize(stream));
        seconds[run] = bench_seconds(CLOCK_MONOTONIC) - begun;
        if (result[run].status != AUTOTUNE_OK) { puts(autotune_last_error()); exit(EXIT_FAILURE); }
        launches[run] = (double)result[run].launches;
        picks[pick_count++] = (struct pick){.kernel = (int)result[run].index, .ours = &result[run]};
    }
    for (int run = 0; pick_count < MOST_PICKS && (snprintf(name, sizeof name, "pick %d", run), !isnan(figure(name)));
         run++)
        picks[pick_count++] = (struct pick){.kernel = (int)figure(name)};
    const int best = judge_picks(device);
    for (int p = 0; p < pick_count; p++) {                      /* the worst pick; fmax() ignores a NaN */
        const bool ours = picks[p].ours != NULL;
        over[ours] = fmax(over[ours], picks[p].over);
        over_of_all[ours] = fmax(over_of_all[ours], picks[p].over_of_all);
    }
    const double took = bench_summary(seconds, RUNS).median, faster = figure("matmul seconds") / took;
    printf("FP16 product of %d, tensor cores: the same %d kernels, compiled by Triton; best %.1f us\n", N, kernel_count,
           kernels[best].ns / 1e3);
    row("  seconds to measure and choose", figure("matmul seconds"), took, faster, "10 x faster", faster >= 10);
    row("  launches", figure("matmul launches"), bench_summary(launches, RUNS).median, NAN, "", false);
    row("  the worst pick's time over the best's among its like, %", over[false], over[true], over[true], "1 % at most",
        over[true] <= 1);
    row("    judged among all, slow ones between", over_of_all[false], over_of_all[true], NAN, "", false);
    for (int p = 0; show_picks && p < pick_count; p++) show_pick(&picks[p]);
    for (int pair = 0; pair < BENCH_PAIRS; pair++) {
        const double known = call_us(-1), bare = call_us((int)result[0].index);
        direct[pair] = bare, more[pair] = known - bare;
    }
    const double cost = bench_summary(more, BENCH_PAIRS).median, bare = bench_summary(direct, BENCH_PAIRS).median;
    row("  a known call, us: from Python, from C", figure("call us"), bare + cost, NAN, "", false);
    row("  over cuLaunchKernel alone, us", figure("call us") - bare, cost, cost, "0.2 us at most", cost <= 0.2);
}

/* ---- From nothing: one algorithm in two languages, the same axes, each with its own compiler --------------------- */

static const char softmax_text[] =
    "enum { UNROLL_COUNT = UNROLL, COLUMNS = 8192, THREADS = 32 * WARPS };\n"
    "struct alignas(4 * VECTOR) vector { float at[VECTOR]; };\n"
    "struct part { float most, total; };\n"
    "__device__ __forceinline__ part join(part a, part b) {\n"
    "    const float most = fmaxf(a.most, b.most);\n"
    "    return {most, a.total * expf(a.most - most) + b.total * expf(b.most - most)};\n"
    "}\n"
    "extern \"C\" __global__ void softmax(const float *x, float *y) {\n"
    "    __shared__ part parts[WARPS];\n"
    "    const int me = (int)threadIdx.x;\n"
    "    part mine = {-3e38f, 0};\n"
    "    x += (size_t)blockIdx.x * COLUMNS, y += (size_t)blockIdx.x * COLUMNS;\n"
    "#pragma unroll UNROLL_COUNT\n"
    "    for (int k = me * VECTOR; k < COLUMNS; k += THREADS * VECTOR) {\n"
    "        const vector v = *(const vector *)&x[k];\n"
    "        for (int e = 0; e < VECTOR; e++) mine = join(mine, {v.at[e], 1});\n"
    "    }\n"
    "    for (int lanes = 16; lanes; lanes /= 2)\n"
    "        mine = join(mine, {__shfl_xor_sync(~0u, mine.most, lanes), __shfl_xor_sync(~0u, mine.total, lanes)});\n"
    "    if (me % 32 == 0) parts[me / 32] = mine;\n"
    "    __syncthreads();\n"
    "    mine = parts[0];\n"
    "    for (int w = 1; w < WARPS; w++) mine = join(mine, parts[w]);\n"
    "#pragma unroll UNROLL_COUNT\n"
    "    for (int k = me * VECTOR; k < COLUMNS; k += THREADS * VECTOR) {\n"
    "        vector v = *(const vector *)&x[k];\n"
    "        for (int e = 0; e < VECTOR; e++) v.at[e] = expf(v.at[e] - mine.most) / mine.total;\n"
    "        *(vector *)&y[k] = v;\n"
    "    }\n"
    "}\n";
/* NVRTC of CUDA 12.9 and later keeps its results on disk, unless --no-cache is given. A CUDA_PROGRAM keeps its compiled
   code, so each tuning has its own CUDA_PROGRAM. */
#define SOFTMAX CUDA_PROGRAM(softmax_text, "--use_fast_math", "--no-cache")
static autotune_cuda_program softmax = SOFTMAX, softmax_by_one = SOFTMAX;

static autotune_result tune_softmax(autotune_cuda_program *program, int threads, CUdeviceptr x, CUdeviceptr y,
                                    double *seconds) {
    const double begun = bench_seconds(CLOCK_MONOTONIC);
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(WARPS, 4, 8, 16, 32), AXIS(VECTOR, 1, 2, 4, 8), AXIS(UNROLL, 1, 2, 4)), ROWS,
             CUDA_LAUNCH(program, "softmax", THREADS(32 * WARPS), SHARED(0), x, y), .backend = CUDA(stream),
             .key = KEY(threads), .compile_threads = threads, .cache = AUTOTUNE_CACHE_OFF, .result = &result);
    MUST(cuStreamSynchronize(stream));
    *seconds = bench_seconds(CLOCK_MONOTONIC) - begun;
    if (result.status != AUTOTUNE_OK) { puts(autotune_last_error()); exit(EXIT_FAILURE); }
    return result;
}
static double largest_error(const float *x, const float *y) {           /* relative, of one row */
    double total = 0, largest = 0;
    for (int j = 0; j < COLUMNS; j++) total += exp((double)x[j]);
    for (int j = 0; j < COLUMNS; j++) largest = fmax(largest, fabs((double)y[j] * total / exp((double)x[j]) - 1));
    return largest;
}
static void compare_from_nothing(void) {
    const size_t count = (size_t)ROWS * COLUMNS, bytes = sizeof(float) * count;
    float *host = malloc(bytes), row_of_y[COLUMNS];
    for (size_t i = 0; i < count; i++) host[i] = (float)((i * 2654435761u >> 16) % 4096) / 512 - 4;
    const CUdeviceptr x = on_device(bytes, host), y = on_device(bytes, NULL);
    double seconds, seconds_by_one;
    const autotune_result r = tune_softmax(&softmax, 0, x, y, &seconds);
    tune_softmax(&softmax_by_one, 1, x, y, &seconds_by_one);
    MUST(cuMemcpyDtoH(row_of_y, y + bytes - sizeof row_of_y, sizeof row_of_y));
    const double error = largest_error(host + count - COLUMNS, row_of_y), faster = figure("softmax seconds") / seconds;
    printf("softmax of %d rows of %d: %zu kernels from nothing, each with its own compiler; %zu failed\n", ROWS,
           COLUMNS, r.space_size, r.failed);
    row("  seconds to compile, measure and choose", figure("softmax seconds"), seconds, faster, "3 x faster",
        faster >= 3);
    row("  Triton's compiled ahead by a pool; ours by one thread", figure("softmax ahead seconds"), seconds_by_one, NAN,
        "", false);
    row("  time of the chosen kernel, us, by its own tuner", figure("softmax us"), r.median_ns / 1e3, NAN, "", false);
    if (!(error < 1e-3)) printf("  softmax is WRONG: error %g\n", error);
    free(host);
}

int main(int count, char **arguments) {
    CUdevice device;
    CUcontext context;
    char name[128];
    folder = count > 1 ? arguments[1] : ".";
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDeviceGetName(name, sizeof name, device));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    printf("%s\n\n%-58s %10s %10s %10s   %-16s met\n", name, "", "Triton", "autotune", "judged", "goal");
    load_kernels();
    if (kernel_count) compare_measuring(device, count > 2 && !strcmp(arguments[2], "--picks"));
    compare_from_nothing();
    const double gemm = figure("gemm percent"), gemm_4096 = figure("gemm fp16 4096 percent"),
                 gemm_8192 = figure("gemm fp16 8192 percent");
    row("FP32 product of 4096 (examples/cuda_gemm.c), % of cuBLAS", NAN, gemm, gemm, "70 % at least", gemm >= 70);
    row("FP16 product of 4096 (examples/cuda_gemm_fp16.c), the same", NAN, gemm_4096, gemm_4096, "70 % at least",
        gemm_4096 >= 70);
    row("FP16 product of 8192, the same", NAN, gemm_8192, gemm_8192, "70 % at least", gemm_8192 >= 70);
    return EXIT_SUCCESS;
}
