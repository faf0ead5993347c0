/* The ranks of a communicator: the struct autotune_ranks that the library allocates for the communicator. This room
   makes and finds this struct. The struct of a freed communicator lives until autotune_shutdown(). */
#pragma once
#include <mpi.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "site.h"
#include "exchange.h"

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
