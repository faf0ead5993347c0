/* What ranks exchange over MPI: reductions and broadcasts that do not block, and waiting for them. */
#pragma once
#include <mpi.h>
#include <stdio.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"

/* The ranks of a communicator: an attribute of it. The struct stays when the communicator is freed, since entries know
   their group by its address; autotune_shutdown() frees it. */
typedef struct autotune__mpi_group {
    autotune_ranks ranks;                       /* the first member */
    MPI_Comm duplicate;                         /* MPI_COMM_NULL: the communicator was freed */
    int threads;                                /* what MPI provides: MPI_THREAD_MULTIPLE, ... */
    bool made;                                  /* all ranks have it */
    struct autotune__mpi_group *next;           /* in the list of those whose communicator was freed */
} autotune__mpi_group;
static autotune__mpi_group *autotune__mpi_group_of(autotune_ranks *self) {
    return (autotune__mpi_group *)(void *)self;
}

static autotune_status autotune__mpi_status(int error, const char *function) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (error == MPI_SUCCESS) return AUTOTUNE_OK;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) length = 0;
    autotune_explain("%s: %.*s", function, length, text);
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* May this thread call MPI? */
static autotune_status autotune__mpi_admits_thread(const autotune__mpi_group *self) {
    int main_thread = 0;
    if (self->duplicate == MPI_COMM_NULL) {
        autotune_explain("the communicator was freed");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    if (self->threads >= MPI_THREAD_SERIALIZED) return AUTOTUNE_OK;
    if (MPI_Is_thread_main(&main_thread) == MPI_SUCCESS && main_thread) return AUTOTUNE_OK;
    autotune_explain("MPI provides no more than MPI_THREAD_FUNNELED, and this is not the main thread");
    return AUTOTUNE_ERR_ENVIRONMENT;
}

/* Whoever has waited for 10 s tells all others, each time with a message of no bytes. A second later those that did not
   tell it are known. Up to 64 ranks do so: with more nobody counts them, and with a square of messages. */
enum { AUTOTUNE__MPI_TELLING = 64, AUTOTUNE__MPI_TAG = 77 };
typedef struct autotune__mpi_absent {
    bool here[AUTOTUNE__MPI_TELLING];           /* those that told it; this rank, when it has told it */
    char whom[256];
} autotune__mpi_absent;
static void autotune__mpi_tell_others(const autotune__mpi_group *self, autotune__mpi_absent *absent) {
    MPI_Request request;
    int rank;
    absent->here[self->ranks.rank] = true;
    for (rank = 0; rank < self->ranks.count; rank++)
        if (rank != self->ranks.rank &&
            MPI_Isend(NULL, 0, MPI_BYTE, rank, AUTOTUNE__MPI_TAG, self->duplicate, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
}
static void autotune__mpi_hear_others(const autotune__mpi_group *self, autotune__mpi_absent *absent) {
    MPI_Status status;
    int there = 0;
    while (MPI_Iprobe(MPI_ANY_SOURCE, AUTOTUNE__MPI_TAG, self->duplicate, &there, &status) == MPI_SUCCESS && there) {
        MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, AUTOTUNE__MPI_TAG, self->duplicate, MPI_STATUS_IGNORE);
        if (absent) absent->here[status.MPI_SOURCE] = true;
    }
}
/* The absent ranks in words, for which there is room whichever they are; NULL: there are none. */
static const char *autotune__mpi_name_absent(const autotune__mpi_group *self, autotune__mpi_absent *absent) {
    size_t used = 0;
    int rank;
    for (rank = 0; rank < self->ranks.count; rank++)
        if (!absent->here[rank])
            used += (size_t)snprintf(absent->whom + used, sizeof absent->whom - used, "%s%d", used ? ", " : "rank ",
                                     rank);
    return used ? absent->whom : NULL;
}
static void autotune__mpi_say_waiting(autotune__mpi_group *self, double seconds, autotune__mpi_absent *absent) {
    const double patience = 10;
    if (seconds < patience) return;
    if (self->ranks.count > AUTOTUNE__MPI_TELLING) { autotune_waiting(&self->ranks, seconds, NULL); return; }
    if (!absent->here[self->ranks.rank]) autotune__mpi_tell_others(self, absent);
    autotune__mpi_hear_others(self, absent);
    if (seconds >= patience + 1)
        autotune_waiting(&self->ranks, seconds, autotune__mpi_name_absent(self, absent));
}
/* Waits for the end of an exchange; error: of the function that began it. For two milliseconds it asks without a pause,
   so that ranks start their next launch at the same time; after that it leaves the processor to others, who may be what
   it waits for. */
static autotune_status autotune__mpi_await(autotune__mpi_group *self, int error, MPI_Request *request,
                                           const char *function) {
    const uint64_t began = autotune__monotonic_ns(), at_once = 2000000, nap = 50000;
    autotune__mpi_absent absent;
    int done = 0;
    memset(&absent, 0, sizeof absent);
    while (error == MPI_SUCCESS && (error = MPI_Test(request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done) {
        const uint64_t waited = autotune__monotonic_ns() - began;
        if (waited < at_once) continue;
        autotune__mpi_say_waiting(self, (double)waited / 1e9, &absent);
        autotune__sleep_ns(nap);
    }
    return autotune__mpi_status(error, function);
}
static autotune_status autotune__mpi_max(autotune_ranks *ranks, double *values, size_t count) {
    autotune__mpi_group *self = autotune__mpi_group_of(ranks);
    const autotune_status status = autotune__mpi_admits_thread(self);
    MPI_Request request;
    int error;
    if (status != AUTOTUNE_OK) return status;
    error = MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE, MPI_MAX, self->duplicate, &request);
    return autotune__mpi_await(self, error, &request, "MPI_Iallreduce");
}
static autotune_status autotune__mpi_share(autotune_ranks *ranks, void *bytes, size_t count) {
    autotune__mpi_group *self = autotune__mpi_group_of(ranks);
    autotune_status status = autotune__mpi_admits_thread(self);
    const size_t most = (size_t)1 << 30;        /* MPI counts in an int */
    size_t at;
    for (at = 0; at < count && status == AUTOTUNE_OK; at += most) {
        const size_t some = count - at < most ? count - at : most;
        MPI_Request request;
        const int error = MPI_Ibcast((char *)bytes + at, (int)some, MPI_BYTE, 0, self->duplicate, &request);
        status = autotune__mpi_await(self, error, &request, "MPI_Ibcast");
    }
    return status;
}
