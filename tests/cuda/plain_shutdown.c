/* plain_shutdown.c - autotune_shutdown() frees all kernels, and all objects of autotune_cuda.h on devices. A later
   statement begins as in a new run. In a child made by fork() the locks are free. */
#include "autotune_cuda.h"

#include "../backends.h"
#include "../plain.h"
#include "../sanitized.h"
#include "standin.h"
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void first(int n) { if (n < 0) for (int i = TILE;;) i++; }\n"
    "extern \"C\" __global__ void second(int n) { if (n < 0) for (int i = TILE;;) i++; }\n");
static CUcontext context;

static autotune_result tune_two_kernels(void) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1, 2)), .backend = CUDA(0), .result = &result) {
        const autotune_grid blocks = GRID(1);
        if (CUDA_LAUNCH(&program, "first", THREADS(32), SHARED(0), TILE) != AUTOTUNE_OK ||
            CUDA_LAUNCH(&program, "second", THREADS(32), SHARED(0), TILE) != AUTOTUNE_OK)
            AUTOTUNE_REJECT("not launched");
    }
    return result;
}
static void tune_anew(void) {
    const unsigned compilations = standin_compilations();
    CHECK(tune_two_kernels().tried == 2 && standin_compilations() == compilations + 4);
    CHECK(tune_two_kernels().cache_hit && standin_compilations() == compilations + 4);
}
static void begin(void) {
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
}
static void end(void) {
    CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
    if (*standin_misuse()) puts(standin_misuse());
    CHECK(!*standin_misuse());
}

static void everything_on_the_device_is_freed(void) {
    begin();
    const size_t objects = standin_objects(), memory = standin_memory_in_use();
    for (int i = 0; i < 3; i++) {
        tune_anew();
        /* The two kernels of the winner stay, and the two events of the last call, whose time was not read yet. */
        CHECK(standin_objects() == objects + 2 + 2 && standin_memory_in_use() == memory);
        CHECK(cuCtxSetCurrent(i == 1 ? NULL : context) == CUDA_SUCCESS);
        CHECK(autotune_shutdown() == AUTOTUNE_OK);
        CHECK(standin_objects() == objects && standin_memory_in_use() == memory);
        CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    }
    end();
}
static void a_context_that_was_destroyed_is_left_alone(void) {
    begin();
    tune_anew();
    end();
    standin_create_in_place(&context); /* a new context has the address of the destroyed context */
    const unsigned calls = standin_calls("cuModuleUnload") + standin_calls("cuMemFree");
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    CHECK(standin_calls("cuModuleUnload") + standin_calls("cuMemFree") == calls);
    tune_anew();
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    end();
}
static void locks_are_free_in_the_child_of_a_fork(void) {
    size_t count;
    pthread_mutex_t *const *const locks = locks_of_cuda(&count);
    int status;
    for (size_t i = 0; i < count; i++) CHECK(pthread_mutex_lock(locks[i]) == 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    for (size_t i = 0; child == 0 && i < count; i++) CHECK(pthread_mutex_trylock(locks[i]) == 0);
    if (child == 0) _exit(EXIT_SUCCESS);
    for (size_t i = 0; i < count; i++) pthread_mutex_unlock(locks[i]);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

/* A worker thread compiles a kernel when the program calls exit(). The worker has to end before the handlers of exit()
   have run: after them, libraries destroy data that a compiler uses. */
static __thread bool tunes;
static unsigned workers_compiling, workers_compiled;
static void compile_for_a_while(void) {
    if (tunes) return;
    __atomic_add_fetch(&workers_compiling, 1, __ATOMIC_RELEASE);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    __atomic_add_fetch(&workers_compiled, 1, __ATOMIC_RELEASE);
}
static void look_for_workers(void) {
    const unsigned ended = __atomic_load_n(&workers_compiled, __ATOMIC_ACQUIRE),
                   begun = __atomic_load_n(&workers_compiling, __ATOMIC_ACQUIRE);
    if (begun != ended) _exit(2);
}
static void *tune_for_ever(void *unused) {
    tunes = true;
    begin();
    for (int key = 0;; key++)
        AUTOTUNE_BLOCK(SPACE(RANGE(TILE, 1, 20, 1)), .backend = CUDA(0), .key = KEY(key), .compile_threads = 2) {
            const autotune_grid blocks = GRID(1);
            (void)CUDA_LAUNCH(&program, "first", THREADS(32), SHARED(0), TILE);
        }
    return unused;
}
static void workers_end_when_the_program_ends(void) {
    int status;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        pthread_t thread;
        atexit(look_for_workers);               /* exit() calls this handler after those of autotune */
        standin_set_before_compilation(compile_for_a_while);
        CHECK(pthread_create(&thread, NULL, tune_for_ever, NULL) == 0);
        while (!__atomic_load_n(&workers_compiling, __ATOMIC_ACQUIRE)) sched_yield();
        exit(EXIT_SUCCESS);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    /* The thread sanitizer sets exit status 66, because exit() ends a thread that still runs. */
    CHECK(WEXITSTATUS(status) == EXIT_SUCCESS || (THREAD_SANITIZED && WEXITSTATUS(status) == 66));
}

int main(void) {
    const plain_test tests[] = {
        /* This test forks, so it comes before this process initialises CUDA. */
        {"workers_end_when_the_program_ends", workers_end_when_the_program_ends},
        {"everything_on_the_device_is_freed", everything_on_the_device_is_freed},
        {"a_context_that_was_destroyed_is_left_alone", a_context_that_was_destroyed_is_left_alone},
        {"locks_are_free_in_the_child_of_a_fork", locks_are_free_in_the_child_of_a_fork}};
    return RUN_PLAIN_TESTS(tests);
}
