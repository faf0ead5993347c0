/* suite_faults.c - every function of the driver and of NVRTC that the header calls fails, with an error of every class.
   It fails at its first call and at a later one, each time in a process of its own. No process may crash or hang, no
   launch may be lost or doubled, and nothing may leak. The status must be that of the class, and the sentence must name
   the statement and the error. */
#define _GNU_SOURCE
#include "saxpy.h"
#include "../backends.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct outcome {
    bool ended, leaked;
    autotune_status status, again; /* of the statement, and of a second call of the statement */
    int made;                      /* calls for real, as the memory shows; -1: no number of calls gives this memory */
    size_t failed;                 /* configurations that failed */
    unsigned calls;                /* calls of the function */
    char sentence[1024], misuse[256];
} outcome;
static outcome *shared; /* the memory that the process of a fault shares with the test */

enum { ELEMENTS = 256, SIZE = 4 * ELEMENTS };
static autotune_cuda_program saxpy_file = CUDA_PROGRAM_FILE(SOURCES "/saxpy.cu");
static autotune_cuda_program saxpy_source = CUDA_PROGRAM(
    "extern \"C\" __global__ void saxpy(int n, float a, const float *x, float *y) {\n"
    "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "    if (i < n) y[i] = a * x[i] + SCALE * y[i];\n"
    "    static_assert(OTHER > 0, \"each of its values is compiled\");\n"
    "}\n");

/* A statement that uses most functions of the driver. It has a snapshot, outputs, clusters, and shared memory. Before
   the statement no context is current, so it takes the context of its stream. */
static unsigned in_clusters_of(unsigned cluster, unsigned blocks) { return (blocks + cluster - 1) / cluster * cluster; }
static autotune_result tune_file(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(THREADS_OF, 64u, 128u), AXIS(BLOCKS_OF, 1u, 2u)),
             in_clusters_of(BLOCKS_OF, cld(ELEMENTS, THREADS_OF)),
             CUDA_LAUNCH(&saxpy_file, "saxpy", CLUSTER(THREADS(THREADS_OF), BLOCKS_OF), SHARED(50000), (int)ELEMENTS,
                         2.0f, x, y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), SIZE}),
             .outputs = BUFFERS({device(y), SIZE, AUTOTUNE_F32}), .result = &result);
    return result;
}
static autotune_result tune_source(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(SCALE, 1), AXIS(OTHER, 1, 2)), cld(ELEMENTS, 64),
             CUDA_LAUNCH(&saxpy_source, "saxpy", THREADS(64), SHARED(0), (int)ELEMENTS, 2.0f, x, y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), SIZE}), .result = &result);
    return result;
}
/* A statement on the default stream, while no context is current. So the statement makes the primary context, and runs
   in it. */
static autotune_result fill_by_default(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(byte, 7)), 1, cuMemsetD8Async(y, (unsigned char)byte, SIZE, 0), .backend = CUDA(0),
             .result = &result);
    return result;
}

/* A statement with hot batches, whose stream is held. Each launch of the kernel writes the same values. */
static autotune_result tune_hot(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(THREADS_OF, 8u, 4u), AXIS(variant, 0, 1)), 1,
             CUDA_LAUNCH(&saxpy_file, "block_sums", THREADS(THREADS_OF), SHARED(256), 4, x, y),
             .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result);
    return result;
}

