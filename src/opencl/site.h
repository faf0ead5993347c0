/* The part of OpenCL that programs see: its macros and functions at a call site. */
#pragma once
#include <CL/cl.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../kernels/site.h"

#define AUTOTUNE_OPENCL(queue) autotune_opencl(queue)

/* OPENCL_LAUNCH(kernel, global, local)     an expression of type autotune_status, in the call or block of a statement.
   It enqueues a cl_kernel, whose arguments are set, on the queue of the backend.
   global   the number of work-items: GLOBAL(x), GLOBAL(x, y) or GLOBAL(x, y, z). Each size is a dimension.
   local    the work-items of a work-group: LOCAL(x), LOCAL(x, y), LOCAL(x, y, z). A missing size is 1. With LOCAL(0)
            the driver chooses the size. Add the value 0 to the axis: then the driver's choice is raced, too.
   A global size is rounded up to a multiple of the local size. So the kernel has to check whether its work-item has
   work. If the device or the kernel does not allow a launch, the configuration fails with the error of the driver.

   OPENCL_EVENT     an argument for your own enqueue, in the call or block of a statement. It is the address of an event
   in a trial, and in the first calls of a winner; the backend measures and releases this event. Else it is NULL. Each
   enqueue of the body needs its own OPENCL_EVENT; their number has no limit:

       clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, OPENCL_EVENT)

   A trial fails if an enqueue did not set its event, which means that the enqueue was refused. A trial also fails if
   its body enqueues nothing by OPENCL_LAUNCH, OPENCL_RUN or OPENCL_EVENT. */
#define AUTOTUNE_OPENCL_LAUNCH(kernel, global, local) \
    autotune__launched(autotune__this, AUTOTUNE__OPENCL_START(autotune__this->tuning, kernel, global, local))
#define AUTOTUNE_OPENCL_GLOBAL(...) AUTOTUNE__OPENCL_SIZE("GLOBAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_LOCAL(...) AUTOTUNE__OPENCL_SIZE("LOCAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_EVENT \
    (AUTOTUNE__LIKELY(!autotune__this->tuning) ? AUTOTUNE__NULL \
                                               : autotune__opencl_event_of(autotune__this->tuning))

/* OPENCL_PROGRAM(text, option, ...)        a program as source in OpenCL C. One string may have several options, with
                                            blanks between them.
   OPENCL_PROGRAM_FILE(path, option, ...)   source in a file.
   Each macro initialises an autotune_opencl_program.

   OPENCL_RUN(&program, name, global, local, argument, ...)     an expression of type autotune_status
   It enqueues a kernel of the program on the queue of the backend.
   global, local    as in OPENCL_LAUNCH.
   argument         a value; a cl_mem for memory; LOCAL_BYTES(n) for n bytes of local memory. */
#define AUTOTUNE_OPENCL_PROGRAM(...) AUTOTUNE__PROGRAM_TEXT(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_OPENCL_PROGRAM_FILE(...) AUTOTUNE__PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_OPENCL_RUN(program, name, global, ...) AUTOTUNE__OPENCL_RUN(program, name, global, __VA_ARGS__, 0)
#define AUTOTUNE__OPENCL_RUN(program, name, global, local, ...) \
    AUTOTUNE__LAUNCH_KERNEL(autotune__opencl_run_kernel, autotune__opencl_run, (program, name, global, local), \
                            __VA_ARGS__)
#define AUTOTUNE_OPENCL_LOCAL_BYTES(size) autotune__local_bytes_of(AUTOTUNE__AS(size_t, size))

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define OPENCL(queue) AUTOTUNE_OPENCL(queue)
#define OPENCL_LAUNCH(kernel, global, local) AUTOTUNE_OPENCL_LAUNCH(kernel, global, local)
#define OPENCL_EVENT AUTOTUNE_OPENCL_EVENT
#define OPENCL_PROGRAM(...) AUTOTUNE_OPENCL_PROGRAM(__VA_ARGS__)
#define OPENCL_PROGRAM_FILE(...) AUTOTUNE_OPENCL_PROGRAM_FILE(__VA_ARGS__)
#define OPENCL_RUN(program, name, global, ...) AUTOTUNE_OPENCL_RUN(program, name, global, __VA_ARGS__)
#define LOCAL_BYTES(size) AUTOTUNE_OPENCL_LOCAL_BYTES(size)
#define GLOBAL(...) AUTOTUNE_OPENCL_GLOBAL(__VA_ARGS__)
#define LOCAL(...) AUTOTUNE_OPENCL_LOCAL(__VA_ARGS__)
#endif

AUTOTUNE__BEGIN_C

typedef struct autotune_opencl_size {           /* the value of GLOBAL and LOCAL */
    cl_uint dimensions;                         /* 1 to 3 */
    size_t at[3];                               /* sizes beyond `dimensions` are 1 */
} autotune_opencl_size;
typedef autotune_program_source autotune_opencl_program;

/* OPENCL(queue) calls this function. Returns the backend for the context and the device of the queue, never NULL. The
   next launches of this thread use the queue. If OpenCL does not work, or the queue is NULL, statements with this
   backend end with AUTOTUNE_ERR_ENVIRONMENT. Any thread may call it. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue);

/* OPENCL_LAUNCH and OPENCL_EVENT as functions, for launch() of a created tuner. They work for the innermost statement
   of this thread; without a statement the call is a hit. */
AUTOTUNE__API autotune_status autotune_opencl_launch(cl_kernel kernel, autotune_opencl_size global,
                                                     autotune_opencl_size local);
AUTOTUNE__API cl_event *autotune_opencl_event(void);
AUTOTUNE__API cl_event *autotune__opencl_event_of(const autotune__tuning *tuning);

/* Turns the error of an OpenCL function into an autotune_status. The name of the error becomes the reason why the trial
   fails. Write autotune_opencl_status(clEnqueueNDRangeKernel(...)). Any thread may call the function. */
AUTOTUNE__API autotune_status autotune_opencl_status(cl_int error);

/* OPENCL_LAUNCH calls this function. tuning: NULL on a hit. The function's name is a message, which the linker shows if
   no file has the implementation. */
#define AUTOTUNE__OPENCL_START autotune__define_AUTOTUNE_OPENCL_IMPLEMENTATION_in_one_file
AUTOTUNE__API autotune_status AUTOTUNE__OPENCL_START(autotune__tuning *tuning, cl_kernel kernel,
                                                     autotune_opencl_size global, autotune_opencl_size local);

typedef struct autotune__opencl_run {           /* the arguments of OPENCL_RUN */
    autotune_opencl_program *program;
    const char *name;
    autotune_opencl_size global, local;
    autotune__arguments arguments;
} autotune__opencl_run;
/* OPENCL_RUN calls this function. tuning: NULL on a hit. values: the values of the configuration; the word after them
   leads to its kernels. */
AUTOTUNE__API autotune_status autotune__opencl_run_kernel(autotune__tuning *tuning, const uint64_t *values,
                                                          const autotune__opencl_run *run);

AUTOTUNE__INLINE autotune_opencl_size autotune__opencl_sized(cl_uint dimensions, size_t x, size_t y, size_t z) {
    const autotune_opencl_size size = { dimensions, { x, y, z } };
    return size;
}
#define AUTOTUNE__OPENCL_SIZE(name, n, x, y, z, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) <= 3, name ": x, y and z, no more"); }), \
     autotune__opencl_sized(n, AUTOTUNE__AS(size_t, x), AUTOTUNE__AS(size_t, y), AUTOTUNE__AS(size_t, z)))

AUTOTUNE__END_C
