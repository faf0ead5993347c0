/* Launch notes: which configuration is being launched for the first time. If that launch does not come back, the note
   stays open, and the next run of the program knows.

   A configuration may end the whole program, by a signal or by exit(); it may hang, or break the device. So a note is
   opened before its first launch in a race, and closed after it. A configuration whose note is found open is a suspect:
   it is tried last. If its launch comes back, it is none any more. If its note is open twice, or if the device was lost
   in its launch, it is skipped. A program that was rebuilt tries it once more. A thread that calls exit(), as the main
   thread does at its end, closes the notes of all other threads. After another end nobody can tell which thread is
   to blame: the notes stay open.

   The file of the notes is that of one key of one tuner on one device. It belongs to the race that holds the lock of
   the key, and is there only while the key is raced, or has something to tell. Each note is a line; that of this run
   is the last one, and is written over the one of the configuration before. A line is closed by a control character in
   the place of its last character: it is not sound any more. So at any moment the sound lines of the file are the notes
   that are open. If a line cannot be closed, it is cut off with all that stands behind it, or the file is removed. A
   configuration whose launch returned must not stay a suspect. */
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

enum { AUTOTUNE__NOTES_BYTES = 256 << 10 };     /* a file that has so many is begun anew */
/* The notes of all races of this process. The lock of the cache guards them: a thread that ends the program closes
   notes of others. */
static autotune__notes *autotune__all_notes;

/* NULL: no memory. With the lock of the cache. */
static char *autotune__notes_path(const autotune__store *store) {
    char name[48];
    autotune__put_text(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)store->identity.id,
                       (unsigned long long)store->identity.machine);
    return autotune__find_cache() ? autotune__joined(autotune__disk.notes, name) : NULL;
}

/* A body may close the file, and another file get its number. */
static bool autotune__has_notes_open(const autotune__notes *notes) {
    return autotune__has_open(notes->file, notes->id);
}
/* The failure is said once, and the race goes on. */
static void autotune__give_up_notes(autotune__notes *notes) {
    notes->stage = AUTOTUNE__NO_NOTES;
    autotune__say_unnoted(notes->path, "a launch note cannot be written");
}
/* If a line cannot be closed, no further note is written. */
static void autotune__close_line(autotune__notes *notes, size_t start, size_t length) {
    const char cancel = AUTOTUNE__CANCEL;
    const bool ours = autotune__has_notes_open(notes);
    if (ours && autotune__write_at(notes->file, &cancel, 1, start + length - 1)) return;
    if (!ours || !autotune__cut_file(notes->file, start)) autotune__remove_file(notes->path);
    autotune__give_up_notes(notes);
}

