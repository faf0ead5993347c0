/* suite_cache.c - winners from the cache on disk: each run is its own process, which initialises CUDA again. */
#define _DEFAULT_SOURCE
#include "saxpy.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n"
                           "    for (int i = 0; i < TILE; i++) {\n"
                           "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n"
                           "        if (at < n) y[at] = a * x[at] + y[at];\n"
                           "    }\n"
                           "}\n";
static autotune_cuda_program tile = CUDA_PROGRAM(text);
static autotune_cuda_program edited = CUDA_PROGRAM(text), *program_to_tune = &tile;

typedef struct seen {
    autotune_result result;
    unsigned launches, compilations, captured;
    bool updated;
    char error[1024], misuse[256], log[1 << 14], statuses[8];
} seen;
static seen *now; /* the data of this run, in memory that the test reads after the run */

static void tune(void) {
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .result = &now->result);
}
static double timeout = 0.05;
static void tune_program(void) {
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program_to_tune, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .launch_timeout = timeout, .result = &now->result);
}
static void tune_on_a_smaller_device(void) {
    CUcontext other;
    MUST(cuCtxCreate(&other, NULL, 0, 1));
    MUST(cuStreamCreate(&stream, 0));
    MUST(cuModuleLoad(&module, KERNELS "/saxpy.cubin"));
    MUST(cuModuleGetFunction(&saxpy_function, module, "saxpy"));
    tune();
}
static void tune_where_the_winner_is_refused(void) {
    standin_fail("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    tune();
}
static void tune_where_the_winner_fails_after_its_call(void) {
    standin_break("saxpy", CUDA_ERROR_LAUNCH_FAILED);
    tune();
}
static void tune_while_the_stream_is_captured(void) {
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    tune();
    now->captured = standin_captured();
    snprintf(now->misuse, sizeof now->misuse, "%s", standin_misuse());
    MUST(cuStreamEndCapture(stream, &graph));
}

/* Makes the first call of the process in a capture, then two calls outside a capture, and then one in a capture. */
static void capture_before_and_after(void) {
    tune_while_the_stream_is_captured();
    now->statuses[0] = now->result.cache_hit ? 'h' : '-';
    for (int i = 1; i < 3; i++) {
        tune();
        now->statuses[i] = now->result.cache_hit ? 'h' : '-';
    }
    tune_while_the_stream_is_captured();
    fill_arrays();
    tune();
}
static void capture_before_the_winner_is_refused(void) {
    tune_while_the_stream_is_captured();
    fill_arrays();
    tune_where_the_winner_is_refused();
}
static autotune_result tune_of_two(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .key = KEY(key), .restore = BUFFERS({device(y), BYTES}), .name = "keys", .result = &result);
    return result;
}
static void tune_two_keys(void) {
    now->result = tune_of_two(1);
    fill_arrays();
    now->result = tune_of_two(2);
}
/* Captures two calls of the key 2. Before the first call no kernel is loaded. Before the second call, a call of the key
   1 loads the kernel of both keys. */
static void capture_a_key(void) {
    CUgraph graph;
    const unsigned loads = standin_calls("cuModuleLoadDataEx");
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const autotune_result first = tune_of_two(2);
    now->statuses[0] = first.status == AUTOTUNE_ERR_ENVIRONMENT && !first.cache_hit ? 'e' : '-';
    snprintf(now->error, sizeof now->error, "%s", autotune_last_error());
    now->statuses[1] = standin_compilations() == 0 && standin_calls("cuModuleLoadDataEx") == loads ? '0' : '-';
    MUST(cuStreamEndCapture(stream, &graph));
    now->statuses[2] = tune_of_two(1).cache_hit ? 'h' : '-';
    fill_arrays();
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    now->result = tune_of_two(2);
    now->captured = standin_captured();
    MUST(cuStreamEndCapture(stream, &graph));
    now->statuses[3] = tune_of_two(2).cache_hit ? 'h' : '-';
}

static void tune_program_and_capture_it(void) {
    CUgraph graph;
    tune_program();
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    tune_program();
    now->captured = standin_captured();
    MUST(cuStreamEndCapture(stream, &graph));
}

