/* plain_outputs.c - large .outputs are filled and compared on the device, by a kernel of the library. */
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "device.h"
#include "../elements.h"

enum { LARGE = 1 << 19, MANY = LARGE / 4 };     /* the output has LARGE bytes, which are MANY floats */
static void device_and_cpu_agree(void) {
    static const autotune_options usual;
    autotune_backend *backend = OPENCL(queue), *opened = backend->open(backend, backend->place(backend), &usual);
    CHECK(opened && opened->ready(opened) == AUTOTUNE_OK);
    check_elements(opened);
    opened->close(opened);
}
/* Each variant writes ones. Variant 2 writes fives from element 55555 on. Variant 3 does not write the last element. */
static void wrong_outputs_are_told(void) {
    const cl_program program = build(context, "__kernel void fill(__global float *y, int variant) {\n"
                                              "    const int i = (int)get_global_id(0);\n"
                                              "    if (variant == 3 && i == 131071) return;\n"
                                              "    y[i] = variant == 2 && i > 55554 ? 5 : 1;\n"
                                              "}\n");
    cl_int error;
    const cl_mem y = clCreateBuffer(context, CL_MEM_READ_WRITE, LARGE, NULL, &error);
    const cl_kernel fill = kernel_of(program, "fill");
    autotune_result result;
    MUST(error);
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    MUST(clSetKernelArg(fill, 0, sizeof y, &y));
    AUTOTUNE(SPACE(AXIS(variant, 0, 1, 2, 3)), 1,
             (clSetKernelArg(fill, 1, sizeof variant, &variant), OPENCL_LAUNCH(fill, GLOBAL(MANY), LOCAL(64))),
             .backend = OPENCL(queue), .cache = AUTOTUNE_CACHE_OFF, .preset = AUTOTUNE_FAST,
             .outputs = BUFFERS({y, LARGE, AUTOTUNE_F32}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 4 && result.failed == 2 && result.index < 2);
    CHECK_LOG("variant=2  (wrong output: element 55555 is 5, not 1)");
    CHECK_LOG("variant=3  (wrong output: element 131071 is ");
}
int main(void) {
    const plain_test tests[] = {{ "device and cpu agree", device_and_cpu_agree },
                                { "wrong outputs are told", wrong_outputs_are_told }};
    setenv("AUTOTUNE_LOG", "full", 1);
    find_device();
    return RUN_PLAIN_TESTS(tests);
}
