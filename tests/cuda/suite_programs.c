/* suite_programs.c - one kernel for each configuration: which kernels are compiled and when, which calls are refused,
   and what a hit does. */
#define _DEFAULT_SOURCE
#include "saxpy.h"
#include "decimal_comma.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const char text[] = "#ifdef BROKEN_AT\n"
                           "#if TILE == BROKEN_AT\n"
                           "#error this tile is broken\n"
                           "#endif\n"
                           "#endif\n"
                           "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n"
                           "    for (int i = 0; i < TILE; i++) {\n"
                           "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n"
                           "        if (at < n) y[at] = a * x[at] + y[at];\n"
                           "    }\n"
                           "}\n"
                           "template <int S> __global__ void scale(int n, float *y) {\n"
                           "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
                           "    if (i < n) y[i] = y[i] * S;\n"
                           "}\n";
static autotune_cuda_program tile = CUDA_PROGRAM(text, "--use_fast_math"),
                             broken_tile = CUDA_PROGRAM(text, "-DBROKEN_AT=2"),
                             no_tile = CUDA_PROGRAM(text, "-DBROKEN_AT=TILE");

/* TILE 2 of 1, 2 and 4 is the fastest. The grid of a launch shows its TILE. */
static double tile_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    return grid[0] == cld(N, 64) ? 40e3 : 80e3;
}
static void start(void) {
    start_cuda();
    standin_set_cost(tile_cost);
}
TestSuite(programs, .init = start, .fini = expect_no_misuse);

static autotune_result tune_program(autotune_cuda_program *program, int key, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .key = KEY(key), .mode = mode, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result;
}
static bool error_has(const char *part) { return contains(autotune_last_error(), part); }

/* ---- The race ---------------------------------------------------------------------------------------------------- */

Test(programs, each_configuration_is_compiled_once_and_the_fastest_wins) {
    autotune_result result = tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 0, "%s", logged);
    cr_assert(y_was_updated(1));
    cr_assert_eq(standin_compilations(), 3);
    result = tune_program(&tile, 2, AUTOTUNE_ON);
    cr_assert(!result.cache_hit && result.index == 1 && standin_compilations() == 3,
              "another key needs no other kernels");
    cr_assert(y_was_updated(2));
}
static size_t told_resources(void) {
    static const char words[] = ": tile_saxpy has 32 registers, 16 bytes of local memory, 0 bytes of shared memory";
    size_t count = 0;
    for (const char *at = logged; (at = strstr(at, words)); at++) count++;
    return count;
}
Test(programs, the_full_log_has_what_each_kernel_needs_of_a_multiprocessor) {
    tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert_eq(told_resources(), 3u, "%s", logged);
    cr_assert(contains(logged, "tune_program [key=1] tried TILE=4: tile_saxpy has"), "%s", logged);
    tune_program(&tile, 2, AUTOTUNE_ON);
    cr_assert_eq(told_resources(), 5u, "the winner's is still loaded");
}
static CUresult launch_tile(CUfunction function, unsigned blocks) {
    CUlaunchConfig config = {.gridDimX = blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1,
                             .blockDimZ = 1, .hStream = stream};
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    return cuLaunchKernelEx(&config, function, arguments, NULL);
}
/* tell_resources() returns the number of known configurations that need these registers, these bytes of shared memory,
   and 16 bytes of local memory. */
static int registers_expected, shared_expected, configurations_told;
static void count_told(void *user, const autotune_known *known) {
    (void)user;
    for (size_t i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *const m = &known->measurements[i];
        configurations_told += m->registers == registers_expected && m->local_bytes == 16 &&
                               m->shared_bytes == shared_expected;
    }
}
static int tell_resources(int registers, int shared) {
    registers_expected = registers, shared_expected = shared, configurations_told = 0;
    autotune_each(count_told, NULL);
    return configurations_told;
}
Test(programs, what_each_kernel_needs_is_known_at_every_level) {
    setenv("AUTOTUNE_LOG", "off", 1);
    standin_set_registers("instance_0", 61);
    tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert_eq(tell_resources(61, 0), 3);
    tune_program(&tile, 2, AUTOTUNE_ON);
    cr_assert_eq(tell_resources(61, 0), 6, "those that were loaded already, too");
}
Test(programs, of_several_kernels_the_most_is_known) {
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1, 2)), .backend = CUDA(stream)) {
        const autotune_grid blocks = GRID(1);
        (void)CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(256), N, 2.0f, x, y);
        (void)CUDA_LAUNCH(&tile, "scale<2>", THREADS(32), SHARED(64), N, y);
    }
    cr_assert_eq(tell_resources(32, 256), 2);
}
Test(programs, a_function_counts_as_a_launch_does) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             launch_tile(CUDA_FUNCTION(&tile, "tile_saxpy"), blocks.x), .backend = CUDA(stream), .result = &result);
    cr_assert_eq(tell_resources(32, 0), 3, "%s", logged);
}
Test(programs, no_other_log_has) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert(contains(logged, "TILE=2: ") && !contains(logged, "registers"), "%s", logged);
}
Test(programs, a_hit_makes_one_call_and_asks_only_for_the_context) {
    tune_program(&tile, 1, AUTOTUNE_ON);
    USE(tune_program(&tile, 1, AUTOTUNE_ON));
    const unsigned launches = standin_calls("cuLaunchKernel"), questions = standin_calls("cuCtxGetCurrent"),
                   all = standin_all_calls();
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).cache_hit);
    cr_assert_eq(standin_all_calls(), all + 2);
    cr_assert(standin_calls("cuLaunchKernel") == launches + 1 && standin_calls("cuCtxGetCurrent") == questions + 1);
    cr_assert(y_was_updated(2 + CALLS_IN_USE));
}
Test(programs, compilations_run_ahead_of_the_measurements) {
    standin_let_meet(2);
    tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert_geq(standin_most_at_once(), 2);
}
static autotune_status compile_with(int threads) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 3, 4, 5, 6, 7, 8)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .compile_threads = threads, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result.status;
}
Test(programs, one_compile_thread_and_who_waits_for_it_are_two) {
    cr_assert_eq(compile_with(1), AUTOTUNE_OK);
    cr_assert_leq(standin_most_at_once(), 2);
}
Test(programs, by_default_other_processors_compile_and_eight_at_most) {
    const long others = sysconf(_SC_NPROCESSORS_ONLN) - 1, most = others < 1 ? 1 : others > 8 ? 8 : others;
    cr_assert_eq(compile_with(0), AUTOTUNE_OK);
    /* The tuning thread compiles, too, while it waits for a kernel. */
    cr_assert_leq((long)standin_most_at_once(), most + 1, "%u", standin_most_at_once());
}
Test(programs, more_compile_threads_compile_more_at_once) {
    standin_let_meet(5);
    cr_assert_eq(compile_with(5), AUTOTUNE_OK);
    cr_assert_geq(standin_most_at_once(), 5);
}
static pthread_t tuning_thread;
static unsigned workers_seen, workers_interrupted;
static void look_at_signals(void) {
    sigset_t blocked;
    if (pthread_equal(pthread_self(), tuning_thread)) return;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    __atomic_fetch_add(&workers_seen, 1, __ATOMIC_RELAXED);
    if (!sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1) || !sigismember(&blocked, SIGALRM))
        __atomic_fetch_add(&workers_interrupted, 1, __ATOMIC_RELAXED);
}
Test(programs, signals_of_the_program_never_run_in_compile_threads) {
    sigset_t before, after;
    tuning_thread = pthread_self();
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    standin_set_before_compilation(look_at_signals);
    cr_assert_eq(compile_with(3), AUTOTUNE_OK);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    cr_assert(workers_seen > 0 && workers_interrupted == 0, "%u of %u", workers_interrupted, workers_seen);
    for (int i = 1; i < NSIG; i++)
        cr_assert_eq(sigismember(&after, i), sigismember(&before, i), "the caller's own: %d", i);
}
static const char two_kernels[] = "extern \"C\" __global__ void forwards(int n, float a, const float *x, float *y) {\n"
                                  "    for (int i = 0; i < TILE; i++) {\n"
                                  "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n"
                                  "        if (at < n) y[at] = a * x[at] + y[at];\n"
                                  "    }\n"
                                  "}\n"
                                  "extern \"C\" __global__ void backwards(int n, float a, const float *x, float *y) {\n"
                                  "    for (int i = TILE; i-- > 0;) {\n"
                                  "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n"
                                  "        if (at < n) y[at] = a * x[at] + y[at];\n"
                                  "    }\n"
                                  "}\n";
