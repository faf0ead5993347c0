/* plain_device_outputs.c - large .outputs are filled and compared on the device. The device is the stand-in, or a real
   GPU with the preset gpu, where the kernel is the PTX of the library. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include "../elements.h"
#include "standin.h"

#define MUST(call) CHECK((call) == CUDA_SUCCESS)

enum { BYTES = 1 << 19, VARIANTS = 6 };
static CUcontext context;
static CUstream stream;
static CUdeviceptr source, output, spare; /* source: BYTES for each variant, which the variant copies to its output */
static char logged[1 << 16];

static void keep_log(void *user, autotune_log_level level, const char *line) {
    const size_t length = strlen(logged);
    (void)user, (void)level;
    snprintf(logged + length, sizeof logged - length, "%s\n", line);
}
static void begin(void) {
    MUST(cuInit(0));
    MUST(cuCtxCreate(&context, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuMemAlloc(&source, VARIANTS * BYTES));
    MUST(cuMemAlloc(&output, BYTES));
    MUST(cuMemAlloc(&spare, BYTES));
    setenv("AUTOTUNE_MAX_SECONDS", "60", 1);    /* times of the stand-in are virtual, but this limit is real time */
    setenv("AUTOTUNE_LOG", "full", 1);
}
static void device_and_cpu_agree(void) {
    static const autotune_options usual;
    autotune_backend *backend = CUDA(stream), *opened = backend->open(backend, backend->place(backend), &usual);
    CHECK(opened && opened->ready(opened) == AUTOTUNE_OK);
    check_elements(opened);
    opened->close(opened);
}

static void *memory_of(CUdeviceptr memory) { return (void *)(uintptr_t)memory; }
/* cuMemcpyHtoD() may return before the device has all bytes, and the stream does not wait for them. */
static void put(int variant, size_t offset, const void *from, size_t bytes) {
    MUST(cuMemcpyHtoD(source + (size_t)variant * BYTES + offset, from, bytes));
    MUST(cuCtxSynchronize());
}
static size_t left_out[VARIANTS]; /* for each variant: how many bytes at the end of the output it does not write */
/* Variant 0 makes no fills, so it is the fastest by far, and races are short. */
static CUresult copy(int variant, CUdeviceptr to) {
    for (int i = 0; i < (variant ? 4 : 0); i++) MUST(cuMemsetD8Async(spare, 0, BYTES, stream));
    return cuMemcpyAsync(to, source + (size_t)variant * BYTES, BYTES - left_out[variant], stream);
}
#ifdef REAL_DEVICE
static unsigned launches_by_the_standin(void) { return 0; }
#else
static unsigned launches_by_the_standin(void) { return standin_launches("autotune_elements"); }
#endif
/* In the last race: how often the kernel that fills and compares outputs was launched. Only the stand-in counts it. */
static unsigned asked;
static autotune_result race(void *memory, size_t bytes, autotune_type type, autotune_buffers restored) {
    static int races;
    autotune_result result;
    races++;
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    asked = launches_by_the_standin();
    AUTOTUNE(SPACE(RANGE(variant, 0, VARIANTS - 1, 1)), 1, copy(variant, (CUdeviceptr)(uintptr_t)memory),
             .backend = CUDA(stream), .cache = AUTOTUNE_CACHE_OFF, .outputs = BUFFERS({memory, bytes, type}),
             .restore = restored, .key = KEY(races),
             .preset = AUTOTUNE_FAST, .result = &result);
    asked = launches_by_the_standin() - asked;
    return result;
}
static const autotune_buffers nothing;
/* Returns the lines of the log that say why configurations failed. */
static const char *reasons(void) {
    static char found[4096];
    *found = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        char part[40];
        snprintf(part, sizeof part, "variant=%d  (wrong output", variant);
        const char *at = strstr(logged, part);
        const size_t used = strlen(found);
        if (at) snprintf(found + used, sizeof found - used, "%.*s\n", (int)strcspn(at, "\n"), at);
    }
    return found;
}
static void floats_for_variants(void) {
    static float values[BYTES / 4];
    const float near = 1.0000001f, wrong = 5;
    for (size_t i = 0; i < BYTES / 4; i++) values[i] = 1;
    for (int variant = 0; variant < VARIANTS; variant++) put(variant, 0, values, BYTES);
    put(2, 4 * 55555, &wrong, 4);
    put(2, 4 * 66666, &wrong, 4);
    put(3, 4 * 12345, &near, 4);
    left_out[4] = 4;
    memset(values, 0xff, BYTES);                /* NaNs */
    put(5, 0, values, BYTES);
}
static void wrong_outputs_are_told_as_the_cpu_tells_them(void) {
    void *on_cpu = malloc(BYTES);
    static char by_device[4096];
    CHECK(on_cpu != NULL);
    floats_for_variants();
    autotune_result result = race(memory_of(output), BYTES, AUTOTUNE_F32, nothing);
    CHECK(result.status == AUTOTUNE_OK && result.tried == VARIANTS && result.failed == 3 && result.index != 2);
    CHECK(SEEN(asked > VARIANTS));
    CHECK(strstr(logged, "variant=2  (wrong output: element 55555 is 5, not 1)"));
    CHECK(strstr(logged, "variant=4  (wrong output: element 131071 is "));
    CHECK(strstr(logged, "variant=5  (wrong output: element 0 is "));
    strcpy(by_device, reasons());
    /* The output is now memory of the CPU, which no kernel can access. So the CPU compares. */
    result = race(on_cpu, BYTES, AUTOTUNE_F32, nothing);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 3 && SEEN(asked == 0));
    CHECK(!strcmp(by_device, reasons()));
    free(on_cpu);
}
static void outputs_that_are_restored_are_compared_and_not_poisoned(void) {
    floats_for_variants();
    MUST(cuMemcpyAsync(output, source, BYTES, stream));
    const autotune_result result =
        race(memory_of(output), BYTES, AUTOTUNE_BYTES, BUFFERS({(void *)(uintptr_t)output, BYTES}));
    /* Variant 3 fails, too: as bytes, a float that is only near the expected float is different. */
    CHECK(result.status == AUTOTUNE_OK && result.failed == 3 && SEEN(asked == VARIANTS));
    CHECK(strstr(logged, "variant=3  (wrong output: element 49380 is 0x01, not 0x00)"));
    CHECK(!strstr(logged, "variant=4  (wrong"));
}
static void a_part_of_an_array(void) {
    floats_for_variants();
    const size_t before = 4;                    /* bytes */
    const autotune_result result =
        race(memory_of(output), BYTES / 2 + before, AUTOTUNE_I16, BUFFERS({(void *)(uintptr_t)output, BYTES}));
    CHECK(result.status == AUTOTUNE_OK && result.failed == 3);
    CHECK(strstr(logged, "variant=2  (wrong output: element 111111"));
}
static void nothing_but_nans_is_told(void) {
    floats_for_variants();
    for (int variant = 0; variant < VARIANTS; variant++)
        MUST(cuMemcpyAsync(source + (size_t)variant * BYTES, source + 5 * BYTES, BYTES, stream));
    const autotune_result result = race(memory_of(output), BYTES, AUTOTUNE_F32, nothing);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 0);
    CHECK(strstr(logged, "a launch left nothing but NaNs in"));
}
#ifdef REAL_DEVICE
/* Prints how long the device takes to poison, and to compare, 1 GiB of elements of the type. */
static void print_times(autotune_type type, const char *name, CUdeviceptr large, CUdeviceptr copy_of_it) {
    static const autotune_options usual;
    autotune_backend *backend = CUDA(stream), *opened = backend->open(backend, backend->place(backend), &usual);
    autotune__memory memory;
    uint64_t answer, started[3];
    memset(&memory, 0, sizeof memory);
    memory.buffer.memory = memory_of(large);
    memory.buffer.bytes = (size_t)1 << 30;
    memory.buffer.type = type;
    memory.copy = memory_of(copy_of_it);
    CHECK(opened && opened->ready(opened) == AUTOTUNE_OK);
    for (int round = 0; round < 2; round++) {   /* the first round also loads the kernel; the second counts */
        started[0] = machine_ns();
        CHECK(autotune__ask_device(&memory, opened, AUTOTUNE_WRITE_POISON, NULL) == AUTOTUNE_OK);
        MUST(cuStreamSynchronize(stream));
        started[1] = machine_ns();
        CHECK(autotune__ask_device(&memory, opened, AUTOTUNE_FIND_DIFFERENCE, &answer) == AUTOTUNE_OK);
        started[2] = machine_ns();
        MUST(cuMemcpyAsync(copy_of_it, large, memory.buffer.bytes, stream));
    }
    printf("%s: 1 GiB is poisoned in %.2f ms, and compared in %.2f ms\n", name, (double)(started[1] - started[0]) / 1e6,
           (double)(started[2] - started[1]) / 1e6);
    CHECK(!answer);
    opened->close(opened);
}
/* The outputs of this race have 1 GiB. */
static void it_takes_some_milliseconds(void) {
    const size_t bytes = (size_t)1 << 30;
    CUdeviceptr other;
    enum { CONFIGURATIONS = 40 };
    CUdeviceptr large;
    autotune_result result;
    double seconds[2];
    MUST(cuMemAlloc(&large, bytes));
    for (int checked = 0; checked < 2; checked++) {
        AUTOTUNE(SPACE(RANGE(byte, 1, CONFIGURATIONS, 1)), 1,
                 cuMemsetD8Async(large, (unsigned char)(checked + byte - byte), bytes, stream), .backend = CUDA(stream),
                 .key = KEY(checked), .cache = AUTOTUNE_CACHE_OFF, .result = &result,
                 .outputs = checked ? BUFFERS({memory_of(large), bytes}) : nothing);
        CHECK(result.status == AUTOTUNE_OK && result.tried == CONFIGURATIONS && result.failed == 0);
        seconds[checked] = result.seconds;
    }
    const double ms = 1e3 * (seconds[1] - seconds[0]) / CONFIGURATIONS;
    printf("%.3f s without .outputs, %.3f s with 1 GiB of them: %.1f ms for each of %d configurations\n", seconds[0],
           seconds[1], ms, CONFIGURATIONS);
    CHECK(ms < 200);                            /* the CPU takes 1900 ms */
    MUST(cuMemAlloc(&other, bytes));
    print_times(AUTOTUNE_BYTES, "bytes", large, other);
    print_times(AUTOTUNE_F16, "F16", large, other);
    print_times(AUTOTUNE_F32, "F32", large, other);
    print_times(AUTOTUNE_F64, "F64", large, other);
    MUST(cuMemFree(large));
    MUST(cuMemFree(other));
}
#else
static void where_the_device_cannot_the_cpu_does(void) {
    static const char *const functions[] = {"cuPointerGetAttribute", "cuModuleLoadDataEx", "cuModuleGetFunction",
                                            "cuLaunchKernel", "cuMemAlloc"};
    const size_t memory = standin_memory_in_use(), objects = standin_objects();
    floats_for_variants();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        for (unsigned nth = 1; nth < 5; nth += 3) {
            standin_fail(functions[i], nth, 2);
            const autotune_result result = race(memory_of(output), BYTES, AUTOTUNE_F32, nothing);
            const bool lacks_memory = !strcmp(functions[i], "cuMemAlloc") && result.status != AUTOTUNE_OK;
            standin_fail(functions[i], 0, 0);
            CHECK(lacks_memory || (result.status == AUTOTUNE_OK && result.failed == 3));
            CHECK(lacks_memory || strstr(logged, "variant=2  (wrong output: element 55555 is 5, not 1)"));
            CHECK(lacks_memory || strstr(logged, "variant=4  (wrong output: element 131071 is "));
            CHECK(standin_memory_in_use() == memory && standin_objects() == objects);
        }
}
static void a_loss_of_the_device_is_one(void) {
    floats_for_variants();
    standin_fail("cuLaunchKernel", 4, 700);
    const autotune_result result = race(memory_of(output), BYTES, AUTOTUNE_F32, nothing);
    CHECK(result.status == AUTOTUNE_ERR_DEVICE);
    CHECK(last_error_has("comparing outputs: CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
}
#endif
int main(void) {
    const plain_test tests[] = {
        {"device_and_cpu_agree", device_and_cpu_agree},
        {"wrong_outputs_are_told_as_the_cpu_tells_them", wrong_outputs_are_told_as_the_cpu_tells_them},
        {"outputs_that_are_restored_are_compared_and_not_poisoned",
         outputs_that_are_restored_are_compared_and_not_poisoned},
        {"a_part_of_an_array", a_part_of_an_array},
        {"nothing_but_nans_is_told", nothing_but_nans_is_told},
#ifdef REAL_DEVICE
        {"it_takes_some_milliseconds", it_takes_some_milliseconds},
#else
        {"where_the_device_cannot_the_cpu_does", where_the_device_cannot_the_cpu_does},
        {"a_loss_of_the_device_is_one", a_loss_of_the_device_is_one},
#endif
    };
    begin();
    return RUN_PLAIN_TESTS(tests);
}