/* Reading. elsewhere: the note is in the file of another key. There only a loss of the device counts. */
static void autotune__read_note(autotune__store *store, const autotune__head *head, const char *line, size_t length,
                                bool elsewhere) {
    autotune__note note;
    autotune__json json;
    int config;
    if (!autotune__parse(&json, line, length)) return;
    config = autotune__member(&json, 0, "config");
    note.start = (size_t)(line - store->notes.text);
    note.length = length;
    note.told = !autotune__same_string(&json, 0, "program", *store->program ? store->program : NULL)
                    ? AUTOTUNE__NOTE_OF_OTHER_BUILD
                : autotune__says(&json, 0, "fault", "launch") ? AUTOTUNE__NOTE_BROKE_DEVICE
                : autotune__says(&json, 0, "fault", "device") ? AUTOTUNE__NOTE_LOST_DEVICE : AUTOTUNE__NOTE_BEGUN;
    if (elsewhere && note.told != AUTOTUNE__NOTE_BROKE_DEVICE && note.told != AUTOTUNE__NOTE_LOST_DEVICE) return;
    if (elsewhere) note.told = AUTOTUNE__NOTE_BEGUN, note.start = note.length = 0;
    if (autotune__speaks_of_tuner(&json, store) && autotune__speaks_of(&json, store) != elsewhere &&
        autotune__same_kernel(&json, head, store) && autotune__spell_space(store)) {
        note.index = autotune__point_of_config(store, &json, config);
        if (note.index != SIZE_MAX || autotune__is_raw(&json, config, "{}", 2))
            (void)AUTOTUNE__PUSH(store->notes.all, note);       /* without memory no race begins */
    }
}
/* The note of this run will stand behind those that are open. */
static void autotune__read_notes(autotune__store *store, size_t bytes) {
    autotune__notes *notes = &store->notes;
    const char *at = notes->text, *line;
    autotune__head head;
    size_t length;
    while ((line = autotune__next_line(&at, notes->text + bytes, &length)) != NULL) {
        const autotune__soundness soundness = autotune__read_head(line, length, &head);
        if (soundness == AUTOTUNE__DAMAGED) continue;
        notes->kept++;
        notes->offset = (size_t)(at - notes->text);
        if (soundness == AUTOTUNE__SOUND && head.identity.id == store->identity.id &&
            head.identity.machine == store->identity.machine)
            autotune__read_note(store, &head, line, length, false);
    }
}
/* With the lock of the cache. Returns false if there are notes that cannot be read. */
static bool autotune__load_notes(autotune__store *store) {
    autotune__notes *notes = &store->notes;
    size_t bytes = 0;
    autotune__file_facts facts;
    notes->text = autotune__facts_of_file(notes->file, &facts)
                      ? autotune__read_part(notes->file, 0, AUTOTUNE__NOTES_BYTES, &bytes) : NULL;
    notes->kept = !notes->text;                 /* what cannot be read stays */
    if (!notes->text) return false;
    notes->id = facts.id;
    if (bytes < AUTOTUNE__NOTES_BYTES || !autotune__cut_file(notes->file, 0)) autotune__read_notes(store, bytes);
    return true;
}

/* Begins a line with the part that the notes of all configurations have in common, up to the configuration. */
static void autotune__begin_line(autotune__store *store) {
    autotune__text *line = &store->notes.line;
    autotune__clear_text(line);
    autotune__append_head(line, "autotune", store, false);
    autotune__append_build(line, store);
    autotune__append(line, ",\"config\":");
    store->notes.head = line->broken ? 0 : autotune__count(line->at);
}
/* The program ends by a call of this thread. Launches of other threads are not to blame, and open no note any more.
   A handler of a signal may have called exit() while its thread had the lock. */
static void autotune__end_notes_of_others(void) {
    autotune__notes *notes;
    if (!autotune__lock_within(&autotune__cache_lock, 1000)) return;
    for (notes = autotune__all_notes; notes; notes = notes->next) {
        const bool open = notes->stage == AUTOTUNE__NOTE_IS_OPEN;
        if (open && autotune__is_same_thread(notes->thread, autotune__this_thread())) continue;
        notes->stage = AUTOTUNE__NO_NOTES;
        if (open) autotune__close_line(notes, notes->offset, autotune__count(notes->line.at) - 1);
    }
    autotune__leave_cache();
}
/* With the lock of the cache: an end of the program is told of the notes from now on. */
static void autotune__watch_notes(autotune__notes *notes) {
    static bool watched;
    if (!watched) watched = atexit(autotune__end_notes_of_others) == 0;
    notes->next = autotune__all_notes;
    autotune__all_notes = notes;
}
/* A race begins. Without the lock of the key there are no notes: the policy is to read only, another race of this
   process has it, or the file system has no locks. */