Test(programs, a_kernel_whose_name_is_an_axis_is_compiled_ahead_under_its_own_name) {
    static autotune_cuda_program program = CUDA_PROGRAM(two_kernels);
    autotune_result result;
    standin_let_meet(3);
    AUTOTUNE(SPACE(AXIS(direction, "forwards", "backwards"), AXIS(TILE, 1, 2, 3, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&program, direction, THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .compile_threads = 5, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && y_was_updated(1), "%s", logged);
    cr_assert_eq(standin_compilations(), 8);
    cr_assert_geq(standin_most_at_once(), 3);
}
/* The names of the kernels are strings of an axis, which end with the statement, and a string of the caller, which it
   frees after the statement. A later hit must not read these strings. */
static autotune_status launch_by_name(const char *direction) {
    static autotune_cuda_program program = CUDA_PROGRAM(two_kernels);
    char *name = malloc(32), *next;
    autotune_status last = AUTOTUNE_FAILED;
    snprintf(name, 32, "%s", direction);
    AUTOTUNE_BLOCK(SPACE(AXIS(direction, "forwards", "backwards"), AXIS(TILE, 2, 4)), .backend = CUDA(stream),
                   .restore = BUFFERS({device(y), BYTES})) {
        const autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        last = CUDA_LAUNCH(&program, direction, THREADS(32), SHARED(0), N, 2.0f, x, y);
        if (last == AUTOTUNE_OK) last = CUDA_LAUNCH(&program, name, THREADS(32), SHARED(0), 0, 0.0f, x, y);
    }
    memset(name, '?', 31);
    next = malloc(32); /* so that the next call does not get the address of this name */
    free(name), free(next);
    return last;
}
Test(programs, a_hit_finds_its_kernels_whoever_owned_their_names) {
    cr_assert_eq(launch_by_name("forwards"), AUTOTUNE_OK, "%s", autotune_last_error());
    USE(launch_by_name("forwards"));
    const unsigned loaded = standin_calls("cuModuleLoadDataEx"), calls = standin_all_calls();
    const size_t objects = standin_objects();
    for (int i = 0; i < 100; i++) cr_assert_eq(launch_by_name("forwards"), AUTOTUNE_OK);
    cr_assert_eq(standin_calls("cuModuleLoadDataEx"), loaded);
    cr_assert_eq(standin_objects(), objects);
    cr_assert_eq(standin_all_calls(), calls + 100 * 3, "two launches and one question a hit, not %u",
                 standin_all_calls() - calls);
}
Test(programs, a_kernel_that_some_configurations_launch_besides_ends_no_guess_of_the_other) {
    static autotune_cuda_program program = CUDA_PROGRAM(two_kernels);
    autotune_result result;
    standin_let_meet(4);
    AUTOTUNE_BLOCK(SPACE(AXIS(besides, 0, 1), AXIS(TILE, 1, 2, 3, 4, 5, 6)), .backend = CUDA(stream),
                   .compile_threads = 5, .strategy = AUTOTUNE_EXHAUSTIVE, .restore = BUFFERS({device(y), BYTES}),
                   .result = &result) {
        const autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        const autotune_status code = CUDA_LAUNCH(&program, "forwards", THREADS(32), SHARED(0), N, 2.0f, x, y);
        if (code != AUTOTUNE_OK ||
            (besides && CUDA_LAUNCH(&program, "backwards", THREADS(32), SHARED(0), 0, 0.0f, x, y) != AUTOTUNE_OK))
            (void)AUTOTUNE_REJECT("%d", (int)code);
    }
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 0 && y_was_updated(1), "%s", logged);
    cr_assert_eq(standin_compilations(), 6 + 6, "%u", standin_compilations());
    cr_assert_geq(standin_most_at_once(), 4);
}
static int compiled_when_needed; /* compilations in the tuning thread: these kernels were not compiled ahead */
static void count_what_is_needed(void) {
    const struct timespec pause = {0, 10 * 1000 * 1000};
    if (!pthread_equal(pthread_self(), tuning_thread)) return;
    compiled_when_needed++;
    for (int idle = 0; idle < 10; idle++) { /* waits until the workers have compiled all that they were asked for */
        if (standin_compiling() > 0) idle = 0;
        nanosleep(&pause, NULL);
    }
}
Test(programs, a_configuration_that_fails_between_two_kernels_ends_no_guess_of_the_second) {
    static autotune_cuda_program program = CUDA_PROGRAM(two_kernels);
    autotune_result result;
    tuning_thread = pthread_self();
    standin_set_before_compilation(count_what_is_needed);
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)), .backend = CUDA(stream),
                   .compile_threads = 5, .strategy = AUTOTUNE_EXHAUSTIVE, .restore = BUFFERS({device(y), BYTES}),
                   .result = &result) {
        const autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        if (CUDA_LAUNCH(&program, "forwards", THREADS(32), SHARED(0), N, 2.0f, x, y) != AUTOTUNE_OK || TILE == 2) {
            (void)AUTOTUNE_REJECT("%d", TILE);
            continue;
        }
        if (CUDA_LAUNCH(&program, "backwards", THREADS(32), SHARED(0), 0, 0.0f, x, y) != AUTOTUNE_OK)
            (void)AUTOTUNE_REJECT("%d", TILE);
    }
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 1 && y_was_updated(1), "%s", logged);
    cr_assert_leq(compiled_when_needed, 4, "%d of 23", compiled_when_needed);
}
/* Each configuration launches a kernel of another program. The kernel that the first configuration launches is compiled
   ahead for all configurations. A kernel that a later configuration launches is compiled for that configuration
   alone. */
