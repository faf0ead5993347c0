/* The journal: which launch did not come back. A configuration may end the whole program, by a signal or by exit(), or
   hang, or break the device. So a line is written before its first launch and closed after it. A line that is found
   open makes its configuration a suspect of the next run, which tries it last.

   An open line is no proof: most programs that end in the middle of a race were stopped from outside. So exit(), or the
   end of main, closes the lines of all races but that whose launch called it; and a suspect that comes back is
   acquitted at once. It is skipped when the program ended in its launch in several runs in a row, no run between them
   having ended in another, and chance does not explain that: a program that is stopped at a random moment is stopped in
   a launch as often as that launch has a share of the time. Beside n others that came back before it in the same race,
   the share of one that could win, which takes no longer than any of them, is at most 1 / (n + 1). The shares of all
   these runs are multiplied, and at 5 % or less chance is out: after two runs where many others were tried before it,
   after three or four where few were; after four in any case. Where the program saw the configuration's fault, which
   called exit() or broke the device, the share is 0. So who stops programs at random may put a long launch off, and
   hardly ever the best.

   What breaks the device ends the tuning of its whole process. So a suspect in whose launch the device was lost is
   spared where others work; and where the backend knows that the launch itself was at fault, of an illegal address for
   instance, that is proof at once.

   A tuner's key on a device has a file of its own, there only while it is raced or has something to tell. It belongs to
   the process that holds the lock of the key, so that an open line is never one of a process that lives. */
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/options.h"
#include "../base/memory.h"
#include "../system/files.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../race/race.h"
#include "../race/sample.h"
#include "../registry/recalled.h"
#include "../registry/work.h"
#include "json.h"
#include "line_head.h"
#include "write_record.h"
#include "read_record.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"

enum { AUTOTUNE__JOURNAL_BYTES = 32 << 10 };    /* of a file; older lines than fit are forgotten */
typedef struct autotune__crash {                /* an open line that an earlier run left, of a point of this space */
    size_t index, start, length;                /* of the line, in the file; index SIZE_MAX: it came back since */
    size_t returned;                            /* how many others had come back from their first launches before */
    bool proven;                                /* the fault was seen */
    bool lost_device, at_fault;                 /* the device was lost in its launch; and by it */
    bool same_program;                          /* that was not rebuilt since */
} autotune__crash;
struct autotune__journal {
    char *path;
    int file;                                   /* -1: nothing is written (yet) */
    dev_t device;                               /* of it: a body may close it, and its number be another file's */
    ino_t inode;
    bool writes, open;                          /* open: the line at `offset` is */
    size_t offset, line_end;                    /* of this run's line, and of its last character */
    size_t blamed;                              /* the point whose launch it is */
    size_t returned;                            /* first launches that came back in this run */
    size_t open_lines;                          /* of earlier runs, whatever they blame */
    char *text;                                 /* of the file, as it was read */
    autotune__text line;                        /* this run's */
    size_t head;                                /* so much of it is alike for all configurations */
    autotune__crash *crashes;
    size_t *postponed;                          /* their points, ascending */
};

/* What is read of the file: its sound lines, closed up; those of later versions, too. */
static size_t autotune__keep_open_lines(char *text, size_t bytes) {
    const char *feed;
    autotune__head head;
    size_t at, kept = 0;
    for (at = 0; at < bytes && (feed = (const char *)memchr(text + at, '\n', bytes - at)) != NULL;) {
        const size_t length = (size_t)(feed - (text + at));
        if (length && autotune__read_head(text + at, length, &head) != AUTOTUNE__DAMAGED) {
            memmove(text + kept, text + at, length + 1);
            kept += length + 1;
        }
        at += length + 1;
    }
    return kept;
}
/* The whole file, or its end. NULL: there is none, or it cannot be read. */
static char *autotune__read_journal(int file, size_t *bytes, size_t *kept) {
    struct stat status;
    size_t from;
    char *text;
    if (fstat(file, &status) != 0) return NULL;
    from = status.st_size > AUTOTUNE__JOURNAL_BYTES ? (size_t)status.st_size - AUTOTUNE__JOURNAL_BYTES : 0;
    if (!(text = autotune__read_from(file, from, AUTOTUNE__JOURNAL_BYTES, bytes))) return NULL;
    *kept = autotune__keep_open_lines(text, *bytes);
    *bytes = (size_t)status.st_size;
    return text;
}
/* For whoever does not hold the lock of the key: while another process does, the last line may be its own. With the
   lock of the cache. */