static void autotune__enter_notes(autotune__store *store) {
    autotune__notes *notes = &store->notes;
    const char *why = "out of memory";
    notes->file = -1;
    if (store->policy != AUTOTUNE_CACHE_ON || !autotune__holds_key(store)) return;
    autotune__begin_line(store);
    AUTOTUNE__WITH_CACHE;
    if (notes->head && (notes->path = autotune__notes_path(store)) != NULL)
        notes->file = autotune__create_ours(notes->path, AUTOTUNE__READ | AUTOTUNE__WRITE, autotune__disk.notes, &why);
    if (notes->file >= 0 && autotune__load_notes(store)) {
        notes->stage = AUTOTUNE__WRITE_NOTES;
        autotune__watch_notes(notes);
    } else {
        autotune__say_unnoted(notes->path ? notes->path : "the launch notes", notes->file < 0 ? why : "cannot be read");
        autotune__close_file(notes->file);
        notes->file = -1;
    }
}
/* It ends. The file stays only if it has something to tell. */
static void autotune__leave_notes(autotune__store *store) {
    autotune__notes *notes = &store->notes;
    AUTOTUNE__WITH_CACHE;
    AUTOTUNE__UNLINK(autotune__all_notes, notes, next);
    if (notes->path && notes->stage != AUTOTUNE__NOTE_IS_OPEN && autotune__holds_key(store) && notes->file >= 0 &&
        !notes->kept)
        autotune__remove_file(notes->path);
    if (notes->path && autotune__has_notes_open(notes)) autotune__close_file(notes->file);
    autotune__free_text(&notes->line);
    AUTOTUNE__FREE_ARRAY(notes->all);
    autotune__free(notes->text);
    autotune__free(notes->path);
    memset(notes, 0, sizeof *notes);
}

/* Judging. Returns true if the kernels that this run launched so far had the same sources when that run ended, or if
   there is no memory to tell. */
static bool autotune__blames_kernels(const autotune__store *store, const autotune__note *note) {
    const size_t refusals = autotune__memory_refusals;
    autotune__json json;
    bool same = true;
    size_t i;
    if (!store->kernels || !autotune__parse(&json, store->notes.text + note->start, note->length)) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        same = same && autotune__had_kernel(&json, &store->kernels[i]);
    return same || refusals != autotune__memory_refusals;
}
/* Returns the judgement of earlier runs on this point: flags of a prior row. */
static unsigned autotune__suspicion_of(const autotune__store *store, size_t index) {
    const autotune__note *note = store->notes.all;
    const size_t enough = 2;
    size_t i, ends = 0;
    unsigned flags = 0;
    for (i = 0; i < autotune__count(store->notes.all); i++, note++) {
        if (note->index != index || !autotune__blames_kernels(store, note)) continue;
        flags |= AUTOTUNE__SUSPECT;
        if (note->told == AUTOTUNE__NOTE_BROKE_DEVICE) flags |= AUTOTUNE__SKIP | AUTOTUNE__CONVICTED;
        ends += note->told == AUTOTUNE__NOTE_OF_OTHER_BUILD ? 0 : note->told == AUTOTUNE__NOTE_BEGUN ? 1 : enough;
    }
    return ends >= enough ? flags | AUTOTUNE__SKIP : flags;
}
/* In whose launches earlier runs ended, each of which left a note. */
static void autotune__find_deferred(autotune__store *store) {
    const autotune__note *note = store->notes.all;
    size_t i;
    for (i = 0; i < autotune__count(store->notes.all); i++, note++)
        (void)autotune__add_prior(store->prior, note->index, AUTOTUNE__NEVER,
                                  AUTOTUNE__LAST | autotune__suspicion_of(store, note->index));
}
/* Once more: one of them came back, or a kernel was launched that may be another than when those runs ended. */
static void autotune__judge_deferred(autotune__store *store) {
    const unsigned judged = AUTOTUNE__SUSPECT | AUTOTUNE__SKIP | AUTOTUNE__CONVICTED;
    autotune__prior_row *row = store->prior->rows;
    size_t i;
    for (i = 0; i < autotune__count(store->prior->rows); i++, row++)
        if (row->flags & AUTOTUNE__SUSPECT)
            row->flags = (row->flags & ~judged) | autotune__suspicion_of(store, row->point);
}

