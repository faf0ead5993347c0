/* The journal: a line that stands open in a file while a configuration is launched for the first time, in a race, or
   for real as the winner that the cache knows. suspects.h tells what the next run makes of it. */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "../api/options.h"
#include "../system/files.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/race.h"
#include "session.h"
#include "configuration_json.h"
#include "write_line.h"
#include "write_record.h"
#include "disk.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "suspects.h"

typedef struct autotune__journal {
    autotune__store *store;
    struct autotune__journal *next;             /* the journal that was opened before this one */
    autotune__thread thread;                    /* which opened the line of this run */
    char *path;
    int file;                                   /* -1: it is not there, or not yet */
    autotune__file_id id;                       /* of the file. A body may close it, and another file get its number */
    bool owns;                                  /* no other journal of this process writes the file */
    bool writes;                                /* what happens is written */
    bool open;                                  /* the line of this run stands open */
    autotune__text line;                        /* of this run */
    size_t head;                                /* so many of its bytes are the same for all configurations */
    size_t offset, line_end;                    /* where it stands in the file, and its last character */
    size_t blamed;                              /* the point that it names; SIZE_MAX: none */
    bool of_parts;                              /* ranks divide the race: the line that is open blames nobody */
    size_t returned;                            /* how many first launches came back in this run */
} autotune__journal;

/* The journals of all races of this process, the latest one first: of the races of one thread that is the innermost.
   Any thread may call exit(), so the lock guards what a journal says of its own line, too. A thread that needs the lock
   of the cache as well takes that lock first. */
static autotune__mutex autotune__journals_lock = AUTOTUNE__MUTEX;
static autotune__journal *autotune__journals;
static bool autotune__program_ends;             /* exit() was called: threads that still race write no more lines */

static void autotune__watch_for_exit(void);
/* With the lock: the journal of this process that may write the file; NULL: there is none. */
static autotune__journal *autotune__find_journal(const char *path) {
    autotune__journal *journal = autotune__journals;
    while (journal && (!journal->owns || strcmp(journal->path, path))) journal = journal->next;
    return journal;
}
/* False: another one of this process writes its file. */
static bool autotune__list_journal(autotune__journal *journal) {
    bool listed;
    autotune__lock_mutex(&autotune__journals_lock);
    autotune__watch_for_exit();
    listed = !journal->owns || !autotune__find_journal(journal->path);
    if (listed) {
        journal->next = autotune__journals;
        autotune__journals = journal;
    }
    autotune__unlock_mutex(&autotune__journals_lock);
    return listed;
}
static void autotune__unlist_journal(const autotune__journal *journal) {
    autotune__journal **at = &autotune__journals;
    autotune__lock_mutex(&autotune__journals_lock);
    while (*at != journal) at = &(*at)->next;
    *at = journal->next;
    autotune__unlock_mutex(&autotune__journals_lock);
}

/* Writing. If that fails, it is said once, and the race goes on without a journal. */
static void autotune__say_no_journal(const char *path, const char *why) {
    autotune__enter_cache();
    autotune__say_unjournaled(path, why);
    autotune__leave_cache();
}
static void autotune__give_up_journal(autotune__journal *journal, const char *why) {
    journal->writes = false;
    autotune__say_no_journal(journal->path, why);
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
    if (journal->writes)
        (void)autotune__close_line(journal, journal->store->crashes.start + crash->start + crash->length - 1);
    crash->index = SIZE_MAX;
}

/* The race begins: what the lines of all its configurations have in common, up to the configuration. */
static void autotune__begin_line(autotune__journal *journal) {
    autotune__text *line = &journal->line;
    autotune__append_head(line, "autotune", journal->store, false);
    autotune__append_build(line, journal->store);
    autotune__append(line, ",\"config\":");
    journal->head = line->broken ? 0 : autotune__count(line->at);
}
/* NULL: no cache, or no memory */
static autotune__journal *autotune__new_journal(autotune__store *store, bool writes) {
    autotune__journal *journal = (autotune__journal *)autotune__allocate(sizeof *journal);
    if (!journal) return NULL;
    autotune__enter_cache();
    journal->path = autotune__journal_path(store);
    autotune__leave_cache();
    journal->store = store;
    journal->file = -1;
    journal->owns = journal->writes = writes;
    if (journal->path) return journal;
    autotune__free(journal);
    return NULL;
}
static void autotune__free_journal(autotune__journal *journal) {
    if (autotune__is_journal_file(journal)) autotune__close_file(journal->file);
    autotune__free_text(&journal->line);
    autotune__free(journal->path);
    autotune__free(journal);
}
/* As autotune__read_journal(); but an open line whose process still runs blames nobody. Such a process holds a lock
   while its line is open, and this function looks at that lock before and after reading. Which lines this process has
   open, its own journals tell; their lock keeps it from opening or closing a line while the file is read. With the lock
   of the cache. True: somebody is in a call. */