static int times_called(void) {
    MUST(cuMemcpyDtoH(host, y, SIZE));
    const int times = ((int)host[1] - 1) / 2;
    for (int i = 0; i < ELEMENTS; i++)
        if (host[i] != (float)i * (float)(1 + 2 * times)) return -1;
    return times;
}
static int sum_was_written(void) {
    MUST(cuMemcpyDtoH(host, y, SIZE));
    return host[0] == 0 + 1 + 2 + 3;
}
static void try_fault(autotune_result (*tune)(void), const char *function, unsigned nth, int code) {
    alarm(600);
    start_cuda();
    setenv("AUTOTUNE_LOG", "off", 1);
    setenv("AUTOTUNE_PRESET", "fast", 1);
    const size_t memory = standin_memory_in_use(), objects = standin_objects();
    const unsigned before = standin_calls(function);
    MUST(cuCtxSetCurrent(NULL));
    if (!strncmp(function, "nvrtc", 5))
        standin_fail_nvrtc(function, nth);
    else if (nth)
        standin_fail(function, nth, code);
    const autotune_result result = tune();
    shared->calls = standin_calls(function) - before;
    shared->status = result.status;
    shared->failed = result.failed;
    snprintf(shared->sentence, sizeof shared->sentence, "%s", autotune_last_error());
    MUST(cuCtxSetCurrent(context));
    shared->made = tune == tune_hot ? sum_was_written() : times_called();
    /* The module of the winner stays. */
    shared->leaked = standin_memory_in_use() > memory || standin_objects() > objects + 1;
    MUST(cuCtxSetCurrent(NULL));
    shared->again = tune().status;
    MUST(cuCtxSetCurrent(context));
    if (tune != fill_by_default && tune != tune_hot && shared->made >= 0 && shared->again == AUTOTUNE_OK &&
        times_called() != shared->made + 1)
        shared->made = -1;
    snprintf(shared->misuse, sizeof shared->misuse, "%s", standin_misuse());
    shared->ended = true;
}
static outcome in_a_process(autotune_result (*tune)(void), const char *function, unsigned nth, int code) {
    memset(shared, 0, sizeof *shared);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        in_child = true;
        try_fault(tune, function, nth, code);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return *shared;
}
static void start_faults(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(shared != MAP_FAILED);
}
TestSuite(faults, .init = start_faults);

/* ---- What is expected -----------------------------------------------------------------------------------------------
 */

enum { CONFIGURATION, STATE, ENVIRONMENT, STICKY, CLASSES };
static const int codes[CLASSES] = {701, 900, 804, 700};

/* The effect on the statement if a call of the driver fails. */
typedef enum meaning {
    NONE,    /* the statement succeeds: it does without the call, or a later call finds the error */
    TRIAL,   /* the configuration that is tried fails; the class of the error says whether the race ends, too */
    CLOCK,   /* the statement succeeds with a less precise clock; a sticky error means that the device is lost */
    SAVING,  /* there is no snapshot: if CUDA still works, the first configuration is launched untuned */
    MEMORY,  /* like SAVING, but the status is AUTOTUNE_ERR_MEMORY, except for a sticky error */
    ENTRY,   /* nothing is tuned, and the call is not made */
    CAPTURE, /* like ENTRY: the statement cannot know whether the stream is captured */
    OPENING, /* CUDA is not available for the rest of the process */
    CONTEXT, /* the statement has no context */
} meaning;
static const struct {
    const char *function;
    meaning first, later;
} effects[] = {{"cuInit", OPENING, NONE},
               {"cuDriverGetVersion", OPENING, NONE},
               {"cuDeviceGetCount", OPENING, NONE},
               {"cuDeviceGetName", NONE, NONE},
               {"cuDeviceTotalMem", NONE, NONE},
               {"cuDeviceGetAttribute", NONE, NONE},
               {"cuCtxGetCurrent", NONE, NONE},
               {"cuCtxGetDevice", NONE, NONE}, /* the library calls this to describe the device */
               /* The first call is made to describe the device, and repeated if it fails. A later call enters the
                  context. */
               {"cuCtxPushCurrent", NONE, ENTRY},
               {"cuCtxPopCurrent", NONE, NONE},
               {"cuCtxGetId", NONE, NONE},
               {"cuStreamGetCtx", NONE, CONTEXT},
               {"cuStreamIsCapturing", CAPTURE, NONE},
               {"cuThreadExchangeStreamCaptureMode", NONE, NONE},
               {"cuStreamSynchronize", CLOCK, TRIAL},
               {"cuEventCreate", CLOCK, TRIAL},
               {"cuEventRecord", CLOCK, TRIAL},
               {"cuEventQuery", CLOCK, TRIAL},
               {"cuEventElapsedTime", CLOCK, TRIAL},
               {"cuMemAlloc", MEMORY, CLOCK},
               {"cuMemcpyAsync", SAVING, TRIAL},
               {"cuMemsetD8Async", CLOCK, TRIAL},
               {"cuModuleLoadDataEx", TRIAL, TRIAL},
               {"cuModuleGetFunction", TRIAL, TRIAL},
               {"cuFuncLoad", TRIAL, TRIAL},
               {"cuFuncGetAttribute", TRIAL, TRIAL},
               {"cuFuncSetAttribute", TRIAL, TRIAL},
               {"cuFuncGetParamInfo", TRIAL, TRIAL},
               {"cuLaunchKernel", TRIAL, TRIAL},
               {"cuLaunchKernelEx", TRIAL, TRIAL}};

