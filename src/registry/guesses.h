/* Guesses: entries that answer hits of a key that was never tuned, until more is known. Such a key has no record. */
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

/* The caller holds the lock. Hits find the guess from now on. NULL: there was no memory, so the next call guesses. */
static autotune__entry *autotune__publish_guess(const autotune__subject *subject, const autotune_result *result) {
    const autotune_result shown = autotune__result_of_hits(result);
    autotune__entry *entry = autotune__entry_for(subject, result);
    if (!entry) return NULL;
    autotune__revive(entry, subject->site, &subject->options, 0, &shown);
    autotune__guesses_are_out = true;
    return entry;
}
/* The caller holds the lock. A key became known that may be nearer, so the next calls guess again. Guesses of several
   ranks stay: the other ranks do not learn of the new key, and would have hits while this rank waits for them. */
static void autotune__retire_guesses(void) {
    const autotune__known_key *known_key;
    autotune__entry *entry;
    autotune__guesses_are_out = false;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next)
        for (entry = known_key->entries; entry; entry = entry->next_of_key)
            if (autotune__is_guess(entry) && !autotune__others_have(entry))
                __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}

/* Keeps the text that says where a guess comes from, escaped for a terminal. The result of the guess shows this text.
   Equal texts are kept once, among the descriptions, until autotune_shutdown(). NULL: there was no memory. */
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

static void autotune__relate_times(autotune__near_key *near_key) {      /* divides them by the best of them */
    double best = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(near_key->times); i++)
        if (near_key->times[i].ratio < best) best = near_key->times[i].ratio;
    for (i = 0; i < autotune__count(near_key->times); i++) near_key->times[i].ratio /= best;
}
/* A point that has a time at each of the first `keys` keys, and the sum of these times. */
typedef struct autotune__sum_of_times { size_t point, keys; double sum; } autotune__sum_of_times;
static autotune__sum_of_times *autotune__sum_of(autotune__sum_of_times *sums, size_t mask, size_t point) {
    size_t at = (size_t)autotune__hash_word(0, point) & mask;
    while (sums[at].keys && sums[at].point != point) at = (at + 1) & mask;
    return &sums[at];
}
/* Finds the points with the least mean time over the `keys` nearest keys. A point counts if it has a time at each of
   these keys. Points with equal means keep the order that they have at the nearest key. */
static void autotune__find_least_means(const autotune__nearest *nearest, size_t keys, autotune__shortlist *found) {
    const autotune__relative_time *times = nearest->keys[0].times;
    size_t size = 16, k, i;
    autotune__sum_of_times *sums AUTOTUNE__OWNED = NULL, *sum;      /* sums: a hash table */
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
/* Finds the guessed configurations, the best first. Returns the number of near keys that the guess uses; 0: no key is
   near. */
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
