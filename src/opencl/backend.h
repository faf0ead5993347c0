/* The backend of a device in a context. This room has the functions for its memory (a cl_mem), begins and ends its
   sessions, and has OPENCL(queue). */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../statement/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "driver.h"
#include "errors.h"
#include "device.h"
#include "session.h"
#include "timing.h"
#include "program.h"
#include "elements.h"

/* Enqueues a command for memory on the session's queue. */
#define AUTOTUNE__OPENCL_ENQUEUE(self, function, ...)                                               \
    AUTOTUNE__OPENCL_CALL(autotune__opencl_session_of(self), function,                              \
                          autotune__opencl_queue_in(autotune__opencl_session_of(self)), __VA_ARGS__)

static void *autotune__opencl_allocate(autotune_backend *self, size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const cl_context context = autotune__opencl_context(session->common.accelerator);
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    if (!autotune__lost(&session->common))
        memory = autotune__libopencl.clCreateBuffer_(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    return autotune__driver_outcome(&session->common, "clCreateBuffer: ", error) == AUTOTUNE_OK ? memory : NULL;
}
static void autotune__opencl_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__OPENCL_CALL(autotune__opencl_session_of(self), clReleaseMemObject, (cl_mem)memory);
}
static autotune_status autotune__opencl_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueCopyBuffer, (cl_mem)(uintptr_t)from, (cl_mem)to, 0, 0, bytes, 0,
                                   NULL, NULL);
}
static autotune_status autotune__opencl_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    const unsigned char pattern = (unsigned char)byte;
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueFillBuffer, (cl_mem)memory, &pattern, 1, 0, bytes, 0, NULL, NULL);
}
static autotune_status autotune__opencl_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                             size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueReadBuffer, (cl_mem)(uintptr_t)memory, CL_TRUE, offset, bytes,
                                   host, 0, NULL, NULL);
}
static autotune_status autotune__opencl_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                              size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueWriteBuffer, (cl_mem)memory, CL_TRUE, offset, bytes, host, 0, NULL,
                                   NULL);
}

static __thread cl_command_queue autotune__opencl_queue;        /* the last OPENCL(queue); NULL: no valid queue */
static void *autotune__opencl_place(autotune_backend *self) {
    return autotune__opencl_queue ? (void *)autotune__opencl_queue : (void *)self;
}
static void autotune__opencl_explain_absence(void) {
    autotune_explain("%s", *autotune__libopencl.problem ? autotune__libopencl.problem
                                                        : "OPENCL(queue): this is no command queue");
}
static autotune_status autotune__opencl_ready(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = autotune__check_accelerator(session);
    return status == AUTOTUNE_OK ? autotune__opencl_check_queue(session) : status;
}
static void autotune__opencl_end(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    size_t i;
    for (i = 0; i < AUTOTUNE_MOST_QUEUED; i++) autotune__opencl_drop_events(session, i);
    if (session->elements && !autotune__lost(common)) autotune__libopencl.clReleaseKernel_(session->elements);
}
static void autotune__opencl_keep(const autotune__accelerator *accelerator) {
    autotune__libopencl.clRetainContext_(autotune__opencl_context(accelerator));
}
static const autotune_backend autotune__opencl_backend = {
    "opencl", NULL, NULL, autotune__accelerator_now,
    autotune__opencl_allocate, autotune__opencl_release, autotune__opencl_copy, autotune__opencl_fill,
    autotune__opencl_read, autotune__opencl_write,
    AUTOTUNE_COLD, autotune__flush_accelerator, NULL, autotune__classify_by_status,
    autotune__opencl_start, autotune__stop_batches, autotune__mark_batch, autotune__opencl_calibrate, 0,
    autotune__opencl_place, autotune__open_accelerator, autotune__opencl_ready, autotune__close_accelerator,
    autotune__enter_measured, NULL, autotune__opencl_clock_call, autotune__ask_measured, autotune__is_point_compiled,
    autotune__work_on_elements
};
static autotune__accelerator autotune__opencl_without_context;
static const autotune__driver_interface autotune__opencl_interface = {
    autotune__opencl_status_of, autotune__opencl_error_name,
    "the device can no longer be used in this context", "OPENCL(queue)",
    sizeof(autotune__accelerator), sizeof(autotune__opencl_session), &autotune__opencl_without_context,
    &autotune__opencl_compiler, &autotune__opencl_backend,
    autotune__opencl_describe, autotune__opencl_explain_absence, autotune__opencl_check_queue,
    autotune__opencl_begin_batch, NULL, autotune__opencl_await,
    autotune__opencl_has_done, autotune__opencl_measure, autotune__opencl_end,
    autotune__opencl_keep, autotune__opencl_has_ended, autotune__opencl_judge,
    autotune__opencl_can_work_on, autotune__opencl_start_work
};

/* A new queue may have the address of a queue that was released. So each call asks the queue for its context and
   device. This takes some nanoseconds; a launch takes thousands. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue) {
    cl_context handle = NULL;
    cl_device_id device = NULL;
    const bool known = autotune__opencl_works() && queue &&
                       AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_CONTEXT, handle) &&
                       AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_DEVICE, device);
    autotune__opencl_queue = known ? queue : NULL;
    return autotune__backend_at(&autotune__opencl_interface, known ? handle : NULL, (uint64_t)(uintptr_t)device);
}
