/* Guesses: entries that answer hits of a key that was never tuned, until more is known. Nothing else knows the key. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "subject.h"
#include "results.h"
#include "guessing.h"
#include "nearest_keys.h"

/* With the lock: a hit finds the guess from now on. NULL: no memory, and the next call guesses again. */
static autotune__entry *autotune__publish_guess(const autotune__subject *subject, const autotune_result *result) {
    const autotune_result told = autotune__result_of_hits(result);
    autotune__entry *entry = autotune__entry_for(subject, result);
    if (!entry) return NULL;
    autotune__revive(entry, subject->site, &subject->options, 0, &told);
    autotune__guesses_are_out = true;
    return entry;
}
/* With the lock: something became known, and may be nearer. Ranks, who are told of nothing, keep theirs: else one of
   them would ask the others while these have hits. */
static void autotune__retire_guesses(void) {
    const autotune__known_key *known_key;
    autotune__entry *entry;
    autotune__guesses_are_out = false;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next)
        for (entry = known_key->entries; entry; entry = entry->next_of_key)
            if (autotune__is_guess(entry) && !autotune__others_have(entry))
                __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}

/* Keeps the text that a result has of the origin of its guess, escaped for a terminal. Equal texts are kept once, among
   the descriptions, until autotune_shutdown(). NULL: no memory. */
static const char *autotune__keep_origin(autotune__text *text) {
    autotune__text escaped AUTOTUNE__FREED = { NULL, false };
    const char *const shown = autotune__visible(&escaped, autotune__string(text));
    char *kept = NULL;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!text->broken && !escaped.broken && !(kept = (char *)autotune__value_of(autotune__descriptions, shown)))
        kept = (char *)autotune__put_block(&autotune__descriptions, shown, autotune__copy_string(shown));
    autotune__free_text(text);
    return kept;
}

static void autotune__relate_times(autotune__near_key *near_key) {
    double best = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(near_key->times); i++)
        if (near_key->times[i].ratio < best) best = near_key->times[i].ratio;
    for (i = 0; i < autotune__count(near_key->times); i++) near_key->times[i].ratio /= best;
}
/* A point that has times at each of the keys so far, and their sum. */
typedef struct autotune__sum_of_times { size_t point, keys; double sum; } autotune__sum_of_times;
static autotune__sum_of_times *autotune__sum_of(autotune__sum_of_times *sums, size_t mask, size_t point) {
    size_t at = (size_t)autotune__hash_word(0, point) & mask;
    while (sums[at].keys && sums[at].point != point) at = (at + 1) & mask;
    return &sums[at];
}
/* The points with the least mean over the nearest so many keys, among those that have times at all of these. Points
   with equal means have the order that they have at the nearest key. */
static void autotune__find_least_means(const autotune__nearest *nearest, size_t keys, autotune__shortlist *found) {
    const autotune__relative_time *times = nearest->keys[0].times;
    size_t size = 16, k, i;
    autotune__sum_of_times *sums AUTOTUNE__OWNED = NULL, *sum;
    while (size < 2 * autotune__count(times)) size *= 2;
    if (!(sums = (autotune__sum_of_times *)autotune__allocate(size * sizeof *sums))) return;
    for (k = 0; k < keys; k++)
        for (times = nearest->keys[k].times, i = 0; i < autotune__count(times); i++) {
            sum = autotune__sum_of(sums, size - 1, times[i].point);
            if (sum->keys != k) continue;
            sum->point = times[i].point;
            sum->keys = k + 1;
            sum->sum += times[i].ratio;
        }
    for (times = nearest->keys[0].times, i = 0; i < autotune__count(times); i++) {
        sum = autotune__sum_of(sums, size - 1, times[i].point);
        if (sum->keys == keys) autotune__shortlist_point(found, sum->point, sum->sum / (double)keys);
    }
}
/* Finds the guessed configurations, the best first. Returns from how many of the nearest keys; 0: nothing is known that
   is near. */
static size_t autotune__guess_from(autotune__nearest *nearest, autotune__shortlist *found) {
    size_t keys;
    found->count = 0;
    for (keys = 0; keys < nearest->count; keys++) autotune__relate_times(&nearest->keys[keys]);
    for (; keys > 1; keys = keys > 2 ? 2 : 1) {
        autotune__find_least_means(nearest, keys, found);
        if (found->count) return keys;
    }
    if (keys && nearest->keys[0].winner != SIZE_MAX) autotune__shortlist_point(found, nearest->keys[0].winner, 1);
    return found->count;
}
