/* Writes the time of a winner's calls in use: a small line behind its record. Calls that were far slower than the race
   have a line at most once a day, and other calls, too. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "write_line.h"
#include "identity.h"
#include "disk.h"
#include "lines.h"
#include "file.h"
#include "recall.h"

static const char autotune__raced_by_other_build[] = "the race was of another build";
/* Returns a reason why times in the record of the key may differ from calls in use, although the winner is right. NULL:
   no reason is known. The caller holds autotune__lock. */
static const char *autotune__doubt_of_record(const autotune__subject *subject) {
    const double short_seconds = 0.01;
    autotune__json json;
    if (!autotune__parse_text(&json, &subject->known_key->line)) return NULL;
    if (autotune__find_program(&json, subject->known_key->tuner->program)) return autotune__raced_by_other_build;
    return subject->backend->ask && autotune__number_in(&json, 0, "seconds") < short_seconds
               ? "the race took less than 10 ms, and the device's clock may rise for longer" : NULL;
}
/* Appends the line behind the record, unless the file has a line of this kind of today: see autotune__id_in_use(). A
   record that was loaded, or that another build made, gets no line. The line has the identity of the record that is
   kept with the key. scatter: of the middle four calls, the longest time divided by the shortest, less 1. slower: above
   0: calls take longer than in the race; below 0: shorter; 0: calls are as in the race. Returns
   autotune__doubt_of_record(). */
static const char *autotune__write_in_use(autotune__store *store, autotune__subject *subject,
                                          const autotune_result *result, double scatter, int slower) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__head head;
    autotune__lock_mutex(&autotune__lock);
    const char *const kept = autotune__string(&subject->known_key->line);
    const char *const doubt = autotune__doubt_of_record(subject);
    const bool known = doubt != autotune__raced_by_other_build &&
                       autotune__read_head("autotune", kept, strcspn(kept, "\n"), true, &head) == AUTOTUNE__SOUND;
    autotune__unlock_mutex(&autotune__lock);
    store->policy = autotune__cache_policy(&subject->options);
    if (!known || store->policy != AUTOTUNE_CACHE_ON) return doubt;
    store->subject = subject;
    store->identity = head.identity;
    store->program = subject->known_key->tuner->program;
    AUTOTUNE__WITH_CACHE;
    const autotune__line *const record = autotune__line_of(store, autotune__may_answer);
    if (!record || record->source != 0) return doubt;       /* the file has no record that answers */
    const autotune__line *const before = autotune__line_of_use(store, record, slower > 0);
    store->identity.id = autotune__id_in_use(store->identity.id, slower > 0);
    autotune__append_head(&text, "autotune", store, true);
    autotune__append_text(&text, ",\"winner\":null,\"verdict\":\"in use\"");
    autotune__append_words(&text, "device", autotune__device_words(subject->backend));
    autotune__append_ns(&text, "in_use_ns", result->in_use_ns);
    autotune__append_ratio(&text, "scatter", scatter);
    autotune__append(&text, ",\"told\":%s", slower ? "true" : "false");
    autotune__append_crc(&text, 0);
    if (!text.broken && (!before || memcmp(strstr(text.at, "\"date\":\"") + 8, before->head.date, 10)))
        (void)autotune__append_line(&text);
    return doubt;
}
