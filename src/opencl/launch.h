/* OPENCL_LAUNCH and OPENCL_RUN. On a hit they make one enqueue. Other launches are measured. For OPENCL_RUN a hit finds
   its kernel in the list of the entry. If the list does not have the kernel, the launch finds or compiles the kernel,
   and lists it. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "driver.h"
#include "device.h"
#include "session.h"
#include "timing.h"
#include "program.h"
#include "backend.h"

/* Enqueues a kernel. Each global size is rounded up to a multiple of the local size. */
static inline cl_int autotune__opencl_enqueue(cl_command_queue queue, cl_kernel kernel, autotune_opencl_size global,
                                              autotune_opencl_size local, cl_event *event) {
    cl_uint i;
    for (i = 0; i < global.dimensions; i++) {
        const size_t step = local.at[i], over = step > 1 ? global.at[i] % step : 0;
        if (over) global.at[i] += step - over;
    }
    return autotune__libopencl.clEnqueueNDRangeKernel_(queue, kernel, global.dimensions, NULL, global.at,
                                                       local.at[0] ? local.at : NULL, 0, NULL, event);
}

/* Returns false for sizes that the driver would accept, but understand in another way than OPENCL_LAUNCH. The driver
   itself refuses sizes that it cannot launch. */
static bool autotune__opencl_check_sizes(const autotune_opencl_size *global, const autotune_opencl_size *local) {
    bool right = local->dimensions <= global->dimensions;
    cl_uint i;
    for (i = 0; i < global->dimensions; i++)
        right = right && (ptrdiff_t)global->at[i] >= 1 &&
                (i >= local->dimensions || ((ptrdiff_t)local->at[i] >= 0 && !local->at[i] == !local->at[0]));
    if (!right)
        autotune_explain("GLOBAL is (%zd, %zd, %zd) in %u dimensions, and LOCAL (%zd, %zd, %zd) in %u: each size of "
                         "GLOBAL must be 1 or more; LOCAL has no more dimensions, and each size is 1 or more, or all "
                         "are 0 and the driver chooses", global->at[0], global->at[1], global->at[2],
                         (unsigned)global->dimensions, local->at[0], local->at[1], local->at[2],
                         (unsigned)local->dimensions);
    return right;
}
/* Makes the launch of a trial, of the call after the race, or of a hit on probation. */
static autotune_status autotune__opencl_launch_in(autotune__accelerator_session *common, cl_kernel kernel,
                                                  autotune_opencl_size global, autotune_opencl_size local) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    autotune_status status = autotune__check_accelerator(common);
    if (status != AUTOTUNE_OK) return status;
    if (!autotune__opencl_check_sizes(&global, &local)) return AUTOTUNE_FAILED;
    status = autotune__driver_outcome(common, "clEnqueueNDRangeKernel: ",
                                      autotune__opencl_enqueue(autotune__opencl_queue_in(session), kernel, global,
                                                               local, autotune__opencl_next_event(session)));
    common->launched = common->launched || status == AUTOTUNE_OK;
    return status;
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__opencl_launch_cold(
    autotune__tuning *tuning, cl_kernel kernel, autotune_opencl_size global, autotune_opencl_size local) {
    autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__opencl_interface);
    autotune_status status;
    if (autotune__acts_as_hit(tuning)) autotune__begin_hit_call();
    status = session ? autotune__refuse_unlaunched(session, tuning,
                                                   autotune__opencl_launch_in(session, kernel, global, local))
                     : autotune__refuse_backend(&autotune__opencl_interface, "OPENCL_LAUNCH");
    autotune__end_hit_call();
    return status;
}
AUTOTUNE__API autotune_status AUTOTUNE__OPENCL_START(autotune__tuning *tuning, cl_kernel kernel,
                                                     autotune_opencl_size global, autotune_opencl_size local) {
    cl_int error = CL_INVALID_COMMAND_QUEUE;    /* the backend has no queue */
    if (!AUTOTUNE__LIKELY(!tuning)) return autotune__opencl_launch_cold(tuning, kernel, global, local);
    if (AUTOTUNE__LIKELY(autotune__opencl_queue != NULL))
        error = autotune__opencl_enqueue(autotune__opencl_queue, kernel, global, local, NULL);
    return AUTOTUNE__LIKELY(!error)
               ? AUTOTUNE_OK : autotune__launch_failed(&autotune__opencl_interface, "clEnqueueNDRangeKernel: ", error);
}
AUTOTUNE__API autotune_status autotune_opencl_launch(cl_kernel kernel, autotune_opencl_size global,
                                                     autotune_opencl_size local) {
    autotune__tuning *tuning = autotune__innermost();
    return AUTOTUNE__OPENCL_START(autotune__session_in(tuning, &autotune__opencl_interface) ? tuning : NULL, kernel,
                                  global, local);
}
AUTOTUNE__API cl_event *autotune_opencl_event(void) { return autotune__opencl_event_of(autotune__innermost()); }
AUTOTUNE__API cl_event *autotune__opencl_event_of(const autotune__tuning *tuning) {
    autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__opencl_interface);
    if (session) session->launched = true;      /* the program makes the launch */
    return session ? autotune__opencl_next_event(autotune__opencl_session_of(&session->backend)) : NULL;
}
AUTOTUNE__API autotune_status autotune_opencl_status(cl_int error) {
    return autotune__status_of_call(&autotune__opencl_interface, error);
}