static seen run(void (*program)(void)) {
    seen *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), all;
    int status = 0;
    const pid_t child = fork();
    cr_assert(child >= 0 && shared != MAP_FAILED);
    if (child == 0) {
        in_child = true;
        now = shared;
        start_cuda();
        program();
        now->launches = standin_launches("saxpy");
        now->compilations = standin_compilations();
        snprintf(now->error, sizeof now->error, "%s", autotune_last_error());
        snprintf(now->log, sizeof now->log, "%.16000s", logged);
        if (now->result.status == AUTOTUNE_OK) now->updated = y_was_updated(1);
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
static void use_a_cache(void) {
    static char folder[] = "/tmp/autotune-cuda-XXXXXX";
    cr_assert(mkdtemp(folder));
    setenv("AUTOTUNE_CACHE", "on", 1);
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
}
static void remove_the_cache(void) {
    char command[256];
    snprintf(command, sizeof command, "rm -r '%s'", getenv("AUTOTUNE_CACHE_DIR"));
    cr_assert(system(command) == 0);
}
TestSuite(cache, .init = use_a_cache, .fini = remove_the_cache);

/* `variable`: set by ncu or by compute-sanitizer in the programs that they start. */
static void forgets_what_is_found_under(const char *variable) {
    setenv(variable, "/opt/tool", 1);
    const seen s = run(tune);
    cr_assert(s.result.status == AUTOTUNE_OK && s.result.tried == 4 && contains(s.log, "is not kept on disk"), "%s",
              s.log);
    unsetenv(variable);
    cr_assert_eq(run(tune).result.tried, 4u);
    setenv(variable, "/opt/tool", 1);
    cr_assert(run(tune).result.cache_hit, "what is known answers");
    unsetenv(variable);
}
Test(cache, what_ncu_slows_down_is_not_kept) { forgets_what_is_found_under("NV_COMPUTE_PROFILER_PERFWORKS_DIR"); }
Test(cache, what_compute_sanitizer_slows_down_is_not_kept) {
    forgets_what_is_found_under("NV_SANITIZER_INJECTION_TRANSPORT_TYPE");
}
Test(cache, the_next_run_knows_the_winner) {
    cr_assert(run(tune).result.tried == 4);
    const seen second = run(tune);
    cr_assert(second.result.status == AUTOTUNE_OK && second.result.cache_hit && second.result.index == 2, "%s",
              second.log);
    cr_assert(second.launches == 1 && second.updated);
}
Test(cache, the_next_run_compiles_the_winner_alone) {
    setenv("AUTOTUNE_CUBINS_MIB", "0", 1);
    cr_assert(run(tune_program).compilations == 3);
    const seen second = run(tune_program);
    cr_assert(second.result.status == AUTOTUNE_OK && second.result.cache_hit && second.updated, "%s", second.log);
    cr_assert_eq(second.compilations, 1);
}
Test(cache, a_known_winner_that_was_launched_once_can_be_captured) {
    cr_assert(run(tune_program_and_capture_it).captured == 1);
    const seen second = run(tune_program_and_capture_it);
    cr_assert(second.result.status == AUTOTUNE_OK && second.result.cache_hit && second.captured == 1, "%s", second.log);
}
/* Returns how often the file `name` of the cache has the text `what`. */
static size_t times_said(const char *name, const char *what) {
    char path[256], line[4096];
    size_t times = 0;
    snprintf(path, sizeof path, "%s/%s", getenv("AUTOTUNE_CACHE_DIR"), name);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        for (const char *at = line; (at = strstr(at, what)); at++) times++;
    if (file) fclose(file);
    return times;
}
static size_t lines_that_say(const char *what) { return times_said("verify.jsonl", what); }
Test(cache, the_record_has_what_each_kernel_needs) {
    setenv("AUTOTUNE_LOG", "off", 1);
    cr_assert(run(tune_program).result.status == AUTOTUNE_OK);
    cr_assert_eq(times_said("results.jsonl", ",\"resources\":[32,16,0]"), 3u);
}
Test(cache, a_record_of_existing_launches_has_nothing_of_it) {
    cr_assert(run(tune).result.status == AUTOTUNE_OK);
    cr_assert(times_said("results.jsonl", "\"config\":") == 4 && times_said("results.jsonl", "resources") == 0);
}

Test(cache, a_known_winner_is_verified) {
    const seen first = run(tune);
    setenv("AUTOTUNE_MODE", "verify", 1);
    const seen second = run(tune);
    cr_assert(second.result.cache_hit && second.result.index == first.result.index && second.updated, "%s", second.log);
    cr_assert(second.launches > 10 && lines_that_say("\"winner\":{\"block\":256},\"rival\":{") == 1);
    unsetenv("AUTOTUNE_MODE");
}
static double fast_with_few_blocks(const char *name, const unsigned grid[3], const unsigned block[3],
                                   unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    return 1e3 * grid[0];
}
static void tune_program_with_few_blocks(void) {
    standin_set_cost(fast_with_few_blocks);
    tune_program();
}
Test(cache, so_is_that_of_a_kernel_whose_source_was_edited) {
    char other[sizeof text + 16];
    const seen first = run(tune_program_with_few_blocks);
    snprintf(other, sizeof other, "%s\n#define E\n", text);
    edited.source.text = other;
    program_to_tune = &edited;
    setenv("AUTOTUNE_MODE", "verify", 1);
    const seen second = run(tune_program_with_few_blocks);
    cr_assert(first.result.index == 2 && second.result.index == 2 && second.updated, "%s", second.log);
    cr_assert(lines_that_say(",\"rival\":{") == 1);
    unsetenv("AUTOTUNE_MODE");
}
/* Comments and blanks are added to the source of the kernel. Its machine code is the same, so the winner is known. */
Test(cache, a_comment_in_the_source_changes_nothing) {
    static const char *const comments[] = {"// it's \"a comment\n%s", "/* doubles */ %s", "\t\n %s\n\n  // end"};
    char other[sizeof text + 32];
    cr_assert(run(tune_program).result.tried > 0);
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"")
        snprintf(other, sizeof other, comments[i], text);
        _Pragma("GCC diagnostic pop")
        edited.source.text = other;
        program_to_tune = &edited;
        const seen second = run(tune_program);
        cr_assert(second.result.cache_hit && second.updated, "%zu: %s", i, second.log);
    }
    snprintf(other, sizeof other, "%s\n#define E\n", text);
    cr_assert(!run(tune_program).result.cache_hit, "an edited source is another one");
}
Test(cache, another_device_is_tuned_for_itself) {
    run(tune);
    cr_assert(run(tune_on_a_smaller_device).result.tried == 4);
    cr_assert(run(tune_on_a_smaller_device).result.tried == 0);
}
Test(cache, an_equal_name_does_not_make_an_equal_device) {
    run(tune);
    standin_set_memory((size_t)2 << 30);
    cr_assert(run(tune).result.tried == 4, "one with more memory");
    standin_set_version(12080);
    cr_assert(run(tune).result.tried == 4, "and one with another driver");
    cr_assert(run(tune).result.tried == 0);
    standin_set_version(13000), standin_set_memory((size_t)1 << 30);
    cr_assert(run(tune).result.tried == 0, "the first is known still");
}
Test(cache, a_winner_that_no_longer_launches_is_not_the_end) {
    run(tune);
    const seen second = run(tune_where_the_winner_is_refused);
    cr_assert(second.result.status == AUTOTUNE_OK && second.updated, "%s", second.log);
    cr_assert(contains(second.log, "block=256, which no longer works: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"), "%s",
              second.log);
}
Test(cache, a_winner_that_fails_after_its_call_is_found_out) {
    run(tune);
    const seen second = run(tune_where_the_winner_fails_after_its_call);
    cr_assert(second.result.status == AUTOTUNE_ERR_DEVICE && second.launches == 1, "%s", second.log);
    cr_assert(contains(second.error, "the kernel ended with CUDA_ERROR_LAUNCH_FAILED (719)"), "%s", second.error);
}
Test(cache, a_captured_stream_gets_the_winner_of_an_earlier_run) {
    cr_assert_eq(run(tune).result.index, 2u);
    const seen second = run(tune_while_the_stream_is_captured);
    cr_assert(second.result.status == AUTOTUNE_OK && second.result.cache_hit && second.result.index == 2 &&
                  second.result.launches == 1,
              "%s", second.log);
    cr_assert(second.captured == 1 && !*second.misuse && !contains(second.log, "untuned"), "%u %s %s", second.captured,
              second.misuse, second.log);
}
Test(cache, calls_in_a_capture_leave_the_record_to_later_ones) {
    run(tune);
    const seen second = run(capture_before_and_after);
    cr_assert(second.result.cache_hit && second.updated && !strcmp(second.statuses, "hhh") && !*second.misuse, "%s %s",
              second.statuses, second.log);
    cr_assert(run(tune).result.cache_hit && run(capture_before_and_after).result.index == 2);
}
Test(cache, a_winner_that_was_only_captured_is_not_relied_on) {
    run(tune);
    const seen second = run(capture_before_the_winner_is_refused);
    cr_assert(second.result.status == AUTOTUNE_OK && second.result.tried == 4, "%s", second.log);
    cr_assert(contains(second.log, "block=256, which no longer works"), "%s", second.log);
}
Test(cache, a_capture_without_a_record_is_told_once) {
    const seen first = run(capture_before_and_after);
    const char *told = strstr(first.log, "the first configuration is launched untuned: the stream is captured");
    cr_assert(told && !strstr(told + 40, "launched untuned"), "%s", first.log);
    cr_assert(!strcmp(first.statuses, "--h") && first.result.index == 2 && first.updated, "%s %s",
              first.statuses, first.log);
}
Test(cache, a_captured_stream_gets_what_needs_no_loading) {
    cr_assert_eq(run(tune_two_keys).result.tried, 3u);
    const seen second = run(capture_a_key);
    cr_assert(!strcmp(second.statuses, "e0hh"), "%s %s", second.statuses, second.log);
    cr_assert(second.result.cache_hit && second.captured == 1, "%u %s", second.captured, second.log);
    cr_assert(contains(second.log, "the stream is captured, and tile_saxpy is not loaded yet: make this call once "
                                   "before the capture"),
              "%s", second.log);
    cr_assert(!contains(second.log, "launched untuned"), "%s", second.log);
}

