/* Ranks: processes that choose the same configuration. autotune.h has no functions by which ranks communicate:
   autotune_mpi.h has them, and a program may have its own. */
#pragma once
#include "language.h"
#include "types.h"

/* The ranks of a parallel program, as one rank sees them, for the option .ranks. Each rank has its own struct. The
   struct must outlive all statements that name it. Its address identifies the group: another group needs another
   struct. With a count of 1 no function is called.

   A statement with .ranks is collective until its winner is known, like the collective operations of MPI: all ranks
   call it, with the same key. If a program has several statements with the same ranks, they come one at a time, in the
   same order on all ranks. While one thread is in such a statement, the statement of another thread launches its first
   configuration, and says so. A hit calls no function. Only rank 0, or .first_rank, reads and writes the cache on disk,
   and its records count for all ranks. */
typedef struct autotune_ranks autotune_ranks;
struct autotune_ranks {
    int rank, count;                            /* the number of this rank, from 0 on; the number of ranks */
    /* An all-reduce: replaces each value by the greatest value that any rank gives at this index. Returns when all
       ranks have called it. count: at most 64, and the same on all ranks. No value is a NaN. */
    autotune_status (*max)(autotune_ranks *self, double *values, size_t count);
    /* A broadcast: copies the bytes of rank 0 to all ranks. count: not 0, and the same on all ranks. */
    autotune_status (*share)(autotune_ranks *self, void *bytes, size_t count);
    void *user;                                 /* for the two functions; the library ignores it */
};

/* How ranks choose the same winner. In mode ONLINE this has no effect: all ranks run the same configuration in each
   call. */
typedef enum autotune_agreement {
    /* All ranks launch the same configuration at the same time, and the time of the slowest rank counts. It is the
       default, and for calls in which ranks communicate. If a call fails in a trial, its rank must still take part in
       the communication of the call. */
    AUTOTUNE_TOGETHER,
    /* Rank 0, or .first_rank, races alone, and the other ranks wait for its winner. It is for calls without
       communication of ranks, if all processors are alike or only one rank has work. */
    AUTOTUNE_FIRST,
    /* Each rank launches its part of the space alone. Then all ranks launch the best of all parts at the same time, and
       the slowest rank decides as with TOGETHER. It is for calls in which ranks do not communicate. With more ranks
       tuning takes less time. `tried` of a result counts the configurations of its rank; .max_trials limits all ranks
       together. A space of more than 2^53 points is raced as with TOGETHER. */
    AUTOTUNE_DIVIDED
} autotune_agreement;

/* Collective: all ranks load the results that rank 0 would write with autotune_save(). It is for statements without
   .ranks, if rank 0 has tuned them for all; statements with .ranks ask rank 0 themselves. AUTOTUNE_ERR_ENVIRONMENT,
   AUTOTUNE_ERR_MEMORY: no rank got results. AUTOTUNE_ERR_FILE: this rank lacked memory for some results.
   AUTOTUNE_ERR_ARGUMENT: a statement of these ranks has not ended. */
AUTOTUNE__API autotune_status autotune_agree(autotune_ranks *ranks);

/* The functions max and share of a program may call this while they wait for other ranks. After 10 s it logs once how
   long this rank has waited, in which statement, and for which ranks. whom: the missing ranks, in words; NULL:
   unknown. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom);
