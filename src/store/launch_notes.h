/* Launch notes: which configuration is launched for the first time. If the launch does not return, its note stays open
   for the next run of the program.

   A configuration may end the whole program by a signal or by exit(), may hang, or may break the device. So a race
   opens a note before the first launch of a configuration, and closes the note after the launch. A configuration whose
   note is found open is a suspect: it is tried last. If its launch returns, it is no suspect any more. A suspect is
   skipped if two notes of it are open, or if its launch lost the device. Notes of another build of the program do not
   count for this, so a program that was rebuilt tries it again. A thread that calls exit(), as the main thread does at
   its end, closes the notes of all other threads. After any other end of the program all notes stay open, since the
   library cannot know which thread is to blame.

   Each file of notes is for one key of one tuner on one device. The race that holds the lock of the key owns the file.
   The file exists only while the key is raced, or while a note is open. Each note is a line. The note of this run is
   the last line, and each configuration overwrites the note of the configuration before. To close a note, a control
   character replaces its last character: the line is then damaged. So the lines of the file that are not damaged are
   the open notes. If a line cannot be closed, the file is cut off before the line, or removed. A configuration whose
   launch returned must not stay a suspect. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "configuration_json.h"
#include "write_line.h"
#include "write_record.h"
#include "read_record.h"
#include "disk.h"
#include "lines.h"
#include "lock.h"

enum { AUTOTUNE__NOTES_BYTES = 256 << 10 };     /* a file of this size, or a larger file, is emptied */
/* The notes of all races of this process. The lock of the cache guards them, since a thread that ends the program
   closes notes of other threads. */
static autotune__notes *autotune__all_notes;

/* Writes no more notes, and says so once. The race goes on. */
static void autotune__give_up_notes(autotune__notes *notes) {
    notes->stage = AUTOTUNE__NO_NOTES;
    autotune__say_no_notes(notes->path, "a launch note cannot be written");
}
/* Closes a note. If that fails, the file is cut off before the note, or removed, and no further note is written. */
static void autotune__close_line(autotune__notes *notes, size_t start, size_t length) {
    const char cancel = AUTOTUNE__CANCEL;
    const bool ours = autotune__is_open_as(notes->file, notes->id);
    if (ours && autotune__write_at(notes->file, &cancel, 1, start + length - 1)) return;
    if (!ours || !autotune__truncate(notes->file, start)) autotune__remove_file(notes->path);
    autotune__give_up_notes(notes);
}

/* Reading. elsewhere: the note is in the file of another key, where only the loss of a device counts. */
static void autotune__read_note(autotune__store *store, const autotune__head *head, const char *line, size_t length,
                                bool elsewhere) {
    autotune__note note;
    autotune__json json;
    int config;
    if (!autotune__parse(&json, line, length)) return;
    config = autotune__member(&json, 0, "config");
    note.start = (size_t)(line - store->notes.text);
    note.length = length;
    note.event = !autotune__same_string(&json, 0, "program", *store->program ? store->program : NULL)
                    ? AUTOTUNE__NOTE_OF_OTHER_BUILD
                : autotune__says(&json, 0, "fault", "launch") ? AUTOTUNE__NOTE_BROKE_DEVICE
                : autotune__says(&json, 0, "fault", "device") ? AUTOTUNE__NOTE_LOST_DEVICE : AUTOTUNE__NOTE_BEGUN;
    if (elsewhere && note.event != AUTOTUNE__NOTE_BROKE_DEVICE && note.event != AUTOTUNE__NOTE_LOST_DEVICE) return;
    if (elsewhere) note.event = AUTOTUNE__NOTE_BEGUN, note.start = note.length = 0;
    if (autotune__is_of_tuner(&json, store) && autotune__is_of_key(&json, &store->subject->options.key) != elsewhere &&
        autotune__same_body(&json, head, store)) {
        note.index = autotune__point_of_config(store, &json, config);
        if (note.index != SIZE_MAX || autotune__is_raw(&json, config, "{}"))
            (void)AUTOTUNE__PUSH(store->notes.all, note);       /* if memory is lacking, no race begins */
    }
}
/* Reads the open notes. The note of this run will stand behind them. */
static void autotune__read_notes(autotune__store *store, size_t bytes) {
    autotune__notes *notes = &store->notes;
    const char *at = notes->text, *line;
    autotune__head head;
    size_t length;
    while ((line = autotune__next_line(&at, notes->text + bytes, &length)) != NULL) {
        const autotune__soundness soundness = autotune__read_head("autotune", line, length, true, &head);
        if (soundness == AUTOTUNE__DAMAGED) continue;
        notes->kept++;
        notes->offset = (size_t)(at - notes->text);
        if (soundness == AUTOTUNE__SOUND && head.identity.id == store->identity.id &&
            head.identity.machine == store->identity.machine)
            autotune__read_note(store, &head, line, length, false);
    }
}
/* Returns false if the file cannot be read. The caller holds the lock of the cache. */
static bool autotune__load_notes(autotune__store *store) {
    autotune__notes *notes = &store->notes;
    size_t bytes = 0;
    autotune__file_facts facts;
    notes->text = autotune__facts_of_file(notes->file, &facts)
                      ? autotune__read_part(notes->file, 0, AUTOTUNE__NOTES_BYTES, &bytes) : NULL;
    notes->kept = !notes->text;                 /* 1: autotune__leave_notes() does not remove the file */
    if (!notes->text) return false;
    notes->id = facts.id;
    if (bytes < AUTOTUNE__NOTES_BYTES || !autotune__truncate(notes->file, 0)) autotune__read_notes(store, bytes);
    return true;
}

