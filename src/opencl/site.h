/* The part of OpenCL that programs see: its macros and functions at a call site. */
#pragma once
#include <CL/cl.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../kernels/site.h"

#define AUTOTUNE_OPENCL(queue) autotune_opencl(queue)

/* OPENCL_LAUNCH(kernel, global, local)     an expression of type autotune_status, in the call or block of a statement.
   It enqueues a cl_kernel, whose arguments are set, on the queue of the backend.
   global   how many work-items: GLOBAL(x), GLOBAL(x, y) or GLOBAL(x, y, z). It has as many dimensions as sizes.
   local    how many of them make a work-group: LOCAL(x), LOCAL(x, y), LOCAL(x, y, z); a missing size is 1. LOCAL(0)
            lets the driver choose: so give its axis the value 0, and the winner is never slower than that choice.
   A global size that is no multiple of the local size is rounded up, so that the kernel has to ask whether its
   work-item has something to do. A launch that the device or the kernel does not allow fails the configuration with
   the error of the driver.

   OPENCL_EVENT     where a call of your own wants a cl_event *, in the call or block of a statement. In a trial, and in
   the first calls of a winner, it is the address of an event that the backend measures and releases; else it is NULL.
   Each enqueue of the body needs one of its own, and there may be as many as you like:

       clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, OPENCL_EVENT)

   A trial fails if such an event was not set, since then the enqueue was refused, and if there is none at all. */
#define AUTOTUNE_OPENCL_LAUNCH(kernel, global, local) \
    autotune__launched(autotune__this, AUTOTUNE__OPENCL_START(autotune__this->tuning, kernel, global, local))
#define AUTOTUNE_OPENCL_GLOBAL(...) AUTOTUNE__OPENCL_SIZE("GLOBAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_LOCAL(...) AUTOTUNE__OPENCL_SIZE("LOCAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_EVENT \
    (AUTOTUNE__LIKELY(!autotune__this->tuning) ? AUTOTUNE__NULL \
                                               : autotune__opencl_event_of(autotune__this->tuning))

/* OPENCL_PROGRAM(text, option, ...)        a program as source in OpenCL C. In one option there may be several, which
                                            blanks divide.
   OPENCL_PROGRAM_FILE(path, option, ...)   source in a file.
   Each initialises an autotune_opencl_program.

   OPENCL_RUN(&program, name, global, local, argument, ...)     an expression of type autotune_status
   It enqueues a kernel of the program on the queue of the backend.
   global, local    as in OPENCL_LAUNCH.
   argument         a cl_mem for memory; LOCAL_BYTES(n) is n bytes of local memory. */
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

typedef struct autotune_opencl_size {           /* what GLOBAL and LOCAL give */
    cl_uint dimensions;                         /* 1 to 3 */
    size_t at[3];                               /* those behind are 1 */
} autotune_opencl_size;
typedef autotune_program_source autotune_opencl_program;

/* What OPENCL(queue) calls. Returns the backend for the context and the device of the queue, and names the queue for
   the next launches of this thread. It asks the queue each time, since a queue may have the address of one that was
   released. If OpenCL does not work, or the queue is NULL, statements with this backend end with
   AUTOTUNE_ERR_ENVIRONMENT. Never NULL. Any thread may call it. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue);

/* What OPENCL_LAUNCH and OPENCL_EVENT do, for launch() of a created tuner: they belong to the innermost statement of
   this thread, or to a hit. */
AUTOTUNE__API autotune_status autotune_opencl_launch(cl_kernel kernel, autotune_opencl_size global,
                                                     autotune_opencl_size local);
AUTOTUNE__API cl_event *autotune_opencl_event(void);
AUTOTUNE__API cl_event *autotune__opencl_event_of(const autotune__tuning *tuning);

/* Turns the error of an OpenCL function into an autotune_status, and gives the trial the reason: a call that is
   autotune_opencl_status(clEnqueueNDRangeKernel(...)) fails with the error's name. Any thread may call it. */
AUTOTUNE__API autotune_status autotune_opencl_status(cl_int error);

/* What OPENCL_LAUNCH calls. tuning: NULL on a hit. The name is for the message of the linker, like that of
   AUTOTUNE__NO_ENTRY. */
#define AUTOTUNE__OPENCL_START autotune__define_AUTOTUNE_OPENCL_IMPLEMENTATION_in_one_file
AUTOTUNE__API autotune_status AUTOTUNE__OPENCL_START(autotune__tuning *tuning, cl_kernel kernel,
                                                     autotune_opencl_size global, autotune_opencl_size local);

typedef struct autotune__opencl_run {           /* the arguments of OPENCL_RUN */
    autotune_opencl_program *program;
    const char *name;
    autotune_opencl_size global, local;
    autotune__arguments arguments;
} autotune__opencl_run;
/* values: those of the configuration, and then the word from which its kernels are found. */
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