static void autotune__leave_out_own(const autotune__identity *identity, const char *text, size_t *kept) {
    if (!*kept || !autotune__is_locked(autotune__lock_byte(identity))) return;
    for (--*kept; *kept && text[*kept - 1] != '\n';) --*kept;
}
static void autotune__read_crash(autotune__work *work, size_t start, size_t length) {
    struct autotune__journal *journal = work->store.journal;
    autotune__spellings spellings;
    autotune__crash crash;
    autotune__json json;
    if (!autotune__parse(&json, journal->text + start, length)) return;
    memset(&spellings, 0, sizeof spellings);
    if (autotune__speaks_of(&json, work, false) && autotune__same_kernel(&json, work) &&
        autotune__spell_space(&work->subject.space, &spellings)) {
        crash.index =
            autotune__find_point(&json, autotune__member(&json, 0, "config"), &work->subject.space, &spellings);
        crash.start = start;
        crash.length = length;
        crash.returned = autotune__count_at(&json, autotune__member(&json, 0, "returned"));
        crash.proven = autotune__member(&json, 0, "fault") >= 0;
        crash.at_fault = autotune__same_string(&json, "fault", "launch");
        crash.lost_device = crash.at_fault || autotune__same_string(&json, "fault", "device");
        crash.same_program = autotune__same_string(&json, "program", *work->store.program ? work->store.program : NULL);
        if (crash.index != SIZE_MAX) (void)AUTOTUNE__PUSH(journal->crashes, crash);
    }
    autotune__free_spellings(&spellings);
    autotune__free_json(&json);
}
static void autotune__read_crashes(autotune__work *work, size_t bytes) {
    const char *const text = work->store.journal->text, *line = text, *feed;
    autotune__head head;
    for (; (feed = (const char *)memchr(line, '\n', bytes - (size_t)(line - text))) != NULL; line = feed + 1) {
        const size_t length = (size_t)(feed - line);
        work->store.journal->open_lines++;
        if (autotune__read_head(line, length, &head) == AUTOTUNE__SOUND &&
            head.identity.id == work->store.identity.id && head.identity.machine == work->store.identity.machine)
            autotune__read_crash(work, (size_t)(line - text), length);
    }
}
static void autotune__list_suspects(struct autotune__journal *journal) {
    size_t i, j, kept = 0;
    for (i = 0; i < autotune__count(journal->crashes); i++)
        if (!AUTOTUNE__PUSH(journal->postponed, journal->crashes[i].index)) break;
    if (!i) return;
    qsort(journal->postponed, autotune__count(journal->postponed), sizeof *journal->postponed, autotune__order_sizes);
    for (j = 0; j < autotune__count(journal->postponed); j++)
        if (!j || journal->postponed[j] != journal->postponed[kept - 1])
            journal->postponed[kept++] = journal->postponed[j];
    autotune__set_count(journal->postponed, kept);
}