Test(programs, it_is_guessed_that_all_configurations_launch_what_the_first_one_launched) {
    static autotune_cuda_program programs[] = {CUDA_PROGRAM(two_kernels), CUDA_PROGRAM(two_kernels),
                                               CUDA_PROGRAM(two_kernels), CUDA_PROGRAM(two_kernels)};
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 3, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&programs[TILE - 1], "forwards", THREADS(32), SHARED(0), N, 2.0f, x, y),
             .backend = CUDA(stream), .compile_threads = 2, .strategy = AUTOTUNE_EXHAUSTIVE,
             .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.tried == 4 && y_was_updated(1), "%s", logged);
    cr_assert_eq(standin_compilations(), 4 + 3);
}
Test(programs, a_compiler_that_is_too_old_is_named) {
    standin_set_nvrtc_version(11080);
    cr_assert(compile_with(5) == AUTOTUNE_ERR_ENVIRONMENT, "%s", logged);
    cr_assert(error_has("kernels cannot be compiled: libnvrtc is of CUDA 11.8: one of 12.0 or later is needed"), "%s",
              autotune_last_error());
}
Test(programs, a_number_of_compile_threads_is_refused_with_its_range) {
    cr_assert(compile_with(-1) == AUTOTUNE_ERR_ARGUMENT &&
                  error_has(".compile_threads is -1: it is a number of threads up to 256, or 0 for the default"),
              "%s", autotune_last_error());
    cr_assert(compile_with(257) == AUTOTUNE_ERR_ARGUMENT && error_has(".compile_threads is 257"));
}
/* The time limit of the race is half a second. Only the compiler moves the clock of this test: each compilation in the
   tuning thread takes 0.6 s. The times of the configurations are so close that one launch cannot exclude one. */
static double close_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    return grid[0] == cld(N, 64) ? 40e3 : 42e3;
}
static uint64_t computed_ns(void) {
    struct timespec computed;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &computed);
    return (uint64_t)computed.tv_sec * 1000000000u + (uint64_t)computed.tv_nsec;
}
static uint64_t compiled_ns;
static uint64_t compiled_until_now(autotune_backend *self) { return (void)self, compiled_ns; }
/* Takes 0.6 s on the clock of the test. It also computes for 0.1 s, as NVRTC does. If it did not compute, the library
   would assume that the process was stopped for 0.6 s. */
static void take_long(void) {
    if (!pthread_equal(pthread_self(), tuning_thread)) return;
    for (const uint64_t begun = computed_ns(); computed_ns() - begun < 100 * 1000 * 1000;) {}
    compiled_ns += 600 * 1000 * 1000;
}
Test(programs, compiling_takes_nothing_of_the_time_for_launches) {
    autotune_result result;
    unsetenv("AUTOTUNE_MAX_SECONDS");
    tuning_thread = pthread_self();
    CUDA(stream)->now = compiled_until_now;
    standin_set_cost(close_cost);
    standin_set_before_compilation(take_long);
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 3, 4, 5, 6, 7, 8)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .compile_threads = 1, .preset = AUTOTUNE_FAST, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.seconds > 0.5, "%g s", result.seconds);
    cr_assert(result.index == 1 && result.launches > 2 * 8 + 1, "no rounds after the screen: %s", logged);
}
Test(programs, of_what_was_loaded_the_winner_stays) {
    const size_t objects = standin_objects();
    tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert_eq(standin_objects(), objects + 1);
    tune_program(&tile, 2, AUTOTUNE_ON);
    cr_assert_eq(standin_objects(), objects + 1, "and is not loaded again");
}
Test(programs, a_launch_is_timed_without_what_had_to_be_done_before_it) {
    tune_program(&tile, 1, AUTOTUNE_OFF); /* compiles the kernel of TILE 1, but not those of TILE 2 and 4 */
    const unsigned records = standin_calls("cuEventRecord");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .result = &result);
    const unsigned pairs = 32 + (unsigned)result.launches - 1,
                   kernels_found = (standin_calls("cuEventRecord") - records) - 2 * pairs;
    cr_assert(kernels_found >= 2 && kernels_found < result.launches, "%u", kernels_found);
}
Test(programs, a_single_configuration_and_no_tuning_compile_once) {
    autotune_result result;
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(TILE, 2)), cld(N, 64),
                 CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
                 .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && result.launches == 1 && result.cache_hit == (i > 0));
    }
    cr_assert_eq(standin_compilations(), 1);
    cr_assert(tune_program(&broken_tile, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK);
    cr_assert(tune_program(&broken_tile, 1, AUTOTUNE_OFF).index == 0);
    cr_assert_eq(standin_compilations(), 2);
    cr_assert(y_was_updated(5));
}

/* ---- Programs -------------------------------------------------------------------------------------------------------
 */

static const char all_names[] =
    "// NEGATIVE REAL WHOLE SINGLE FLAG ELEMENT WIDE LAST\n"
    "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) { if (n < 0) y[0] = a * "
    "x[TILE]; }\n";
Test(programs, options_architecture_and_definitions_reach_the_compiler) {
    static autotune_cuda_program program = CUDA_PROGRAM(all_names, "--use_fast_math");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 2), AXIS(NEGATIVE, -3), AXIS(REAL, 0.5), AXIS(WHOLE, 2.0), AXIS(SINGLE, 0.25f),
                   AXIS(FLAG, (_Bool)1), AXIS(ELEMENT, "unsigned int"), AXIS(WIDE, (unsigned long long)1 << 40),
                   AXIS(LAST, cld)),
             cld(N, 64), (LAST(1, 1), CUDA_LAUNCH(&program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y)),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK, "%s", autotune_last_error());
    cr_assert_str_eq(standin_last_options(),
                     "--gpu-architecture=sm_90 --use_fast_math -DTILE=2 -DNEGATIVE=(-3) -DREAL=(0.5) -DWHOLE=(2.0) "
                     "-DSINGLE=(0.25f) -DFLAG=1 -DELEMENT=unsigned int -DWIDE=1099511627776u --minimal ");
}
/* Returns the number of compilations for four values of the axis WIDTH: 4, or 1 if they share one kernel. */
static unsigned compilations_of_four(autotune_cuda_program *program, const char *kernel, const char *other) {
    autotune_result result;
    const unsigned before = standin_compilations();
    static int key;
    AUTOTUNE(SPACE(AXIS(OTHER, other), AXIS(WIDTH, 32u, 64u, 128u, 256u)), cld(N, WIDTH),
             CUDA_LAUNCH(program, kernel, THREADS(WIDTH), SHARED(0), N, y), .backend = CUDA(stream), .result = &result,
             .key = KEY(++key), .strategy = AUTOTUNE_EXHAUSTIVE, .restore = BUFFERS({device(y), BYTES}));
    cr_assert(result.status == AUTOTUNE_OK && result.tried == 4, "%s", autotune_last_error());
    return standin_compilations() - before;
}
#define COPIES(more) more "template <int S> __global__ void copies(int n, float *y) { if (n < 0) y[0] = S; }\n"
Test(programs, values_that_the_source_does_not_mention_share_one_compilation) {
    static autotune_cuda_program plain = CUDA_PROGRAM(COPIES("")), commented = CUDA_PROGRAM(COPIES("// WIDTH\n")),
                                 longer = CUDA_PROGRAM(COPIES("// WIDTHS, MY_WIDTH and 1WIDTH\n")),
                                 pasted = CUDA_PROGRAM(
                                     COPIES("#define A(b, c) b##c\nstatic const int d = A(WID, TH);\n")),
                                 option = CUDA_PROGRAM(COPIES(""), "-DE=WIDTH"),
                                 header = CUDA_PROGRAM(COPIES("#include \"tile.h\"\n"), "-I" SOURCES),
                                 hidden = CUDA_PROGRAM(COPIES("#define F \"tile.h\"\n#include F\n"), "-I" SOURCES);
    cr_expect_eq(compilations_of_four(&plain, "copies<1>", ""), 1);
    cr_expect_eq(compilations_of_four(&longer, "copies<1>", ""), 1);
    cr_expect_eq(compilations_of_four(&commented, "copies<1>", ""), 4);
    cr_expect_eq(compilations_of_four(&plain, "copies<WIDTH>", ""), 4);
    cr_expect_eq(compilations_of_four(&plain, "copies<2>", "WIDTH"), 4);
    cr_expect_eq(compilations_of_four(&pasted, "copies<1>", ""), 4);
    cr_expect_eq(compilations_of_four(&option, "copies<1>", ""), 4);
    cr_expect_eq(compilations_of_four(&header, "copies<1>", ""), 1);
    cr_expect_eq(compilations_of_four(&hidden, "copies<1>", ""), 4);
}
/* NVRTC compiles headers that read no axis only once. For this the definitions of the axes must come after the headers,
   and not as options. */