static autotune_status expected_status(meaning effect, int class) {
    static const autotune_status of_class[CLASSES] = {AUTOTUNE_FAILED, AUTOTUNE_ERR_ENVIRONMENT,
                                                      AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_DEVICE};
    switch (effect) {
    case NONE: return AUTOTUNE_OK;
    case TRIAL: return class == CONFIGURATION ? AUTOTUNE_OK : of_class[class];
    case CLOCK: return class == STICKY ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_OK;
    case MEMORY: return class == STICKY ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_MEMORY;
    case CAPTURE: return class == CONFIGURATION ? AUTOTUNE_ERR_ENVIRONMENT : of_class[class];
    case SAVING:
    case ENTRY: return of_class[class];
    case OPENING:
    case CONTEXT: return AUTOTUNE_ERR_ENVIRONMENT;
    }
    return AUTOTUNE_OK;
}
static void expect_effect(const char *function, bool later, meaning effect, int class, const outcome *o) {
    const autotune_status expected = expected_status(effect, class);
    const bool lost = expected == AUTOTUNE_ERR_DEVICE;
    char code[16];
    snprintf(code, sizeof code, "(%d)", codes[class]);
#define EXPECT(condition) \
    cr_expect(condition, "%s, %s call, %s: %s: status %d, then %d; %d made, %zu failed; %s %s", function, \
              later ? "a later" : "the first", \
              code, #condition, (int)o->status, (int)o->again, o->made, o->failed, o->sentence, o->misuse)
    EXPECT(o->ended);
    EXPECT(!*o->misuse);
    EXPECT(o->status == expected);
    EXPECT(o->failed == (effect == TRIAL && (class == CONFIGURATION || expected != AUTOTUNE_OK)) || effect == CLOCK);
    if (expected != AUTOTUNE_OK) {
        EXPECT(strstr(o->sentence, "suite_faults.c:tune_file: "));
        EXPECT(strstr(o->sentence, code));
        EXPECT(lost || (o->made == 1) == !strstr(o->sentence, "the call was not made"));
    }
    EXPECT(lost || o->made == (expected == AUTOTUNE_OK ||
                               strstr(o->sentence, "the first configuration is launched untuned") != NULL));
    EXPECT(lost || !o->leaked);
    EXPECT(o->again == (lost || effect == OPENING ? expected : AUTOTUNE_OK));
#undef EXPECT
}
/* Makes one call of the function fail: the call in the middle of a run. A run may make fewer calls than the run before,
   because cuEventQuery is called until an event completes. If a run ends before the call that should fail, the test
   takes the middle of that run. */
static void try_a_later_call(const char *function, meaning effect, unsigned calls, int class) {
    outcome o;
    unsigned nth;
    do {
        nth = calls / 2 + 1;
        o = in_a_process(tune_file, function, nth, codes[class]);
        calls = o.calls;
    } while (o.ended && calls < nth);
    expect_effect(function, true, effect, class, &o);
}
static void try_functions(size_t from, size_t to) {
    for (size_t i = from; i < to && i < sizeof effects / sizeof *effects; i++) {
        const char *function = effects[i].function;
        const outcome clean = in_a_process(tune_file, function, 0, 0);
        cr_assert(clean.calls && clean.status == AUTOTUNE_OK && clean.made == 1 && !clean.leaked, "%s", function);
        for (int class = 0; class < CLASSES; class ++) {
            const outcome o = in_a_process(tune_file, function, 1, codes[class]);
            expect_effect(function, false, effects[i].first, class, &o);
            if (clean.calls > 1) try_a_later_call(function, effects[i].later, clean.calls, class);
        }
    }
}

/* ---- The driver -----------------------------------------------------------------------------------------------------
 */

Test(faults, where_cuda_is_opened_and_entered) { try_functions(0, 14); }
Test(faults, of_streams_and_events) { try_functions(14, 19); }
Test(faults, of_memory) { try_functions(19, 23); }
Test(faults, of_kernels) { try_functions(23, 99); }

Test(faults, what_cannot_be_freed_is_no_error_of_the_statement) {
    for (int class = 0; class < CLASSES; class ++) {
        const outcome memory = in_a_process(tune_file, "cuMemFree", 2, codes[class]),
                      event = in_a_process(tune_file, "cuEventDestroy", 1, codes[class]);
        cr_expect(memory.ended && memory.status == AUTOTUNE_OK && memory.made == 1 && !*memory.misuse, "%d: %s",
                  codes[class], memory.sentence);
        cr_expect(memory.again == (class == STICKY ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_OK), "%d", codes[class]);
        cr_expect(event.ended && event.status == AUTOTUNE_OK && event.made == 1 && event.again == AUTOTUNE_OK &&
                      !*event.misuse,
                  "%d: %s", codes[class], event.sentence);
    }
}
Test(faults, the_primary_context_is_asked_for_again) {
    static const char *const functions[] = {"cuDeviceGet", "cuDevicePrimaryCtxRetain"};
    for (size_t i = 0; i < 2; i++)
        for (int class = 0; class < CLASSES; class ++) {
            const outcome o = in_a_process(fill_by_default, functions[i], 1, codes[class]);
            cr_expect(o.ended && o.calls == 2 && o.status == AUTOTUNE_OK && !*o.misuse, "%s: %s", functions[i],
                      o.sentence);
        }
}
/* If a stream cannot be held, launches are made without a hold. The failure of cuLaunchHostFunc() alone changes
   nothing: if the device were lost, the next call of the driver would fail, too. */
Test(faults, of_holding) {
    const outcome clean = in_a_process(tune_hot, "cuLaunchHostFunc", 0, 0);
    cr_expect(clean.calls && clean.status == AUTOTUNE_OK && clean.made == 1 && !clean.leaked);
    for (int class = 0; class < CLASSES; class ++) {
        const outcome o = in_a_process(tune_hot, "cuLaunchHostFunc", 1, codes[class]);
        cr_expect(o.ended && o.status == AUTOTUNE_OK && o.made == 1 && o.again == AUTOTUNE_OK && !*o.misuse,
                  "%d: %s %s", codes[class], o.sentence, o.misuse);
        cr_expect(o.failed == 0 && !o.leaked, "%d", codes[class]);
    }
}
/* The table `effects` must have each function of the driver that tune_file() calls. So this test fails if the header
   begins to call another function. */
Test(faults, no_function_of_the_driver_is_left_out) {
    size_t count;
    const char *const *const functions = cuda_functions(&count);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < sizeof effects / sizeof *effects && strcmp(effects[k].function, functions[i])) k++;
        if (k < sizeof effects / sizeof *effects || !strcmp(functions[i], "cuMemFree") ||
            !strcmp(functions[i], "cuEventDestroy"))
            continue;
        cr_expect_eq(in_a_process(tune_file, functions[i], 0, 0).calls, 0, "%s", functions[i]);
    }
}