/* Called by exit(), in the thread that ends the program. Closes the notes of other threads, since their launches are
   not to blame. From now on other threads open no notes. The wait for the lock has a limit, since a signal handler may
   have called exit() while its thread held the lock. */
static void autotune__end_notes_of_others(void) {
    autotune__notes *notes;
    if (!autotune__lock_within(&autotune__cache_lock, 1000)) return;
    for (notes = autotune__all_notes; notes; notes = notes->next) {
        const bool open = notes->stage == AUTOTUNE__NOTE_IS_OPEN;
        if (open && autotune__is_same_thread(notes->thread, autotune__this_thread())) continue;
        notes->stage = AUTOTUNE__NO_NOTES;
        if (open) autotune__close_line(notes, notes->offset, autotune__count(notes->line.at) - 1);
    }
    autotune__unlock_cache();
}
/* Opens the file when a race begins. A race without the lock of the key has no notes. It has no lock if the cache is
   off or readonly, if another race holds the lock, or if the file system has no locks. */
static void autotune__enter_notes(autotune__store *store) {
    static bool watched;
    autotune__notes *notes = &store->notes;
    autotune__text *line = &notes->line;
    const char *why = "out of memory";
    char name[48];
    notes->file = -1;
    if (store->policy != AUTOTUNE_CACHE_ON || !autotune__holds_key(store)) return;
    autotune__clear_text(line);
    autotune__append_head(line, "autotune", store, false);
    autotune__append_build(line, store);
    autotune__append(line, ",\"config\":");
    notes->head = line->broken ? 0 : autotune__count(line->at);
    autotune__put_text(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)store->identity.id,
                       (unsigned long long)store->identity.machine);
    AUTOTUNE__WITH_CACHE;
    if (notes->head && autotune__find_cache() && (notes->path = autotune__joined(autotune__disk.notes, name)) != NULL)
        notes->file = autotune__create_ours(notes->path, AUTOTUNE__READ | AUTOTUNE__WRITE, autotune__disk.notes, &why);
    if (notes->file >= 0 && autotune__load_notes(store)) {
        notes->stage = AUTOTUNE__NOTE_IS_CLOSED;
        if (!watched) watched = atexit(autotune__end_notes_of_others) == 0;
        notes->next = autotune__all_notes;
        autotune__all_notes = notes;
    } else {
        autotune__say_no_notes(notes->path ? notes->path : "the launch notes",
                               notes->file < 0 ? why : "cannot be read");
        autotune__close_file(notes->file);
        notes->file = -1;
    }
}
/* Closes the file when the race ends. Removes the file if no note in it is open. */
static void autotune__leave_notes(autotune__store *store) {
    autotune__notes *notes = &store->notes;
    AUTOTUNE__WITH_CACHE;
    AUTOTUNE__UNLINK(autotune__all_notes, notes, next);
    if (notes->path && notes->stage != AUTOTUNE__NOTE_IS_OPEN && autotune__holds_key(store) && notes->file >= 0 &&
        !notes->kept)
        autotune__remove_file(notes->path);
    if (notes->path && autotune__is_open_as(notes->file, notes->id)) autotune__close_file(notes->file);
    autotune__free_text(&notes->line);
    AUTOTUNE__FREE_ARRAY(notes->all);
    autotune__free(notes->text);
    autotune__free(notes->path);
    memset(notes, 0, sizeof *notes);
}

