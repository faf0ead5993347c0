/* Errors of the CUDA runtime: launches <<<...>>> that it refused. */
#pragma once
#include "../api/floor.h"
#include "../statement/floor.h"
#include "errors.h"
#include "session.h"

/* A launch <<<...>>> that the runtime refuses does not reach the driver. Only the runtime's last error of this thread
   shows the refusal. The two functions below ask the runtime for this error. They are NULL in a program that is not
   linked with the runtime. They have other names in C, since the runtime's header declares the functions with its own
   types. */
AUTOTUNE__BEGIN_C
extern int autotune__runtime_peek_error(void) __asm__("cudaPeekAtLastError") __attribute__((__weak__));
extern int autotune__runtime_take_error(void) __asm__("cudaGetLastError") __attribute__((__weak__));
AUTOTUNE__END_C

/* Begins to watch for errors of launches. If the runtime has an earlier error of this thread, the error belongs to the
   program, and stays. Then errors of launches are not seen. */
static void autotune__cuda_watch_runtime(autotune__cuda_session *session) {
    session->watches_runtime = autotune__runtime_peek_error && autotune__runtime_peek_error() == CUDA_SUCCESS;
}
/* Returns the status for the runtime's error since autotune__cuda_watch_runtime(). Clears this error, so that the
   program does not find it. "Not ready" is no error, and stays. */
static autotune_status autotune__cuda_ask_runtime(autotune__cuda_session *session) {
    const int code = session->watches_runtime ? autotune__runtime_peek_error() : CUDA_SUCCESS;
    autotune_status status;
    if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY) return AUTOTUNE_OK;
    if (autotune__runtime_take_error) autotune__runtime_take_error();
    autotune_explain("the CUDA runtime refused a launch or a call, and nobody asked for the error: %s (%d)",
                     AUTOTUNE__CUDA_WORDS(code));
    status = autotune__cuda_status_of(code);
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_FAILED : status;    /* only the driver says that a device is lost */
}
