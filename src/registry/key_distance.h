/* How far apart two keys are, and seeds from this process: the ten best configurations of the tuner's nearest other
   key, which a search tries first. The distance of two numbers is that of their logarithms to base 2; any other parts
   that differ have the distance 8. The distance of two keys is the sum over their parts. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "tuners.h"
#include "subject.h"

/* The distance of two values that differ, which is never 0. */
static double autotune__part_distance(autotune_type type, double a, double b) {
    const double others = 8, least = 1e-9;
    double doublings;
    if (type == AUTOTUNE_STRING || type == AUTOTUNE_BOOL || !autotune__is_finite(a) || !autotune__is_finite(b) ||
        (a < 0) != (b < 0))
        return others;
    doublings = autotune__logarithm((a < 0 ? -a : a) + 1) - autotune__logarithm((b < 0 ? -b : b) + 1);
    doublings /= autotune__logarithm(2);
    if (doublings < 0) doublings = -doublings;
    return doublings > least ? doublings : least;
}
static double autotune__key_distance(const autotune_key *a, const autotune_key *b) {
    double sum = 0;
    uint32_t i;
    if (a->count != b->count || a->types != b->types) return AUTOTUNE__NEVER;
    for (i = 0; i < autotune__parts(a); i++) {
        const autotune_type type = autotune__part_type(a->types, i);
        if (!autotune__same_word(type, a->word[i], b->word[i]))
            sum += autotune__part_distance(type, autotune__number_of_part(a, i), autotune__number_of_part(b, i));
    }
    return sum;
}
static double autotune__measured_ns(const autotune_measurement *measurement) {
    if (measurement->status != AUTOTUNE_OK) return AUTOTUNE__NEVER;
    return autotune__is_definite(measurement->median_ns) ? measurement->median_ns
         : autotune__is_definite(measurement->min_ns) ? measurement->min_ns : AUTOTUNE__NEVER;
}
/* Takes seeds from the races of this process. Returns the distance of their key; AUTOTUNE__NEVER: there are none. */
static double autotune__seed_from_process(const autotune__subject *subject, autotune__shortlist *seeds) {
    const autotune__known_key *known_key;
    const autotune__history *nearest = NULL;
    double least = AUTOTUNE__NEVER;
    size_t i;
    autotune__lock_mutex(&autotune__lock);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        const double distance = known_key == subject->known_key || known_key->tuner != subject->known_key->tuner
                                    ? AUTOTUNE__NEVER : autotune__key_distance(&known_key->key, &subject->options.key);
        if (!known_key->entry || !(distance < least)) continue;
        if (!known_key->history->count) continue;               /* not raced by this process */
        if (known_key->duelled) continue;                       /* its history is a duel's: the file has the others */
        least = distance;
        nearest = known_key->history;
    }
    for (i = 0; nearest && i < nearest->count; i++)
        autotune__shortlist_point(seeds, nearest->measurements[i].config.index,
                                  autotune__measured_ns(&nearest->measurements[i]));
    autotune__unlock_mutex(&autotune__lock);
    return least;
}