static int most_tiles = 6;
static autotune_result compile_with_headers(autotune_cuda_program *program) {
    static int key;
    autotune_result result;
    key++;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 3, 4, 5, 6), WHERE(TILE <= most_tiles)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .compile_threads = 3, .key = KEY(key), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && y_was_updated(key), "%s", autotune_last_error());
    return result;
}
#define TILED(before) \
    before "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n" \
           "    for (int i = 0; i < TILE; i++) {\n" \
           "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n" \
           "        if (at < n) y[at] = a * x[at] + y[at];\n" \
           "    }\n" \
           "}\n"
static const char behind_headers[] = TILED("/* two\n   lines */\n#if 1\n#define SOME 1\n#endif\n#include \"device.h\"\n"
                                           "#if TILE == 5\n#error in line 8\n#endif\n");
Test(programs, axes_are_defined_behind_headers_that_know_none) {
    static autotune_cuda_program program = CUDA_PROGRAM(behind_headers, "-I" SOURCES);
    const autotune_result result = compile_with_headers(&program);
    cr_assert(result.failed == 1 && contains(logged, "TILE=5  (does not compile: program.cu:8:2: error: "), "%s",
              logged);
    cr_assert(contains(standin_last_options(), "--pch") && !contains(standin_last_options(), "-DTILE"), "%s",
              standin_last_options());
}
Test(programs, headers_that_may_read_an_axis_are_compiled_with_it) {
    static autotune_cuda_program reads = CUDA_PROGRAM(TILED("#include \"tile.h\"\n"), "-I" SOURCES),
                                 asks = CUDA_PROGRAM(TILED("#ifdef TILE\n#endif\n#include \"device.h\"\n"),
                                                     "-I" SOURCES),
                                 within = CUDA_PROGRAM(TILED("#if 1\n#include \"device.h\"\n#endif\n"), "-I" SOURCES),
                                 later = CUDA_PROGRAM(TILED("static int before;\n#include \"device.h\"\n"),
                                                      "-I" SOURCES),
                                 pastes = CUDA_PROGRAM(TILED("#define OF(t) t##LE\n#if OF(TI) > 9\n#endif\n"
                                                             "#include \"device.h\"\n"),
                                                       "-I" SOURCES),
                                 comments = CUDA_PROGRAM(TILED("/*/\n#include \"device.h\"\nno longer */\n"),
                                                         "-I" SOURCES),
                                 names = CUDA_PROGRAM(TILED("#include \"device.h\"\n"), "-DOTHER=TILE", "-I" SOURCES);
    most_tiles = 2;
    autotune_cuda_program *const programs[] = {&reads, &asks, &within, &later, &pastes, &comments, &names};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        compile_with_headers(programs[i]);
        cr_expect(!contains(standin_last_options(), "--pch") && contains(standin_last_options(), "-DTILE"), "%zu: %s",
                  i, standin_last_options());
    }
}
Test(programs, an_older_compiler_keeps_no_headers) {
    static autotune_cuda_program program = CUDA_PROGRAM(behind_headers, "-I" SOURCES);
    standin_set_nvrtc_version(12060);
    compile_with_headers(&program);
    cr_assert(contains(standin_last_options(), "-DTILE") && !contains(standin_last_options(), "--pch"), "%s",
              standin_last_options());
}
/* With --minimal NVRTC leaves out declarations. The stand-in defines the macro STANDIN_MINIMAL instead, and this text
   then fails to compile. */
