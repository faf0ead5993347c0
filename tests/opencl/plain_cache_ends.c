/* plain_cache_ends.c - if a process ends while OPENCL_RUN compiles, or while another thread launches, no configuration
   is blamed. Each process is this program with an argument. */
#define _XOPEN_SOURCE 700      /* nftw, mkdtemp */
#include "faults.h"
#include <ftw.h>
#include <pthread.h>
#include <sys/wait.h>

static autotune_opencl_program program = OPENCL_PROGRAM("__kernel void add(__global float *y) { /* STEP */ }");
static cl_mem y;

static autotune_result run(double timeout) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3)), 1, OPENCL_RUN(&program, "add", GLOBAL(N), LOCAL(64), y),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .launch_timeout = timeout, .result = &result);
    return result;
}
static void *run_beside(void *unused) {
    (void)run(60);
    return unused;
}
static void be(const char *word) {
    find_test_device();
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    y = floats(context, 0);
    if (!strcmp(word, "killed")) {
        control->kills = 1;
        (void)run(1);
    } else if (!strcmp(word, "exits")) {
        const struct timespec pause = { 0, 1000000 };
        pthread_t thread;
        control->hang_at = 1;
        CHECK(pthread_create(&thread, NULL, run_beside, NULL) == 0);
        while (!__atomic_load_n(&control->launches, __ATOMIC_ACQUIRE)) nanosleep(&pause, NULL);
    } else {
        const autotune_result result = run(1);
        CHECK(result.status == AUTOTUNE_OK && !result.cache_hit && result.tried == 3 && !result.failed);
        CHECK(!strstr(logged, "did not come back"));
    }
    exit(EXIT_SUCCESS);
}
static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}
static int end_of(const char *self, const char *word) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl(self, self, word, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}
int main(int count, char **arguments) {
    static const char *const ends[] = { "killed", "exits" };
    char folder[] = "/tmp/autotune-opencl-XXXXXX";
    if (count > 1) be(arguments[1]);
    find_test_device();
    for (size_t k = 0; k < 2; k++) {
        strcpy(folder, "/tmp/autotune-opencl-XXXXXX");
        CHECK(mkdtemp(folder) && setenv("AUTOTUNE_CACHE_DIR", folder, 1) == 0);
        CHECK(setenv("AUTOTUNE_CACHE", "on", 1) == 0);
        /* There are more runs than configurations. If a run made a suspect, all configurations would be suspects. */
        for (int i = 0; i < 4; i++) {
            const int status = end_of(arguments[0], ends[k]);
            CHECK(k ? WIFEXITED(status) : WIFSIGNALED(status));
        }
        CHECK(end_of(arguments[0], "lives") == 0);
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    return EXIT_SUCCESS;
}
