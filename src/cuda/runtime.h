/* The CUDA runtime, where the program uses it: launches <<<...>>> that it refused. */
#pragma once
#include "../api/floor.h"
#include "../statement/floor.h"
#include "errors.h"
#include "session.h"

/* A launch <<<...>>> that the runtime refuses does not reach the driver: only the runtime's last error of this thread
   tells of it. These are functions of the runtime, or NULL in a program that is not linked with it. They have names of
   their own, since the header of the runtime declares its functions with types that are not known here. */
AUTOTUNE__BEGIN_C
extern int autotune__runtime_peek_error(void) __asm__("cudaPeekAtLastError") __attribute__((__weak__));
extern int autotune__runtime_take_error(void) __asm__("cudaGetLastError") __attribute__((__weak__));
AUTOTUNE__END_C

/* An error that this thread has before its launches is the program's. It is left to the program, and hides errors of
   the launches. */
static void autotune__cuda_watch_runtime(autotune__cuda_session *session) {
    session->watches_runtime = autotune__runtime_peek_error && autotune__runtime_peek_error() == CUDA_SUCCESS;
}
/* The error that the runtime has of the launches since then. The error of a trial is taken from the runtime, so that
   the program does not meet it. */
static autotune_status autotune__cuda_ask_runtime(autotune__cuda_session *session) {
    const int code = session->watches_runtime ? autotune__runtime_peek_error() : CUDA_SUCCESS;
    autotune_status status;
    if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY) return AUTOTUNE_OK;
    if (autotune__runtime_take_error) autotune__runtime_take_error();
    autotune_explain("the CUDA runtime refused a launch or a call, and nobody asked for the error: %s (%d)",
                     AUTOTUNE__CUDA_WORDS(code));
    status = autotune__cuda_status_of(code);
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_FAILED : status;    /* the driver tells whether it is lost */
}
