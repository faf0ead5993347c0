/* autotune_mpi.h - ranks of an MPI program that choose the same configuration.

       #define AUTOTUNE_MPI_IMPLEMENTATION      // in exactly one file, in the place of AUTOTUNE_IMPLEMENTATION
       #include "autotune_mpi.h"

       AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, exchange_and_sweep(grid, tile),
                .key = KEY(n), .ranks = MPI_RANKS(MPI_COMM_WORLD));

   The statement is collective for its communicator until its winner is known. All ranks launch the same configuration
   at the same time, and its time is that of the slowest rank. With .agree = AUTOTUNE_FIRST rank 0 races alone. With
   AUTOTUNE_DIVIDED each rank screens a part of the space. Only rank 0 uses the cache on disk and the terminal. Hits
   communicate nothing. autotune.h describes .ranks, and src/mpi/site.h in it MPI_RANKS.

   Good to know

   * An exchange is one MPI_Iallreduce or MPI_Ibcast in a duplicate of the communicator, which is waited for with
     MPI_Test and short sleeps. A rank that waits for more than 10 s says in which statement, and for whom.
   * Errors of MPI become a status and a sentence: nothing aborts in the duplicate.
   * One thread at a time may be in statements that agree in the same communicator.
   * With AUTOTUNE_CUDA_IMPLEMENTATION or AUTOTUNE_OPENCL_IMPLEMENTATION the same file has those, too: it defines all of
     them before it includes the headers.

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

#include "mpi/site.h"

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

#include "mpi/floor.h"

#endif  /* the implementation */
