/* plain_device_faults.c - errors on a real device, each in its own process: how the statement ends, and what the next
   process knows. For the preset gpu; other presets only compile it. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "device_process.h"
#include <pthread.h>

enum { MANY = 8 };

/* ---- What the processes do -------------------------------------------------------------------------------------- */

/* Values of the axis FAULT. The space also has the values 3 and 4, which have no fault. The kernel of the value 3 does
   not wait, all other kernels wait. So 3 is clearly the fastest. */
enum fault { NO_FAULT, ILLEGAL_ADDRESS, TWO_SECONDS };
static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void add(int n, float *x) {\n"
    "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "    float *at = FAULT == 1 ? (float *)16 : x;\n"
    "    const unsigned long long wait = FAULT == 2 ? 2000000000 : FAULT == 0 ? 50000 : FAULT == 4 ? 100000 : 0;\n"
    "    unsigned long long begun, now;\n"
    "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(begun));\n"
    "    for (now = begun; now - begun < wait;)\n"
    "        asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now));\n"
    "    if (i < n) at[i] += 1;\n"
    "}\n");

static bool was_added(CUdeviceptr memory, int times) {
    float first, last;
    DONE(cuStreamSynchronize(stream));
    DONE(cuMemcpyDtoH(&first, memory, sizeof first));
    DONE(cuMemcpyDtoH(&last, memory + BYTES - sizeof last, sizeof last));
    return first == (float)times && last == (float)times;
}
static bool log_has(const char *part) {
    if (!strstr(seen->log, part)) fprintf(stderr, "the log has no \"%s\":\n%s", part, seen->log);
    return strstr(seen->log, part) != NULL;
}
/* The second of the three configurations has the fault. */
static autotune_result add_on(CUstream where, CUdeviceptr memory, enum fault fault, int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(FAULT, 3, (int)fault, 4)), N / 256,
             CUDA_LAUNCH(&program, "add", THREADS(256), SHARED(0), (int)N, memory), .backend = CUDA(where),
             .key = KEY(key), .restore = BUFFERS({(void *)(uintptr_t)memory, BYTES}), .launch_timeout = 0.5,
             .result = &result);
    return result;
}
static autotune_result add(enum fault fault, int key) { return add_on(stream, x, fault, key); }

/* ---- A launch that loses the device ----------------------------------------------------------------------------- */

