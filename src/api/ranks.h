/* Ranks: processes that choose the same configuration. autotune.h has no functions by which ranks communicate:
   autotune_mpi.h has them, and a program may have its own. */
#pragma once
#include "language.h"
#include "types.h"

/* A group of ranks of a parallel program, for the option .ranks. Each rank has its own struct. The struct must outlive
   all statements that name it. Its address identifies the group: another group of ranks needs another struct. If
   `count` is 1, no function is called.

   A statement with .ranks is collective until its winner is known, like the collective operations of MPI: all ranks
   call it, with the same key. If a program has several statements with the same ranks, they run one at a time, in the
   same order on all ranks. If a second thread of a rank enters such a statement meanwhile, that statement launches its
   first configuration, and logs this. A hit calls no function. Only rank 0, or .first_rank, reads and writes the cache
   on disk, and its records count for all ranks. */
typedef struct autotune_ranks autotune_ranks;
struct autotune_ranks {
    int rank, count;                            /* the number of this rank, from 0 on; how many ranks there are */
    /* An all-reduce: replaces each value by the greatest value that any rank has at this index. Returns when all ranks
       have called it. count: at most 64, and the same on all ranks. No value is a NaN. */
    autotune_status (*max)(autotune_ranks *self, double *values, size_t count);
    /* A broadcast: copies the bytes of rank 0 to all ranks. count: not 0, and the same on all ranks. */
    autotune_status (*share)(autotune_ranks *self, void *bytes, size_t count);
    void *user;                                 /* for the two functions; the library ignores it */
};

/* How ranks choose the same winner. Mode ONLINE ignores this option: in each call all ranks run the same
   configuration. */
typedef enum autotune_agreement {
    /* All ranks launch the same configuration at the same time, and the time of the slowest rank counts. This is the
       default. It is for calls in which ranks communicate. If a call fails in a trial, its rank must still take part in
       the communication of the call. */
    AUTOTUNE_TOGETHER,
    /* Rank 0, or .first_rank, races alone, and all other ranks wait for its winner. This is for calls in which ranks do
       not communicate, if all processors are alike or only one rank has work. */
    AUTOTUNE_FIRST,
    /* Each rank launches a part of the space alone. Then all ranks launch the best configurations of all parts at the
       same time, and the time of the slowest rank counts. This is for calls in which ranks do not communicate: the more
       ranks, the less time tuning takes. result.tried counts the configurations of this rank; .max_trials limits the
       sum over all ranks. A space of more than 2^53 points is raced as with TOGETHER. */
    AUTOTUNE_DIVIDED
} autotune_agreement;

/* All ranks call this function together, and load the results that rank 0 would write with autotune_save(). It is for
   statements without .ranks, if rank 0 has tuned them for all ranks. Statements with .ranks do not need it: they ask
   rank 0 themselves.
   - AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_MEMORY: no rank got results.
   - AUTOTUNE_ERR_FILE: this rank lacked memory for some results.
   - AUTOTUNE_ERR_ARGUMENT: a statement of these ranks has not ended. */
AUTOTUNE__API autotune_status autotune_agree(autotune_ranks *ranks);

/* max() and share() of a program may call this function again and again while they wait for other ranks. It logs once,
   after 10 s, how long this rank has waited, in which statement, and for which ranks. seconds: how long this rank has
   waited so far. whom: the ranks that it waits for, in words; NULL: unknown. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom);
