/* For a call that is no hit: finds or makes the tuner and its key, and looks up the winner. Hits use hit.h. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "subject.h"

/* Finds or makes the tuner and the key of a subject. Returns false if there is no memory. */
static bool autotune__enrol(autotune__subject *subject, const char *identity, const char *key, const char *program,
                            uint64_t fingerprint, uint64_t written) {
    const char *version = subject->options.version ? subject->options.version : "";
    autotune__known_tuner *tuner;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if ((tuner = autotune__tuner_of(identity, subject->name, version, program, fingerprint, written)))
        subject->known_key = autotune__known_key_of(tuner, key, &subject->options.key);
    return subject->known_key != NULL;
}
static bool autotune__is_known(const autotune__subject *subject) {              /* with the lock */
    const autotune__entry *entry = subject->known_key->entry;
    return entry && !(subject->mode == AUTOTUNE_FORCE && !entry->forced);
}
/* With the lock: returns the winner's entry for the options of this statement. NULL: unknown, or no memory. */
static autotune__entry *autotune__winner_of(const autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    autotune__entry *entry = subject->known_key->entry;
    const uint64_t *found;
    if (!autotune__is_known(subject)) return NULL;
    if ((found = autotune__find_winner(subject->site, o)) != NULL) return autotune__entry_of(found);
    if ((entry->shape & ~autotune__on_probation) !=
            (autotune__shape_of(o) | autotune__mark_of_filters(subject->site, o)) ||
        !autotune__is_same_scope(entry->scope, AUTOTUNE__SCOPE_OF(*o)))
        return autotune__entry_like(entry, subject->site, o);
    autotune__publish(subject->site, entry);
    return entry;
}
static autotune__entry *autotune__look_up(const autotune__subject *subject) {          /* NULL: unknown */
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return autotune__winner_of(subject);
}