/* ---- Launches that do not come back ------------------------------------------------------------------------------ */

static bool hangs;
static double hangs_with_two(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)block, (void)shared_bytes;
    if (grid[0] == cld(N, 64)) {
        standin_hang(name);
        __atomic_store_n(&hangs, true, __ATOMIC_RELEASE);
    }
    return 1e5;
}
static double breaks_with_two(const char *name, const unsigned grid[3], const unsigned block[3],
                              unsigned shared_bytes) {
    (void)block, (void)shared_bytes;
    if (grid[0] == cld(N, 64)) standin_break(name, CUDA_ERROR_ILLEGAL_ADDRESS);
    return 1e5;
}
static void tune_a_program_that_hangs(void) {
    standin_set_cost(hangs_with_two);
    tune_program();
}
static void tune_a_program_that_breaks_the_device(void) {
    standin_set_cost(breaks_with_two);
    tune_program();
}
static void costs_one_run(void (*program)(void), const char *note) {
    cr_assert(run(program).result.status == AUTOTUNE_ERR_DEVICE);
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.updated && s.result.index != 1, "%s", s.log);
    cr_assert(contains(s.log, note), "%s", s.log);
}
Test(cache, a_launch_that_hangs_is_not_made_again) {
    costs_one_run(tune_a_program_that_hangs,
                  "TILE=2: skipped: it did not come back in earlier runs, again and again, or lost the device");
}
Test(cache, a_launch_that_breaks_the_device_is_not_made_again) {
    costs_one_run(tune_a_program_that_breaks_the_device,
                  "TILE=2: skipped: its launch broke the device in an earlier run");
}
/* Calls of several keys, in one process or in a process for each call. The statuses of the calls: + success, - the
   device is lost. */
