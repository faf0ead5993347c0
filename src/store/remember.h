/* What a race found is kept: in memory, in the file, and in the middle of a long race. */
#pragma once
#include <pthread.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/labels.h"
#include "../registry/subject.h"
#include "../registry/work.h"
#include "../registry/results.h"
#include "../registry/report.h"
#include "write_record.h"
#include "lines.h"
#include "file.h"
#include "former.h"
#include "process_turns.h"

/* Keeping. The line stays with the key, for autotune_save(). */
static void autotune__keep_line(autotune__work *work, autotune__text *line) {
    autotune__text old;
    pthread_mutex_lock(&autotune__lock);
    old = work->subject.record->line;
    work->subject.record->line = *line;
    work->subject.record->distrusted = false;           /* this one was found here */
    pthread_mutex_unlock(&autotune__lock);
    memset(line, 0, sizeof *line);
    autotune__free_text(&old);
}
static void autotune__write_record(autotune__work *work, const autotune_result *result, bool keep) {
    autotune__text line = { NULL, false };
    autotune__append_record(&line, work, result);
    if (work->store.policy == AUTOTUNE_CACHE_ON && result->verdict != AUTOTUNE_UNRELIABLE) {
        autotune__enter_cache();
        if (line.broken) autotune__say_unwritable("the cache on disk", "out of memory");
        else autotune__append_line(line.at, autotune__count(line.at));
        autotune__leave_cache();
    }
    if (keep && !line.broken) autotune__keep_line(work, &line);
    autotune__free_text(&line);
}
/* After the race, its result summarised. Only what was measured; and what is unreliable only where autotune_save() asks
   for it. */
static void autotune__remember(autotune__work *work) {
    const autotune_verdict verdict = work->result.verdict;
    if (work->race.winner == SIZE_MAX || verdict == AUTOTUNE_DEFAULT || verdict == AUTOTUNE_SINGLE) return;
    autotune__write_record(work, &work->result, true);
}
/* In the middle of a long race, so that it can be resumed. Two seconds: a race of the default budget is written once.
   And before a launch that may not come back. */
static void autotune__write_checkpoint(autotune__work *work, uint64_t now) {
    autotune_result result;
    if (work->store.policy != AUTOTUNE_CACHE_ON) return;
    work->store.written = now;
    autotune__clear_result(&result);
    autotune__summarise(&work->race, &result);
    result.verdict = AUTOTUNE_UNRESOLVED;
    result.seconds = ((double)(now - work->trial.watch.began) - work->trial.watch.lost_ns) / 1e9;
    autotune__write_record(work, &result, false);
}
static void autotune__checkpoint(autotune__work *work, uint64_t now) {
    const uint64_t interval = 2000000000u;
    if (now >= work->store.written + interval) autotune__write_checkpoint(work, now);
}
static void autotune__log_recalled(autotune__work *work, size_t index) {
    autotune__text line = { NULL, false };
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER) return;
    autotune__append_subject(&line, &work->subject);
    autotune__append(&line, ": ");
    autotune__append_point(&line, &work->subject.space, index);
    autotune__append(&line, ": ");
    autotune__append_time(&line, work->result.median_ns);
    autotune__append(&line, ", known from an earlier run");
    autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&line));
    autotune__free_text(&line);
}
static void autotune__free_recall(autotune__work *work) {
    size_t i;
    autotune__unlock_key(work);
    autotune__forget_former(work);
    autotune__free_text(&work->store.line);
    for (i = 0; i < autotune__count(work->store.kernels); i++)
        autotune__free(work->store.kernels[i].name);
    AUTOTUNE__FREE_ARRAY(work->store.kernels);
}
