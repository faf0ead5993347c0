/* The journal: the line that stands open in its file while a configuration is launched for the first time. What such
   lines tell the next run is told in suspects.h. */
#pragma once
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/race.h"
#include "session.h"
#include "write_record.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "suspects.h"

typedef struct autotune__journal {
    autotune__store *store;
    struct autotune__journal *next;             /* the one that was opened before it */
    pthread_t thread;                           /* that races */
    char *path;
    int file;                                   /* -1: nothing is written (yet) */
    autotune__file_id id;                       /* of it: a body may close it, and its number be another file's */
    bool writes, open;                          /* open: the line at `offset` is */
    size_t offset, line_end;                    /* of this run's line, and of its last character */
    size_t blamed;                              /* the point whose launch it is */
    size_t returned;                            /* first launches that came back in this run */
    autotune__text line;                        /* this run's */
    size_t head;                                /* so much of it is alike for all configurations */
} autotune__journal;

/* The journals of all races of this process, the latest first: of those of one thread the innermost. Their lock guards
   what each says of its own line, too, for exit() may be called by any thread. Who needs the lock of the cache, too,
   takes that one first. */
static pthread_mutex_t autotune__journals_lock = PTHREAD_MUTEX_INITIALIZER;
static autotune__journal *autotune__journals;
static bool autotune__program_ends;             /* in exit(): who still races writes no more lines */

static void autotune__watch_for_exit(void);
static void autotune__list_journal(autotune__journal *journal) {
    pthread_mutex_lock(&autotune__journals_lock);
    autotune__watch_for_exit();
    journal->next = autotune__journals;
    autotune__journals = journal;
    pthread_mutex_unlock(&autotune__journals_lock);
}
static void autotune__unlist_journal(const autotune__journal *journal) {
    autotune__journal **at = &autotune__journals;
    pthread_mutex_lock(&autotune__journals_lock);
    while (*at != journal) at = &(*at)->next;
    *at = journal->next;
    pthread_mutex_unlock(&autotune__journals_lock);
}

/* Writing. What cannot be written is said once; the race goes on without. */
static void autotune__say_no_journal(const autotune__journal *journal, const char *why) {
    autotune__enter_cache();
    autotune__say_once(&autotune__cache.said_no_journal,
                       "%s: %s: a configuration that ends this program will not be known to the next "
                       "run; AUTOTUNE_CACHE=readonly silences this",
                       journal->path, why ? why : "cannot be written");
    autotune__leave_cache();
}
static void autotune__give_up_journal(autotune__journal *journal, const char *why) {
    journal->writes = false;
    autotune__say_no_journal(journal, why);
}
static void autotune__take_journal_file(autotune__journal *journal, int file) {
    autotune__file_facts facts;
    journal->file = file;
    if (file >= 0 && autotune__facts_of_file(file, &facts)) journal->id = facts.id;
}
static bool autotune__is_journal_file(const autotune__journal *journal) {
    return autotune__has_open(journal->file, journal->id);
}
static bool autotune__write_journal(autotune__journal *journal, const char *text, size_t bytes, size_t offset) {
    if (!autotune__is_journal_file(journal)) { errno = EBADF; return false; }
    return autotune__fits(offset, bytes) && autotune__write_at(journal->file, text, bytes, offset);
}
static int autotune__create_journal(const autotune__journal *journal, const char **why) {
    int file;
    autotune__enter_cache();
    file = autotune__create_ours(journal->path, AUTOTUNE__READ | AUTOTUNE__WRITE, autotune__cache.journals, why);
    autotune__leave_cache();
    return file;
}
static bool autotune__close_line(autotune__journal *journal, size_t end) {
    const char cancel = AUTOTUNE__CANCEL;
    return autotune__write_journal(journal, &cancel, 1, end);
}
/* With the lock of the journals. False: it could not be. */
static bool autotune__close_own_line(autotune__journal *journal) {
    if (journal->open) journal->open = !autotune__close_line(journal, journal->line_end);
    return !journal->open;
}
static void autotune__close_crash(autotune__journal *journal, autotune__crash *crash) {
    if (journal->writes && autotune__close_line(journal, crash->start + crash->length - 1))
        journal->store->crashes.lines--;
    crash->index = SIZE_MAX;
}

