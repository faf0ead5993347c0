/* Launches on accelerators: in which session they are made, and what the errors mean that they return. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../statement/failures.h"
#include "../statement/for_backends.h"
#include "errors.h"
#include "accelerator.h"
#include "session.h"

/* NULL: there is no statement, or its backend is another. */
static autotune__accelerator_session *autotune__session_in(const autotune__tuning *tuning,
                                                           const autotune__driver_interface *driver) {
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : NULL;
    return backend && backend->family == driver ? autotune__accelerator_session_of(backend) : NULL;
}
/* The session for a launch whose kernel is not there yet: that of its statement. A hit has none, and gets one on its
   backend for this launch. NULL: there is none, which *status tells. autotune__end_launch() follows in any case. */
static autotune__accelerator_session *autotune__begin_launch(const autotune__driver_interface *driver,
                                                             const autotune__tuning *tuning, autotune_backend *of_hit,
                                                             void *place, const char *launch,
                                                             autotune_status *status) {
    static const autotune_options usual;        /* an entry does not know those of its call site */
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : of_hit;
    if (!tuning) autotune__begin_hit_call();
    *status = AUTOTUNE_ERR_ENVIRONMENT;
    if (!backend || backend->family != driver) {
        autotune_explain("%s needs .backend = %s", launch, driver->named);
        return NULL;
    }
    if (!tuning && !(backend = backend->open(backend, place, &usual))) *status = AUTOTUNE_ERR_MEMORY;
    return backend ? autotune__accelerator_session_of(backend) : NULL;
}
static void autotune__end_launch(const autotune__tuning *tuning, autotune__accelerator_session *session) {
    if (!tuning && session) session->backend.close(&session->backend);
    if (!tuning) autotune__end_hit_call();
}

/* Why a hit failed; the winner is not to blame where the device or the driver is. */
static __attribute__((__cold__, __noinline__)) autotune_status autotune__launch_failed(
    const autotune__driver_interface *driver, const char *function, int error) {
    autotune__begin_hit_call();
    autotune__explain_error(driver->errors, function, error);
    autotune__end_hit_call();
    return autotune__status_of_error(driver->errors, error);
}
/* What a function of the driver returned to the program. */
static autotune_status autotune__status_of_call(const autotune__driver_interface *driver, int error) {
    autotune__tuning *tuning = autotune__innermost();
    autotune__accelerator_session *session = autotune__session_in(tuning, driver);
    if (AUTOTUNE__LIKELY(!error)) return AUTOTUNE_OK;
    if (session && session->accelerator->handle) return autotune__driver_outcome(session, NULL, error);
    if (!tuning) return autotune__launch_failed(driver, NULL, error);
    autotune__explain_error(driver->errors, NULL, error);
    return autotune__status_of_error(driver->errors, error);
}
static bool autotune__check_count(size_t parameters, size_t arguments, const char *kernel, const char *launch) {
    return parameters == arguments || autotune__disallow("%s has %zu parameters, and %s passes %zu arguments", kernel,
                                                        parameters, launch, arguments);
}