#define UNLESS_MINIMAL "#ifdef STANDIN_MINIMAL\n#error too little was declared\n#endif\n"
Test(programs, a_text_that_names_nothing_of_the_runtime_is_compiled_without_it) {
    static autotune_cuda_program little = CUDA_PROGRAM(TILED("")), more = CUDA_PROGRAM(TILED("// cudaError_t\n")),
                                 hidden = CUDA_PROGRAM(TILED(UNLESS_MINIMAL));
    cr_assert(tune_program(&little, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK && standin_compilations() == 1);
    cr_assert(contains(standin_last_options(), "--minimal "));
    cr_assert(tune_program(&more, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK && standin_compilations() == 2);
    cr_assert(!contains(standin_last_options(), "--minimal "));
    cr_assert(tune_program(&hidden, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK && standin_compilations() == 4,
              "what needs more is compiled again: %s", autotune_last_error());
    cr_assert(!contains(standin_last_options(), "--minimal ") && y_was_updated(3));
}
Test(programs, an_older_compiler_declares_all) {
    standin_set_nvrtc_version(12030);
    cr_assert(tune_program(&tile, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK && standin_compilations() == 1);
    cr_assert(!contains(standin_last_options(), "--minimal "), "%s", standin_last_options());
}
Test(programs, what_a_race_does_not_need_any_more_is_given_up_and_not_failed) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(TILE, 1, 32, 1)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .compile_threads = 6, .max_trials = 1, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.tried == 1);
    autotune_shutdown(); /* waits for the compilations that still run */
    cr_assert_gt(standin_cancelled(), 0);
    cr_assert_eq(compile_with(5), AUTOTUNE_OK);
    cr_assert(!contains(logged, "does not compile"), "%s", logged);
}
/* In the worker threads the compiler does not call its callback, so it cannot be cancelled. It ends only after the
   statement has ended. */
static pthread_t thread_of_statement;
static bool statement_ended;
static unsigned outlasting;
static void outlast_the_statement(void) {
    const time_t late = time(NULL) + 60;
    const struct timespec pause = {0, 1000000};
    if (pthread_equal(pthread_self(), thread_of_statement)) { /* it goes on when two workers have begun to compile */
        while (__atomic_load_n(&outlasting, __ATOMIC_RELAXED) < 2 && time(NULL) < late) nanosleep(&pause, NULL);
        return;
    }
    __atomic_fetch_add(&outlasting, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&statement_ended, __ATOMIC_RELAXED) && time(NULL) < late) nanosleep(&pause, NULL);
    if (time(NULL) >= late) abort();
}
Test(programs, a_statement_does_not_wait_for_a_compiler_that_goes_on) {
    autotune_result result;
    thread_of_statement = pthread_self();
    standin_set_before_compilation(outlast_the_statement);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(RANGE(TILE, 1, 32, 1)), cld(N, 32 * (unsigned)TILE),
                 CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
                 .key = KEY(i), .compile_threads = 2, .max_trials = 1, .restore = BUFFERS({device(y), BYTES}),
                 .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.tried == 1, "%s", autotune_last_error());
    __atomic_store_n(&statement_ended, true, __ATOMIC_RELAXED);
    cr_assert_eq(compile_with(2), AUTOTUNE_OK, "what was given up is compiled when it is needed");
    autotune_shutdown();
    cr_assert(tune_program(&tile, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK);
}
Test(programs, fractions_have_a_point_in_every_locale) {
    static autotune_cuda_program program = CUDA_PROGRAM(all_names, "--use_fast_math");
    autotune_result result;
    if (!use_decimal_comma_here()) cr_skip_test("no locale with a decimal comma is installed");
    AUTOTUNE(SPACE(AXIS(TILE, 2), AXIS(REAL, 0.5), AXIS(WHOLE, 2.0), AXIS(SINGLE, 0.25f)), cld(N, 64),
             CUDA_LAUNCH(&program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .result = &result);
    cr_assert(result.status == AUTOTUNE_OK &&
                  strstr(standin_last_options(), "-DREAL=(0.5) -DWHOLE=(2.0) -DSINGLE=(0.25f) "),
              "%s", standin_last_options());
}
static unsigned texts_of_options; /* bit i: a compilation had the options wanted[i] */
static void note_options(void) {
    static const char *const wanted[] = {"--maxrregcount=32 --fmad=false ", "--maxrregcount=32 --use_fast_math -w ",
                                         "--maxrregcount=64 --fmad=false ", "--maxrregcount=64 --use_fast_math -w "};
    for (unsigned i = 0; i < 4; i++)
        if (contains(standin_last_options(), wanted[i])) texts_of_options |= 1u << i;
}
Test(programs, an_option_has_values_of_axes) {
    static autotune_cuda_program program = CUDA_PROGRAM(text, "--maxrregcount=$REGISTERS", "$FLAGS");
    autotune_result result;
    standin_set_before_compilation(note_options); /* it reads the options of the compilation before this */
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(REGISTERS, 32, 64), AXIS(FLAGS, "--fmad=false", "--use_fast_math -w"), AXIS(TILE, 1)),
                 cld(N, 32),
                 CUDA_LAUNCH(&program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
                 .compile_threads = 1, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    note_options();
    cr_assert(result.status == AUTOTUNE_OK && result.cache_hit && standin_compilations() == 4, "%u",
              standin_compilations());
    cr_assert_eq(texts_of_options, 15u, "%u: %s", texts_of_options, standin_last_options());
}
Test(programs, an_option_that_asks_for_no_axis_is_told) {
    static autotune_cuda_program program = CUDA_PROGRAM(text, "--maxrregcount=$REGISTER");
    cr_assert(tune_program(&program, 1, AUTOTUNE_ON).status == AUTOTUNE_ERR_ALL_FAILED && standin_compilations() == 0);
    cr_assert(error_has("TILE=1: the option --maxrregcount=$REGISTER asks for $REGISTER, which is no axis"), "%s",
              autotune_last_error());
}
Test(programs, an_architecture_of_ones_own_stands_alone) {
    static autotune_cuda_program own = CUDA_PROGRAM(text, "--gpu-architecture=sm_90a");
    cr_assert(tune_program(&own, 1, AUTOTUNE_OFF).status == AUTOTUNE_OK);
    cr_assert_str_eq(standin_last_options(), "--gpu-architecture=sm_90a -DTILE=1 --minimal ");
}
Test(programs, a_compiler_older_than_the_device_makes_ptx_of_the_newest_it_knows) {
    standin_set_newest_architecture(80);
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).index == 1 && y_was_updated(1), "%s", autotune_last_error());
    cr_assert(contains(standin_last_options(), "--gpu-architecture=compute_80 "), "%s", standin_last_options());
}
Test(programs, a_file_is_read_and_what_it_includes_is_found_beside_it) {
    static autotune_cuda_program file = CUDA_PROGRAM_FILE(SOURCES "/tile.cu", "-w");
    const autotune_result result = tune_program(&file, 1, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && y_was_updated(1), "%s", autotune_last_error());
    cr_assert(contains(standin_last_options(), "-I" SOURCES "/ -w"), "%s", standin_last_options());
}
Test(programs, a_file_that_is_not_there_is_named) {
    static autotune_cuda_program file = CUDA_PROGRAM_FILE("no/such.cu");
    cr_assert(tune_program(&file, 1, AUTOTUNE_ON).status == AUTOTUNE_ERR_ALL_FAILED && standin_compilations() == 0);
    cr_assert(error_has("TILE=1: no/such.cu cannot be read: the path is relative to the working directory"), "%s",
              autotune_last_error());
}
Test(programs, an_instance_of_a_template_is_a_kernel) {
    autotune_result result;
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(TILE, 3, 4)), cld(N, 256),
                 CUDA_LAUNCH(&tile, "scale<TILE - 1>", THREADS(256), SHARED(0), N, y), .backend = CUDA(stream),
                 .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK, "%s", autotune_last_error());
    MUST(cuMemcpyDtoH(host, y, BYTES));
    cr_assert(host[10] == (result.index ? 90 : 40), "%g", (double)host[10]);
}
/* The parameters of the template have the names of axes. So these axes must not be macros. */
Test(programs, an_axis_in_the_name_of_an_instance_is_no_macro) {
    static autotune_cuda_program same = CUDA_PROGRAM("template <int TILE, class T> __global__ void a(int n, T *y) {\n"
                                                     "    const int i = (int)(blockIdx.x * 256 + threadIdx.x);\n"
                                                     "    if (i < n) y[i] = T(TILE) * y[i];\n"
                                                     "}\n");
    autotune_result result;
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(TILE, 3, 4), AXIS(T, "float", "float "), AXIS(OTHER, 1, 2)), cld(N, 256),
                 CUDA_LAUNCH(&same, "a<TILE + 1, T>", THREADS(256), SHARED(0), N, y), .backend = CUDA(stream),
                 .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.cache_hit, "%s", autotune_last_error());
    cr_assert(!contains(standin_last_options(), "-D"), "%s", standin_last_options());
    cr_assert_eq(standin_compilations(), 4u, "one for each instance");
    MUST(cuMemcpyDtoH(host, y, BYTES));
    cr_assert(host[10] == (autotune_get_int(&result.config, "TILE") == 3 ? 160 : 250), "%g", (double)host[10]);
}
Test(programs, an_axis_in_the_name_that_the_source_reads_is_a_macro_as_well) {
    static autotune_cuda_program asking = CUDA_PROGRAM("#ifndef TILE\n"
                                                       "#define TILE 100\n"
                                                       "#endif\n"
                                                       "template <int V> __global__ void grow(int n, float *y) {\n"
                                                       "    const int i = (int)(blockIdx.x * 256 + threadIdx.x);\n"
                                                       "    if (i < n) y[i] = V * TILE * y[i];\n"
                                                       "}\n");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 3)), cld(N, 256), CUDA_LAUNCH(&asking, "grow<TILE>", THREADS(256), SHARED(0), N, y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    MUST(cuMemcpyDtoH(host, y, BYTES));
    cr_assert(result.status == AUTOTUNE_OK && host[10] == 90, "%g %s", (double)host[10], autotune_last_error());
}
static autotune_status launch_with_header(const char *header, const char *between) {
    static char source[512];
    static autotune_cuda_program with_header = CUDA_PROGRAM(source);
    char path[] = "/tmp/autotune-header-XXXXXX.h";
    const int file = mkstemps(path, 2);
    autotune_result result;
    cr_assert(file >= 0 && write(file, header, strlen(header)) == (ssize_t)strlen(header) && close(file) == 0);
    snprintf(source, sizeof source, "#include \"%s\"\n%sextern \"C\" __global__ void one(T *y) { *y = 1; }\n", path,
             between);
    AUTOTUNE(SPACE(AXIS(T, "float", "double")), 1, CUDA_LAUNCH(&with_header, "one", THREADS(1), SHARED(0), y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    unlink(path);
    return result.status;
}
Test(programs, an_axis_that_spoils_a_header_is_named) {
    cr_assert_eq(launch_with_header("template <class T>\nstruct holder { T of; };\n", ""), AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(error_has("; the axis T is a macro in this header: give it another name"), "%s", autotune_last_error());
}
Test(programs, an_error_elsewhere_names_no_axis) {
    cr_assert_eq(launch_with_header("/* no such word */\n", "T wrong(;\n"), AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(error_has("does not compile: ") && !error_has("is a macro"), "%s", autotune_last_error());
}
static autotune_result tune_function(autotune_cuda_program *program) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             launch_tile(CUDA_FUNCTION(program, "tile_saxpy"), blocks.x), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .name = "function", .result = &result);
    return result;
}
Test(programs, a_kernel_is_a_function_for_launches_of_ones_own) {
    const autotune_result first = tune_function(&tile);
    cr_assert(first.status == AUTOTUNE_OK && first.index == 1 && first.tried == 3 && first.failed == 0 &&
                  y_was_updated(1) && standin_compilations() == 3,
              "%s", logged);
    const unsigned launches = standin_calls("cuLaunchKernelEx");
    for (int i = 0; i < 20; i++) cr_assert(tune_function(&tile).cache_hit);
    cr_assert_eq(standin_calls("cuLaunchKernelEx"), launches + 20);
    cr_assert(y_was_updated(21));
    cr_assert_eq(standin_compilations(), 3);
    expect_no_misuse();
}
Test(programs, a_function_that_does_not_compile_fails_its_configuration) {
    const autotune_result result = tune_function(&broken_tile); /* its kernel of TILE 2 does not compile */
    cr_assert(result.status == AUTOTUNE_OK && result.index != 1 && result.failed == 1 && y_was_updated(1), "%s",
              logged);
    cr_assert(contains(logged, "this tile is broken"), "%s", logged);
}
Test(programs, a_function_needs_the_backend) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), 1, launch_tile(CUDA_FUNCTION(&tile, "tile_saxpy"), blocks.x), .result = &result);
    cr_assert(result.failed == 2 && error_has("CUDA_FUNCTION needs .backend = CUDA(stream)"), "%s",
              autotune_last_error());
}
Test(programs, a_configuration_may_launch_several_kernels) {
    autotune_result result;
    for (int i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 2, 4)), .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}),
                       .result = &result) {
            autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
            autotune_status code = CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y);
            if (code == AUTOTUNE_OK) {
                blocks = GRID(cld(N, 256));
                code = CUDA_LAUNCH(&tile, "scale<2>", THREADS(256), SHARED(0), N, y);
            }
            if (code != AUTOTUNE_OK) AUTOTUNE_REJECT("%d", (int)code);
        }
        cr_assert(result.status == AUTOTUNE_OK && result.failed == 0 && result.cache_hit == (i > 0), "%s", logged);
    }
    MUST(cuMemcpyDtoH(host, y, BYTES));
    cr_assert(host[1] == ((1 + 2) * 2 + 2) * 2 * 2 + 4, "%g", (double)host[1]);
}
static double two_costs(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)grid, (void)shared_bytes;
    return block[0] == 32 ? 60e3 : 20e3; /* the second kernel takes 10 us: the caches have the data of the first */
}
Test(programs, of_several_kernels_all_are_timed_and_not_what_had_to_be_done_between_them) {
    autotune_result result;
    standin_set_cost(two_costs);
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 2, 4)), .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}),
                   .result = &result) {
        autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        autotune_status code = CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y);
        blocks = GRID(cld(N, 256));
        if (code == AUTOTUNE_OK) code = CUDA_LAUNCH(&tile, "scale<2>", THREADS(256), SHARED(0), N, y);
        if (code != AUTOTUNE_OK) AUTOTUNE_REJECT("%d", (int)code);
    }
    cr_assert(result.median_ns >= 69e3 && result.median_ns <= 72e3, "%g: %s", result.median_ns, logged);
}

