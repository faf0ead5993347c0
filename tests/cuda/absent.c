/* absent.c SENTENCE - a machine on which CUDA does not work. A statement ends with one sentence that has SENTENCE in
   it. Its call is not made, and tuning on the CPU works on. */
#include "autotune_cuda.h"

#include "plain.h"
#include <dlfcn.h>

static int launches;
static CUresult launch(int block) {
    launches += block > 0;
    return CUDA_SUCCESS;
}
static autotune_status on_the_cpu(int id) {
    spend(id ? 1000 : 2000);
    return AUTOTUNE_OK;
}

int main(int count, char **arguments) {
    autotune_backend cpu = virtual_backend("cpu");
    autotune_result result;
    CHECK(count == 2);
    /* The test with this argument needs a machine without the library. Here the library exists, so it is skipped. */
    if (strstr(arguments[1], "was not found") && dlopen("libcuda.so.1", RTLD_NOW)) return 77;
    autotune_set_log(say_nothing, NULL);
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(block, 64, 128)), 1, launch(block), .backend = CUDA(0), .result = &result);
        puts(autotune_last_error());
        CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT && launches == 0);
        CHECK(last_error_has(arguments[1]) && last_error_has("absent.c:main: ") &&
              last_error_has("; the call was not made"));
    }
    AUTOTUNE(SPACE(AXIS(id, 0, 1)), 1, on_the_cpu(id), .backend = &cpu, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1);

    /* In mode OFF a statement needs no driver: it makes its call. */
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), 1, launch(block), .backend = CUDA(0), .mode = AUTOTUNE_OFF,
             .result = &result);
    CHECK(result.status == AUTOTUNE_OK && launches == 1);
    return EXIT_SUCCESS;
}
