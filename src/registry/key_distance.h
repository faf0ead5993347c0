/* How far apart two keys are, and seeds from this process: the ten best configurations of the tuner's nearest other
   key, which a search tries first. The distance of two numbers is that of their logarithms to base 2; any other parts
   that differ have the distance 8. The distance of two keys is the sum over their parts. */
#pragma once
#include "../api/types.h"
#include "../api/known.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/process.h"
#include "../space/key.h"
#include "../space/values.h"
#include "../race/shortlist.h"
#include "records.h"
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
static double autotune__number_of_part(const autotune_key *key, uint32_t part) {    /* meaningless for a string */
    const autotune_type type = autotune__part_type(key->types, part);
    if (autotune__is_float(type)) return autotune__as_double(key->word[part]);
    return autotune__double_of_value(type == AUTOTUNE_U64 ? type : AUTOTUNE_I64, key->word[part]);
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
    const autotune__history *nearest = NULL;
    double least = AUTOTUNE__NEVER;
    size_t i;
    autotune__lock_mutex(&autotune__lock);
    for (i = 0; i < AUTOTUNE__MAP_COUNT(subject->tuner->records); i++) {
        const autotune__record *record = autotune__record_at(subject->tuner, i);
        const double distance = autotune__key_distance(&record->key, &subject->options.key);
        if (record == subject->record || !record->entry || !(distance < least)) continue;
        if (!record->history->count) continue;                  /* not raced by this process */
        if (record->duelled) continue;                          /* its history is a duel's: the file has the others */
        least = distance;
        nearest = record->history;
    }
    for (i = 0; nearest && i < nearest->count; i++)
        autotune__shortlist_point(seeds, nearest->measurements[i].config.index,
                                  autotune__measured_ns(&nearest->measurements[i]));
    autotune__unlock_mutex(&autotune__lock);
    return least;
}
