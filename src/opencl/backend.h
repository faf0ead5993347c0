/* The backend of a device in a context: its memory, which is a cl_mem; a session begins and ends; what OPENCL(queue)
   gives. */
#pragma once
#include <CL/cl.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/log.h"
#include "../statement/failures.h"
#include "../accelerator/accelerator.h"
#include "../accelerator/session.h"
#include "site.h"
#include "driver.h"
#include "session.h"
#include "timing.h"
#include "program.h"

/* Calls a function of memory between two fences, since an out-of-order queue would let launches overtake it. */
#define AUTOTUNE__OPENCL_FENCED(session, function, ...) __extension__({ \
    autotune_status done = autotune__opencl_fence(session); \
    if (done == AUTOTUNE_OK) done = AUTOTUNE__OPENCL_CALL(session, function, (session)->queue, __VA_ARGS__); \
    done == AUTOTUNE_OK ? autotune__opencl_fence(session) : done; })

static cl_mem autotune__opencl_memory(const void *named) { return (cl_mem)(uintptr_t)named; }
static void *autotune__opencl_allocate(autotune_backend *self, size_t bytes) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    cl_int error = CL_SUCCESS;
    cl_mem memory;
    if (autotune__lost(session)) return NULL;
    memory = autotune__libopencl.clCreateBuffer_(autotune__opencl_context(session->accelerator), CL_MEM_READ_WRITE,
                                                 bytes, NULL, &error);
    return autotune__driver_outcome(session, "clCreateBuffer", error) == AUTOTUNE_OK ? memory : NULL;
}
static void autotune__opencl_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__OPENCL_CALL(autotune__opencl_session_of(self), clReleaseMemObject, (cl_mem)memory);
}
static autotune_status autotune__opencl_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    return AUTOTUNE__OPENCL_FENCED(session, clEnqueueCopyBuffer, autotune__opencl_memory(from), (cl_mem)to, 0, 0, bytes,
                                   0, NULL, NULL);
}
static autotune_status autotune__opencl_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const unsigned char pattern = (unsigned char)byte;
    return AUTOTUNE__OPENCL_FENCED(session, clEnqueueFillBuffer, (cl_mem)memory, &pattern, 1, 0, bytes, 0, NULL, NULL);
}
static autotune_status autotune__opencl_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                             size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    return AUTOTUNE__OPENCL_FENCED(session, clEnqueueReadBuffer, autotune__opencl_memory(memory), CL_TRUE, offset,
                                   bytes, host, 0, NULL, NULL);
}
static autotune_status autotune__opencl_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                              size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    return AUTOTUNE__OPENCL_FENCED(session, clEnqueueWriteBuffer, (cl_mem)memory, CL_TRUE, offset, bytes, host, 0, NULL,
                                   NULL);
}

static __thread struct {                        /* of OPENCL(queue), the last */
    autotune__accelerator *accelerator;
    cl_command_queue queue;
} autotune__opencl_here;
static void *autotune__opencl_place(autotune_backend *self) {
    return autotune__opencl_here.queue ? (void *)autotune__opencl_here.queue : (void *)self;
}
static void autotune__opencl_explain_absence(void) {
    autotune_explain("%s", *autotune__libopencl.problem ? autotune__libopencl.problem
                                                        : "OPENCL(queue): this is no command queue");
}
static autotune_status autotune__opencl_ready(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = autotune__check_accelerator(session);
    char line[480];
    if (status != AUTOTUNE_OK || autotune__opencl_session_of(self)->profiled ||
        __atomic_exchange_n(&session->accelerator->said, true, __ATOMIC_RELAXED)) return status;
    snprintf(line, sizeof line,
             "%s: the queue has no CL_QUEUE_PROFILING_ENABLE, so the clock of the CPU measures its launches, and each "
             "is waited for: times are longer, and less sure", session->accelerator->words);
    autotune__say(AUTOTUNE_LOG_ERRORS, line);
    return AUTOTUNE_OK;
}
static void autotune__opencl_end(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    for (session->call = 0; session->call < AUTOTUNE_MOST_OPEN; session->call++) {
        autotune__opencl_drop_events(session);
        AUTOTUNE__FREE_ARRAY(session->events[session->call]);
    }
}
static bool autotune__opencl_complete(autotune__accelerator *accelerator) {
    autotune_backend *backend;
    snprintf(accelerator->words, sizeof accelerator->words, "opencl");
    if (accelerator->handle) autotune__opencl_describe(accelerator);
    accelerator->target.compiler = &autotune__opencl_compiler;
    accelerator->target.architecture = accelerator->words;
    backend = autotune__begin_backend(accelerator);
    backend->memory_is_handle = true;
    backend->allocate = autotune__opencl_allocate;
    backend->release = autotune__opencl_release;
    backend->copy = autotune__opencl_copy;
    backend->fill = autotune__opencl_fill;
    backend->read = autotune__opencl_read;
    backend->write = autotune__opencl_write;
    backend->start = autotune__opencl_start;
    backend->stop = autotune__opencl_stop;
    backend->mark = autotune__opencl_mark;
    backend->calibrate = autotune__opencl_calibrate;
    backend->place = autotune__opencl_place;
    backend->ready = autotune__opencl_ready;
    backend->enter = autotune__opencl_enter_call;
    backend->clock_call = autotune__opencl_clock_call;
    backend->ask = autotune__opencl_ask;
    return true;
}
static void autotune__opencl_free_flushed(const autotune__accelerator *accelerator) {
    if (!accelerator->lost) autotune__libopencl.clReleaseMemObject_((cl_mem)accelerator->flushed);
}
static void autotune__opencl_keep(const autotune__accelerator *accelerator) {
    autotune__libopencl.clRetainContext_(autotune__opencl_context(accelerator));
}
static autotune__accelerator autotune__opencl_nowhere;
static const autotune__driver_interface autotune__opencl_interface = {
    autotune__opencl_errors, "the device can no longer be used in this context", "OPENCL(queue)",
    sizeof(autotune__accelerator), sizeof(autotune__opencl_session), &autotune__opencl_nowhere,
    autotune__opencl_complete, autotune__opencl_explain_absence, autotune__opencl_go_to, autotune__opencl_end, NULL,
    autotune__opencl_free_flushed, autotune__opencl_keep, autotune__opencl_has_ended, autotune__opencl_judge
};

/* A queue that was released may have had the address of this one, so it is asked each time where it is: that takes some
   nanoseconds, and a launch thousands. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue) {
    autotune__accelerator *accelerator = NULL;
    cl_context handle = NULL;
    cl_device_id device = NULL;
    if (autotune__opencl_works() && queue &&
        autotune__libopencl.clGetCommandQueueInfo_(queue, CL_QUEUE_CONTEXT, sizeof handle, &handle, NULL) ==
            CL_SUCCESS &&
        autotune__libopencl.clGetCommandQueueInfo_(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == CL_SUCCESS)
        accelerator = autotune__accelerator_of(&autotune__opencl_interface, handle, (uint64_t)(uintptr_t)device);
    autotune__opencl_here.queue = queue;
    autotune__opencl_here.accelerator = accelerator;
    return accelerator ? &accelerator->backend : autotune__backend_without_context(&autotune__opencl_interface);
}
