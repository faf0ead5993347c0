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