static bool autotune__read_earlier_lines(autotune__store *store, int file, const char *path) {
    autotune__crashes *crashes = &store->crashes;
    autotune__alive alive = autotune__others_alive(&store->identity), later;
    const autotune__journal *own;
    autotune__alive mine = { false, false };
    autotune__lock_mutex(&autotune__journals_lock);
    crashes->text = autotune__read_journal(file, &crashes->start, &crashes->bytes);
    own = autotune__find_journal(path);
    if (own && own->open) *(own->store->in_call ? &mine.in_call : &mine.in_race) = true;
    autotune__unlock_mutex(&autotune__journals_lock);
    later = autotune__others_alive(&store->identity);
    alive.in_race = mine.in_race || (!store->locked && (alive.in_race || later.in_race));
    alive.in_call = mine.in_call || (!store->in_call && (alive.in_call || later.in_call));
    if (crashes->text) autotune__leave_out_living(alive, crashes->text, crashes->bytes);
    return alive.in_call;
}
/* Where the line of this run will stand: behind what the file has. The lines that are open are all that it needs; but
   while somebody is in a call nothing moves there: the end of that call closes a line where it stands. */
static bool autotune__find_place(autotune__journal *journal, bool in_call) {
    autotune__crashes *crashes = &journal->store->crashes;
    const size_t all = crashes->start + crashes->bytes;
    bool found = true;
    if (!in_call) {
        crashes->bytes = autotune__keep_open_lines(crashes->text, crashes->bytes);
        crashes->start = 0;
        found = crashes->bytes == all || (autotune__write_journal(journal, crashes->text, crashes->bytes, 0) &&
                                          autotune__cut_file(journal->file, crashes->bytes));
    }
    journal->offset = crashes->start + crashes->bytes;
    if (found && crashes->bytes && crashes->text[crashes->bytes - 1] != '\n')
        found = autotune__write_journal(journal, "\n", 1, journal->offset++);
    return found;
}
/* Without the lock of the key nothing is written: the policy is to read only, or the file system has no locks. */
static void autotune__open_journal(autotune__store *store) {
    const bool writes = store->policy == AUTOTUNE_CACHE_ON && store->locked;
    autotune__journal *journal;
    bool in_call;
    const char *why;
    autotune__free_crashes(&store->crashes);
    if (store->policy == AUTOTUNE_CACHE_OFF) return;
    if (!(journal = autotune__new_journal(store, writes))) {
        if (writes) autotune__say_no_journal("the journal", "out of memory");
        return;
    }
    if (!autotune__list_journal(journal)) { autotune__free_journal(journal); return; }
    store->journal = journal;
    autotune__take_journal_file(
        journal, autotune__open_ours(journal->path, AUTOTUNE__READ | (writes ? AUTOTUNE__WRITE : 0), &why));
    if (journal->file >= 0) {
        autotune__enter_cache();
        in_call = autotune__read_earlier_lines(store, journal->file, journal->path);
        autotune__leave_cache();
        if (writes && !store->crashes.text) autotune__give_up_journal(journal, "cannot be read");
        else if (writes && !autotune__find_place(journal, in_call)) autotune__give_up_journal(journal, strerror(errno));
    }
    autotune__read_crashes(store);
    if (writes) autotune__begin_line(journal);
    if (journal->writes && !journal->head) autotune__give_up_journal(journal, "out of memory");
}
/* Reads what earlier runs tell of the key, before its winner is launched; mostly there is no file. With the lock of the
   cache. If no process has the lock of the key, none opens a line, so the lock is held meanwhile, if it may be. */
