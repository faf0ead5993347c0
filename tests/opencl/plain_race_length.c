/* plain_race_length.c - a race needs about as many launches on an OpenCL device as on a CUDA device. Both replay the
   times that were recorded on a GPU, on stand-ins whose clocks are virtual. */
#include "autotune_cuda.h"

#include "faults.h"
#include "recorded_times.h"
#include "standin.h"

static size_t replayed;                         /* the number of the kernel whose times are replayed */
static unsigned launches_of[CONFIGURATIONS];    /* launches of each configuration in this race */
static size_t launches;                         /* launches in this race */
static size_t warm_ups;                         /* launches of the first configuration at the beginning of the race */

/* Returns the time of the next launch with work-groups of this size. It is the next recorded time of the configuration;
   after the last time the first follows. */
static double next_ns(size_t group) {
    const size_t at = group / 8 - 1;
    CHECK(group % 8 == 0 && at < CONFIGURATIONS);
    if (launches++ == launches_of[at]) warm_ups = launches;
    return recorded_ns[replayed][at][launches_of[at]++ % RUNS];
}
static double cuda_ns(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)kernel, (void)grid, (void)shared_bytes;
    return next_ns(block[0]);
}
static void begin_race(size_t kernel) {
    replayed = kernel;
    launches = warm_ups = 0;
    memset(launches_of, 0, sizeof launches_of);
}
#define GROUPS AXIS(group, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128)

static CUfunction saxpy;
static CUstream stream;
static CUdeviceptr x, y;
static autotune_status launch_saxpy(int group) {
    const unsigned block = (unsigned)group;
    int n = 128;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    return autotune_cuda_status(cuLaunchKernel(saxpy, (128 + block - 1) / block, 1, 1, block, 1, 1, 0, stream,
                                               arguments, NULL));
}
static autotune_result race_on_cuda(size_t kernel) {
    autotune_result result;
    begin_race(kernel);
    AUTOTUNE(SPACE(GROUPS), 1, launch_saxpy(group), .backend = CUDA(stream), .key = KEY(kernel), .result = &result);
    result.launches -= warm_ups;                /* a warm-up lasts some real milliseconds, so do not count it */
    return result;
}
static cl_kernel add;
static autotune_result race_on_opencl(size_t kernel) {
    autotune_result result;
    begin_race(kernel);
    AUTOTUNE(SPACE(GROUPS), 1, OPENCL_LAUNCH(add, GLOBAL(128), LOCAL(group)), .backend = OPENCL(queue),
             .key = KEY(kernel), .result = &result);
    result.launches -= warm_ups;
    return result;
}
static void begin_cuda(void) {
    CUcontext current;
    CUmodule module;
    standin_set_cost(cuda_ns);
    standin_set_quantum(1);
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&current, NULL, 0, 0) == CUDA_SUCCESS);
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    CHECK(cuModuleLoad(&module, KERNELS_FOLDER "/saxpy.cubin") == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy") == CUDA_SUCCESS);
    CHECK(cuMemAlloc(&x, BYTES) == CUDA_SUCCESS && cuMemAlloc(&y, BYTES) == CUDA_SUCCESS);
}

int main(void) {
    size_t all_cuda = 0, all_opencl = 0, kernel;
    setenv("AUTOTUNE_SEED", "1", 1);
    setenv("AUTOTUNE_LOG", "errors", 1);
    setenv("AUTOTUNE_MAX_SECONDS", "60", 1);    /* times on the devices are virtual, but this limit is real time */
    find_test_device();
    control->time_of = next_ns;
    add = kernel_of(build(context, ""), "add");
    const cl_mem memory = floats(context, 0);
    MUST(clSetKernelArg(add, 0, sizeof memory, &memory));
    begin_cuda();
    for (kernel = 0; kernel < KERNELS; kernel++) {
        const autotune_result cuda = race_on_cuda(kernel), opencl = race_on_opencl(kernel);
        CHECK(cuda.status == AUTOTUNE_OK && opencl.status == AUTOTUNE_OK);
        printf("kernel %zu: CUDA %zu launches, OpenCL %zu\n", kernel, (size_t)cuda.launches, (size_t)opencl.launches);
        all_cuda += cuda.launches;
        all_opencl += opencl.launches;
        CHECK(opencl.median_ns <= 1.05 * cuda.median_ns);
    }
    printf("all: CUDA %zu launches, OpenCL %zu: %.2f times as many\n", all_cuda, all_opencl,
           (double)all_opencl / (double)all_cuda);
    CHECK((double)all_opencl <= 1.3 * (double)all_cuda);
    return autotune_shutdown() == AUTOTUNE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
