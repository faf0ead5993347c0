/* The part of MPI that programs see: the ranks of a communicator. */
#pragma once
#include <mpi.h>
#include "../api/floor.h"

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