static void autotune__read_suspects(autotune__store *store) {
    char *path = store->policy == AUTOTUNE_CACHE_OFF ? NULL : autotune__journal_path(store);
    const bool holds = !store->locked && store->policy == AUTOTUNE_CACHE_ON;
    const char *why;
    const int file = path ? autotune__open_ours(path, AUTOTUNE__READ, &why) : -1;
    autotune__free_crashes(&store->crashes);
    if (file >= 0) {
        if (holds) (void)autotune__hold_key(store, false);
        (void)autotune__read_earlier_lines(store, file, path);
        autotune__read_crashes(store);
        if (holds) autotune__release_key(store);
        autotune__close_file(file);
    }
    autotune__free(path);
}
/* Did the configuration come back from every launch of this race? */
static bool autotune__came_back(const autotune__journal *journal, const autotune__race *race, size_t index) {
    size_t i;
    for (i = 0; race && i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index && race->rows[i].launches) return !(journal->open && journal->blamed == index);
    return false;
}
/* Did all ranks come back from a race that they did not divide? */
static bool autotune__is_survived(const autotune__journal *journal, const autotune__race *race) {
    return race && race->outcome.winner != SIZE_MAX && !journal->of_parts;
}
/* Has the file something to tell? Another process may have closed its line since it was read. */
static bool autotune__has_open_lines(const autotune__journal *journal) {
    size_t start, bytes, kept = 1;
    char *text = autotune__is_journal_file(journal) ? autotune__read_journal(journal->file, &start, &bytes) : NULL;
    if (text) kept = autotune__keep_open_lines(text, bytes);
    autotune__free(text);
    return kept > 0;
}
/* The race ends. Lines of earlier runs are closed if their configurations came back this time. The file stays only if
   it has something to tell. */
static void autotune__close_journal(autotune__store *store, const autotune__race *race) {
    autotune__journal *journal = store->journal;
    autotune__crashes *crashes = &store->crashes;
    size_t i;
    if (!journal) return;
    for (i = 0; journal->writes && i < autotune__count(crashes->all); i++)
        if (crashes->all[i].of_parts ? autotune__is_survived(journal, race)
                                     : autotune__came_back(journal, race, crashes->all[i].index))
            autotune__close_crash(journal, &crashes->all[i]);
    if (journal->writes && store->locked && journal->file >= 0 && !autotune__has_open_lines(journal))
        autotune__remove_file(journal->path);
    autotune__unlist_journal(journal);
    store->journal = NULL;
    autotune__free_journal(journal);
}

/* The line of a configuration. False: there is no memory, or the line is too long. */
static bool autotune__append_blame(autotune__journal *journal, size_t index, const char *fault) {
    autotune__text *line = &journal->line;
    autotune__set_count(line->at, journal->head);
    if (index == SIZE_MAX) autotune__append(line, "{},\"ranks\":%d", journal->store->subject->options.ranks->count);
    else autotune__append_config(line, &journal->store->subject->space, index);
    autotune__append_kernels(line, journal->store->kernels);
    autotune__append(line, ",\"returned\":%lu", (unsigned long)journal->returned);
    if (fault) autotune__append(line, ",\"fault\":\"%s\"", fault);
    if (journal->store->in_call)                /* the last member: see autotune__mark_spared() */
        autotune__append(line, ",\"spared\":0");
    autotune__append_crc(line, 0);
    if (!line->broken && autotune__count(line->at) <= AUTOTUNE__JOURNAL_BYTES / 2) return true;
    if (line->broken) autotune__say_no_journal(journal->path, "out of memory");
    line->broken = false;
    return false;
}
/* Writes the line. Behind it the rest of a longer, older line may stand; readers ignore that. False: the line could not
   be written. */
static bool autotune__open_line(autotune__journal *journal, size_t index) {
    const size_t bytes = autotune__count(journal->line.at);
    bool written;
    autotune__lock_mutex(&autotune__journals_lock);
    written = autotune__program_ends || autotune__write_journal(journal, journal->line.at, bytes, journal->offset);
    journal->line_end = journal->offset + bytes - 2;
    journal->blamed = index;
    journal->thread = autotune__this_thread();  /* calls of an online race may be made by any thread */
    journal->open = written && !autotune__program_ends;
    autotune__unlock_mutex(&autotune__journals_lock);
    return written;
}
/* A configuration is about to be launched for the first time, and fault is NULL; or the launch was seen to be faulty,
   and fault is a word for how: "exit", "device" or "launch". */
