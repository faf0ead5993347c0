/* The part of MPI that programs see: the ranks of a communicator. */
#pragma once
#include <mpi.h>
#include "../api/floor.h"

/* The ranks of an intracommunicator, for the option .ranks. The first use for a communicator is collective: it makes a
   duplicate, so that what ranks agree on never mixes with messages of the program. Later ones only look that up. The
   first uses of several communicators come in the same order on all ranks. Threads may use one for the first time at
   once. It is freed with the communicator, by MPI_Comm_free(), or at the latest by MPI_Finalize().

   If there is no such communicator, or MPI was not initialised, the statement says so and launches its first
   configuration. With MPI_THREAD_FUNNELED a statement of another thread than the main one does the same where it has to
   agree; hits work in all threads. With MPI_THREAD_SERIALIZED the program sees to it that no other thread is in MPI
   meanwhile. */
#define MPI_RANKS(communicator) autotune_mpi_ranks(communicator)
AUTOTUNE__API autotune_ranks *autotune_mpi_ranks(MPI_Comm communicator);
