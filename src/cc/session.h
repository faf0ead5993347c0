/* A session: the backend of a statement whose call is compiled. The first CC_CALL replaces the statement's backend by
   the session. The session has the functions of the replaced backend, except close(), is_prepared() and sometimes
   classify(). */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../kernels/floor.h"
#include "words.h"
#include "dependencies.h"
#include "compile.h"
#include "load.h"

static autotune__compiler autotune__cc_compiler = {
    "cc", "so", NULL, NULL, false, false, autotune__cc_options, autotune__cc_variables, NULL, NULL,
    autotune__cc_compile, autotune__cc_still_holds, autotune__cc_load, autotune__cc_unload, autotune__cc_function_in, 0
};
/* The process is the target of all sessions. It is also the `other` target, for a second copy of a function at another
   address. Equal processors share machine code. */
static char autotune__cc_architecture[192];
static const autotune__target autotune__cc_elsewhere = { &autotune__cc_compiler, autotune__cc_architecture, NULL },
    autotune__cc_process = { &autotune__cc_compiler, autotune__cc_architecture, &autotune__cc_elsewhere };
static void autotune__cc_describe_processor(void) {
    const unsigned long long features = autotune__processor_features();
    char model[128] = "";
    if (!features) autotune__read_processor_model(model, sizeof model);
    autotune__put_text(autotune__cc_architecture, sizeof autotune__cc_architecture, "%s, %zu bits, features %016llx",
                       model, 8 * sizeof(void *), features);
}

typedef struct autotune__cc_session {
    autotune_backend backend;
    autotune_backend *closes;                   /* the backend that the session replaces, if it has close(). NULL: it
                                                   has none, and may be gone when the session ends */
    autotune__kernel_session kernels;
    bool calls;                                 /* a function was found in this session. In mode ONLINE the session has
                                                   many calls; the list of the configuration tells what a call found */
} autotune__cc_session;
AUTOTUNE__DEFINE_AROUND(autotune__cc_session_of, autotune__cc_session, backend, autotune_backend)

static bool autotune__cc_is_point_compiled(autotune_backend *self, size_t index) {
    return autotune__is_compiled(&autotune__cc_session_of(self)->kernels, autotune__tuning_with(self), index);
}
static void autotune__cc_close(autotune_backend *self) {
    autotune__cc_session *session = autotune__cc_session_of(self);
    autotune__end_kernel_session(&session->kernels);
    if (session->closes) session->closes->close(session->closes);
    autotune__free(session);
}
static void autotune__cc_begin_kernels(autotune__kernel_session *kernels, const autotune_options *options) {
    static autotune__once once = AUTOTUNE__ONCE;
    autotune__run_once(&once, autotune__cc_describe_processor);
    autotune__begin_kernel_session(kernels, &autotune__cc_process, options);
}
/* Returns the session of a statement; the first CC_CALL begins it. NULL: *status says why there is none. */
static autotune__cc_session *autotune__cc_session_in(autotune__tuning *tuning, autotune_status *status) {
    autotune_backend *const backend = autotune__backend_of(tuning);
    autotune__cc_session *session;
    if (backend->close == autotune__cc_close) return autotune__cc_session_of(backend);
    *status = AUTOTUNE_ERR_ARGUMENT;
    if (backend->start || backend->open) {
        autotune_explain("CC_CALL is for statements on the CPU, without .backend");
        return NULL;
    }
    *status = AUTOTUNE_ERR_MEMORY;
    if (!(session = (autotune__cc_session *)autotune__allocate(sizeof *session))) return NULL;
    session->backend = *backend;
    session->closes = backend->close ? backend : NULL;
    session->backend.close = autotune__cc_close;
    session->backend.is_prepared = autotune__cc_is_point_compiled;
    autotune__cc_begin_kernels(&session->kernels, autotune__options_of(tuning));
    autotune__work_with(tuning, &session->backend);
    return session;
}