/* Writing. What cannot be written is said once; the race goes on without. */
static void autotune__say_no_journal(const struct autotune__journal *journal, const char *why) {
    autotune__enter_cache();
    autotune__say_once(&autotune__cache.said_no_journal,
                       "%s: %s: a configuration that ends this program will not be known to the next "
                       "run; AUTOTUNE_CACHE=readonly silences this",
                       journal->path, why ? why : "cannot be written");
    autotune__leave_cache();
}
static void autotune__give_up_journal(struct autotune__journal *journal, const char *why) {
    journal->writes = false;
    autotune__say_no_journal(journal, why);
}
static void autotune__take_journal_file(struct autotune__journal *journal, int file) {
    struct stat status;
    journal->file = file;
    if (file < 0 || fstat(file, &status) != 0) return;
    journal->device = status.st_dev;
    journal->inode = status.st_ino;
}
static bool autotune__is_journal_file(const struct autotune__journal *journal) {
    struct stat status;
    return journal->file >= 0 && fstat(journal->file, &status) == 0 && status.st_dev == journal->device &&
           status.st_ino == journal->inode;
}
static bool autotune__write_journal(struct autotune__journal *journal, const char *text, size_t bytes, size_t offset) {
    ssize_t written;
    if (!autotune__is_journal_file(journal)) { errno = EBADF; return false; }
    if (!autotune__fits(offset, bytes)) return false;
    do written = pwrite(journal->file, text, bytes, (off_t)offset);
    while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written < bytes) errno = ENOSPC;
    return written >= 0 && (size_t)written == bytes;
}
static int autotune__create_journal(const struct autotune__journal *journal, const char **why) {
    int file = autotune__open_ours(journal->path, O_RDWR | O_CREAT, why);
    if (file < 0 && !*why) {
        autotune__enter_cache();                /* the folder's name is changed for a while */
        if (autotune__make_folders(autotune__cache.journals))
            file = autotune__open_ours(journal->path, O_RDWR | O_CREAT, why);
        autotune__leave_cache();
    }
    return file;
}
/* All that the lines of a race have in common, up to the configuration. */
static void autotune__begin_line(autotune__work *work) {
    struct autotune__journal *journal = work->store.journal;
    autotune__text *line = &journal->line;
    autotune__append_head(line, &work->store.identity);
    autotune__append(line, "\"tuner\":");
    autotune__append_string(line, work->subject.name);
    autotune__append(line, ",\"key\":");
    autotune__append_key_object(line, &work->subject.options.key);
    autotune__append_build(line, work);
    autotune__append(line, ",\"config\":");
    journal->head = line->broken ? 0 : autotune__count(line->at);
}
static void autotune__free_journal(autotune__work *work) {
    struct autotune__journal *journal = work->store.journal;
    if (!journal) return;
    pthread_mutex_lock(&autotune__lock);        /* exit() looks at it */
    work->store.journal = NULL;
    pthread_mutex_unlock(&autotune__lock);
    if (autotune__is_journal_file(journal)) close(journal->file);
    AUTOTUNE__FREE_ARRAY(journal->crashes);
    AUTOTUNE__FREE_ARRAY(journal->postponed);
    autotune__free_text(&journal->line);
    autotune__free(journal->text);
    autotune__free(journal->path);
    autotune__free(journal);
}
/* NULL: no cache, or no memory */
static struct autotune__journal *autotune__new_journal(const autotune__work *work) {
    struct autotune__journal *journal = (struct autotune__journal *)autotune__allocate(sizeof *journal);
    char name[48];
    if (!journal) return NULL;
    snprintf(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)work->store.identity.id,
             (unsigned long long)work->store.identity.machine);
    autotune__enter_cache();
    if (autotune__find_cache()) journal->path = autotune__joined(autotune__cache.journals, name);
    autotune__leave_cache();
    journal->file = -1;
    if (journal->path) return journal;
    autotune__free(journal);
    return NULL;
}
static pthread_once_t autotune__exit_is_watched = PTHREAD_ONCE_INIT;
static void autotune__watch_for_exit(void);
/* At the beginning of a race, with the lock of its key. Without it (for reading only, or on a file system that has no
   locks) nothing is written; and while another process races the key the last line is left out, which may be its
   own. */