/* ---- Variables of a module ------------------------------------------------------------------------------------------
 */

#define WEIGHTED(weights) \
    "__constant__ " weights ";\n" \
    "extern \"C\" __global__ void weigh(int n, float *y) {\n" \
    "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) * TILE;\n" \
    "    for (int k = 0; k < TILE; k++) if (i + k < n) y[i + k] = weights[(i + k) % 4];\n" \
    "}\n"
static autotune_status filled_status;
static unsigned modules_filled;
static autotune_status fill(void *user, CUmodule filled) {
    modules_filled++;
    filled_status = autotune_cuda_fill(filled, "weights", user, 4 * sizeof(float));
    return filled_status;
}
static autotune_result weigh(autotune_cuda_program *program) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 64 * (unsigned)TILE),
             CUDA_LAUNCH(program, "weigh", THREADS(64), SHARED(0), N, y), .backend = CUDA(stream),
             .outputs = BUFFERS({device(y), BYTES, AUTOTUNE_F32}), .result = &result);
    MUST(cuMemcpyDtoH(host, y, BYTES));
    return result;
}
Test(programs, constants_are_filled_once_for_each_module) {
    static autotune_cuda_program program = CUDA_PROGRAM(WEIGHTED("float weights[4]"));
    float weights[] = {1, 20, 300, 4000};
    CUcontext other;
    program.loaded = fill;
    program.user = weights;
    cr_assert(weigh(&program).status == AUTOTUNE_OK && host[1] == 20 && host[7] == 4000, "%s", autotune_last_error());
    cr_assert(modules_filled == 3 && standin_calls("cuModuleLoadDataEx") == 3 + 1,
              "%s", logged);
    weights[1] = 21; /* the module is loaded already, so its copy does not change */
    cr_assert(weigh(&program).cache_hit && host[1] == 20 && modules_filled == 3);
    MUST(cuCtxCreate(&other, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, 0));
    cr_assert(weigh(&program).cache_hit && host[1] == 21 && modules_filled == 4,
              "and another context has another module");
}
Test(programs, a_variable_that_cannot_be_filled_fails_its_configuration) {
    static autotune_cuda_program shorter = CUDA_PROGRAM(WEIGHTED("float weights[3]")),
                                 none = CUDA_PROGRAM(
                                     "extern \"C\" __global__ void weigh(int n, float *y) { if (n < TILE) y[0] = 0; }");
    float weights[] = {1, 2, 3, 4};
    shorter.loaded = none.loaded = fill;
    shorter.user = none.user = weights;
    cr_assert(weigh(&shorter).status == AUTOTUNE_ERR_ALL_FAILED && filled_status == AUTOTUNE_ERR_ARGUMENT);
    cr_assert(error_has("the variable weights has 12 bytes, and 16 are to be copied to it"), "%s",
              autotune_last_error());
    const size_t objects = standin_objects();
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY); /* otherwise the second call would get the failure of the first */
    cr_assert(weigh(&none).status == AUTOTUNE_ERR_ALL_FAILED && standin_objects() == objects, "nothing stays loaded");
    cr_assert(error_has("the module has no variable weights, or the kernel does not use it"), "%s",
              autotune_last_error());
}

/* ---- What does not work ---------------------------------------------------------------------------------------------
 */

