/* plain_cache_programs.c - the programs that OPENCL_RUN compiles are kept on disk: a second process compiles and tunes
   nothing. */
#define _XOPEN_SOURCE 700      /* nftw, mkdtemp */
#include "faults.h"
#include <ftw.h>

static autotune_opencl_program program = OPENCL_PROGRAM("__kernel void add(__global float *y) { /* STEP */ }");

static autotune_result run(cl_mem y, int key, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 3), AXIS(local, 1, 64)), 1,
             OPENCL_RUN(&program, "add", GLOBAL(N), LOCAL(local), y), .backend = OPENCL(queue), .key = KEY(key),
             .mode = mode, .restore = BUFFERS({y, BYTES}), .result = &result);
    return result;
}
static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}
int main(int count, char **arguments) {
    const bool again = count > 1;
    char folder[] = "/tmp/autotune-opencl-XXXXXX", command[4096];
    autotune_result result;
    find_test_device();
    autotune_set_log(say_nothing, NULL);
    if (!again) CHECK(mkdtemp(folder) && setenv("AUTOTUNE_CACHE_DIR", folder, 1) == 0);
    CHECK(setenv("AUTOTUNE_CACHE", "on", 1) == 0);
    cl_mem y = floats(context, 0);
    /* The second process uses mode CACHED: in mode ON a winner that is not sure would be duelled again. */
    result = run(y, 1, again ? AUTOTUNE_CACHED : AUTOTUNE_ON);
    CHECK(result.status == AUTOTUNE_OK && result.cache_hit == again && all_are(y, 1));
    CHECK(control->builds == (again ? 0 : 3) && control->loads == (again ? 1 : 3));
    CHECK(run(y, 1, AUTOTUNE_ON).cache_hit && all_are(y, 2) && control->loads == (again ? 1 : 3));
    if (again) {                                /* a race of another key loads the kernels from disk */
        result = run(y, 2, AUTOTUNE_ON);
        CHECK(result.status == AUTOTUNE_OK && !result.cache_hit && result.tried == 6 && control->builds == 0);
        return EXIT_SUCCESS;
    }
    snprintf(command, sizeof command, "'%s' again", arguments[0]);
    CHECK(system(command) == 0);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return EXIT_SUCCESS;
}