static void add_with_an_illegal_address(void) { seen->result = add(ILLEGAL_ADDRESS, 1); }
static void add_with_a_hang(void) { seen->result = add(TWO_SECONDS, 2); }
static void lose_the_device(enum fault fault, int key, const char *why) {
    const uint64_t began = autotune__wait_clock();
    CHECK(add(fault, key).status == AUTOTUNE_ERR_DEVICE);
    CHECK(autotune__wait_clock() - began < 30 * SECOND);
    CHECK(last_error_has(why) && last_error_has("FAULT="));
    const autotune_result again = add(NO_FAULT, 3);
    CHECK(again.status == AUTOTUNE_ERR_DEVICE && again.launches == 0 && last_error_has(why));
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}
static void lose_it_by_an_illegal_address(void) {
    lose_the_device(ILLEGAL_ADDRESS, 1, "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
}
static void lose_it_by_a_hang(void) { lose_the_device(TWO_SECONDS, 2, "did not end within 0.5 s"); }

static void costs_one_run(void (*lose)(void), void (*tune)(void), const char *skipped) {
    in_a_process(lose);
    const outcome *o = in_a_process(tune);
    CHECK(log_has(skipped));
    CHECK(o->result.status == AUTOTUNE_OK && o->result.index != 1 && o->result.tried == 2);
    /* One configuration was skipped, so the winner is not sure. So this run may compare the finalists once more. */
    o = in_a_process(tune);
    CHECK(o->result.status == AUTOTUNE_OK && o->result.index != 1 && o->result.tried <= 2);
}
static void an_illegal_address_costs_one_run(void) {
    costs_one_run(lose_it_by_an_illegal_address, add_with_an_illegal_address,
                  "skipped: its launch broke the device in an earlier run");
}
static void a_hang_costs_one_run(void) {
    costs_one_run(lose_it_by_a_hang, add_with_a_hang,
                  "skipped: it did not come back in earlier runs, again and again, or lost the device");
}

/* ---- No memory -------------------------------------------------------------------------------------------------- */

/* Allocates the memory of the device, and leaves about `left` bytes free. */
static CUdeviceptr take_all_but(size_t left) {
    size_t free_bytes, all;
    CUdeviceptr taken = 0;
    DONE(cuMemGetInfo(&free_bytes, &all));
    for (size_t size = free_bytes - left; cuMemAlloc(&taken, size) != CUDA_SUCCESS; size -= left / 4)
        CHECK(size > left);
    return taken;
}
static autotune_result add_to_big(CUdeviceptr big, size_t size) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(FAULT, 3, 4)), N / 256, CUDA_LAUNCH(&program, "add", THREADS(256), SHARED(0), (int)N, big),
             .backend = CUDA(stream), .key = KEY(size), .restore = BUFFERS({(void *)(uintptr_t)big, size}),
             .result = &result);
    return result;
}
static void tune_without_memory(void) {
    const size_t size = (size_t)1 << 30;
    CUdeviceptr big, taken;
    DONE(cuMemAlloc(&big, size));
    DONE(cuMemsetD8(big, 0, BYTES));
    taken = take_all_but(size / 4);
    CHECK(add_to_big(big, size).status == AUTOTUNE_ERR_MEMORY);
    CHECK(last_error_has("the first configuration is launched untuned") && was_added(big, 1));
    DONE(cuMemFree(taken));
    seen->result = add_to_big(big, size);
    CHECK(was_added(big, 2));
}
static void tune_with_memory(void) {
    const size_t size = (size_t)1 << 30;
    CUdeviceptr big;
    DONE(cuMemAlloc(&big, size));
    DONE(cuMemsetD8(big, 0, BYTES));
    seen->result = add_to_big(big, size);
    CHECK(was_added(big, 1));
}
static void without_memory_for_a_snapshot_the_call_is_made_untuned(void) {
    const outcome *o = in_a_process(tune_without_memory);
    CHECK(o->result.status == AUTOTUNE_OK && o->result.tried == 2);
    CHECK(is_known(in_a_process(tune_with_memory)));
}

static CUresult add_with_workspace(size_t size) {
    CUdeviceptr workspace;
    const CUresult result = cuMemAlloc(&workspace, size);
    if (result != CUDA_SUCCESS) return result;
    DONE(cuMemFree(workspace));
    return cuMemsetD8Async(x, 0, BYTES, stream);
}
static void tune_workspaces(void) {
    AUTOTUNE(SPACE(AXIS(size, (size_t)1 << 20, (size_t)1 << 46)), 1, add_with_workspace(size),
             .backend = CUDA(stream), .result = &seen->result);
}
static void a_configuration_without_memory_has_failed(void) {
    const outcome *o = in_a_process(tune_workspaces);
    CHECK(o->result.status == AUTOTUNE_OK && o->result.index == 0 && o->result.failed == 1);
    CHECK(log_has("CUDA_ERROR_OUT_OF_MEMORY (2)"));
    CHECK(is_known(in_a_process(tune_workspaces)));
}

/* ---- Captures --------------------------------------------------------------------------------------------------- */