/* Judging. Returns true if the note counts for the kernels of this run. A note counts if each kernel that this run has
   launched had the same source in the run of the note. Also returns true if memory is lacking to compare sources. */
static bool autotune__blames_kernels(const autotune__store *store, const autotune__note *note) {
    const size_t refusals = autotune__memory_refusals;
    autotune__json json;
    bool same = true;
    size_t i;
    if (!store->kernels || !autotune__parse(&json, store->notes.text + note->start, note->length)) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        same = same && autotune__has_same_kernel(&json, &store->kernels[i]);
    return same || refusals != autotune__memory_refusals;
}
/* Returns the flags that the notes of earlier runs give to the prior row of this point. */
static unsigned autotune__suspicion_of(const autotune__store *store, size_t index) {
    const autotune__note *note = store->notes.all;
    const size_t enough = 2;
    size_t i, ends = 0;
    unsigned flags = 0;
    for (i = 0; i < autotune__count(store->notes.all); i++, note++) {
        if (note->index != index || !autotune__blames_kernels(store, note)) continue;
        flags |= AUTOTUNE__SUSPECT;
        if (note->event == AUTOTUNE__NOTE_BROKE_DEVICE) flags |= AUTOTUNE__SKIP | AUTOTUNE__CONVICTED;
        ends += note->event == AUTOTUNE__NOTE_OF_OTHER_BUILD ? 0 : note->event == AUTOTUNE__NOTE_BEGUN ? 1 : enough;
    }
    return ends >= enough ? flags | AUTOTUNE__SKIP : flags;
}
/* Adds a prior row for each point that notes of earlier runs name. */
static void autotune__find_deferred(autotune__store *store) {
    const autotune__note *note = store->notes.all;
    size_t i;
    for (i = 0; i < autotune__count(store->notes.all); i++, note++)
        (void)autotune__add_prior(store->prior, note->index, AUTOTUNE__NEVER,
                                  AUTOTUNE__DEFERRED | autotune__suspicion_of(store, note->index));
}
/* Judges the suspects again. Called after the launch of a suspect returned, and when a kernel is launched: its source
   may differ from its source in the note. */
static void autotune__judge_deferred(autotune__store *store) {
    const unsigned judged = AUTOTUNE__SUSPECT | AUTOTUNE__SKIP | AUTOTUNE__CONVICTED;
    autotune__prior_row *row = store->prior->rows;
    size_t i;
    for (i = 0; i < autotune__count(store->prior->rows); i++, row++)
        if (row->flags & AUTOTUNE__SUSPECT)
            row->flags = (row->flags & ~judged) | autotune__suspicion_of(store, row->point);
}

/* Writing. Opens a note of a configuration. If the note of this run is open already, only the loss of a device is
   written. The rest of a longer, older note may stand behind the note: readers skip this rest. */
