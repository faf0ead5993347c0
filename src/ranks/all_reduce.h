/* All-reduces: all ranks learn the maxima of their values, and whether they are in step. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "reduction.h"
#include "group.h"
#include "differences.h"

/* Returns this rank's values for the next all-reduce, all set to 0. */
static double *autotune__new_reduction(autotune__peer_group *group) {
    return (double *)memset(group->values, 0, sizeof group->values);
}
/* Puts a failure of this rank into the next all-reduce. The worst failure of all ranks counts. */
static void autotune__put_trouble(autotune__peer_group *group, unsigned severity, autotune_status status) {
    group->values[AUTOTUNE__TROUBLE] = autotune__trouble_of(severity, status, group->ranks->rank);
}
/* Makes an all-reduce. Returns false if the group has ended. The group ends if a rank ends its statement, if the ranks
   are out of step, or if they cannot be reached. */
static bool autotune__all_reduce(autotune__peer_group *group) {
    double *values = group->values;
    bool alike;
    values[AUTOTUNE__STEP_HASH] = (double)(group->step_hash >> 12); /* a double holds 52 bits of a hash */
    values[AUTOTUNE__NEGATIVE_STEP_HASH] = -values[AUTOTUNE__STEP_HASH];
    values[AUTOTUNE__GOES_ON] = values[AUTOTUNE__ENDING] == 0;
    group->trouble = autotune__read_trouble(0);
    if (!autotune__exchange(group, values, NULL, AUTOTUNE__PLACES)) return false;
    group->trouble = autotune__read_trouble(values[AUTOTUNE__TROUBLE]);
    alike = values[AUTOTUNE__STEP_HASH] == -values[AUTOTUNE__NEGATIVE_STEP_HASH];
    if (values[AUTOTUNE__ENDING] > 0) {
        if (!alike || values[AUTOTUNE__GOES_ON] > 0)
            autotune__end_group(group, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__AT_ITS_END);
        autotune__end_group(group, (autotune__ending)(int)values[AUTOTUNE__ENDING], AUTOTUNE__AT_ITS_END);
    } else if (!alike && group->trouble.status == AUTOTUNE_ERR_MEMORY)
        autotune__end_group(group, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__AT_ITS_END);
    else if (!alike && autotune__tell_difference(group))
        autotune__end_group(group, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__OUT_OF_STEP);
    return autotune__is_joined(group);
}
/* Makes an all-reduce with one value; all other values are 0. */
static bool autotune__all_reduce_one(autotune__peer_group *group, autotune__reduction_place place, double value) {
    autotune__new_reduction(group)[place] = value;
    return autotune__all_reduce(group);
}