static int key;
static bool is_slow;
static CUresult launch_slowly(unsigned blocks, unsigned block) {
    if (is_slow && block == 128) standin_keep_busy();
    return launch(saxpy_function, blocks, block);
}
static void tune_key(void) {
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u, 256u)), cld(N, block), launch_slowly(blocks.x, block),
             .backend = CUDA(stream), .key = KEY(key), .restore = BUFFERS({device(y), BYTES}), .launch_timeout = 0.05,
             .result = &now->result);
}
static void tune_keys_with_a_slow_launch(void) {
    static const int keys[] = {1, 1, 2, 2, 3, 4};
    char statuses[7] = "";
    is_slow = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        key = keys[i];
        tune_key();
        statuses[i] = now->result.status == AUTOTUNE_OK ? '+' : now->result.status == AUTOTUNE_ERR_DEVICE ? '-' : '?';
        MUST(cuStreamSynchronize(stream));
    }
    snprintf(now->statuses, sizeof now->statuses, "%s", statuses);
}
Test(cache, what_lost_the_device_for_two_keys_is_skipped_for_all) {
    const seen s = run(tune_keys_with_a_slow_launch);
    cr_assert_str_eq(s.statuses, "-+-+++", "%s", s.log);
    cr_assert(contains(s.log, "tried last: it did not come back"), "%s", s.log);
}
static double breaks_with_128(const char *name, const unsigned grid[3], const unsigned block[3],
                              unsigned shared_bytes) {
    (void)grid, (void)shared_bytes;
    if (block[0] == 128) standin_break(name, CUDA_ERROR_ILLEGAL_ADDRESS);
    return 1e5;
}
static void tune_key_that_breaks_the_device(void) {
    standin_set_cost(breaks_with_128);
    tune_key();
}
Test(cache, so_it_is_in_other_processes) {
    char statuses[7] = "";
    for (key = 1; key <= 6; key++)
        statuses[key - 1] = run(tune_key_that_breaks_the_device).result.status == AUTOTUNE_OK ? '+' : '-';
    cr_assert_str_eq(statuses, "--++++");
    key = 1;
    cr_assert_eq(run(tune_key_that_breaks_the_device).result.status, AUTOTUNE_OK);
}
static double breaks_with_each(const char *name, const unsigned grid[3], const unsigned block[3],
                               unsigned shared_bytes) {
    (void)grid, (void)block, (void)shared_bytes;
    standin_break(name, CUDA_ERROR_ILLEGAL_ADDRESS);
    return 1e5;
}
static void tune_a_program_that_always_breaks_the_device(void) {
    standin_set_cost(breaks_with_each);
    tune_program();
}
Test(cache, each_launch_that_breaks_the_device_costs_one_run) {
    for (int i = 0; i < 3; i++)
        cr_assert(run(tune_a_program_that_always_breaks_the_device).result.status == AUTOTUNE_ERR_DEVICE);
    const seen s = run(tune_a_program_that_always_breaks_the_device);
    cr_assert(s.result.status == AUTOTUNE_ERR_ALL_FAILED && !s.updated, "%s", s.log);
}
Test(cache, a_kernel_of_another_source_is_not_to_blame) {
    char other[sizeof text + 16];
    run(tune_a_program_that_hangs);
    run(tune_a_program_that_hangs);
    snprintf(other, sizeof other, "%s\n#define E\n", text);
    edited.source.text = other;
    program_to_tune = &edited;
    const seen s = run(tune_program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.updated && s.result.tried == 3, "%s", s.log);
    cr_assert(!contains(s.log, "did not come back"), "%s", s.log);
}
/* Kills the process during the first compilation, so before any launch. The test does this in four processes, but the
   space has only three configurations. So if an interrupted compilation made suspects, all would be suspects. */