static void autotune__blame(autotune__store *store, size_t index, const char *fault) {
    autotune__journal *journal = store->journal;
    const char *why = NULL;
    if (journal && journal->of_parts) journal->blamed = index;
    if (!journal || !journal->writes || (journal->open && !fault) || !autotune__append_blame(journal, index, fault))
        return;
    if (journal->file < 0) {
        autotune__enter_cache();
        autotune__take_journal_file(journal, autotune__create_ours(journal->path, AUTOTUNE__READ | AUTOTUNE__WRITE,
                                                                   autotune__disk.journals, &why));
        autotune__leave_cache();
    }
    if (journal->file < 0) autotune__give_up_journal(journal, why);
    else if (!autotune__open_line(journal, index)) autotune__give_up_journal(journal, strerror(errno));
}
/* The launch is over. parts_end: so are all of the parts into which ranks divided the race. False: the line could not
   be closed. */
static bool autotune__end_launch(autotune__journal *journal, bool parts_end) {
    bool closed = true;
    autotune__lock_mutex(&autotune__journals_lock);
    if (parts_end) journal->of_parts = false;
    if (journal->of_parts) journal->blamed = SIZE_MAX;
    else closed = autotune__close_own_line(journal);
    autotune__unlock_mutex(&autotune__journals_lock);
    return closed;
}
/* The configuration came back from its first launch, and is no suspect any more. If an earlier run saw a fault of it,
   it has to come back from all launches of the race. */
static void autotune__acquit(autotune__store *store, size_t index) {
    autotune__journal *journal = store->journal;
    autotune__crash *crash = store->crashes.all;
    size_t i;
    if (!journal) return;
    journal->returned++;
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++)
        if (crash->index == index && !crash->fault && !crash->of_parts) autotune__close_crash(journal, crash);
    if (!autotune__end_launch(journal, false)) autotune__say_no_journal(journal->path, strerror(errno));
}
/* The thread ended in the launch, which tells nothing of the configuration. */
static void autotune__withdraw(autotune__store *store) {
    if (store->journal) (void)autotune__end_launch(store->journal, false);
}
/* Ranks begin to divide the race. */
static void autotune__blame_parts(autotune__store *store) {
    if (!store->journal) return;
    autotune__blame(store, SIZE_MAX, NULL);
    autotune__lock_mutex(&autotune__journals_lock);
    store->journal->of_parts = true;
    autotune__unlock_mutex(&autotune__journals_lock);
}
/* No rank is in a launch of its part any more. */
static void autotune__acquit_parts(autotune__store *store) {
    if (store->journal) (void)autotune__end_launch(store->journal, true);
}

/* The program ends. exit() runs in the thread that called it. If that thread is inside first launches of races, the
   innermost one is to blame; only this thread could take its journal from the list meanwhile. A call for real may end
   the program as it likes. If a signal's handler called exit() while its thread had the lock, the lines stay open. */
static bool autotune__lock_journals_to_exit(void) { return autotune__lock_within(&autotune__journals_lock, 1000); }
static void autotune__close_open_lines(void) {
    autotune__journal *to_blame, *journal;
    if (!autotune__lock_journals_to_exit()) return;
    for (to_blame = autotune__journals; to_blame; to_blame = to_blame->next)
        if (to_blame->open && !to_blame->store->in_call &&
            autotune__is_same_thread(to_blame->thread, autotune__this_thread()) && to_blame->blamed != SIZE_MAX)
            break;
    autotune__unlock_mutex(&autotune__journals_lock);
    if (to_blame) autotune__blame(to_blame->store, to_blame->blamed, "exit");
    if (!autotune__lock_journals_to_exit()) return;
    autotune__program_ends = true;
    for (journal = autotune__journals; journal; journal = journal->next)
        if (journal != to_blame && !journal->of_parts) (void)autotune__close_own_line(journal);
    autotune__unlock_mutex(&autotune__journals_lock);
}
/* With the lock of the journals, which a fork waits for: a child that forked in the middle of atexit() would find the C
   library's lock held. */
static void autotune__watch_for_exit(void) {
    static bool watched;
    if (!watched) watched = atexit(autotune__close_open_lines) == 0;
}
