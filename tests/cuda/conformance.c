/* conformance.c IMAGE - prints the results of the driver's functions, to compare the stand-in with a real driver. The
   program calls every function that the header uses, both rightly and wrongly. It prints one line for each call: its
   number, a description, the result code. Lines without a number depend on the device. conformance.sh compares the
   lines with a number with those of a real driver. IMAGE is saxpy.cu, compiled for the device: nvcc -cubin -arch=sm_90
   saxpy.cu; for the stand-in by compile.sh.

   Each error that ends a context needs its own process: conformance IMAGE NAME. */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include <sys/wait.h>

static const struct autotune__cuda_driver *const cuda = &autotune__driver;
static int told;
static CUresult tell(const char *what, CUresult code) {
    printf("%3d  %-86s %3d  %s\n", ++told, what, (int)code,
           code == CUDA_SUCCESS ? "" : autotune__cuda_error_name((int)code));
    fflush(stdout);
    return code;
}
#define TELL(call)          tell(#call, cuda->call)
#define TELL_OF(what, call) tell(what, cuda->call)

static char image[1 << 20];
static CUcontext context;
static CUstream stream;
static CUresult (*stream_create)(CUstream *, unsigned), (*begin_capture)(CUstream, CUstreamCaptureMode),
    (*end_capture)(CUstream, CUgraph *), (*load_module)(CUmodule *, const void *),
    (*get_function)(CUfunction *, CUmodule, const char *),
    (*launch_kernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                     void **, void **);

static CUfunction saxpy, saxpy_wild;
static CUdeviceptr x, y;
enum { N = 5000, BYTES = 4 * N };
static CUresult launch(CUfunction function, unsigned blocks, unsigned block, unsigned shared_bytes) {
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    return launch_kernel(function, blocks, 1, 1, block, 1, 1, shared_bytes, stream, arguments, NULL);
}

