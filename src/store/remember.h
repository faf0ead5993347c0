/* Keeps results in memory and in the file. Also writes the unfinished record of a long race to the file. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "write_line.h"
#include "write_record.h"
#include "handover_json.h"
#include "disk.h"
#include "lock.h"
#include "launch_notes.h"
#include "verified.h"
#include "file.h"

/* Swaps `line` and the line that is kept with the key. autotune_save() writes the line of the key. recalled: `line` is
   a record that was found, and not made by this statement. */
static void autotune__swap_lines(autotune__store *store, autotune__text *line, bool recalled) {
    autotune__known_key *known_key = store->subject->known_key;
    autotune__text old;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    old = known_key->line;
    known_key->line = *line;
    known_key->is_recalled = recalled;
    *line = old;
    autotune__trust_again(known_key);           /* this race found the winner, or a recorded winner works */
}
/* Writes the record of a race to the file. handover: see autotune__append_record(). keep: also keeps the record with
   the key. */
static void autotune__write_record(autotune__store *store, const autotune__race *race,
                                   const autotune__handover *handover, const autotune_result *result,
                                   size_t launches, bool keep) {
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    if (autotune__is_shared(store->subject->known_key)) return;
    autotune__append_record(&line, store, race, handover, result, launches);
    if (store->policy == AUTOTUNE_CACHE_ON) {
        AUTOTUNE__WITH_CACHE;
        if (line.broken) autotune__say_unwritable("the cache on disk", "out of memory");
        else (void)autotune__append_line(&line);
    }
    if (keep && !line.broken) autotune__swap_lines(store, &line, false);
}
/* Remembers the result of a race. launches: see autotune__append_record(). Every winner that was measured is written,
   even if it is not sure: its record has the verdict and the evidence. race: NULL if no race was needed, since a
   candidate works. Then the record of the candidate is kept with the key. */
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    if (!race && autotune__count(store->line.at)) autotune__swap_lines(store, &store->line, true);
    if (race && autotune__is_verifying(race)) autotune__write_verified(store, race);
    if (!race || autotune__is_verifying(race) || race->outcome.winner == SIZE_MAX ||
        result->verdict == AUTOTUNE_DEFAULT || result->verdict == AUTOTUNE_SINGLE)
        return;
    (void)autotune__note_launch(store, SIZE_MAX, AUTOTUNE__NOTE_CAME_BACK);
    autotune__write_record(store, race, NULL, result, launches, true);
}
/* Returns true if the module that holds the call and the names of the axes is still loaded, or if its identity was
   never known. A module without a build id has the identity of its file: it stays loaded if its file was deleted. */
static bool autotune__is_loaded(const autotune__store *store) {
    char program[AUTOTUNE__PROGRAM_BYTES];
    autotune__module module;
    if (!*store->program) return true;
    if (autotune__identify_program(store->subject->code, program, sizeof program))
        return !strcmp(program, store->program);
    if (!autotune__find_module(store->subject->code, &module)) return false;
    const char *const end = strrchr(module.path, ' ');
    return end && !strcmp(end, " (deleted)");
}
/* Writes an unfinished record, so that another run can resume the race. seconds: since the race began; of an online
   race: the time of its measured calls. interval: the least seconds between two records. Unless `interval` is 0, the
   interval of an online race is at least half of `seconds` at the last record. An online race writes nothing while
   another process holds the lock of the key. A duel of recorded finalists writes nothing, since it has a record
   already. A child made by fork() writes nothing. */
static void autotune__checkpoint(autotune__store *store, const autotune__race *race, double seconds, size_t launches,
                                 double interval, const autotune__handover *handover) {
    const bool of_calls = race->limits.sampling == AUTOTUNE__BY_LAUNCHES;
    autotune_result result;
    if (of_calls && interval > 0 && store->written_at > 2 * interval) interval = store->written_at / 2;
    if (store->policy != AUTOTUNE_CACHE_ON || store->forks != autotune__forks || store->prior->recalled.duel ||
        !(seconds > store->written_at) || seconds < store->written_at + interval ||
        (of_calls && store->locked == AUTOTUNE__BUSY) || !autotune__is_loaded(store))
        return;
    store->written_at = seconds;
    autotune__clear_result(&result);
    autotune__summarise(race, &result);
    result.verdict = AUTOTUNE_UNRESOLVED;
    result.seconds = seconds;
    autotune__write_record(store, race, handover, &result, launches, false);
}
