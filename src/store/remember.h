/* What a race found is kept, in memory and in the file; in the file in the middle of a long race, too. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../registry/results.h"
#include "session.h"
#include "write_record.h"
#include "lines.h"
#include "file.h"

/* The lock for writing is not to be had. Without memory for a copy the line is lost, as was said. */
static void autotune__write_later(const autotune__text *line) {
    autotune__text copy = { NULL, false };
    autotune__append(&copy, "%s", line->at);
    if (copy.broken || !AUTOTUNE__PUSH(autotune__disk.unwritten, copy)) autotune__free_text(&copy);
}
/* Writes the record of a race to the file. keep: and keeps it with the key. */
static void autotune__write_record(autotune__store *store, const autotune__race *race, const autotune_result *result,
                                   size_t launches, bool keep) {
    autotune__text line = { NULL, false };
    autotune__append_record(&line, store, race, result, launches);
    if (store->policy == AUTOTUNE_CACHE_ON && result->verdict != AUTOTUNE_UNRELIABLE) {
        autotune__enter_cache();
        if (line.broken) autotune__say_unwritable("the cache on disk", "out of memory");
        else if (!autotune__append_line(line.at, autotune__count(line.at)) && keep && autotune__disk.waits_since)
            autotune__write_later(&line);
        autotune__leave_cache();
    }
    if (keep && !line.broken) autotune__keep_line(store, &line);
    autotune__free_text(&line);
}
/* The race is over, and took so many launches. Only what was measured is written. What is unreliable is not written to
   the file, but kept for autotune_save(). */
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    if (race->outcome.winner == SIZE_MAX || result->verdict == AUTOTUNE_DEFAULT || result->verdict == AUTOTUNE_SINGLE)
        return;
    autotune__write_record(store, race, result, launches, true);
}
/* In the middle of a race, so many seconds after its beginning: what is written lets another run resume it. Nothing is
   written before `interval` seconds have passed since the last time. */
static void autotune__checkpoint(autotune__store *store, const autotune__race *race, double seconds, size_t launches,
                                 double interval) {
    autotune_result result;
    if (store->policy != AUTOTUNE_CACHE_ON || seconds < store->written + interval) return;
    store->written = seconds;
    autotune__clear_result(&result);
    autotune__summarise(race, &result);
    result.verdict = AUTOTUNE_UNRESOLVED;
    result.seconds = seconds;
    autotune__write_record(store, race, &result, launches, false);
}