static void autotune__open_journal(autotune__work *work) {
    const bool writes = work->store.policy == AUTOTUNE_CACHE_ON && work->store.locked;
    struct autotune__journal *journal;
    size_t bytes = 0, kept = 0;
    char *text = NULL;
    const char *why;
    if (work->store.policy == AUTOTUNE_CACHE_OFF || !(journal = autotune__new_journal(work))) return;
    pthread_once(&autotune__exit_is_watched, autotune__watch_for_exit);
    pthread_mutex_lock(&autotune__lock);
    work->store.journal = journal;
    pthread_mutex_unlock(&autotune__lock);
    autotune__take_journal_file(journal, autotune__open_ours(journal->path, writes ? O_RDWR : O_RDONLY, &why));
    journal->writes = writes;
    if (journal->file >= 0 && !(text = autotune__read_journal(journal->file, &bytes, &kept))) journal->writes = false;
    if (text && !writes) {
        autotune__enter_cache();
        autotune__leave_out_own(&work->store.identity, text, &kept);
        autotune__leave_cache();
    }
    if (text && kept < bytes && writes &&
        (!autotune__write_journal(journal, text, kept, 0) || ftruncate(journal->file, (off_t)kept) != 0))
        autotune__give_up_journal(journal, strerror(errno));
    journal->text = text;
    if (text) autotune__read_crashes(work, kept);
    autotune__list_suspects(journal);
    journal->offset = kept;
    if (writes) autotune__begin_line(work);
}
/* Before a configuration's first launch; or when a fault of it is seen. What stands behind the line may be the rest of
   a longer one: no reader takes it for a line. */
static bool autotune__program_ends;             /* in exit(): who still races writes no more lines. With autotune__lock,
                                                   as is what a journal says of its own line: exit() may be called by
                                                   another thread */
static bool autotune__append_blame(autotune__work *work, const char *fault) {        /* false: no memory, or too long */
    struct autotune__journal *journal = work->store.journal;
    autotune__text *line = &journal->line;
    autotune__set_count(line->at, journal->head);
    autotune__append_config(line, &work->subject.space, work->request.index);
    autotune__append_kernels(line, work);
    autotune__append(line, ",\"returned\":%lu", (unsigned long)journal->returned);
    if (fault) autotune__append(line, ",\"fault\":\"%s\"", fault);
    autotune__append_crc(line);
    if (!line->broken && autotune__count(line->at) <= AUTOTUNE__JOURNAL_BYTES / 2) return true;
    line->broken = false;
    return false;
}
static bool autotune__open_line(autotune__work *work) {             /* false: it could not be written */
    struct autotune__journal *journal = work->store.journal;
    const size_t bytes = autotune__count(journal->line.at);
    bool written;
    pthread_mutex_lock(&autotune__lock);
    written = autotune__program_ends || autotune__write_journal(journal, journal->line.at, bytes, journal->offset);
    journal->line_end = journal->offset + bytes - 2;
    journal->blamed = work->request.index;
    journal->open = written && !autotune__program_ends;
    pthread_mutex_unlock(&autotune__lock);
    return written;
}
static void autotune__blame(autotune__work *work, const char *fault) {    /* fault: a word; NULL: none was seen (yet) */
    struct autotune__journal *journal = work->store.journal;
    const char *why = NULL;
    if (!journal || !journal->writes || !journal->head || (journal->open && !fault) ||
        !autotune__append_blame(work, fault))
        return;
    if (journal->file < 0) autotune__take_journal_file(journal, autotune__create_journal(journal, &why));
    if (journal->file < 0) autotune__give_up_journal(journal, why ? why : strerror(errno));
    else if (!autotune__open_line(work)) autotune__give_up_journal(journal, strerror(errno));
}
static bool autotune__close_line(struct autotune__journal *journal, size_t end) {
    const char cancel = AUTOTUNE__CANCEL;
    return autotune__write_journal(journal, &cancel, 1, end);
}
/* with autotune__lock; false: it could not be */
static bool autotune__close_own_line(struct autotune__journal *journal) {
    if (journal && journal->open) journal->open = !autotune__close_line(journal, journal->line_end);
    return !journal || !journal->open;
}
static void autotune__close_crash(struct autotune__journal *journal, autotune__crash *crash) {
    if (journal->writes && autotune__close_line(journal, crash->start + crash->length - 1)) journal->open_lines--;
    crash->index = SIZE_MAX;
}
/* After it. Who came back is no suspect any more; where a fault was seen it has to come back from all launches of the
   race. */
