/* A reduction: the values that each rank tells all ranks in one all-reduce, and their maxima. */
#pragma once
#include "../api/floor.h"

/* All exchanges are alike: maxima at the same places. So a rank that cannot go on says so in the next exchange. This
   works for any exchange of the other ranks, and no rank waits for it. */
typedef enum autotune__reduction_place {
    AUTOTUNE__PATH, AUTOTUNE__PATH_BELOW_0,     /* the maximum equals the minimum only if all ranks are in step */
    AUTOTUNE__GOES_ON,                          /* a rank has not ended its statement */
    AUTOTUNE__ENDING,                           /* how a rank ends its statement: an autotune__ending */
    AUTOTUNE__UNPUBLISHED,                      /* a rank could not publish the winner */
    AUTOTUNE__WINNER_FOUND,                     /* the first rank found a winner while it waited for its turn */
    AUTOTUNE__TROUBLE,                          /* the worst trouble: see autotune__trouble_of() */
    AUTOTUNE__NS,                               /* the time of the launches */
    AUTOTUNE__DISTURBED,
    AUTOTUNE__EXECUTION,                        /* how to execute the RUN: an autotune__execution */
    AUTOTUNE__NO_MEMORY,                        /* a rank lacks memory to begin or to go on */
    AUTOTUNE__DIFFER_FROM_FIRST,                /* see autotune__differ_from_first() */
    AUTOTUNE__OUTDATED_KERNEL,                   /* the first rank's record is of other kernels */
    AUTOTUNE__ELAPSED, AUTOTUNE__BESIDES, AUTOTUNE__WAITED, AUTOTUNE__TICK,
    AUTOTUNE__SPENT,                            /* the time of launches, after each rank has screened its part */
    AUTOTUNE__INCOMPLETE,                       /* a rank did not launch all of its part */
    AUTOTUNE__NO_MEASURE,                       /* the configuration in all parts does not work on a rank */
    AUTOTUNE__BEST,                             /* proposals of ranks, times -1: the maximum is the least */
    AUTOTUNE__PLACES
} autotune__reduction_place;

/* How a statement ends; the worst end is last. */
typedef enum autotune__ending {
    AUTOTUNE__NO_END,
    AUTOTUNE__WITH_WINNER,
    AUTOTUNE__UNTUNED_CALL,                     /* the first configuration is launched */
    AUTOTUNE__NO_CALL
} autotune__ending;

/* A failure on a rank: severity, status and rank. The worst failure counts, and of equal ones the lowest rank. */
typedef struct autotune__trouble { unsigned severity; autotune_status status; int rank; } autotune__trouble;
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