/* ---- NVRTC ----------------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *function, *sentence; /* sentence: why the configuration fails; NULL: it does not fail */
} compiling[] = {{"nvrtcVersion", NULL},
                 {"nvrtcGetNumSupportedArchs", NULL},
                 {"nvrtcGetSupportedArchs", NULL},
                 {"nvrtcCreateProgram", "does not compile: NVRTC gives no reason (11)"},
                 {"nvrtcDestroyProgram", NULL},
                 {"nvrtcAddNameExpression", "does not compile: NVRTC gives no reason (11)"},
                 {"nvrtcCompileProgram", "does not compile: NVRTC gives no reason (11)"},
                 {"nvrtcGetLoweredName", "was compiled, but NVRTC gives no kernel saxpy"},
                 {"nvrtcGetCUBINSize", NULL}, /* the library loads PTX instead */
                 {"nvrtcGetCUBIN", "was compiled, but NVRTC gives no kernel saxpy"}};

Test(faults, what_nvrtc_does_not_do_fails_its_configuration) {
    for (size_t i = 0; i < sizeof compiling / sizeof *compiling; i++)
        for (unsigned nth = 1; nth <= 2; nth++) {
            const outcome o = in_a_process(tune_source, compiling[i].function, nth, 0);
            cr_expect(o.ended && o.status == AUTOTUNE_OK && o.made == 1 && o.again == AUTOTUNE_OK && !*o.misuse,
                      "%s, %u: %d %s", compiling[i].function, nth, (int)o.status, o.sentence);
            cr_expect(!o.leaked && o.failed == (compiling[i].sentence != NULL), "%s, %u: %zu failed",
                      compiling[i].function, nth, o.failed);
        }
}