/* Sets all arguments. *at: the number of the last argument that was set, or of the argument with the error. */
static inline cl_int autotune__opencl_set_arguments(cl_kernel kernel, const autotune__opencl_run *run, cl_uint *at) {
    cl_int error = CL_SUCCESS;
    cl_uint i;
    for (i = 0; i < run->arguments.count && error == CL_SUCCESS; i++) {
        void *const value = run->arguments.at[i];
        const unsigned short bytes = run->arguments.sizes[i];
        error = autotune__libopencl.clSetKernelArg_(kernel, i, bytes ? bytes : ((autotune_local_bytes *)value)->bytes,
                                                    bytes ? value : NULL);
        *at = i;
    }
    return error;
}
static autotune_status autotune__opencl_check_arguments(autotune__accelerator_session *session,
                                                        cl_kernel kernel, const autotune__opencl_run *run) {
    cl_uint at = 0, parameters = 0;
    cl_int error;
    autotune__libopencl.clGetKernelInfo_(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, NULL);
    if (!autotune__check_count(parameters, run->arguments.count, run->name, "OPENCL_RUN")) return AUTOTUNE_FAILED;
    if ((error = autotune__opencl_set_arguments(kernel, run, &at)) == CL_INVALID_ARG_SIZE)
        autotune_explain("argument %u of %s has %d bytes, and the kernel's parameter another size: pass a value of its "
                         "type", (unsigned)at + 1, run->name, (int)run->arguments.sizes[at]);
    return autotune__driver_outcome(session, "clSetKernelArg: ", error);
}
static autotune_status autotune__opencl_run_in(autotune__accelerator_session *common, autotune__tuning *tuning,
                                               const uint64_t *values, const void *named) {
    const autotune__opencl_run *run = (const autotune__opencl_run *)named;
    autotune__kernel *loaded = autotune__listed_kernel_of(values, run->program, run->name);
    autotune_status status;
    cl_int error = CL_SUCCESS;
    cl_kernel kernel;
    if (!autotune__opencl_check_sizes(&run->global, &run->local)) return AUTOTUNE_FAILED;
    if (!loaded) {
        const autotune__kernel_call call = { run->program, run->name, NULL, NULL };
        loaded = autotune__find_kernel(&common->kernels, tuning, values, &call);
        if (!loaded) return common->kernels.status;
    }
    kernel = autotune__opencl_take(autotune__opencl_kernel_of(loaded), &error);
    if (!kernel) return autotune__driver_outcome(common, "clCreateKernel: ", error);
    status = autotune__opencl_check_arguments(common, kernel, run);
    if (status == AUTOTUNE_OK) status = autotune__opencl_launch_in(common, kernel, run->global, run->local);
    autotune__opencl_put_back(autotune__opencl_kernel_of(loaded), kernel);
    return status;
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__opencl_run_cold(
    autotune__tuning *tuning, const uint64_t *values, const autotune__opencl_run *run) {
    autotune_backend *here = autotune_opencl(autotune__opencl_queue),
                     *of_hit = tuning ? NULL : autotune__entry_of(values)->scope.backend;
    return autotune__launch_cold(&autotune__opencl_interface, "OPENCL_RUN", autotune__opencl_run_in, tuning,
                                 of_hit == here ? of_hit : NULL, values, run);
}
AUTOTUNE__API autotune_status autotune__opencl_run_kernel(autotune__tuning *tuning, const uint64_t *values,
                                                          const autotune__opencl_run *run) {
    autotune__opencl_kernel *kernel =
        tuning ? NULL : autotune__opencl_kernel_of(autotune__listed_kernel_of(values, run->program, run->name));
    cl_uint at;
    cl_int error;
    cl_kernel copy;
    if (!AUTOTUNE__LIKELY(kernel != NULL)) return autotune__opencl_run_cold(tuning, values, run);
    if ((copy = autotune__opencl_take(kernel, &error)) != NULL) {
        error = autotune__opencl_set_arguments(copy, run, &at);
        if (AUTOTUNE__LIKELY(error == CL_SUCCESS))
            error = autotune__opencl_enqueue(autotune__opencl_queue, copy, run->global, run->local, NULL);
        autotune__opencl_put_back(kernel, copy);
    }
    return AUTOTUNE__LIKELY(!error) ? AUTOTUNE_OK
                                    : autotune__launch_failed(&autotune__opencl_interface, "OPENCL_RUN: ", error);
}
