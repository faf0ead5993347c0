/* Guesses: entries that answer hits of a key that was never tuned, until more is known. Such a key has no record that
   may answer. */
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

/* With the lock: publishes a guess, which hits find from now on. NULL: no memory, so the next call guesses again. */
static autotune__entry *autotune__publish_guess(const autotune__subject *subject, const autotune_result *result) {
    const autotune_result shown = autotune__result_of_hits(result);
    autotune__entry *entry = autotune__entry_for(subject, result);
    if (!entry) return NULL;
    autotune__revive(entry, subject->site, &subject->options, 0, &shown);
    autotune__guesses_are_out = true;
    return entry;
}
/* With the lock: retires all guesses, since a nearer key may be known now, or results were forgotten. So the next calls
   guess again. Guesses of several ranks stay. Other ranks do not know the new key, and would have hits while this rank
   waits for them. */
static void autotune__retire_guesses(void) {
    const autotune__known_key *known_key;
    autotune__entry *entry;
    autotune__guesses_are_out = false;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next)
        for (entry = known_key->entries; entry; entry = entry->next_of_key)
            if (autotune__is_guess(entry) && !autotune__others_have(entry))
                __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}

/* Keeps the text for result.guessed_from, escaped for a terminal, and frees `text`. Equal texts are kept once, in
   autotune__descriptions, until autotune_shutdown(). NULL: no memory. */
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

/* Divides the times of a key by the least of these times. sorted: also sorts them by their points. */
static void autotune__relate_times(autotune__near_key *near_key, bool sorted) {
    double best = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(near_key->times); i++)
        if (near_key->times[i].ratio < best) best = near_key->times[i].ratio;
    for (i = 0; i < autotune__count(near_key->times); i++) near_key->times[i].ratio /= best;
    if (sorted && i) qsort(near_key->times, i, sizeof *near_key->times, autotune__order_sizes);
}
static const autotune__relative_time *autotune__time_of(const autotune__near_key *near_key, size_t point) {
    return !near_key->times ? NULL : (const autotune__relative_time *)bsearch(
        &point, near_key->times, autotune__count(near_key->times), sizeof *near_key->times, autotune__order_sizes);
}
/* Finds the points with the least mean time over the `keys` nearest keys. A point counts if it has a time at each of
   these keys. Points with equal means keep the order that they have at the nearest key, whose times are not sorted. */
static void autotune__find_least_means(const autotune__nearest *nearest, size_t keys, autotune__shortlist *found) {
    const autotune__relative_time *times = nearest->keys[0].times, *other;
    size_t i, k;
    for (i = 0; i < autotune__count(times); i++) {
        double sum = times[i].ratio;
        for (k = 1; k < keys && (other = autotune__time_of(&nearest->keys[k], times[i].point)); k++)
            sum += other->ratio;
        if (k == keys) autotune__shortlist_point(found, times[i].point, sum / (double)keys);
    }
}
/* Finds the guessed configurations, the best first. Uses the times of all near keys, else of the two nearest keys, else
   the winner of the nearest key. Returns the number of keys that the guess uses; 0: there is no guess. */
static size_t autotune__guess_from(autotune__nearest *nearest, autotune__shortlist *found) {
    size_t keys;
    found->count = 0;
    for (keys = 0; keys < nearest->count; keys++) autotune__relate_times(&nearest->keys[keys], keys > 0);
    for (; keys > 1; keys = keys > 2 ? 2 : 1) {
        autotune__find_least_means(nearest, keys, found);
        if (found->count) return keys;
    }
    if (keys && nearest->keys[0].winner != SIZE_MAX) autotune__shortlist_point(found, nearest->keys[0].winner, 1);
    return found->count;
}
