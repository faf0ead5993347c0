/* A reduction: the values that each rank tells all ranks in one all-reduce, and their maxima. */
#pragma once
#include "../api/floor.h"

/* A place is an index of the array of values. Each all-reduce exchanges the whole array. So a rank that cannot go on
   says so in its next all-reduce, whatever this all-reduce is for on the other ranks. Then no rank waits for it. */
typedef enum autotune__reduction_place {
    AUTOTUNE__STEP_HASH,                        /* x, a hash of all that has to be the same on all ranks */
    AUTOTUNE__NEGATIVE_STEP_HASH,               /* -x. The maxima are x and -x only if all ranks have the same x */
    AUTOTUNE__GOES_ON,                          /* a rank has not ended its statement */
    AUTOTUNE__ENDING,                           /* how a rank ends its statement: an autotune__ending */
    AUTOTUNE__UNPUBLISHED,                      /* a rank could not publish the winner */
    AUTOTUNE__WINNER_FOUND,                     /* the first rank knows a winner now: it raced alone, or found the
                                                   winner while it waited for its turn */
    AUTOTUNE__TROUBLE,                          /* the worst trouble: see autotune__trouble_of() */
    AUTOTUNE__NS,                               /* the time of the launches, in ns */
    AUTOTUNE__DISTURBED,                        /* something else ran during the launches of a rank */
    AUTOTUNE__EXECUTION,                        /* how a rank executed the RUN: an autotune__execution */
    AUTOTUNE__NO_MEMORY,                        /* a rank lacks memory to begin or to go on */
    AUTOTUNE__DIFFER_FROM_FIRST,                /* see autotune__differ_from_first() */
    AUTOTUNE__OUTDATED_KERNEL,                  /* the record is of another kernel than a rank launched */
    /* - ELAPSED: how long the race has taken, in seconds.
       - BESIDES: answer.unlaunched_seconds.
       - WAITED: answer.waited_seconds.
       - TICK: the least step of a rank's clock, in ns. */
    AUTOTUNE__ELAPSED, AUTOTUNE__BESIDES, AUTOTUNE__WAITED, AUTOTUNE__TICK,
    AUTOTUNE__SPENT,                            /* the time of a part's launches before the duel, in ns */
    AUTOTUNE__INCOMPLETE,                       /* why a rank did not launch its whole part: an autotune__lack */
    AUTOTUNE__NO_MEASURE,                       /* a rank has no time of the configuration that is in all parts */
    AUTOTUNE__BEST,                             /* the offer of a rank, times -1: the maximum is the least offer */
    AUTOTUNE__PLACES
} autotune__reduction_place;

/* How a statement ends; the worst end is last. */
typedef enum autotune__ending {
    AUTOTUNE__NO_END,                           /* the statement goes on */
    AUTOTUNE__WITH_WINNER,                      /* the winner is launched */
    AUTOTUNE__UNTUNED_CALL,                     /* the first configuration is launched */
    AUTOTUNE__NO_CALL                           /* no call is made */
} autotune__ending;

/* A failure on a rank: severity, status and rank. A failure of greater severity is worse. If severities are equal, the
   greater status is worse, and then the lower rank. The worst failure counts. */
typedef struct autotune__trouble { unsigned severity; autotune_status status; int rank; } autotune__trouble;
/* Returns a failure as a number: the larger number is the worse failure. 0: no failure. */
static double autotune__trouble_of(unsigned severity, autotune_status status, int rank) {
    const int number = (int)status;             /* a call may return numbers that are no autotune_status */
    const int known = number > 0 && number < AUTOTUNE__STATUS_COUNT ? number : (int)AUTOTUNE_FAILED;
    const uint64_t kind = (uint64_t)severity * AUTOTUNE__STATUS_COUNT + (uint64_t)known;
    return severity ? (double)(kind << 31 | (uint64_t)(INT32_MAX - rank)) : 0;
}
static autotune__trouble autotune__read_trouble(double value) {
    const uint64_t word = (uint64_t)value, kind = word >> 31;
    const autotune__trouble trouble = { (unsigned)(kind / AUTOTUNE__STATUS_COUNT),
                                        (autotune_status)(kind % AUTOTUNE__STATUS_COUNT),
                                        word ? INT32_MAX - (int)(word & INT32_MAX) : 0 };
    return trouble;
}