static void autotune__acquit(autotune__work *work) {
    struct autotune__journal *journal = work->store.journal;
    bool closed;
    size_t i;
    if (!journal) return;
    journal->returned++;
    for (i = 0; i < autotune__count(journal->crashes); i++)
        if (journal->crashes[i].index == work->request.index && !journal->crashes[i].proven)
            autotune__close_crash(journal, &journal->crashes[i]);
    pthread_mutex_lock(&autotune__lock);
    closed = autotune__close_own_line(journal);
    pthread_mutex_unlock(&autotune__lock);
    if (!closed) autotune__say_no_journal(journal, strerror(errno));
}
/* The launch ended with its thread, and nothing is known of it. */
static void autotune__withdraw(autotune__work *work) {
    pthread_mutex_lock(&autotune__lock);
    (void)autotune__close_own_line(work->store.journal);
    pthread_mutex_unlock(&autotune__lock);
}
/* A child made by fork has neither the locks nor the lines of its parent. */
static void autotune__disown(autotune__work *work) {
    struct autotune__journal *journal = work->store.journal;
    work->store.locked = false;
    if (journal) journal->writes = journal->open = false;
}
/* In exit(), which runs in the thread that called it. If that was inside a first launch, the innermost such is to
   blame. */
static void autotune__close_open_lines(void) {
    autotune__work *to_blame = autotune__current;
    autotune__turn *turn;
    while (to_blame && !(to_blame->store.journal && to_blame->store.journal->open)) to_blame = to_blame->outer;
    if (to_blame) autotune__blame(to_blame, "exit");
    pthread_mutex_lock(&autotune__lock);
    autotune__program_ends = true;
    for (turn = autotune__racing; turn; turn = turn->next) {
        autotune__work *race = (autotune__work *)(void *)((char *)turn - offsetof(autotune__work, turn));
        if (race != to_blame) (void)autotune__close_own_line(race->store.journal);
    }
    pthread_mutex_unlock(&autotune__lock);
}
static void autotune__watch_for_exit(void) { (void)atexit(autotune__close_open_lines); }
/* At the end of the race. Lines of earlier runs are closed where their configurations came back this time, from every
   launch. The file stays only if it has something to tell. */
