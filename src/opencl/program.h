/* Compiling with OpenCL: the functions that the floor `kernels` calls. */
#pragma once
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "errors.h"
#include "device.h"

/* A kernel in a context. Several threads must not call clSetKernelArg() on one cl_kernel at once. So a launch takes the
   cl_kernel, and puts it back afterwards. Another thread that launches meanwhile creates its own cl_kernel. */
typedef struct autotune__opencl_kernel {
    cl_kernel free;                             /* the cl_kernel that a launch may take; NULL: a launch has taken it */
    autotune__kernel loaded;
    cl_program program;
} autotune__opencl_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__opencl_kernel_of, autotune__opencl_kernel, loaded, autotune__kernel)
static cl_kernel autotune__opencl_take(autotune__opencl_kernel *kernel, cl_int *error) {
    const cl_kernel taken = __atomic_exchange_n(&kernel->free, NULL, __ATOMIC_ACQUIRE);
    *error = CL_SUCCESS;
    return taken ? taken : autotune__libopencl.clCreateKernel_(kernel->program, kernel->loaded.listed.name, error);
}
static void autotune__opencl_put_back(autotune__opencl_kernel *kernel, cl_kernel taken) {
    const cl_kernel other = __atomic_exchange_n(&kernel->free, taken, __ATOMIC_ACQ_REL);
    if (other) autotune__libopencl.clReleaseKernel_(other);
}

static const autotune__known_option autotune__opencl_options[] = {
    { "I", AUTOTUNE__OPTION_FOLDER }, { NULL, AUTOTUNE__OPTION_OTHER }
};
/* Builds a compilation from its machine code, else from its source, and makes its kernel. After an error the kernel is
   NULL, and the returned program may be NULL. The source, not the options, defines the axes. Drivers divide options at
   blanks, and values of axes may have blanks. */
static cl_program autotune__opencl_build(const autotune__accelerator *accelerator,
                                         const autotune__compilation *compilation, cl_kernel *kernel, cl_int *error) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    const cl_context context = autotune__opencl_context(accelerator);
    const cl_device_id device = autotune__opencl_device(accelerator);
    const unsigned char *image = (const unsigned char *)compilation->image;
    char *text AUTOTUNE__OWNED = image ? NULL : autotune__text_with_definitions(compilation, 0, "");
    autotune__text options AUTOTUNE__FREED = { NULL, false };
    const char *const definitions = autotune__own_options_end(compilation), *option;
    cl_program program = NULL;
    AUTOTUNE__EACH_OPTION(option, &compilation->options)
        if (option < definitions) autotune__append(&options, " %s", option);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (image && !options.broken)
        program = opencl->clCreateProgramWithBinary_(context, 1, &device, &compilation->image_bytes, &image, NULL,
                                                     error);
    else if (text && !options.broken)
        program = opencl->clCreateProgramWithSource_(context, 1, (const char **)&text, NULL, error);
    if (*error == CL_SUCCESS) *error = opencl->clBuildProgram_(program, 1, &device, options.at, NULL, NULL);
    *kernel = *error == CL_SUCCESS ? opencl->clCreateKernel_(program, compilation->name, error) : NULL;
    return program;
}
static void autotune__opencl_refuse(autotune__compilation *compilation, cl_program program, cl_device_id device,
                                    cl_int error) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    size_t bytes = 0;
    const bool has_log = program && opencl->clGetProgramBuildInfo_(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                                                   &bytes) == CL_SUCCESS;
    char otherwise[96], *log AUTOTUNE__OWNED = has_log ? (char *)autotune__allocate(bytes + 1) : NULL;
    if (log) (void)opencl->clGetProgramBuildInfo_(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    autotune__put_text(otherwise, sizeof otherwise, "%s (%d)", autotune__opencl_error_name(error), error);
    autotune__refuse_by_log(compilation, log, otherwise);
}
static void autotune__opencl_take_image(autotune__compilation *compilation, cl_program program) {
    enum { MOST = 64 };                         /* the most devices of a context. The program was built for one
                                                   device */
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    size_t sizes[MOST] = { 0 }, at = 0;
    unsigned char *images[MOST] = { NULL };     /* NULL: the driver copies nothing */
    (void)opencl->clGetProgramInfo_(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL);
    while (at < MOST && !sizes[at]) at++;
    if (at < MOST && !autotune__take_room(compilation, sizes[at], compilation->name)) return;
    if (at < MOST) images[at] = (unsigned char *)compilation->image;
    if (at < MOST &&
        opencl->clGetProgramInfo_(program, CL_PROGRAM_BINARIES, sizeof images, images, NULL) == CL_SUCCESS)
        compilation->progress = AUTOTUNE__CODE_MADE;
    else
        autotune__refuse(compilation, "%s was compiled, but the driver gives no machine code of it", compilation->name);
}
static void autotune__opencl_compile(autotune__compilation *compilation, const autotune__target *target,
                                     const autotune__compile_limits *limits) {
    const autotune__accelerator *accelerator = autotune__accelerator_at(target);
    cl_int error;
    cl_kernel kernel;
    cl_program program = autotune__opencl_build(accelerator, compilation, &kernel, &error);
    (void)limits;                               /* OpenCL cannot stop its compiler */
    if (kernel) autotune__opencl_take_image(compilation, program);
    else if (error == CL_INVALID_KERNEL_NAME)
        autotune__refuse(compilation, "the program has no kernel %s", compilation->name);
    else if (error != CL_OUT_OF_HOST_MEMORY)
        autotune__opencl_refuse(compilation, program, autotune__opencl_device(accelerator), error);
    if (kernel) autotune__libopencl.clReleaseKernel_(kernel);
    if (program) autotune__libopencl.clReleaseProgram_(program);
}
static autotune__kernel *autotune__opencl_load(const autotune__target *target, const autotune__compilation *compilation,
                                               int *error) {
    autotune__opencl_kernel *kernel = (autotune__opencl_kernel *)autotune__allocate(sizeof *kernel);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (kernel)
        kernel->program = autotune__opencl_build(autotune__accelerator_at(target), compilation, &kernel->free, error);
    if (*error == CL_SUCCESS) return &kernel->loaded;
    autotune_explain("the machine code of %s cannot be loaded: %s (%d)", compilation->name,
                     autotune__opencl_error_name(*error), *error);
    if (kernel && kernel->program) autotune__libopencl.clReleaseProgram_(kernel->program);
    autotune__free(kernel);
    return NULL;
}
static void autotune__opencl_unload(autotune__kernel *loaded) {
    autotune__opencl_kernel *kernel = autotune__opencl_kernel_of(loaded);
    const bool lost = autotune__lost_accelerator(autotune__accelerator_at(loaded->target)) != NULL;
    if (kernel->free && !lost) autotune__libopencl.clReleaseKernel_(kernel->free);
    if (!lost) autotune__libopencl.clReleaseProgram_(kernel->program);
    autotune__free(kernel);
}
/* The member `version` is the same for all drivers. The compiler belongs to the driver, and the description of the
   device has the driver's version. */
static autotune__compiler autotune__opencl_compiler = {
    "opencl", "bin", "OpenCL C", NULL, true, false, autotune__opencl_options, NULL, NULL, NULL,
    autotune__opencl_compile, NULL, autotune__opencl_load, autotune__opencl_unload, NULL, 0
};
