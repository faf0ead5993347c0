/* autotune 0.2.0, revision 0b92aee7 of src/: made by src/headers.sh, so edit the files in src/, and not this one. */
/* autotune_mpi.h - lets the ranks of an MPI program choose the same configuration

       #define AUTOTUNE_MPI_IMPLEMENTATION      // in exactly one file, in the place of AUTOTUNE_IMPLEMENTATION
       #include "autotune_mpi.h"

       AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, exchange_and_sweep(grid, tile),
                .key = KEY(n), .ranks = MPI_RANKS(MPI_COMM_WORLD));

   Until the winner is known the statement is collective: all ranks of the communicator make the call together. All
   ranks launch the same configuration at the same time, and the time of the slowest rank counts. With .agree =
   AUTOTUNE_FIRST rank 0 races alone. With .agree = AUTOTUNE_DIVIDED each rank launches a part of the space alone,
   before all ranks compare the best configurations. Only rank 0 uses the cache on disk and the terminal. Hits
   communicate nothing. autotune.h describes the option .ranks. The part src/mpi/site.h below describes MPI_RANKS.

   Good to know

   * An exchange is one MPI_Iallreduce or MPI_Ibcast in a duplicate of the communicator. A rank waits for its end with
     MPI_Test and short sleeps. A rank that waits for more than 10 s logs in which statement it waits, and for which
     ranks.
   * An error of MPI in the duplicate does not abort the program: it becomes a status and a sentence.
   * In each rank one thread at a time may be in a statement of the same communicator, unless the statement is a hit.
   * If the program also needs AUTOTUNE_CUDA_IMPLEMENTATION or AUTOTUNE_OPENCL_IMPLEMENTATION, the same file defines all
     of these before it includes the headers.

   Needs: MPI 3.0 or later, and its compiler wrapper or flags.

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_MPI_H
#define AUTOTUNE_MPI_H

#if defined AUTOTUNE_MPI_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#if defined AUTOTUNE_WITHOUT_RANKS
#error "autotune_mpi.h: AUTOTUNE_WITHOUT_RANKS and AUTOTUNE_LEAN leave out the ranks that it is for"
#endif
#include <mpi.h>


/* ---- src/mpi/site.h ------------------------------------------------------------------------------------------------
   The part of MPI that programs see: the ranks of a communicator. */

/* The ranks of an intracommunicator, for the option .ranks. The first use of a communicator is collective. It
   duplicates the communicator, so that exchanges of ranks never mix with the program's messages. Later uses only look
   up the ranks. All ranks have to use new communicators in the same order. Several threads may use a new communicator
   at once. The duplicate is freed with the communicator, by MPI_Comm_free() or MPI_Finalize().

   If the communicator is no intracommunicator, or if MPI is not initialised, the statement reports an error and
   launches its first configuration. If MPI provides no more than MPI_THREAD_FUNNELED, a statement that is no hit and
   runs outside the main thread does the same. Hits work in all threads. With MPI_THREAD_SERIALIZED, the program makes
   sure that no other thread calls MPI during a statement. */
#define MPI_RANKS(communicator) autotune_mpi_ranks(communicator)
AUTOTUNE__BEGIN_C
AUTOTUNE__API autotune_ranks *autotune_mpi_ranks(MPI_Comm communicator);
AUTOTUNE__END_C

#endif  /* AUTOTUNE_MPI_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_MPI_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__MPI_IMPLEMENTED
#define AUTOTUNE__MPI_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_mpi.h: define AUTOTUNE_MPI_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, \
or there alone"
#endif


/* ---- src/mpi/exchange.h --------------------------------------------------------------------------------------------
   Exchanges of ranks over MPI: reductions and broadcasts that do not block, and waiting for their end. */

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

/* ---- src/mpi/communicators.h ---------------------------------------------------------------------------------------
   The ranks of a communicator: the struct autotune_ranks that the library allocates for the communicator. This room
   makes and finds this struct. The struct of a freed communicator lives until autotune_shutdown(). */

/* Guards the number of the attribute, and the list of ranks whose communicator was freed. */
static autotune__mutex autotune__mpi_lock = AUTOTUNE__MUTEX;
/* One thread at a time makes ranks, since this is collective. Else two threads could make ranks of one communicator. */
static autotune__mutex autotune__mpi_making = AUTOTUNE__MUTEX;
static int autotune__mpi_attribute = MPI_KEYVAL_INVALID;
static autotune__mpi_group *autotune__mpi_freed;
static unsigned autotune__mpi_frees;            /* how many communicators with ranks were freed; if it has changed,
                                                   threads look up their ranks again */

/* MPI calls this function when a communicator with ranks is freed. Frees the duplicate, and keeps the struct until
   autotune_shutdown(). */
