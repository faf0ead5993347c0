/* Ranks: processes that choose the same configuration. autotune.h knows no way by which they reach each other:
   autotune_mpi.h does, and a program may bring its own. */
#pragma once
#include "language.h"
#include "types.h"

/* The ranks of a parallel program, as one of them sees them, for the option .ranks. Each rank has a struct of its own.
   It must outlive all statements that name it, and its address stands for the group: another group needs another
   struct. With a count of 1 nothing is called.

   A statement with .ranks is collective until its winner is known, as the collective operations of MPI are: all ranks
   call it, with the same key. If a program has several statements with the same ranks, they come one at a time, in the
   same order on all ranks. While one thread is in such a statement, that of another thread launches its first
   configuration, and says so. A hit calls nothing. Only rank 0, or the option .first_rank, reads and writes the cache
   on disk, and what that rank knows counts for all. */
typedef struct autotune_ranks autotune_ranks;
struct autotune_ranks {
    int rank, count;                            /* this rank, from 0 on; how many there are */
    /* Replaces each of the values by the greatest that any rank gives in its place, and returns when all ranks have
       called it. There are at most 64, none is a NaN. All ranks give the same number of values. */
    autotune_status (*max)(autotune_ranks *self, double *values, size_t count);
    /* The bytes of rank 0 become everybody's. All ranks call it with the same count, which is not 0. */
    autotune_status (*share)(autotune_ranks *self, void *bytes, size_t count);
    void *user;                                 /* for the two functions; the library ignores it */
};

/* How ranks come to the same winner. In mode ONLINE all run the same configuration in each call, whatever is said
   here. */
typedef enum autotune_agreement {
    /* All ranks launch the same configuration at the same time, and its time is that of the slowest rank: for calls in
       which ranks communicate, and the default. If a call fails in a trial, its rank must still take part in what the
       other ranks of that call wait for. */
    AUTOTUNE_TOGETHER,
    /* Rank 0, or the option .first_rank, races alone, and the others wait for its winner. It is for calls in which
       ranks do not communicate, if all processors are alike, or one rank alone has the work. */
    AUTOTUNE_FIRST,
    /* Each rank launches its part of the space alone. Then all ranks launch the best of all parts at the same time, and
       the slowest rank decides as with TOGETHER. It is for calls in which ranks do not communicate. Tuning takes less
       time, the more ranks there are. How many configurations a result says were tried is what its rank tried;
       .max_trials is that of all ranks together. A space of more than 2^53 points is raced as with TOGETHER. */
    AUTOTUNE_DIVIDED
} autotune_agreement;

/* Collective: all ranks get the results that the process of rank 0 has found or used, as autotune_save() writes them
   and autotune_load() reads them. Statements with .ranks ask rank 0 anyway: this is for those without, where rank 0
   tuned for all. AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_MEMORY: nothing was shared, on any rank. AUTOTUNE_ERR_FILE:
   this rank has no memory for all of it. AUTOTUNE_ERR_ARGUMENT: a statement of these ranks has not ended. */
AUTOTUNE__API autotune_status autotune_agree(autotune_ranks *ranks);

/* The functions max and share of a program may call this while they wait for other ranks. It says once that a rank has
   waited for so many seconds, in which statement, and for which ranks. Nothing is said before 10 s. whom: the ranks
   that have not come, in words; NULL: that is not known. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom);