/* The beginning and the end of a race. */
/* All that the lines of a race have in common, up to the configuration. */
static void autotune__begin_line(autotune__journal *journal) {
    autotune__text *line = &journal->line;
    autotune__append_head(line, journal->store, false);
    autotune__append_build(line, journal->store);
    autotune__append(line, ",\"config\":");
    journal->head = line->broken ? 0 : autotune__count(line->at);
}
/* NULL: no cache, or no memory */
static autotune__journal *autotune__new_journal(autotune__store *store) {
    autotune__journal *journal = (autotune__journal *)autotune__allocate(sizeof *journal);
    char name[48];
    if (!journal) return NULL;
    snprintf(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)store->identity.id,
             (unsigned long long)store->identity.machine);
    autotune__enter_cache();
    if (autotune__find_cache()) journal->path = autotune__joined(autotune__cache.journals, name);
    autotune__leave_cache();
    journal->store = store;
    journal->thread = pthread_self();
    journal->file = -1;
    if (journal->path) return journal;
    autotune__free(journal);
    return NULL;
}
/* At the beginning of a race, with the lock of its key. Without it (for reading only, or on a file system that has no
   locks) nothing is written; and while another process races the key the last line is left out, which may be its
   own. */
static void autotune__open_journal(autotune__store *store) {
    const bool writes = store->policy == AUTOTUNE_CACHE_ON && store->locked;
    autotune__journal *journal;
    size_t bytes = 0, kept = 0;
    char *text = NULL;
    const char *why;
    if (store->policy == AUTOTUNE_CACHE_OFF || !(journal = autotune__new_journal(store))) return;
    store->journal = journal;
    autotune__list_journal(journal);
    autotune__take_journal_file(
        journal, autotune__open_ours(journal->path, AUTOTUNE__READ | (writes ? AUTOTUNE__WRITE : 0), &why));
    journal->writes = writes;
    if (journal->file >= 0 && !(text = autotune__read_journal(journal->file, &bytes, &kept))) journal->writes = false;
    if (text && !writes) {
        autotune__enter_cache();
        autotune__leave_out_own(&store->identity, text, &kept);
        autotune__leave_cache();
    }
    if (text && kept < bytes && writes &&
        (!autotune__write_journal(journal, text, kept, 0) || !autotune__cut_file(journal->file, kept)))
        autotune__give_up_journal(journal, strerror(errno));
    store->crashes.text = text;
    if (text) autotune__read_crashes(store, kept);
    autotune__list_suspects(&store->crashes);
    journal->offset = kept;
    if (writes) autotune__begin_line(journal);
}
/* Did it come back from every launch of this race? */
static bool autotune__came_back(const autotune__journal *journal, const autotune__race *race, size_t index) {
    size_t i;
    for (i = 0; race && i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index && race->rows[i].launches) return !(journal->open && journal->blamed == index);
    return false;
}
/* At the end of a race. Lines of earlier runs are closed where their configurations came back this time. The file stays
   only if it has something to tell. */
static void autotune__close_journal(autotune__store *store, const autotune__race *race) {
    autotune__journal *journal = store->journal;
    autotune__crashes *crashes = &store->crashes;
    size_t i;
    if (!journal) return;
    for (i = 0; journal->writes && i < autotune__count(crashes->all); i++)
        if (autotune__came_back(journal, race, crashes->all[i].index))
            autotune__close_crash(journal, &crashes->all[i]);
    if (journal->writes && journal->file >= 0 && !journal->open && !crashes->lines)
        autotune__remove_file(journal->path);
    autotune__unlist_journal(journal);
    store->journal = NULL;
    if (autotune__is_journal_file(journal)) autotune__close_file(journal->file);
    autotune__free_text(&journal->line);
    autotune__free(journal->path);
    autotune__free(journal);
    autotune__free_crashes(crashes);
}

/* Before a configuration's first launch, and after it. */
static bool autotune__append_blame(autotune__journal *journal, size_t index, const char *fault) {  /* false: no memory,
                                                                                                      or too long */
    autotune__text *line = &journal->line;
    autotune__set_count(line->at, journal->head);
    autotune__append_config(line, &journal->store->subject->space, index);
    autotune__append_kernels(line, journal->store->kernels);
    autotune__append(line, ",\"returned\":%lu", (unsigned long)journal->returned);
    if (fault) autotune__append(line, ",\"fault\":\"%s\"", fault);
    autotune__append_crc(line);
    if (!line->broken && autotune__count(line->at) <= AUTOTUNE__JOURNAL_BYTES / 2) return true;
    line->broken = false;
    return false;
}
/* What stands behind the line may be the rest of a longer one: no reader takes it for a line. */
static bool autotune__open_line(autotune__journal *journal, size_t index) {         /* false: it could not be written */
    const size_t bytes = autotune__count(journal->line.at);
    bool written;
    pthread_mutex_lock(&autotune__journals_lock);
    written = autotune__program_ends || autotune__write_journal(journal, journal->line.at, bytes, journal->offset);
    journal->line_end = journal->offset + bytes - 2;
    journal->blamed = index;
    journal->open = written && !autotune__program_ends;
    pthread_mutex_unlock(&autotune__journals_lock);
    return written;
}
/* The configuration is launched for the first time. fault: a word for the one that was seen; NULL: none was seen
   (yet). */