static const CUstreamCaptureMode modes[] = {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                                            CU_STREAM_CAPTURE_MODE_RELAXED};
static void end_capture(CUstream captured, unsigned times) {
    CUgraph graph;
    CUgraphExec replayable;
    DONE(cuStreamEndCapture(captured, &graph));
    DONE(cuStreamSynchronize(stream));
    DONE(cuGraphInstantiate(&replayable, graph, 0));
    for (unsigned i = 0; i < times; i++) DONE(cuGraphLaunch(replayable, captured));
    DONE(cuStreamSynchronize(captured));
}
static autotune_result clear(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(size, BYTES, BYTES / 2)), 1, cuMemsetD8Async(x, 0, size, stream), .backend = CUDA(stream),
             .key = KEY(key), .result = &result);
    return result;
}
static void capture_calls(void) {
    seen->result = add(NO_FAULT, 10);
    CHECK(seen->result.status == AUTOTUNE_OK);
    for (int i = 0; i < 3; i++) {
        DONE(cuStreamBeginCapture(stream, modes[i]));
        CHECK(add(NO_FAULT, 10).cache_hit);
        const autotune_result unknown = clear(i);
        CHECK(unknown.status == AUTOTUNE_OK && unknown.verdict == AUTOTUNE_DEFAULT && unknown.index == 0);
        CHECK(add(NO_FAULT, 10).cache_hit);
        /* The key 11 has no winner. The call launches the first configuration: the key 10 has loaded its kernel. */
        CHECK(add(NO_FAULT, 11).status == AUTOTUNE_OK);
        end_capture(stream, 2);
        CHECK(was_added(x, 2));
    }
}
static void tune_beside_captures(void) {
    CUstream other;
    DONE(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 3; i++) {
        DONE(cuMemsetD8(x, 0, BYTES));
        DONE(cuStreamBeginCapture(other, modes[i]));
        seen->result = add(NO_FAULT, 20 + i);
        CHECK(seen->result.status == AUTOTUNE_OK && (seen->result.tried == 3 || seen->result.cache_hit));
        DONE(cuMemsetD8Async(x, 0, BYTES, other));
        end_capture(other, 1);
        CHECK(was_added(x, 0)); /* the graph ran after the call, and sets x to zero */
    }
}
static void captures_get_what_is_known_and_are_left_whole(void) {
    CHECK(in_a_process(capture_calls)->result.tried == 3);
    CHECK(is_known(in_a_process(capture_calls)));
    CHECK(in_a_process(tune_beside_captures)->result.tried == 3);
    CHECK(is_known(in_a_process(tune_beside_captures)));
}

/* ---- Several at once -------------------------------------------------------------------------------------------- */

static void add_once(void) {
    seen->result = add(NO_FAULT, 30);
    CHECK(was_added(x, 1));
}
static void of_four_processes_one_races(void) {
    pid_t children[4];
    size_t raced = 0;
    for (size_t i = 0; i < 4; i++) children[i] = start(add_once, i);
    for (size_t i = 0; i < 4; i++) await(children[i]);
    for (size_t i = 0; i < 4; i++) {
        CHECK(seen[i].result.status == AUTOTUNE_OK && seen[i].result.index == 0);
        raced += seen[i].result.tried > 0;
    }
    CHECK(raced == 1);
    CHECK(is_known(in_a_process(add_once)));
}

static void *tune_a_stream(void *argument) {
    const int key = 40 + *(int *)argument;
    CUstream own;
    CUdeviceptr memory;
    DONE(cuCtxSetCurrent(context));
    DONE(cuStreamCreate(&own, CU_STREAM_NON_BLOCKING));
    DONE(cuMemAlloc(&memory, BYTES));
    DONE(cuMemsetD8Async(memory, 0, BYTES, own));
    for (int i = 0; i < 100; i++) {
        const autotune_result result = add_on(own, memory, NO_FAULT, key);
        CHECK(result.status == AUTOTUNE_OK);
        if (i == 0) __atomic_fetch_add(&seen->result.launches, result.launches, __ATOMIC_RELAXED);
    }
    DONE(cuStreamSynchronize(own));
    CHECK(was_added(memory, 100));
    return NULL;
}
static void tune_a_stream_in_each_thread(void) {
    pthread_t threads[MANY];
    int keys[MANY];
    for (int i = 0; i < MANY; i++) {
        keys[i] = i;
        pthread_create(&threads[i], NULL, tune_a_stream, &keys[i]);
    }
    for (int i = 0; i < MANY; i++) pthread_join(threads[i], NULL);
}
/* The threads disturb each other's times, so some winners are not sure. The next process may compare their finalists
   once more. */
static void each_thread_tunes_on_a_stream_of_its_own(void) {
    const size_t launches = in_a_process(tune_a_stream_in_each_thread)->result.launches;
    CHECK(launches > 3 * MANY);
    CHECK(in_a_process(tune_a_stream_in_each_thread)->result.launches < launches / 2);
}

