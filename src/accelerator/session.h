/* A session of an accelerator belongs to one statement that is no hit. A hit opens a session only if a kernel of it is
   not listed yet. This room gives errors their status, and waits for the device. It also has the functions of a backend
   that are the same for all drivers. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"
#include "accelerator.h"
#include "lost_device.h"

typedef struct autotune__accelerator_session {
    autotune_backend backend;                   /* the result of open() */
    autotune__accelerator *accelerator;
    void *place;                                /* the result of place(): the stream or queue of later launches. The
                                                   address of the accelerator: there is no place */
    double timeout_ns;                          /* .launch_timeout: a launch that takes longer fails; see
                                                   autotune__wait_for_kernel() */
    autotune__kernel_session kernels;           /* the kernels of this session */
    void *flushed;                              /* memory that is written to empty the caches; NULL: not used yet */
    void *answer;                               /* 8 bytes on the device, where the kernel of start_work() writes its
                                                   answer; NULL: not used yet */
    size_t number;                              /* the number of the current batch. In a trial: how many batches have
                                                   ended since the last stop(). In mode ONLINE and on probation:
                                                   the number that clock_call() got */
    bool running;                               /* the batch began, and has not ended */
    bool launched;                              /* the library launched something since the batch began, or CUDA refused
                                                   a launch of a trial */
    bool asked_later;                           /* a later call asks for the time of a call: in mode ONLINE, or on
                                                   probation. The session may outlive its context, and end in another
                                                   thread */
} autotune__accelerator_session;
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_session_of, autotune__accelerator_session, backend, autotune_backend)
static const char *autotune__lost(const autotune__accelerator_session *session) {                /* NULL: it works */
    return autotune__lost_accelerator(session->accelerator);
}
/* Returns AUTOTUNE_OK if the device can be used. Else explains why not. If a launch that counted as hung has ended
   meanwhile, the device works again. */
static autotune_status autotune__check_accelerator(const autotune__accelerator_session *session) {
    autotune__accelerator *accelerator = session->accelerator;
    void *const hung = __atomic_load_n(&accelerator->hung, __ATOMIC_ACQUIRE);
    int error = 0;
    if (hung && accelerator->driver->has_ended(hung, &error) && !error &&
        __atomic_exchange_n(&accelerator->hung, (void *)NULL, __ATOMIC_ACQ_REL))
        accelerator->was_lost = __atomic_exchange_n(&accelerator->lost, (const char *)NULL, __ATOMIC_ACQ_REL);
    if (accelerator->handle && session->place != accelerator) return autotune__check_lost(accelerator);
    session->accelerator->driver->explain_absence();
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Explains an error, and returns its status. before: the beginning of the sentence. The name of the error follows. */
static autotune_status autotune__tell_outcome(autotune__accelerator_session *session, const char *before, int error,
                                              bool of_kernel) {
    const autotune__driver_interface *driver = session->accelerator->driver;
    const autotune_status status = driver->judge(session, error, of_kernel);
    char why[160];
    autotune__put_text(why, sizeof why, "%s%s (%d)", before, driver->error_name(error), error);
    autotune_explain("%s", why);
    if (status == AUTOTUNE_ERR_DEVICE)
        autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return status;
}
/* Returns the status for the result of a driver function, and explains an error. before: "function: ", or "" if the
   program called the function. */
static autotune_status autotune__driver_outcome(autotune__accelerator_session *session, const char *before, int error) {
    return AUTOTUNE__LIKELY(!error) ? AUTOTUNE_OK : autotune__tell_outcome(session, before, error, false);
}
/* Returns the status of a kernel that has ended, and explains an error. */
static autotune_status autotune__kernel_outcome(autotune__accelerator_session *session, int error) {
    return error ? autotune__tell_outcome(session, "the kernel ended with ", error, true) : AUTOTUNE_OK;
}
/* Calls a driver function unless the device is lost. The value of the macro is an autotune_status. */
#define AUTOTUNE__DRIVER_CALL(session, function, call)                              \
    (autotune__check_lost((session)->common.accelerator) == AUTOTUNE_OK             \
         ? autotune__driver_outcome(&(session)->common, function ": ", (int)(call)) \
         : AUTOTUNE_ERR_DEVICE)

/* Waits until the device has reached the event, but at most most_ns nanoseconds. In the first millisecond the thread
   asks the driver without a pause, and then every 50 us. If the device is this processor, the thread asks every 20 us
   from the beginning, since the device needs the processor. Returns false if the device has not reached the event yet.
   *error: as in has_ended() of the driver. */
static bool autotune__await_event(const autotune__accelerator_session *session, void *event, double most_ns,
                                  int *error) {
    const bool is_cpu = session->accelerator->is_cpu;
    const uint64_t begun = autotune__wait_clock();
    for (;;) {
        const bool ended = session->accelerator->driver->has_ended(event, error);
        const double waited = (double)(autotune__wait_clock() - begun);
        if (ended || waited > most_ns) return ended;
        autotune__be_patient(autotune__innermost(), 0);     /* the device works, and its time is limited */
        if (is_cpu || waited > 1e6) autotune__sleep_ns(is_cpu ? 20000 : 50000);
    }
}
/* Waits for the kernels before an event. Nothing can end a kernel that hangs, so the wait has two limits. Kernels that
   take longer than the session's timeout have failed. The function then waits for nine more timeouts, but at most 9 s
   more. If the kernels have not ended by then, they count as hung, and the device is lost. */
static autotune_status autotune__wait_for_kernel(autotune__accelerator_session *session, void *event) {
    const double besides_ns = session->timeout_ns < 1e9 ? 9 * session->timeout_ns : 9e9;
    char why[128];
    int error = 0;
    if (autotune__await_event(session, event, session->timeout_ns, &error))
        return autotune__kernel_outcome(session, error);
    if (autotune__await_event(session, event, besides_ns, &error)) {
        if (error) return autotune__kernel_outcome(session, error);
        autotune_explain("the launch took longer than %g s, .launch_timeout", session->timeout_ns / 1e9);
        return AUTOTUNE_FAILED;
    }
    autotune__put_text(why, sizeof why, "the launch did not end within %g s, .launch_timeout: it counts as hung",
                       session->timeout_ns / 1e9);
    autotune_explain("%s", why);
    __atomic_store_n(&session->accelerator->hung, event, __ATOMIC_RELEASE);
    autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return AUTOTUNE_ERR_DEVICE;
}

/* Empties the caches: writes memory of twice their size. */
static autotune_status autotune__flush_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const size_t bytes = session->accelerator->flushed_bytes;
    if (!bytes) return AUTOTUNE_OK;
    if (!session->flushed) session->flushed = self->allocate(self, bytes);
    if (!session->flushed) return autotune__lost(session) ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_MEMORY;
    return self->fill(self, session->flushed, 0, bytes);
}
/* The clock for the budget of a race. A function other than autotune__cpu_now() is needed, since autotune__cpu_now()
   marks the backend of the CPU. */
