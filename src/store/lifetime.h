/* The life of the store: the store of a statement is told what it is for, enters a race, leaves it, and ends; what
   all of them share lives through a fork, and until autotune_shutdown(). How the store of a statement begins stands
   beside its struct. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../api/types.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../registry/misses.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "session.h"
#include "json.h"
#include "machine.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "suspects.h"
#include "journal.h"
#include "known_call.h"
#include "former_times.h"
#include "miss_file.h"
#include "process_turns.h"

/* The statement's tuner and key are known now: by which numbers and words does the file know them? exact_key: the key
   as text, with the types of its parts. */
static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) {
    const autotune__subject *subject = store->subject;
    autotune__identity *identity = &store->identity;
    const uint32_t looked_up = 1u << 31;        /* a call site that is new may be in a library that replaces another */
    const char *program;
    autotune__text name = { NULL, false };
    autotune__append_string(&name, subject->name);
    autotune__clear_text(&store->device);
    autotune__append_device(&store->device, subject);
    identity->id = autotune__id_of(subject->name, exact_key);
    identity->fingerprint = subject->tuner->fingerprint;
    identity->machine = autotune__hash_string(autotune__string(&store->device));
    identity->tuner = name.broken ? 0 : autotune__hash_more(0, name.at, autotune__count(name.at));
    autotune__free_text(&name);
    autotune__enter_cache();
    program = autotune__program_of(
        subject->code, !(__atomic_fetch_or(&subject->site->reported, looked_up, __ATOMIC_RELAXED) & looked_up));
    snprintf(store->program, sizeof store->program, "%s", program ? program : "");
    autotune__leave_cache();
}
/* What the race launches last: suspects; and, where it goes on since it had too little time, what was tried before,
   which is launched again if there is time left. What was never tried comes first, behind the winner. Without memory
   some of this is tried at its turn. */
static void autotune__list_last_points(autotune__store *store) {
    const autotune__former *former = &store->former;
    autotune__crashes *crashes = &store->crashes;
    size_t i, count, kept = 0, *points = NULL;
    for (i = 0; i < autotune__count(crashes->all); i++)
        if (!crashes->all[i].of_parts && !AUTOTUNE__PUSH(points, crashes->all[i].index)) break;
    for (i = 0; former->goes_on && i < autotune__count(former->rows); i++)
        if (former->rows[i].contender && former->rows[i].index != former->winner &&
            !AUTOTUNE__PUSH(points, former->rows[i].index))
            break;
    count = autotune__count(points);
    if (count) qsort(points, count, sizeof *points, autotune__order_sizes);
    for (i = 0; i < count; i++) if (!i || points[i] != points[kept - 1]) points[kept++] = points[i];
    autotune__set_count(points, kept);
    crashes->points = points;
}
/* The race begins; and it ends, with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    store->written = 0;
    if (store->again.due) autotune__set(&store->subject->record->duelled);
    autotune__recall_former(store);
    autotune__open_journal(store);
    autotune__list_last_points(store);
}
static void autotune__close_race(autotune__store *store, const autotune__race *race) {
    autotune__end_known_call(store);                /* in which the thread ended, or which left the body */
    autotune__close_journal(store, race);
    autotune__free_crashes(&store->crashes);        /* they were read for a known winner, too, without a journal */
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    autotune__close_race(store, NULL);
    autotune__free_text(&store->recalled.line);
    autotune__free_text(&store->device);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
    for (i = 0; i < AUTOTUNE_MAX_AXES; i++) autotune__free(store->spelling[i]);
}

/* Around a fork the locks of the store are held, so that what they guard is whole in the child, too. */
static void autotune__hold_store(void) {
    autotune__enter_cache();
    autotune__lock_mutex(&autotune__journals_lock);
    autotune__lock_mutex(&autotune__misses_lock);
}
static void autotune__release_store(void) {
    autotune__unlock_mutex(&autotune__misses_lock);
    autotune__unlock_mutex(&autotune__journals_lock);
    autotune__leave_cache();
}
/* In the child, while the locks are held: locks of files, and open lines, are those of the parent. store: of the
   innermost statement of the thread that forked, which is the only thread here; NULL: there is no statement. */
static void autotune__disown(autotune__store *store) {
    autotune__journal *journal;
    autotune__close_lock();                     /* an open file would keep the locks of a parent that has ended */
    autotune__leave_misses_to_parent();
    autotune__make_mutex(&autotune__one_writes_misses);
    autotune__free_unwritten();                 /* so are the records that it has to write */
    for (; store; store = store->outer) store->locked = store->in_call = false;
    for (journal = autotune__journals; journal; journal = journal->next)
        journal->owns = journal->writes = journal->open = false;
}
/* autotune_shutdown(). */
static void autotune__free_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    size_t i;
    autotune__free_miss_file();
    autotune__enter_cache();
    if (autotune__count(cache->unwritten)) (void)autotune__append_line("", 0);          /* the lock may be free now */
    for (i = 0; i < autotune__count(cache->texts); i++) autotune__free(cache->texts[i].text);
    AUTOTUNE__FREE_ARRAY(cache->texts);
    AUTOTUNE__FREE_ARRAY(cache->lines);
    autotune__free_unwritten();
    autotune__close_lock();
    autotune__forget_paths();
    autotune__free_text(&cache->say);
    memset(cache, 0, sizeof *cache);
    autotune__leave_cache();
}
