/* The part of MPI that programs see: the ranks of a communicator. */
#pragma once
#include <mpi.h>
#include "../api/floor.h"

/* The ranks of an intracommunicator, for the option .ranks. The first use of a communicator is collective. It makes a
   duplicate, so that exchanges of ranks never mix with the program's messages. Later uses only look up the ranks. All
   ranks have to use new communicators in the same order. Several threads may use a new communicator at once.
   MPI_Comm_free() frees the duplicate with the communicator, MPI_Finalize() at the latest.

   If there is no such communicator, or MPI is not initialised, the statement says so and launches its first
   configuration. With MPI_THREAD_FUNNELED, a statement of another thread than the main one does so if it has to agree.
   Hits work in all threads. With MPI_THREAD_SERIALIZED, the program makes sure that no other thread is in MPI
   meanwhile. */
#define MPI_RANKS(communicator) autotune_mpi_ranks(communicator)
AUTOTUNE__API autotune_ranks *autotune_mpi_ranks(MPI_Comm communicator);
