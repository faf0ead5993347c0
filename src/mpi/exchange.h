/* Exchanges of ranks over MPI: reductions and broadcasts that do not block, and waiting for their end. */
#pragma once
#include <mpi.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"

/* The ranks of a communicator. MPI keeps them as an attribute of the communicator. The struct outlives the
   communicator, since entries compare its address. After the program freed the communicator, autotune_shutdown() frees
   the struct. */
typedef struct autotune__mpi_group {
    autotune_ranks ranks;
    MPI_Comm duplicate;                         /* MPI_COMM_NULL: the program freed the communicator */
    int threads;                                /* the thread level that MPI provides: MPI_THREAD_MULTIPLE, ... */
    bool made;                                  /* all processes have made their ranks */
    struct autotune__mpi_group *next;           /* in the list of ranks whose communicator was freed */
} autotune__mpi_group;
AUTOTUNE__DEFINE_AROUND(autotune__mpi_group_of, autotune__mpi_group, ranks, autotune_ranks)

static autotune_status autotune__mpi_status(int error, const char *function) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (error == MPI_SUCCESS) return AUTOTUNE_OK;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) length = 0;
    autotune_explain("%s: %.*s", function, length, text);
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Returns AUTOTUNE_OK if this thread may call MPI. */
static autotune_status autotune__mpi_admits_thread(const autotune__mpi_group *self) {
    int main_thread = 0;
    if (self->duplicate == MPI_COMM_NULL) autotune_explain("the communicator was freed");
    else if (self->threads >= MPI_THREAD_SERIALIZED ||
             (MPI_Is_thread_main(&main_thread) == MPI_SUCCESS && main_thread))
        return AUTOTUNE_OK;
    else autotune_explain("MPI provides no more than MPI_THREAD_FUNNELED, and this is not the main thread");
    return AUTOTUNE_ERR_ENVIRONMENT;
}

/* Waits for the end of an exchange. error: the result of the function that began the exchange. For two milliseconds
   autotune__mpi_await() asks MPI without a pause, so that ranks start their next launch at the same time. Then it
   sleeps between its questions, so that other threads, which may be other ranks, get the processor. The log says once
   that the wait is long. */
static int autotune__mpi_await(autotune_ranks *ranks, int error, MPI_Request *request) {
    const uint64_t began = autotune__monotonic_ns(), at_once = 2000000, nap = 50000;
    int done = 0;
    while (error == MPI_SUCCESS && (error = MPI_Test(request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done) {
        const uint64_t waited = autotune__monotonic_ns() - began;
        if (waited < at_once) continue;
        autotune_waiting(ranks, (double)waited / 1e9, NULL);
        autotune__sleep_ns(nap);
    }
    return error;
}
/* Exchanges at most INT_MAX elements, since MPI counts in an int. */
static autotune_status autotune__mpi_exchange(autotune_ranks *ranks, void *at, size_t count, bool reduces) {
    autotune__mpi_group *self = autotune__mpi_group_of(ranks);
    const autotune_status status = autotune__mpi_admits_thread(self);
    MPI_Request request;
    int error;
    if (status != AUTOTUNE_OK) return status;
    error = count > INT_MAX ? MPI_ERR_COUNT
            : reduces ? MPI_Iallreduce(MPI_IN_PLACE, at, (int)count, MPI_DOUBLE, MPI_MAX, self->duplicate, &request)
                      : MPI_Ibcast(at, (int)count, MPI_BYTE, 0, self->duplicate, &request);
    return autotune__mpi_status(autotune__mpi_await(ranks, error, &request), reduces ? "MPI_Iallreduce" : "MPI_Ibcast");
}
static autotune_status autotune__mpi_max(autotune_ranks *ranks, double *values, size_t count) {
    return autotune__mpi_exchange(ranks, values, count, true);
}
static autotune_status autotune__mpi_share(autotune_ranks *ranks, void *bytes, size_t count) {
    return autotune__mpi_exchange(ranks, bytes, count, false);
}