static bool autotune__came_back(const autotune__work *work, size_t index) {
    const struct autotune__journal *journal = work->store.journal;
    const autotune__race *race = &work->race;
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index && race->rows[i].launches) return !(journal->open && journal->blamed == index);
    return false;
}
static void autotune__close_journal(autotune__work *work) {
    struct autotune__journal *journal = work->store.journal;
    size_t i;
    if (!journal) return;
    for (i = 0; journal->writes && i < autotune__count(journal->crashes); i++)
        if (autotune__came_back(work, journal->crashes[i].index)) autotune__close_crash(journal, &journal->crashes[i]);
    if (journal->writes && journal->file >= 0 && !journal->open && !journal->open_lines) unlink(journal->path);
    autotune__free_journal(work);
}
/* All journals, one by one: their lines, each of them with its text. With the lock of the cache. */
typedef void autotune__visit_journal(const char *path, const autotune__line *lines, size_t count, void *user);
static void autotune__show_journal(const char *path, autotune__visit_journal *visit, void *user) {
    size_t bytes, kept = 0, at;
    autotune__line line, *lines = NULL;
    const char *why;
    const int file = autotune__open_ours(path, O_RDONLY, &why);
    char *text = file >= 0 ? autotune__read_journal(file, &bytes, &kept) : NULL;
    memset(&line, 0, sizeof line);
    if (kept && autotune__read_head(text, (size_t)((const char *)memchr(text, '\n', kept) - text), &line.head) ==
                    AUTOTUNE__SOUND)
        autotune__leave_out_own(&line.head.identity, text, &kept);
    for (at = 0; at < kept; at += line.length + 1) {
        line.text = text + at;
        line.length = (size_t)((const char *)memchr(line.text, '\n', kept - at) - line.text);
        if (autotune__read_head(line.text, line.length, &line.head) == AUTOTUNE__SOUND && !AUTOTUNE__PUSH(lines, line))
            break;
    }
    if (lines) visit(path, lines, autotune__count(lines), user);
    AUTOTUNE__FREE_ARRAY(lines);
    autotune__free(text);
    if (file >= 0) close(file);
}
static void autotune__walk_journals(autotune__visit_journal *visit, void *user) {
    DIR *folder = autotune__open_folder(autotune__cache.journals);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char *path = *entry->d_name == '.' ? NULL : autotune__joined(autotune__cache.journals, entry->d_name);
        if (path) autotune__show_journal(path, visit, user);
        autotune__free(path);
    }
    if (folder) closedir(folder);
}
/* A kernel of another source than the line's is another one, as far as this run has launched it by now. */
static bool autotune__blames_kernels(const autotune__work *work, const autotune__crash *crash) {
    const autotune__store *recall = &work->store;
    autotune__json json;
    bool same = true;
    size_t i;
    if (!recall->kernels || !autotune__parse(&json, recall->journal->text + crash->start, crash->length)) return true;
    for (i = 0; i < autotune__count(recall->kernels); i++)
        same = same && autotune__had_kernel(&json, &recall->kernels[i], false);
    autotune__free_json(&json);
    return same;
}
/* What earlier runs say of this point: see above. A program that was rebuilt gives it another chance. */
static autotune__suspicion autotune__suspicion_of(const autotune__work *work, size_t index) {
    const struct autotune__journal *journal = work->store.journal;
    const double chance_is_out = 0.05;
    const size_t enough = 4;
    autotune__suspicion suspicion = AUTOTUNE__UNSUSPECTED;
    size_t i, proofs = 0, ends = 0;             /* in a row */
    double chance = 1;
    for (i = 0; journal && i < autotune__count(journal->crashes); i++) {
        const autotune__crash *crash = &journal->crashes[i];
        if (crash->index == SIZE_MAX) continue;
        if (crash->index != index) {
            if (!crash->proven) { ends = proofs; chance = proofs ? 0 : 1; }
            continue;
        }
        if (!autotune__blames_kernels(work, crash)) continue;
        if (suspicion == AUTOTUNE__UNSUSPECTED) suspicion = AUTOTUNE__TO_BE_LAST;
        if (!crash->same_program) continue;
        if (crash->at_fault) return AUTOTUNE__CONVICTED;
        if (crash->lost_device) suspicion = AUTOTUNE__TO_BE_SPARED;
        ends++;
        proofs += crash->proven;
        chance = crash->proven ? 0 : chance / (double)(crash->returned + 1);
        if (ends >= enough || (ends >= 2 && chance <= chance_is_out)) suspicion = AUTOTUNE__TO_BE_SKIPPED;
    }
    return suspicion;
}
static void autotune__postpone_suspects(autotune__work *work) {     /* before the race */
    const struct autotune__journal *journal = work->store.journal;
    work->race.postponed = journal ? journal->postponed : NULL;
    work->race.postponed_count = journal ? autotune__count(journal->postponed) : 0;
}