Test(programs, what_does_not_compile_fails_its_configuration) {
    const autotune_result result = tune_program(&broken_tile, 1, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 1 && result.index != 1, "%s", logged);
    cr_assert(contains(logged, "TILE=2  (does not compile: program.cu:3:2: error: "), "%s", logged);
    cr_assert(y_was_updated(1));
    tune_program(&broken_tile, 2, AUTOTUNE_ON);
    cr_assert_eq(standin_compilations(), 2 + 2, "with fewer declarations and with all, and not again");
}
Test(programs, if_nothing_compiles_the_sentence_says_why) {
    cr_assert(tune_program(&no_tile, 1, AUTOTUNE_ON).status == AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(error_has("TILE=1: does not compile: program.cu:3:2: error: "), "%s", autotune_last_error());
}
Test(programs, a_kernel_that_is_not_in_the_program_is_named) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), 1, CUDA_LAUNCH(&tile, "no_kernel", THREADS(1), SHARED(0)),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && error_has("no_kernel"), "%s", autotune_last_error());
}
static void arguments_are_counted_and_measured(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1)), 1, CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_FAILED &&
                  error_has("tile_saxpy has 4 parameters, and CUDA_LAUNCH passes 3 arguments"),
              "%s", autotune_last_error());
    AUTOTUNE(SPACE(AXIS(TILE, 1)), 1, CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0, x, y),
             .backend = CUDA(stream), .result = &result);
    cr_assert(error_has("argument 2 of tile_saxpy has 8 bytes, and the kernel's parameter 4: pass a value of its type"),
              "%s", autotune_last_error());
    cr_assert_eq(standin_calls("cuLaunchKernel"), 0);
}
Test(programs, arguments_are_counted_and_measured) { arguments_are_counted_and_measured(); }
Test(programs, parameters_are_asked_for_once) {
    autotune_result result;
    standin_set_version(13000);
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), N * sizeof(float)}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.launches > 4, "%s", autotune_last_error());
    /* For each of the two kernels: a query for each of the 4 parameters, and a query for a fifth, which fails. */
    cr_assert_eq(standin_calls("cuFuncGetParamInfo"), 2 * (4 + 1));
}
Test(programs, parameters_are_counted_by_a_driver_that_can) {
    standin_set_version(13020);
    arguments_are_counted_and_measured();
    cr_assert(standin_calls("cuFuncGetParamCount") == 2 && standin_calls("cuFuncGetParamInfo") == 4 + 2);
    cr_assert_eq(standin_missing_parameters(), 0);
}
static autotune_result launch_shape(autotune_grid grid, autotune_grid threads, size_t shared_bytes) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1)), grid, CUDA_LAUNCH(&tile, "tile_saxpy", threads, SHARED(shared_bytes), N, 2.0f, x, y),
             .backend = CUDA(stream), .mode = AUTOTUNE_OFF, .result = &result);
    return result;
}
/* The user sees the name that the driver gives to the error. */
Test(programs, what_cannot_be_launched_the_driver_refuses) {
    static const struct {
        autotune_grid blocks, threads;
        size_t shared_bytes;
        const char *sentence;
    } launches[] = {{{0, 1, 1}, {32, 1, 1}, 0, "CUDA_ERROR_INVALID_VALUE (1)"},
                    {{1, 1, 1}, {2048, 1, 1}, 0, "CUDA_ERROR_INVALID_VALUE (1)"},
                    {{1, 1, 1}, {512, 1, 1}, 16, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"},
                    {{1, 1, 1}, {32, 1, 1}, 300000, "SHARED gives tile_saxpy 300000 bytes, and a block"}};
    standin_set_registers("instance_0", 200);
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        const autotune_result result =
            launch_shape(launches[i].blocks, launches[i].threads, launches[i].shared_bytes);
        cr_expect(result.status == AUTOTUNE_FAILED && error_has(launches[i].sentence), "%zu: %s", i,
                  autotune_last_error());
    }
}
static CUdeviceptr spare;
static autotune_result tune_shared(size_t bytes) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(bytes * (size_t)TILE), N, 2.0f, x, y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result;
}
/* The block ignores the status of its launch. In a trial a fill takes time on the stream, so the time does not show
   whether the kernel ran. */