static void interrupt(void) {
    usleep(50000); /* until then the tuning thread has begun to wait for the compilation */
    raise(SIGKILL);
}
static void tune_until_it_compiles(void) {
    standin_set_before_compilation(interrupt);
    tune_program();
}
static void *tune_beside(void *unused) {
    tune_a_program_that_hangs();
    return unused;
}
static void exit_beside_a_launch(void) {
    pthread_t thread;
    timeout = 60;
    if (pthread_create(&thread, NULL, tune_beside, NULL) != 0) abort();
    while (!__atomic_load_n(&hangs, __ATOMIC_ACQUIRE)) usleep(1000);
    exit(EXIT_SUCCESS);
}
static int status_of(void (*program)(void)) {
    seen unseen;
    int status = 0;
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        memset(&unseen, 0, sizeof unseen);
        in_child = true;
        now = &unseen;
        start_cuda();
        program();
        abort();
    }
    cr_assert(waitpid(child, &status, 0) == child);
    return status;
}
static void blames_nobody(void) {
    const seen s = run(tune_program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.result.tried == 3 && s.result.failed == 0, "%s", s.log);
    cr_assert(!contains(s.log, "did not come back"), "%s", s.log);
}
Test(cache, interrupted_compilations_blame_nobody) {
    for (int i = 0; i < 4; i++) cr_assert(WIFSIGNALED(status_of(tune_until_it_compiles)));
    blames_nobody();
}
Test(cache, exit_beside_a_launch_blames_nobody) {
    for (int i = 0; i < 4; i++) cr_assert(WIFEXITED(status_of(exit_beside_a_launch)));
    blames_nobody();
}
static void call_program_until_it_is_tuned(void) {
    int calls = 0;
    do tune_program();
    while (now->result.status == AUTOTUNE_OK && !now->result.cache_hit && ++calls < 5000);
}
Test(cache, the_record_of_mode_online_has_what_each_kernel_needs) {
    setenv("AUTOTUNE_MODE", "online", 1);
    cr_assert(run(call_program_until_it_is_tuned).result.cache_hit);
    cr_assert_eq(times_said("results.jsonl", ",\"resources\":[32,16,0]"), 3u);
    unsetenv("AUTOTUNE_MODE");
}
Test(cache, nor_is_it_in_mode_online) {
    char other[sizeof text + 16];
    run(tune_a_program_that_hangs);
    snprintf(other, sizeof other, "%s\n#define E\n", text);
    edited.source.text = other;
    program_to_tune = &edited;
    setenv("AUTOTUNE_MODE", "online", 1);
    const seen s = run(call_program_until_it_is_tuned);
    cr_assert(s.result.status == AUTOTUNE_OK && s.result.cache_hit && s.result.failed == 0, "%s", s.log);
    cr_assert(!contains(s.log, "did not come back"), "%s", s.log);
}