static void autotune__open_note(autotune__store *store, size_t index, autotune__launch_event told) {
    autotune__notes *notes = &store->notes;
    autotune__text *line = &notes->line;
    const char *fault = told == AUTOTUNE__NOTE_LOST_DEVICE    ? "device"
                        : told == AUTOTUNE__NOTE_BROKE_DEVICE ? "launch" : NULL;
    size_t bytes;
    if (notes->stage == AUTOTUNE__NOTE_IS_OPEN && !fault) return;
    autotune__set_count(line->at, notes->head);
    if (index == SIZE_MAX) autotune__append(line, "{}");
    else autotune__append_config(line, store->subject->space, index);
    autotune__append_kernels(line, store->kernels);
    if (fault) autotune__append_words(line, "fault", fault);
    autotune__append_crc(line, 0);
    bytes = autotune__count(line->at);
    notes->thread = autotune__this_thread();
    if (!line->broken && autotune__is_open_as(notes->file, notes->id) && autotune__fits(notes->offset, bytes) &&
        autotune__write_at(notes->file, line->at, bytes, notes->offset))
        notes->stage = AUTOTUNE__NOTE_IS_OPEN;
    else autotune__give_up_notes(notes);
}
/* Closes the note after the launch. If the launch returned, older notes of the configuration are closed, too. */
static void autotune__close_note(autotune__store *store, size_t index, autotune__launch_event told) {
    autotune__notes *notes = &store->notes;
    size_t i = 0;
    if (index != SIZE_MAX && notes->stage == AUTOTUNE__NOTE_IS_OPEN) {
        notes->stage = AUTOTUNE__NOTE_IS_CLOSED;
        autotune__close_line(notes, notes->offset, autotune__count(notes->line.at) - 1);
    }
    if (told != AUTOTUNE__NOTE_CAME_BACK) return;
    while (i < autotune__count(notes->all) && notes->stage != AUTOTUNE__NO_NOTES) {
        const autotune__note note = notes->all[i];
        if (note.index != index) { i++; continue; }
        AUTOTUNE__REMOVE(notes->all, i);
        notes->kept -= note.length > 0;
        if (note.length) autotune__close_line(notes, note.start, note.length);
        autotune__judge_deferred(store);
    }
}
/* Opens or closes a note, as `told` says. index: SIZE_MAX for the note of a race that ranks divide, since the first
   rank cannot name a configuration then. A race that ends with a winner closes such notes of earlier runs, since the
   launches of all ranks returned. A store that does not hold the lock of the key writes nothing, as in a child made by
   fork(). Returns true if a note was open. */
static bool autotune__note_launch(autotune__store *store, size_t index, autotune__launch_event told) {
    bool open;
    if (!autotune__holds_key(store)) return false;
    AUTOTUNE__WITH_CACHE;
    open = store->notes.stage == AUTOTUNE__NOTE_IS_OPEN;
    if (store->notes.stage == AUTOTUNE__NO_NOTES) return false;
    if (told < AUTOTUNE__NOTE_CAME_BACK) autotune__open_note(store, index, told);
    else autotune__close_note(store, index, told);
    return open;
}

/* Visits the open notes of all keys that no process races now. The caller holds the lock of the cache. A file has the
   notes of one key. The visitor returns true to see the next note of this file, too. */
typedef bool autotune__visit_note(const char *path, autotune__line *line, void *user);
typedef struct autotune__notes_visitor { autotune__visit_note *visit; void *user; } autotune__notes_visitor;
static void autotune__show_notes(const char *name, void *user) {
    const autotune__notes_visitor *visitor = (const autotune__notes_visitor *)user;
    char *path AUTOTUNE__OWNED = autotune__joined(autotune__disk.notes, name);
    size_t bytes = 0;
    autotune__line line;
    const char *why;
    const int file AUTOTUNE__CLOSED = path ? autotune__open_ours(path, AUTOTUNE__READ, &why) : -1;
    char *text AUTOTUNE__OWNED = file >= 0 ? autotune__read_part(file, 0, AUTOTUNE__NOTES_BYTES, &bytes) : NULL;
    const char *at = text;
    memset(&line, 0, sizeof line);
    while (text && (line.text = autotune__next_line(&at, text + bytes, &line.length)) != NULL) {
        if (autotune__read_head("autotune", line.text, line.length, true, &line.head) != AUTOTUNE__SOUND) continue;
        if (autotune__is_locked(autotune__lock_byte(&line.head.identity))) break;
        if (!visitor->visit(path, &line, visitor->user)) break;
    }
}
static void autotune__walk_notes(autotune__visit_note *visit, void *user) {
    autotune__notes_visitor visitor = { visit, user };
    autotune__walk_folder(autotune__disk.notes, autotune__show_notes, &visitor);
}
/* Reads a note of another key. A configuration that lost the device for another key of this tuner is tried last. If two
   such notes name a configuration, it is skipped. */
static bool autotune__read_loss(const char *path AUTOTUNE__UNUSED, autotune__line *line, void *user) {
    autotune__store *store = (autotune__store *)user;
    if (line->head.identity.machine == store->identity.machine)
        autotune__read_note(store, &line->head, line->text, line->length, true);
    return true;
}
static void autotune__learn_of_losses(autotune__store *store) {
    if (store->notes.stage == AUTOTUNE__NO_NOTES) return;
    AUTOTUNE__WITH_CACHE;
    autotune__walk_notes(autotune__read_loss, store);
}