static int autotune__mpi_forget(MPI_Comm communicator, int attribute, void *value, void *user) {
    autotune__mpi_group *ranks = (autotune__mpi_group *)value;
    int error;
    (void)communicator, (void)attribute, (void)user;
    __atomic_fetch_add(&autotune__mpi_frees, 1, __ATOMIC_RELEASE);
    error = MPI_Comm_free(&ranks->duplicate);
    ranks->duplicate = MPI_COMM_NULL;
    AUTOTUNE__WITH_LOCK(&autotune__mpi_lock);
    ranks->next = autotune__mpi_freed;
    autotune__mpi_freed = ranks;
    return error;
}
static bool autotune__mpi_has_attribute(void) {
    AUTOTUNE__WITH_LOCK(&autotune__mpi_lock);
    return autotune__mpi_attribute != MPI_KEYVAL_INVALID ||
           MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, autotune__mpi_forget, &autotune__mpi_attribute, NULL) ==
               MPI_SUCCESS;
}
/* Makes the ranks of a communicator. This is collective: ranks are kept only if each process could make them. NULL: no
   process has kept them. */
static autotune__mpi_group *autotune__mpi_make(MPI_Comm communicator) {
    autotune__mpi_group *ranks;
    MPI_Comm duplicate;
    int between = 0, kept, all = 0;
    if (MPI_Comm_test_inter(communicator, &between) != MPI_SUCCESS || between ||
        MPI_Comm_dup(communicator, &duplicate) != MPI_SUCCESS) return NULL;
    MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
    ranks = (autotune__mpi_group *)autotune__allocate(sizeof *ranks);
    if (ranks) {
        ranks->duplicate = duplicate;
        ranks->ranks.max = autotune__mpi_max;
        ranks->ranks.share = autotune__mpi_share;
    }
    kept = ranks && autotune__mpi_has_attribute() && MPI_Query_thread(&ranks->threads) == MPI_SUCCESS &&
           MPI_Comm_rank(duplicate, &ranks->ranks.rank) == MPI_SUCCESS &&
           MPI_Comm_size(duplicate, &ranks->ranks.count) == MPI_SUCCESS &&
           MPI_Comm_set_attr(communicator, autotune__mpi_attribute, ranks) == MPI_SUCCESS;
    if (MPI_Allreduce(&kept, &all, 1, MPI_INT, MPI_MIN, duplicate) == MPI_SUCCESS && all) {
        autotune__set(&ranks->made);
        return ranks;
    }
    if (kept) MPI_Comm_delete_attr(communicator, autotune__mpi_attribute);      /* this calls autotune__mpi_forget() */
    else {
        MPI_Comm_free(&duplicate);
        autotune__free(ranks);
    }
    return NULL;
}
/* Returns the ranks of a communicator; NULL: they are not made yet, or not in all processes. */
static autotune__mpi_group *autotune__mpi_made(MPI_Comm communicator) {
    void *value = NULL;
    int found = 0;
    return autotune__mpi_has_attribute() &&
                   MPI_Comm_get_attr(communicator, autotune__mpi_attribute, &value, &found) == MPI_SUCCESS && found &&
                   autotune__is_set(&((autotune__mpi_group *)value)->made)
               ? (autotune__mpi_group *)value : NULL;
}
static autotune_ranks *autotune__mpi_find(MPI_Comm communicator) {
    static autotune_ranks none;                 /* its count is 0, so the statement reports an error */
    autotune__mpi_group *ranks;
    int begun = 0, over = 0;
    if (MPI_Initialized(&begun) != MPI_SUCCESS || !begun || MPI_Finalized(&over) != MPI_SUCCESS || over ||
        communicator == MPI_COMM_NULL)
        return &none;
    if ((ranks = autotune__mpi_made(communicator)) != NULL) return &ranks->ranks;
    autotune__ready();
    AUTOTUNE__WITH_LOCK(&autotune__mpi_making);
    if (!(ranks = autotune__mpi_made(communicator))) ranks = autotune__mpi_make(communicator);
    return ranks ? &ranks->ranks : &none;
}
/* Returns the ranks of a communicator. Each hit asks for them, and MPI takes a lock to look them up. So each thread
   remembers its last result. */
AUTOTUNE__API autotune_ranks *autotune_mpi_ranks(MPI_Comm communicator) {
    static __thread struct { MPI_Comm communicator; autotune_ranks *ranks; unsigned frees; } last;
    const unsigned frees = __atomic_load_n(&autotune__mpi_frees, __ATOMIC_ACQUIRE);
    autotune_ranks *ranks;
    if (last.ranks && last.communicator == communicator && last.frees == frees) return last.ranks;
    ranks = autotune__mpi_find(communicator);
    last.communicator = communicator;
    last.frees = frees;
    last.ranks = ranks->count ? ranks : NULL;
    return ranks;
}

static void autotune__mpi_shut_down(void) {
    autotune__mpi_group *ranks;
    AUTOTUNE__WITH_LOCK(&autotune__mpi_lock);
    while ((ranks = autotune__mpi_freed) != NULL) {
        autotune__mpi_freed = ranks->next;
        autotune__free(ranks);
    }
}
static void autotune__mpi_begin_forked(void) {
    autotune__make_mutex(&autotune__mpi_lock);
    autotune__make_mutex(&autotune__mpi_making);
}
AUTOTUNE__ENTER_FLOOR(autotune__mpi_enter_floor, autotune__mpi_begin_forked, autotune__mpi_shut_down)

#endif  /* the implementation */
