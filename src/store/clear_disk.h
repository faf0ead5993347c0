/* The part of autotune_clear() that forgets records and launch notes on disk, and lines that were loaded. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "json.h"
#include "line_head.h"
#include "key_json.h"
#include "read_record.h"
#include "disk.h"
#include "lines.h"
#include "lock.h"
#include "file.h"
#include "launch_notes.h"
#include "save_load.h"

/* The lines to clear: all lines of a tuner, of a key, or of both; or all lines for which a test is true. */
typedef struct autotune__to_clear {
    const char *name;                           /* NULL: any tuner */
    const autotune_key *key;                    /* NULL: any key */
    bool (*test)(const char *line, size_t length, void *user);      /* NULL: name and key decide */
    void *user;
    bool no_memory;                             /* memory was lacking to test some line */
} autotune__to_clear;
static bool autotune__is_to_clear(autotune__to_clear *clear, autotune__line *line) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const size_t refusals = autotune__memory_refusals;
    autotune__json json;
    bool is = false;
    if (clear->no_memory) return false;
    if (!autotune__fetch(line, &text, &json)) clear->no_memory = !line->damaged;
    else if (clear->test) is = clear->test(text.at, autotune__count(text.at), clear->user);
    else {
        is = (!clear->name || autotune__same_string(&json, 0, "tuner", clear->name)) &&
             (!clear->key || autotune__is_of_key(&json, clear->key));
        clear->no_memory = refusals != autotune__memory_refusals;
    }
    return is;
}
static bool autotune__clear_notes_of(const char *path, autotune__line *line, void *user) {
    if (autotune__is_to_clear((autotune__to_clear *)user, line)) autotune__remove_file(path);
    return false;                               /* the whole file is of one key */
}
/* Marks the lines to clear as dead: lines on disk, or loaded lines. Returns false if there is no memory. */
static bool autotune__kill_lines(autotune__to_clear *clear, bool on_disk) {
    size_t i;
    for (i = 0; i < autotune__count(autotune__disk.lines); i++) {
        autotune__line *line = &autotune__disk.lines[i];
        if (!line->dead && (line->source == 0) == on_disk && autotune__is_to_clear(clear, line)) line->dead = true;
    }
    return !clear->no_memory;
}
/* Clears lines of the file on disk, and launch notes. */
static autotune_status autotune__clear_lines(autotune__to_clear *clear) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__file_facts facts;
    const char *why = "could not be read";
    bool done = false;
    if (autotune__environment.cache > AUTOTUNE_CACHE_ON) {
        autotune__complain("the cache on disk is off or readonly: nothing is cleared there");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    AUTOTUNE__WITH_CACHE;
    if (autotune__find_cache()) {
        const autotune__locked locked = autotune__facts_of_name(cache->file, &facts) ? autotune__lock_file(true)
                                                                                     : AUTOTUNE__NO_LOCKS;
        const int file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why);
        if (file < 0) done = !why;                          /* there is no file */
        else if (locked == AUTOTUNE__BUSY) why = "another process keeps it locked";
        else if (locked != AUTOTUNE__HELD) why = "cannot be locked";
        else {
            autotune__forget_file();                        /* memory for some lines may have been lacking before */
            done = autotune__read_tail(file) && autotune__kill_lines(clear, true) &&
                   autotune__rewrite(file, SIZE_MAX, &why);
            if (!done) autotune__forget_file();             /* nothing was cleared: the file is read again */
            autotune__refresh();
        }
        autotune__close_file(file);
        autotune__unlock_file(locked);
        if (done) autotune__walk_notes(autotune__clear_notes_of, clear);
    }
    if (done && !clear->no_memory) return AUTOTUNE_OK;
    autotune__append(&cache->complaints, "%s: %s%s\n", cache->file ? cache->file : "the cache on disk",
                     clear->no_memory ? "out of memory: not all of it could be looked at" : why,
                     clear->no_memory ? "" : ": nothing was cleared; its folder must allow locks and new files");
    return AUTOTUNE_ERR_FILE;
}