/* Writing. Makes the note of a configuration. Returns false if there is no memory. */
static bool autotune__append_note(autotune__store *store, size_t index, const char *fault) {
    autotune__text *line = &store->notes.line;
    autotune__set_count(line->at, store->notes.head);
    if (index == SIZE_MAX) autotune__append(line, "{}");
    else autotune__append_config(line, store->subject->space, index);
    autotune__append_kernels(line, store->kernels);
    if (fault) autotune__append(line, ",\"fault\":\"%s\"", fault);
    autotune__append_crc(line, 0);
    return !line->broken;
}
/* Behind the line the rest of a longer, older one may stand; readers ignore that. */
static bool autotune__write_note(const autotune__notes *notes) {
    const size_t bytes = autotune__count(notes->line.at);
    return autotune__has_notes_open(notes) && autotune__fits(notes->offset, bytes) &&
           autotune__write_at(notes->file, notes->line.at, bytes, notes->offset);
}
/* While a note is open, no other one is opened. */
static void autotune__open_note(autotune__store *store, size_t index, autotune__launch_told told) {
    autotune__notes *notes = &store->notes;
    const char *fault = told == AUTOTUNE__NOTE_LOST_DEVICE    ? "device"
                        : told == AUTOTUNE__NOTE_BROKE_DEVICE ? "launch" : NULL;
    if (notes->stage == AUTOTUNE__NOTE_IS_OPEN && !fault) return;
    notes->thread = autotune__this_thread();
    if (autotune__append_note(store, index, fault) && autotune__write_note(notes))
        notes->stage = AUTOTUNE__NOTE_IS_OPEN;
    else autotune__give_up_notes(notes);
}
/* The launch is over. */
static void autotune__close_note(autotune__store *store, size_t index, autotune__launch_told told) {
    autotune__notes *notes = &store->notes;
    size_t i = 0;
    if (index != SIZE_MAX && notes->stage == AUTOTUNE__NOTE_IS_OPEN) {
        notes->stage = AUTOTUNE__WRITE_NOTES;
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
/* index: SIZE_MAX if ranks are about to race their parts, so that rank 0 does not know which configuration is to blame.
   It is also SIZE_MAX if all ranks came back from a race that they did not divide. Nothing is written if the store does
   not hold the key, as in a child made by fork(). Returns true if a note was open. */
static bool autotune__note_launch(autotune__store *store, size_t index, autotune__launch_told told) {
    bool open;
    if (!autotune__holds_key(store)) return false;
    AUTOTUNE__WITH_CACHE;
    open = store->notes.stage == AUTOTUNE__NOTE_IS_OPEN;
    if (store->notes.stage == AUTOTUNE__NO_NOTES) return false;
    if (told < AUTOTUNE__NOTE_CAME_BACK) autotune__open_note(store, index, told);
    else autotune__close_note(store, index, told);
    return open;
}

/* Visits the open notes of all keys but those that a process races just now. With the lock of the cache. */
typedef void autotune__visit_note(const char *path, autotune__line *line, void *user);
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
        if (autotune__read_head(line.text, line.length, &line.head) != AUTOTUNE__SOUND) continue;
        if (autotune__is_locked(autotune__lock_byte(&line.head.identity))) return;      /* of all notes of the file */
        visitor->visit(path, &line, visitor->user);
    }
}
static void autotune__walk_notes(autotune__visit_note *visit, void *user) {
    autotune__notes_visitor visitor = { visit, user };
    autotune__walk_folder(autotune__disk.notes, autotune__show_notes, &visitor);
}
/* A configuration that lost the device for another key of this tuner comes last. After two keys it is skipped. */
static void autotune__read_loss(const char *path AUTOTUNE__UNUSED, autotune__line *line, void *user) {
    autotune__store *store = (autotune__store *)user;
    if (line->head.identity.machine == store->identity.machine)
        autotune__read_note(store, &line->head, line->text, line->length, true);
}
static void autotune__learn_of_losses(autotune__store *store) {
    if (store->notes.stage == AUTOTUNE__NO_NOTES) return;
    AUTOTUNE__WITH_CACHE;
    autotune__walk_notes(autotune__read_loss, store);
}
