/* absent.c SENTENCE - a machine on which OpenCL does not work. A statement ends with one sentence that has SENTENCE in
   it. Its call is not made, and tuning on the CPU works on. */
#include "autotune_opencl.h"

#include "plain.h"

static int launches;
static autotune_status launch(int local) {
    launches += local > 0;
    return AUTOTUNE_OK;
}
static autotune_status on_the_cpu(int id) {
    spend(id ? 1000 : 2000);
    return AUTOTUNE_OK;
}

int main(int count, char **arguments) {
    autotune_backend cpu = virtual_backend("cpu");
    autotune_result result;
    int not_there;
    const cl_command_queue queue = (cl_command_queue)(void *)&not_there;
    CHECK(count == 2);
    autotune_set_log(say_nothing, NULL);
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(local, 64, 128)), 1, launch(local), .backend = OPENCL(queue), .result = &result);
        puts(autotune_last_error());
        CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT && launches == 0);
        CHECK(last_error_has(arguments[1]) && last_error_has("absent.c:main: ") &&
              last_error_has("; the call was not made"));
    }
    AUTOTUNE(SPACE(AXIS(local, 64, 128)), 1, OPENCL_LAUNCH(NULL, GLOBAL(64), LOCAL(local)), .backend = OPENCL(queue),
             .mode = AUTOTUNE_OFF, .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT && last_error_has(arguments[1]));
    AUTOTUNE(SPACE(AXIS(id, 0, 1)), 1, on_the_cpu(id), .backend = &cpu, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1);

    /* In mode OFF a statement needs no driver: it makes its call. */
    AUTOTUNE(SPACE(AXIS(local, 64, 128)), 1, launch(local), .backend = OPENCL(queue), .mode = AUTOTUNE_OFF,
             .result = &result);
    CHECK(result.status == AUTOTUNE_OK && launches == 1);
    return EXIT_SUCCESS;
}