static autotune_result tune_block(autotune_cuda_program *program, size_t bytes, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1, 2, 4)), .backend = CUDA(stream), .mode = mode,
                   .key = KEY(program == &no_tile), .restore = BUFFERS({device(y), BYTES}), .result = &result) {
        const autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        if (mode != AUTOTUNE_ONLINE) MUST(cuMemsetD8Async(spare, 0, BYTES, stream));
        CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(bytes), N, 2.0f, x, y);
    }
    return result;
}
static unsigned times_logged(const char *part) {
    const char *at = logged;
    unsigned times = 0;
    while ((at = strstr(at, part)) != NULL) times++, at++;
    return times;
}
Test(programs, a_launch_that_fails_in_a_block_fails_the_trial) {
    MUST(cuMemAlloc(&spare, BYTES));
    autotune_result result = tune_block(&no_tile, 0, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED && error_has("this tile is broken"), "%s",
              autotune_last_error());
    result = tune_block(&broken_tile, 0, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 1 && result.index != 1 && y_was_updated(1), "%s",
              logged);
    cr_assert_eq(tune_block(&broken_tile, (size_t)1 << 32, AUTOTUNE_ON).status, AUTOTUNE_FAILED);
    cr_assert(times_logged("(SHARED gives tile_saxpy") == 1 && y_was_updated(1), "%s", logged);
    (void)tune_shared(0);
    cr_assert_eq(tune_shared((size_t)1 << 32).status, AUTOTUNE_FAILED);
    cr_assert_eq(times_logged("(SHARED gives tile_saxpy"), 2, "a call tells no second time: %s", logged);
}
Test(programs, so_it_does_in_mode_online_where_the_call_is_made_with_another_one) {
    autotune_result result;
    int calls = 0;
    do {
        result = tune_block(&broken_tile, 0, AUTOTUNE_ONLINE);
        cr_assert(result.status == AUTOTUNE_OK && result.index != 1, "%s", logged);
        MUST(cuStreamSynchronize(stream));
        while (standin_compiling()) usleep(1000); /* until then only the first configuration can be launched */
    } while (++calls < 6000 && !result.cache_hit);
    cr_assert(y_was_updated(calls), "%d calls, %g", calls, (double)(host[1] - 1) / 2);
    cr_assert(result.cache_hit, "%d calls: %s", calls, logged);
    cr_assert(contains(logged, "this tile is broken"), "%s", logged);
}
static autotune_result tune_for_at_most(autotune_cuda_program *program, double compile_timeout) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .compile_timeout = compile_timeout, .result = &result);
    return result;
}
Test(programs, a_compilation_that_does_not_end_is_given_up) {
    standin_let_meet(100); /* no compilation ends before 100 run at the same time, and so many never do */
    cr_assert_eq(tune_for_at_most(&tile, 0.1).status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(error_has("NVRTC did not end within 0.1 s, .compile_timeout"), "%s", autotune_last_error());
    cr_assert_eq(standin_cancelled(), 3);
}
/* In the body of a trial, a hit of another statement fails for id 1. */
static CUresult launch_after_hit(int id, unsigned blocks) {
    const CUresult result = launch(saxpy_function, blocks, 256);
    return id && tune_shared(200000).status == AUTOTUNE_FAILED ? CUDA_ERROR_INVALID_VALUE : result;
}
Test(programs, a_hit_that_fails_in_a_trial_keeps_its_reason_to_itself) {
    autotune_result result;
    tune_shared(1000);
    AUTOTUNE(SPACE(AXIS(id, 0, 1)), cld(N, 256), launch_after_hit(id, blocks.x), .backend = CUDA(stream),
             .result = &result);
    cr_assert(result.index == 0 && result.failed == 1, "%s", logged);
    cr_assert(contains(logged, "the winner failed (SHARED gives tile_saxpy"),
              "%s", logged);
    cr_assert(contains(logged, "id=1  (CUDA_ERROR_INVALID_VALUE (1))"), "%s", logged);
}
Test(programs, a_kernel_may_have_more_shared_memory_than_usual) {
    cr_assert(tune_shared(50000).status == AUTOTUNE_OK, "%s", autotune_last_error());
    const unsigned asked = standin_calls("cuFuncSetAttribute");
    cr_assert(tune_shared(50000).cache_hit && tune_shared(60000).cache_hit && y_was_updated(3));
    cr_assert_eq(standin_calls("cuFuncSetAttribute"), asked, "a hit asks for nothing");
    autotune_result result = tune_shared((size_t)1 << 32);
    cr_assert(result.status == AUTOTUNE_FAILED && y_was_updated(3), "no driver is told 0");
    cr_assert(tune_shared(50000).status == AUTOTUNE_OK && y_was_updated(4));
    result = tune_shared(200000);
    cr_assert(result.status == AUTOTUNE_FAILED && y_was_updated(4), "%d", (int)result.status);
    cr_assert(error_has("SHARED gives tile_saxpy 400000 bytes, and a block of it can have 232448 on this device"),
              "what a hit fails of is told: %s", autotune_last_error());
}
static autotune_status launch_two(int key) {
    autotune_status last = AUTOTUNE_FAILED;
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 2, 4)), .backend = CUDA(stream), .key = KEY(key),
                   .restore = BUFFERS({device(y), BYTES})) {
        const autotune_grid blocks = GRID(cld(N, 32 * (unsigned)TILE));
        (void)CUDA_LAUNCH(&tile, "scale<1>", THREADS(256), SHARED(0), N, y);
        last = CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(key), N, 2.0f, x, y);
    }
    return last;
}
Test(programs, entries_of_the_same_kernel_have_the_shared_memory_that_each_wants) {
    CUcontext other;
    cr_assert(launch_two(100000) == AUTOTUNE_OK && launch_two(160000) == AUTOTUNE_OK);
    MUST(cuCtxCreate(&other, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, 0));
    static const int keys[] = {100000, 160000, 160000, 100000, 160000};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) cr_assert_eq(launch_two(keys[i]), AUTOTUNE_OK, "%zu", i);
}
Test(programs, a_winner_that_fails_is_forgotten) {
    tune_program(&tile, 1, AUTOTUNE_ON);
    standin_fail("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).status == AUTOTUNE_FAILED);
    cr_assert(error_has("the winner failed (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701))"), "%s", autotune_last_error());
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).tried == 3 && y_was_updated(2));
}
Test(programs, a_module_that_does_not_load_is_its_configurations_fault) {
    standin_fail("cuModuleLoadDataEx", 1, CUDA_ERROR_NO_BINARY_FOR_GPU);
    const autotune_result result = tune_program(&tile, 1, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 1);
    cr_assert(contains(logged, "(cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU (209))"), "%s", logged);
}
Test(programs, without_the_cuda_backend_nothing_is_launched) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2)), 1, CUDA_LAUNCH(&tile, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y),
             .result = &result);
    cr_assert(result.failed == 2 && error_has("CUDA_LAUNCH needs .backend = CUDA(stream)"), "%s",
              autotune_last_error());
    cr_assert_eq(standin_calls("cuLaunchKernel"), 0);
}

/* ---- Where it runs --------------------------------------------------------------------------------------------------
 */

Test(programs, a_captured_launch_needs_a_kernel_that_is_there) {
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).status == AUTOTUNE_ERR_ENVIRONMENT && standin_compilations() == 0);
    cr_assert(error_has(
                  "the stream is captured, and tile_saxpy is not loaded yet: make this call once before the capture"),
              "%s", autotune_last_error());
    MUST(cuStreamEndCapture(stream, &graph));
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).index == 1);
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const unsigned before = standin_captured();
    cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).cache_hit && standin_captured() == before + 1);
    MUST(cuStreamEndCapture(stream, &graph));
}
Test(programs, another_context_loads_what_was_compiled) {
    CUcontext other;
    tune_program(&tile, 1, AUTOTUNE_ON);
    const unsigned loads = standin_calls("cuModuleLoadDataEx");
    MUST(cuCtxCreate(&other, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, 0));
    for (int i = 0; i < 2; i++) cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).cache_hit && y_was_updated(2 + i));
    cr_assert_eq(standin_calls("cuModuleLoadDataEx"), loads + 1);
    cr_assert_eq(standin_compilations(), 3);
}
/* The axis has the name `call`, like the axis that AUTOTUNE_SELECT makes. Only the axis of AUTOTUNE_SELECT is not
   defined for kernels. The second kernel is launched for the first time on a hit. */
static autotune_status launch_with_an_axis_named_call(bool twice) {
    static autotune_cuda_program named = CUDA_PROGRAM(
        "template <int> __global__ void set(float *y) { y[0] = call + OTHER; }");
    autotune_status last = AUTOTUNE_FAILED;
    AUTOTUNE_BLOCK(SPACE(AXIS(call, 1, 2), AXIS(OTHER, 3)), .backend = CUDA(stream)) {
        const autotune_grid blocks = GRID(1);
        last = CUDA_LAUNCH(&named, "set<1>", THREADS(1), SHARED(0), y);
        if (twice) last = CUDA_LAUNCH(&named, "set<2>", THREADS(1), SHARED(0), y);
    }
    return last;
}
Test(programs, an_axis_may_be_named_call) {
    cr_assert_eq(launch_with_an_axis_named_call(false), AUTOTUNE_OK, "%s", autotune_last_error());
    cr_assert_eq(launch_with_an_axis_named_call(true), AUTOTUNE_OK, "%s", autotune_last_error());
    cr_assert_str_eq(standin_last_options(), "--gpu-architecture=sm_90 -Dcall=1 -DOTHER=3 --minimal ");
}
Test(programs, a_thread_without_a_context_launches_in_the_streams_own) {
    MUST(cuCtxSetCurrent(NULL));
    for (int i = 0; i < 3; i++)
        cr_assert(tune_program(&tile, 1, AUTOTUNE_ON).status == AUTOTUNE_OK, "%s", autotune_last_error());
    CUcontext now;
    MUST(cuCtxGetCurrent(&now));
    cr_assert(now == NULL);
    MUST(cuCtxSetCurrent(context));
    cr_assert(y_was_updated(3));
}
static void *tune_in_a_thread(void *result) {
    MUST(cuCtxSetCurrent(context));
    *(autotune_result *)result = tune_program(&tile, 7, AUTOTUNE_ON);
    return NULL;
}
Test(programs, threads_share_one_race) {
    autotune_result results[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, tune_in_a_thread, &results[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    /* A thread that waited too long for the race makes its call untuned. The race restores y, so it may undo this
       call. */
    bool untuned = false;
    for (int i = 0; i < 3; i++) {
        cr_assert(results[i].status == AUTOTUNE_OK, "%d", i);
        untuned = untuned || results[i].verdict == AUTOTUNE_DEFAULT;
    }
    cr_assert((untuned || y_was_updated(3)) && standin_compilations() == 3, "%s", logged);
}
