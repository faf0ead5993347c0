/* Launches on accelerators: the session in which a launch is made, and the status for the error that it returns. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../statement/floor.h"
#include "accelerator.h"
#include "session.h"

/* Returns the session of a statement. NULL: there is no statement, or its backend belongs to another driver. */
static autotune__accelerator_session *autotune__session_in(const autotune__tuning *tuning,
                                                           const autotune__driver_interface *driver) {
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : NULL;
    return backend && backend->family == driver ? autotune__accelerator_session_of(backend) : NULL;
}
/* Refuses a launch for which the statement names another backend, or no backend. */
static autotune_status autotune__refuse_backend(const autotune__driver_interface *driver, const char *launch) {
    autotune_explain("%s needs .backend = %s", launch, driver->named);
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Returns `status`. If the call failed and launched nothing, and the device is not lost, tells the statement that the
   call may be made again with another configuration. */
static autotune_status autotune__refuse_unlaunched(const autotune__accelerator_session *session,
                                                   autotune__tuning *tuning, autotune_status status) {
    if (status != AUTOTUNE_OK && !session->launched && !autotune__lost(session)) autotune__refuse_call(tuning);
    return status;
}
/* Makes a launch whose kernel is not loaded yet, in the session of its statement. A hit has no session, so its backend
   opens a session for this launch. name: how the program writes the launch. launch: the function that makes the launch.
   tuning: NULL on a hit. of_hit: the backend of a hit. */
typedef autotune_status (*autotune__driver_launch)(autotune__accelerator_session *session, autotune__tuning *tuning,
                                                   const uint64_t *values, const void *call);
static autotune_status autotune__launch_cold(const autotune__driver_interface *driver, const char *name,
                                             autotune__driver_launch launch, autotune__tuning *tuning,
                                             autotune_backend *of_hit, const uint64_t *values, const void *call) {
    static const autotune_options usual;        /* the defaults, since an entry does not keep the options of its call
                                                   site */
    autotune_backend *const backend = tuning ? autotune__backend_of(tuning) : of_hit, *opened = NULL;
    autotune_status status = AUTOTUNE_ERR_MEMORY;
    if (autotune__acts_as_hit(tuning)) autotune__begin_hit_call();
    if (!backend || backend->family != driver) status = autotune__refuse_backend(driver, name);
    else opened = tuning ? backend : backend->open(backend, backend->place(backend), &usual);
    if (opened) status = autotune__check_accelerator(autotune__accelerator_session_of(opened));
    if (status == AUTOTUNE_OK) {
        autotune__accelerator_session *session = autotune__accelerator_session_of(opened);
        status = autotune__refuse_unlaunched(session, tuning, launch(session, tuning, values, call));
    }
    if (!tuning && opened) opened->close(opened);
    autotune__end_hit_call();
    return status;
}

/* Explains the error of a driver function, and returns its status. before: as for autotune__driver_outcome(). */
static autotune_status autotune__explain_error(const autotune__driver_interface *driver, const char *before,
                                               int error) {
    autotune_explain("%s%s (%d)", before, driver->error_name(error), error);
    return driver->status_of(error);
}
/* Explains why a hit failed, and returns the status. */
static __attribute__((__cold__, __noinline__)) autotune_status autotune__launch_failed(
    const autotune__driver_interface *driver, const char *before, int error) {
    autotune_status status;
    autotune__begin_hit_call();
    status = autotune__explain_error(driver, before, error);
    autotune__end_hit_call();
    return status;
}
/* Returns the status for an error that a driver function returned to the program, and explains the error. */
static autotune_status autotune__status_of_call(const autotune__driver_interface *driver, int error) {
    autotune__tuning *tuning = autotune__innermost();
    autotune__accelerator_session *session = autotune__session_in(tuning, driver);
    if (AUTOTUNE__LIKELY(!error)) return AUTOTUNE_OK;
    if (session && session->accelerator->handle) return autotune__driver_outcome(session, "", error);
    return tuning ? autotune__explain_error(driver, "", error) : autotune__launch_failed(driver, "", error);
}
static bool autotune__check_count(size_t parameters, size_t arguments, const char *kernel, const char *launch) {
    if (parameters != arguments)
        autotune_explain("%s has %zu parameters, and %s passes %zu arguments", kernel, parameters, launch, arguments);
    return parameters == arguments;
}