static void without_a_context(void) {
    CUcontext none = NULL;
    CUdevice device;
    CUevent event;
    CUdeviceptr memory;
    CUstreamCaptureStatus status;
    int value;
    TELL(cuInit_(0));
    TELL(cuInit_(1));
    TELL(cuDriverGetVersion_(&value));
    printf("     version %d\n", value);
    TELL(cuDeviceGetCount_(&value));
    TELL(cuDeviceGet_(&device, 999));
    TELL(cuDeviceGet_(&device, -1));
    TELL(cuDeviceGet_(&device, 0));
    TELL(cuCtxGetCurrent_(&none));
    printf("     current: %s\n", none ? "one" : "none");
    TELL_OF("cuCtxGetDevice without a context", cuCtxGetDevice_(&device));
    TELL_OF("cuMemAlloc without a context", cuMemAlloc_(&memory, 16));
    TELL_OF("cuEventCreate without a context", cuEventCreate_(&event, CU_EVENT_DEFAULT));
    TELL_OF("cuStreamIsCapturing(legacy) without a context", cuStreamIsCapturing_(CU_STREAM_LEGACY, &status));
    TELL_OF("cuStreamGetCtx(legacy) without a context", cuStreamGetCtx_(CU_STREAM_LEGACY, &none));
    TELL_OF("cuCtxPopCurrent without a context", cuCtxPopCurrent_(&none));
    TELL_OF("cuCtxPushCurrent(NULL)", cuCtxPushCurrent_(NULL));
}
static void enter_context(void) {
    CUdevice device;
    CUmodule module;
    TELL(cuDeviceGet_(&device, 0));
    TELL(cuDevicePrimaryCtxRetain_(&context, device));
    TELL(cuCtxPushCurrent_(context));
    tell("cuStreamCreate", stream_create(&stream, CU_STREAM_NON_BLOCKING));
    tell("cuModuleLoadData(IMAGE)", load_module(&module, image));
    tell("cuModuleGetFunction(saxpy)", get_function(&saxpy, module, "saxpy"));
    tell("cuModuleGetFunction(saxpy_wild)", get_function(&saxpy_wild, module, "saxpy_wild"));
    TELL(cuMemAlloc_(&x, BYTES));
    TELL(cuMemAlloc_(&y, BYTES));
}
static void of_the_device(void) {
    static const struct {
        const char *name;
        CUdevice_attribute attribute;
    } attributes[] = {{"compute capability, major", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
                      {"compute capability, minor", CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
                      {"multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
                      {"L2 bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
                      {"threads per block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
                      {"shared bytes per block", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
                      {"shared bytes per block, opted in", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN}};
    unsigned long long id = 0;
    char name[128];
    CUcontext current;
    CUdevice device;
    size_t bytes;
    int value;
    TELL(cuCtxGetDevice_(&device));
    TELL(cuDeviceGetName_(name, sizeof name, device));
    TELL(cuDeviceTotalMem_(&bytes, device));
    printf("     %s, %zu bytes\n", name, bytes);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (TELL_OF(attributes[i].name, cuDeviceGetAttribute_(&value, attributes[i].attribute, device)) == CUDA_SUCCESS)
            printf("     %d\n", value);
    TELL(cuCtxGetId_(context, &id));
    TELL(cuStreamGetCtx_(stream, &current));
    printf("     %s context\n", current == context ? "the same" : "another");
    TELL(cuStreamGetCtx_(CU_STREAM_LEGACY, &current));
    TELL(cuStreamGetCtx_(CU_STREAM_PER_THREAD, &current));
}
static void of_memory(void) {
    static float host[N];
    CUdeviceptr memory = 0, freed;
    TELL(cuMemAlloc_(&memory, 0));
    TELL(cuMemAlloc_(&memory, (size_t)1 << 50));
    TELL(cuMemFree_(0x1000));
    TELL(cuMemAlloc_(&freed, BYTES));
    TELL(cuMemFree_(freed));
    TELL_OF("cuMemFree again", cuMemFree_(freed));
    TELL(cuMemcpyAsync_(y, x, BYTES, stream));
    TELL_OF("cuMemcpyAsync from pageable memory", cuMemcpyAsync_(x, (CUdeviceptr)(uintptr_t)host, BYTES, stream));
    TELL_OF("cuMemcpyAsync to pageable memory", cuMemcpyAsync_((CUdeviceptr)(uintptr_t)host, x, BYTES, stream));
    TELL_OF("cuMemcpyAsync to NULL", cuMemcpyAsync_(0, x, BYTES, stream));
    TELL_OF("cuMemcpyAsync behind the end", cuMemcpyAsync_(y, x, (size_t)1 << 40, stream));
    TELL_OF("cuMemcpyAsync on the legacy stream", cuMemcpyAsync_(y, x, BYTES, CU_STREAM_LEGACY));
    TELL_OF("cuMemcpyAsync on the thread's stream", cuMemcpyAsync_(y, x, BYTES, CU_STREAM_PER_THREAD));
    TELL(cuMemsetD8Async_(y, 0, BYTES, stream));
    TELL_OF("cuMemsetD8Async of NULL", cuMemsetD8Async_(0, 0, 16, stream));
    TELL(cuStreamSynchronize_(stream));
}
static void of_launches(void) {
    CUmodule module;
    CUfunction function;
    tell("cuModuleLoadData(not an image)",
         load_module(&module, "not an image, but long enough to be looked at as one, whatever it is"));
    tell("cuModuleLoadData(IMAGE)", load_module(&module, image));
    tell("cuModuleGetFunction(what is not there)", get_function(&function, module, "what_is_not_there"));
    tell("a launch", launch(saxpy, 20, 256, 0));
    tell("a launch of no block", launch(saxpy, 0, 256, 0));
    tell("a launch of no thread", launch(saxpy, 20, 0, 0));
    tell("a launch of 2048 threads", launch(saxpy, 20, 2048, 0));
    tell("a launch with 64 KiB of shared memory", launch(saxpy, 20, 256, 64 << 10));
    tell("a launch with 1 MiB of shared memory", launch(saxpy, 20, 256, 1 << 20));
    tell("a launch of no kernel", launch(NULL, 20, 256, 0));
    TELL(cuStreamSynchronize_(stream));
}
static void of_events(void) {
    CUevent first, second, unrecorded;
    CUdeviceptr large;
    float milliseconds;
    const size_t bytes = (size_t)1 << 28;
    TELL(cuEventCreate_(&first, CU_EVENT_DEFAULT));
    TELL(cuEventCreate_(&second, CU_EVENT_DEFAULT));
    TELL(cuEventCreate_(&unrecorded, CU_EVENT_DEFAULT));
    TELL_OF("cuEventQuery of one that was not recorded", cuEventQuery_(unrecorded));
    TELL_OF("cuEventElapsedTime of one that was not recorded", cuEventElapsedTime_(&milliseconds, unrecorded, second));
    TELL(cuMemAlloc_(&large, bytes));
    TELL(cuEventRecord_(first, stream));
    for (int i = 0; i < 20; i++) cuda->cuMemsetD8Async_(large, 0, bytes, stream);
    TELL(cuEventRecord_(second, stream));
    printf("     cuEventQuery before its time: %d\n", (int)cuda->cuEventQuery_(second));
    printf("     cuEventElapsedTime before its time: %d\n",
           (int)cuda->cuEventElapsedTime_(&milliseconds, first, second));
    TELL(cuStreamSynchronize_(stream));
    TELL(cuEventQuery_(second));
    TELL(cuEventElapsedTime_(&milliseconds, first, second));
    TELL(cuEventRecord_(first, CU_STREAM_LEGACY));
    TELL(cuEventRecord_(first, CU_STREAM_PER_THREAD));
    TELL(cuEventDestroy_(first));
    TELL(cuEventDestroy_(second));
    TELL(cuEventDestroy_(unrecorded));
    TELL(cuMemFree_(large));
}
static void of_capture(void) {
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUdeviceptr memory;
    CUevent event;
    CUgraph graph;
    TELL(cuEventCreate_(&event, CU_EVENT_DEFAULT));
    TELL(cuStreamIsCapturing_(stream, &status));
    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    TELL(cuStreamIsCapturing_(stream, &status));
    printf("     status %d\n", (int)status);
    TELL(cuStreamIsCapturing_(CU_STREAM_LEGACY, &status));
    TELL(cuStreamIsCapturing_(CU_STREAM_PER_THREAD, &status));
    tell("a captured launch", launch(saxpy, 20, 256, 0));
    TELL_OF("cuMemcpyAsync, captured", cuMemcpyAsync_(y, x, BYTES, stream));
    TELL_OF("exchange to relaxed", cuThreadExchangeStreamCaptureMode_(&mode));
    printf("     mode before: %d\n", (int)mode);
    TELL_OF("cuMemAlloc, relaxed", cuMemAlloc_(&memory, 4096));
    TELL_OF("cuMemFree, relaxed", cuMemFree_(memory));
    TELL_OF("cuEventCreate, relaxed", cuEventCreate_(&event, CU_EVENT_DEFAULT));
    TELL_OF("exchange back", cuThreadExchangeStreamCaptureMode_(&mode));
    tell("end capture", end_capture(stream, &graph));

    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    TELL_OF("cuMemAlloc while capturing", cuMemAlloc_(&memory, 4096));
    TELL_OF("cuStreamIsCapturing afterwards", cuStreamIsCapturing_(stream, &status));
    printf("     status %d\n", (int)status);
    tell("end capture", end_capture(stream, &graph));
    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    TELL_OF("cuStreamSynchronize while capturing", cuStreamSynchronize_(stream));
    tell("end capture", end_capture(stream, &graph));
    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    TELL_OF("cuEventRecord, captured", cuEventRecord_(event, stream));
    TELL_OF("cuEventQuery of a captured event", cuEventQuery_(event));
    tell("end capture", end_capture(stream, &graph));
    TELL_OF("cuStreamIsCapturing afterwards", cuStreamIsCapturing_(stream, &status));
    TELL(cuStreamSynchronize_(stream));
}
static void of_the_clock(void) {
    autotune_options options = {.launch_timeout = 10};
    autotune_backend *backend = autotune_cuda(stream), *session = backend->open(backend, stream, &options);
    double resolution = 0, cost = 0;
    printf("     %s\n", backend->device);
    session->calibrate(session, &resolution, &cost);
    printf("     events: steps of %.1f ns, an empty pair shows %.1f ns\n", resolution, cost);
    for (int i = 0; i < 5; i++) {
        double ns;
        session->flush(session);
        session->start(session);
        launch(saxpy, 20, 256, 0);
        session->stop(session, &ns);
        printf("     saxpy of %d, cold: %.1f ns\n", N, ns);
    }
    session->close(session);
}
static void of_kernels(void) {
    static const struct {
        const char *name;
        CUfunction_attribute attribute;
    } attributes[] = {{"threads per block", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
                      {"static shared bytes", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
                      {"registers", CU_FUNC_ATTRIBUTE_NUM_REGS}};
    char log[256] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUmodule module;
    size_t offset, size;
    int value;
    TELL(cuModuleLoadDataEx_(&module, image, 2, options, values));
    TELL_OF("cuModuleLoadDataEx of text",
            cuModuleLoadDataEx_(&module, "this is no PTX, and no cubin either", 2, options, values));
    printf("     log: %s\n", log);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (TELL_OF(attributes[i].name, cuFuncGetAttribute_(&value, attributes[i].attribute, saxpy)) == CUDA_SUCCESS)
            printf("     %d\n", value);
    TELL(cuFuncLoad_(saxpy));
    for (size_t i = 0; i <= 4; i++)
        if (TELL(cuFuncGetParamInfo_(saxpy, i, &offset, &size)) == CUDA_SUCCESS) printf("     %zu bytes\n", size);
    TELL_OF("100 KiB of dynamic shared memory",
            cuFuncSetAttribute_(saxpy, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 << 10));
    tell("a launch with them", launch(saxpy, 20, 256, 100 << 10));
    TELL_OF("1 MiB of dynamic shared memory",
            cuFuncSetAttribute_(saxpy, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    TELL(cuStreamSynchronize_(stream));
}
/* Launches with clusters of `cluster` blocks, or without the attribute if `cluster` is 0; and cooperative launches. */
static CUresult launch_ex(CUfunction function, unsigned blocks, unsigned cluster, bool cooperative) {
    static const autotune_cuda_shape plain = {{256, 1, 1}, {1, 1, 1}, 0};
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    const autotune__cuda_kernel kernel = {.function = function};
    autotune__cuda_call call = {.blocks = {blocks, 1, 1}, .shape = plain, .arguments = {arguments, NULL, 4}};
    call.shape.cluster.x = cluster;
    call.shape.attributes = (cluster ? AUTOTUNE__CUDA_CLUSTERED : 0u) | (cooperative ? AUTOTUNE__CUDA_COOPERATIVE : 0u);
    return autotune__cuda_start_with_attributes(&kernel, &call, stream);
}
static void of_attributes(void) {
    tell("cuLaunchKernelEx without attributes", launch_ex(saxpy, 20, 0, false));
    tell("cuLaunchKernelEx of no kernel", launch_ex(NULL, 20, 0, false));
    tell("a cluster of 1", launch_ex(saxpy, 20, 1, false));
    tell("clusters of 2", launch_ex(saxpy, 20, 2, false));
    tell("20 blocks in clusters of 8", launch_ex(saxpy, 20, 8, false));
    tell("clusters of 16, not allowed yet", launch_ex(saxpy, 32, 16, false));
    TELL_OF("larger clusters are allowed",
            cuFuncSetAttribute_(saxpy, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    tell("clusters of 16", launch_ex(saxpy, 32, 16, false));
    tell("clusters of 32", launch_ex(saxpy, 32, 32, false));
    tell("a cooperative launch", launch_ex(saxpy, 20, 0, true));
    tell("a cooperative launch in clusters of 2", launch_ex(saxpy, 20, 2, true));
    tell("a cooperative launch of a million blocks", launch_ex(saxpy, 1 << 20, 0, true));
    TELL(cuStreamSynchronize_(stream));
}

/* Statements of autotune_cuda.h: with a program, with a launch that fails, and on a captured stream. */
static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void fill(int n, float *x) {\n"
    "    int i = ((int)blockIdx.x * THREADS_OF + (int)threadIdx.x) * EACH;\n"
    "    for (int k = 0; k < EACH && i < n; k++, i++) x[i] = 2 * i;\n"
    "}\n");
static autotune_result tune_program(unsigned n, CUdeviceptr memory, int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(THREADS_OF, 64u, 256u, 1024u, 2048u), AXIS(EACH, 1u, 4u)),
             (n + THREADS_OF * EACH - 1) / (THREADS_OF * EACH),
             CUDA_LAUNCH(&program, "fill", THREADS_OF, SHARED(0), (int)n, memory), .backend = CUDA(stream),
             .key = KEY(key), .outputs = BUFFERS({(void *)(uintptr_t)memory, 4 * (size_t)n, AUTOTUNE_F32}),
             .result = &result);
    return result;
}
static void say_result(const char *what, const autotune_result *result) {
    printf("     %s: %s; configuration %zu, hit %d, tried %zu, failed %zu, median %.1f ns, first %.1f ns\n", what,
           autotune_status_text(result->status), result->index, (int)result->cache_hit, result->tried, result->failed,
           result->median_ns, result->default_ns);
    if (result->status != AUTOTUNE_OK) printf("     %s\n", autotune_last_error());
}
static void of_the_whole(void) {
    const unsigned n = 20000;
    CUdeviceptr memory;
    CUgraph graph;
    autotune_result result;
    setenv("AUTOTUNE_MAX_SECONDS", "60", 1);
    TELL(cuMemAlloc_(&memory, 4 * n));
    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    result = tune_program(n, memory, 1);
    say_result("captured before it was tuned", &result);
    tell("end capture", end_capture(stream, &graph));
    result = tune_program(n, memory, 1);
    say_result("tuned", &result);
    result = tune_program(n, memory, 1);
    say_result("hit", &result);
    tell("begin capture", begin_capture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    result = tune_program(n, memory, 1);
    say_result("captured", &result);
    tell("end capture", end_capture(stream, &graph));
}
static autotune_result tune_wild(CUfunction function) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u)), 40, launch(function, blocks.x, block, 0), .backend = CUDA(stream),
             .result = &result);
    return result;
}

/* Makes statements after a kernel accessed an illegal address. */
static void of_a_lost_device(void) {
    autotune_result result;
    enter_context();
    result = tune_wild(saxpy_wild);
    say_result("an illegal address", &result);
    result = tune_wild(saxpy);
    say_result("afterwards", &result);
}
static void of_an_illegal_address(void) {
    CUstreamCaptureStatus status;
    CUcontext current;
    CUevent event;
    CUdeviceptr memory;
    enter_context();
    TELL(cuEventCreate_(&event, CU_EVENT_DEFAULT));
    tell("a launch of saxpy_wild", launch(saxpy_wild, 40, 128, 0));
    TELL_OF("cuEventRecord, at once", cuEventRecord_(event, stream));
    sleep(1);
    TELL_OF("cuEventQuery, a second later", cuEventQuery_(event));
    TELL_OF("cuStreamSynchronize afterwards", cuStreamSynchronize_(stream));
    TELL_OF("cuMemAlloc afterwards", cuMemAlloc_(&memory, 16));
    TELL_OF("cuCtxGetCurrent afterwards", cuCtxGetCurrent_(&current));
    TELL_OF("cuStreamIsCapturing afterwards", cuStreamIsCapturing_(stream, &status));
    TELL_OF("cuEventDestroy afterwards", cuEventDestroy_(event));
    tell("a launch afterwards", launch(saxpy, 20, 256, 0));
    TELL_OF("cuMemFree afterwards", cuMemFree_(x));
}

static void *function_named(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) fprintf(stderr, "the driver has no %s\n", name), exit(EXIT_FAILURE);
    return function;
}
#define TAKE(pointer, name)                           \
    do {                                              \
        void *symbol = function_named(library, name); \
        memcpy(&pointer, &symbol, sizeof pointer);    \
    } while (0)
static bool in_a_process_of_its_own(char **arguments, char *name) {
    int status = 0;
    printf("---- in a process of its own: %s\n", name);
    fflush(stdout);
    if (fork() == 0) { /* exec at once, because CUDA does not survive a fork */
        execl("/proc/self/exe", arguments[0], arguments[1], name, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    wait(&status);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}
int main(int count, char **arguments) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (!file || !fread(image, 1, sizeof image, file) || !library)
        return fprintf(stderr, "conformance IMAGE, and libcuda.so.1\n"), EXIT_FAILURE;
    fclose(file);
    if (!autotune__cuda_works()) return fprintf(stderr, "%s\n", autotune__driver.problem), EXIT_FAILURE;
    TAKE(stream_create, "cuStreamCreate");
    TAKE(begin_capture, "cuStreamBeginCapture_v2");
    TAKE(end_capture, "cuStreamEndCapture");
    TAKE(load_module, "cuModuleLoadData");
    TAKE(get_function, "cuModuleGetFunction");
    TAKE(launch_kernel, "cuLaunchKernel");
    if (count > 2) {
        if (!strcmp(arguments[2], "lost_device"))
            of_a_lost_device();
        else
            of_an_illegal_address();
        return EXIT_SUCCESS;
    }
    without_a_context();
    enter_context();
    of_the_device();
    of_memory();
    of_launches();
    of_events();
    of_capture();
    of_the_clock();
    of_kernels();
    of_attributes();
    of_the_whole();
    return in_a_process_of_its_own(arguments, "illegal_address") && in_a_process_of_its_own(arguments, "lost_device")
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