/* ---- Devices and contexts --------------------------------------------------------------------------------------- */

/* In place of cuDeviceGetName(): the name of the device is that of a MIG instance, which is a part of a GPU. */
static CUresult CUDAAPI name_a_part(char *name, int room, CUdevice device) {
    const CUresult result = cuDeviceGetName(name, room, device);
    const size_t length = strlen(name);
    snprintf(name + length, (size_t)room - length, " MIG 1g.18gb");
    return result;
}
static void add_on_the_whole(void) { seen->result = add(NO_FAULT, 50); }
static void add_on_a_part(void) {
    CHECK(autotune__cuda_works());
    autotune__driver.cuDeviceGetName_ = name_a_part;
    CHECK(strstr(CUDA(stream)->device, " MIG 1g.18gb, compute "));
    add_on_the_whole();
}
static void a_part_of_a_device_is_another_device(void) {
    CHECK(in_a_process(add_on_a_part)->result.tried == 3);
    CHECK(in_a_process(add_on_the_whole)->result.tried == 3);
    CHECK(is_known(in_a_process(add_on_a_part)));
    CHECK(is_known(in_a_process(add_on_the_whole)));
}

static autotune_result add_online(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(FAULT, 3, 4, 5)), N / 256, CUDA_LAUNCH(&program, "add", THREADS(256), SHARED(0), (int)N, x),
             .backend = CUDA(stream), .mode = AUTOTUNE_ONLINE, .result = &result);
    return result;
}
/* All contexts are made before the first is destroyed. Otherwise a new context may get the address of a destroyed
   context, and a hit cannot distinguish the two. */
static void destroy_contexts(void) {
    struct { CUcontext context; CUstream stream; CUdeviceptr x; } made[4];
    for (int i = 0; i < 4; i++) {
        if (i > 0) make_context();
        made[i].context = context, made[i].stream = stream, made[i].x = x;
    }
    for (int i = 0; i < 4; i++) {
        context = made[i].context, stream = made[i].stream, x = made[i].x;
        DONE(cuCtxSetCurrent(context));
        const autotune_result result = add(NO_FAULT, 60);
        CHECK(result.status == AUTOTUNE_OK && result.cache_hit == (i > 0 || result.tried == 0));
        if (i == 0) seen->result = result;
        for (int call = 0; call < 10; call++) CHECK(add_online().status == AUTOTUNE_OK);
        CHECK(was_added(x, 11));
        CHECK(add_online().status == AUTOTUNE_OK); /* the context is destroyed before the time of this call is read */
        DONE(cuCtxDestroy(context));
        if (i == 1) CHECK(autotune_shutdown() == AUTOTUNE_OK);
    }
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}
static void a_context_may_be_destroyed_under_its_tuners(void) {
    CHECK(in_a_process(destroy_contexts)->result.tried == 3);
    CHECK(is_known(in_a_process(destroy_contexts)));
}

int main(void) {
    const plain_test tests[] = {
        {"an_illegal_address_costs_one_run", an_illegal_address_costs_one_run},
        {"a_hang_costs_one_run", a_hang_costs_one_run},
        {"without_memory_for_a_snapshot_the_call_is_made_untuned",
         without_memory_for_a_snapshot_the_call_is_made_untuned},
        {"a_configuration_without_memory_has_failed", a_configuration_without_memory_has_failed},
        {"captures_get_what_is_known_and_are_left_whole", captures_get_what_is_known_and_are_left_whole},
        {"of_four_processes_one_races", of_four_processes_one_races},
        {"each_thread_tunes_on_a_stream_of_its_own", each_thread_tunes_on_a_stream_of_its_own},
        {"a_part_of_a_device_is_another_device", a_part_of_a_device_is_another_device},
        {"a_context_may_be_destroyed_under_its_tuners", a_context_may_be_destroyed_under_its_tuners}};
    seen = shared_memory(4 * sizeof *seen);
    use_new_folder();
    const int failed = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return failed;
}