static void autotune__blame(autotune__store *store, size_t index, const char *fault) {
    autotune__journal *journal = store->journal;
    const char *why = NULL;
    if (!journal || !journal->writes || !journal->head || (journal->open && !fault) ||
        !autotune__append_blame(journal, index, fault))
        return;
    if (journal->file < 0) autotune__take_journal_file(journal, autotune__create_journal(journal, &why));
    if (journal->file < 0) autotune__give_up_journal(journal, why);
    else if (!autotune__open_line(journal, index)) autotune__give_up_journal(journal, strerror(errno));
}
/* It came back, and is no suspect any more; where a fault was seen in an earlier run it has to come back from all
   launches of the race. */
static void autotune__acquit(autotune__store *store, size_t index) {
    autotune__journal *journal = store->journal;
    autotune__crash *crash = store->crashes.all;
    bool closed;
    size_t i;
    if (!journal) return;
    journal->returned++;
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++)
        if (crash->index == index && !crash->proven) autotune__close_crash(journal, crash);
    pthread_mutex_lock(&autotune__journals_lock);
    closed = autotune__close_own_line(journal);
    pthread_mutex_unlock(&autotune__journals_lock);
    if (!closed) autotune__say_no_journal(journal, strerror(errno));
}
/* The launch ended with its thread, and nothing is known of it. */
static void autotune__withdraw(autotune__store *store) {
    if (!store->journal) return;
    pthread_mutex_lock(&autotune__journals_lock);
    (void)autotune__close_own_line(store->journal);
    pthread_mutex_unlock(&autotune__journals_lock);
}

/* The end of the program, and a fork. */
/* exit() runs in the thread that called it. If that was inside a first launch, the innermost such is to blame. Its
   journal stays listed meanwhile: only this thread closes it. A signal's handler may have called exit() where its
   thread has the lock: then the lines stay open. */
static bool autotune__lock_journals_to_exit(void) { return autotune__lock_within(&autotune__journals_lock, 1000); }
static void autotune__close_open_lines(void) {
    autotune__journal *to_blame, *journal;
    if (!autotune__lock_journals_to_exit()) return;
    for (to_blame = autotune__journals;
         to_blame && !(to_blame->open && pthread_equal(to_blame->thread, pthread_self())); to_blame = to_blame->next) {}
    pthread_mutex_unlock(&autotune__journals_lock);
    if (to_blame) autotune__blame(to_blame->store, to_blame->blamed, "exit");
    if (!autotune__lock_journals_to_exit()) return;
    autotune__program_ends = true;
    for (journal = autotune__journals; journal; journal = journal->next)
        if (journal != to_blame) (void)autotune__close_own_line(journal);
    pthread_mutex_unlock(&autotune__journals_lock);
}
/* With the lock of the journals, which a fork waits for: a child that forked in the middle of atexit() would find the C
   library's lock held. */
static void autotune__watch_for_exit(void) {
    static bool watched;
    if (!watched) watched = atexit(autotune__close_open_lines) == 0;
}

/* Around a fork nobody is in the store: in the child, too, what its locks guard is whole then. */
static void autotune__hold_store(void) {
    autotune__enter_cache();
    pthread_mutex_lock(&autotune__journals_lock);
}
static void autotune__release_store(void) {
    pthread_mutex_unlock(&autotune__journals_lock);
    autotune__leave_cache();
}
/* In the child, still held: the locks of files and the open lines are its parent's. store: that of the innermost
   statement of the thread that forked, which is the only one here; NULL: there is none. */
static void autotune__disown(autotune__store *store) {
    autotune__journal **at = &autotune__journals;
    autotune__leave_locks_to_parent();
    for (; store; store = store->outer) {
        store->locked = false;
        if (!store->journal) continue;
        store->journal->writes = store->journal->open = false;
        *at = store->journal;
        at = &store->journal->next;
    }
    *at = NULL;
}
