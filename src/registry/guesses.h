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

static bool autotune__guesses_are_out;          /* a hit may find one; with the lock */
static bool autotune__is_guess(const autotune__entry *entry) { return entry->result.verdict == AUTOTUNE_GUESSED; }
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
    if (!autotune__guesses_are_out) return;
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