static uint64_t autotune__accelerator_now(autotune_backend *self AUTOTUNE__UNUSED) { return autotune__wait_clock(); }
/* Lets the device fill or compare elements. Returns AUTOTUNE_REJECTED if the CPU has to do this work. */
static autotune_status autotune__work_on_elements(autotune_backend *self, const autotune_elements *elements,
                                                  uint64_t *answer) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status;
    if (autotune__lost(session) || !driver->can_work_on(session, elements)) return AUTOTUNE_REJECTED;
    if (!session->answer && !(session->answer = self->allocate(self, sizeof *answer))) return AUTOTUNE_REJECTED;
    status = self->fill(self, session->answer, 0, sizeof *answer);
    if (status == AUTOTUNE_OK) status = driver->start_work(session, elements);
    if (status == AUTOTUNE_OK && answer) status = self->read(self, answer, session->answer, 0, sizeof *answer);
    return status == AUTOTUNE_OK || status == AUTOTUNE_ERR_DEVICE ? status : AUTOTUNE_REJECTED;
}
static bool autotune__is_point_compiled(autotune_backend *self, size_t index) {
    return autotune__is_compiled(&autotune__accelerator_session_of(self)->kernels, autotune__tuning_with(self), index);
}
static autotune_backend *autotune__open_accelerator(autotune_backend *self, void *place,
                                                    const autotune_options *options) {
    autotune__accelerator *accelerator = autotune__accelerator_named(self);
    autotune__accelerator_session *session =
        (autotune__accelerator_session *)autotune__allocate(accelerator->driver->session_bytes);
    if (!session) return NULL;
    session->backend = accelerator->backend;
    session->accelerator = accelerator;
    session->timeout_ns = 1e9 * (options->launch_timeout > 0 ? options->launch_timeout : 10);
    autotune__begin_kernel_session(&session->kernels, &accelerator->target, options);
    /* A compiler that hangs must not take much more time than the budget of the race, which .max_seconds limits. */
    if (!(options->compile_timeout > 0) && options->max_seconds > 0 && options->max_seconds < 60)
        session->kernels.limits.seconds = options->max_seconds < 10 ? 10 : options->max_seconds;
    session->place = place;
    return &session->backend;
}
static void autotune__close_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune__end_kernel_session(&session->kernels);
    if (session->flushed) self->release(self, session->flushed);
    if (session->answer) self->release(self, session->answer);
    session->accelerator->driver->end(session);
    autotune__free(session);
}
