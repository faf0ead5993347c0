/* device_process.h - processes that tune on a real device, each with its own context, and their outcomes, which the
   parent process reads. */
#ifndef DEVICE_PROCESS_H
#define DEVICE_PROCESS_H
#include "autotune_cuda.h"

#include "../cache_file.h"
#include "../plain.h"

enum { N = 1 << 20 };
#define BYTES (N * sizeof(float))
#define DONE(call) CHECK((call) == CUDA_SUCCESS)

typedef struct outcome {
    autotune_result result;
    char log[1 << 14];
} outcome;
static outcome *seen; /* an outcome for each process, in memory that all processes share */
static CUcontext context;
static CUstream stream;
static CUdeviceptr x;

static void keep_log(void *user, autotune_log_level level, const char *line) {
    const size_t length = strlen(seen->log);
    (void)user, (void)level;
    snprintf(seen->log + length, sizeof seen->log - length, "%s\n", line);
}
static void make_context(void) {
    DONE(cuCtxCreate(&context, NULL, 0, 0));
    DONE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DONE(cuMemAlloc(&x, BYTES));
    DONE(cuMemsetD8(x, 0, BYTES));
}

/* Starts a process, which writes seen[number]. It ends by exit(), like other programs. */
static pid_t start(void (*run)(void), size_t number) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child) return child;
    alarm(120);
    seen += number;
    memset(seen, 0, sizeof *seen);
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_log, NULL);
    DONE(cuInit(0));
    make_context();
    run();
    exit(EXIT_SUCCESS);
}
static void await(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
        fprintf(stderr, "the process ended with status %d; its log:\n%s", status, seen->log);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}
static const outcome *in_a_process(void (*run)(void)) {
    await(start(run, 0));
    return seen;
}
/* Returns true if the winner was known. Otherwise it prints the result and the log. */
static bool is_known(const outcome *o) {
    const bool known = o->result.status == AUTOTUNE_OK && o->result.cache_hit && o->result.tried == 0;
    if (!known)
        fprintf(stderr, "status %d, %zu tried, %zu failed; the log:\n%s", (int)o->result.status, o->result.tried,
               o->result.failed, o->log);
    return known;
}

#endif
