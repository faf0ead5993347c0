/* What a race found is kept: in memory, in the file, and in the middle of a long race. */
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

/* Takes the record that the race makes to the file. keep: and to the key. */
static void autotune__write_record(autotune__store *store, const autotune__race *race, const autotune_result *result,
                                   size_t launches, bool keep) {
    autotune__text line = { NULL, false };
    autotune__append_record(&line, store, race, result, launches);
    if (store->policy == AUTOTUNE_CACHE_ON && result->verdict != AUTOTUNE_UNRELIABLE) {
        autotune__enter_cache();
        if (line.broken) autotune__say_unwritable("the cache on disk", "out of memory");
        else autotune__append_line(line.at, autotune__count(line.at));
        autotune__leave_cache();
    }
    if (keep && !line.broken) autotune__keep_line(store, &line);
    autotune__free_text(&line);
}
/* After the race, its result summarised, which took so many launches. Only what was measured is written; what is
   unreliable is kept for autotune_save() alone. */
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    if (race->outcome.winner == SIZE_MAX || result->verdict == AUTOTUNE_DEFAULT || result->verdict == AUTOTUNE_SINGLE)
        return;
    autotune__write_record(store, race, result, launches, true);
}
/* In the middle of a race, which then can be resumed, so many seconds after its beginning. Nothing is written before
   `interval` seconds have passed since the last time. */
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
