/* autotune_save(), autotune_load() and autotune_load_text(). */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "lines.h"
#include "disk.h"

static autotune_status autotune__file_error(const char *path, const char *why) {
    autotune__complain("%s: %s", path ? path : "(no path)", why);
    return AUTOTUNE_ERR_FILE;
}
AUTOTUNE__API autotune_status autotune_save(const char *path) {
    autotune__text all AUTOTUNE__FREED = { NULL, false };
    const char *why = "out of memory";
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_save() needs the path of a file");
    autotune__append_all_known(&all);
    return !all.broken && autotune__write_file(path, &all, &why) ? AUTOTUNE_OK : autotune__file_error(path, why);
}
/* Loads the records of a text, which the caller keeps. name: the file or the called function, for messages. */
static autotune_status autotune__load_records(const char *name, const char *text, size_t bytes) {
    const size_t refusals = autotune__memory_refusals;
    autotune__reading reading;
    memset(&reading, 0, sizeof reading);
    autotune__lock_mutex(&autotune__cache_lock);
    reading.source = ++autotune__disk.sources;
    autotune__read_text(&reading, text, bytes);
    if (reading.offset < bytes) {
        reading.lines++;
        autotune__note_unsound(&reading, "was cut short");
    }
    autotune__drop_lines(false);
    autotune__unlock_cache();
    if (refusals != autotune__memory_refusals)
        return autotune__file_error(name, "out of memory: not all of its records were loaded");
    if (!reading.unsound) return AUTOTUNE_OK;
    autotune__complain("%s:%lu: this line %s; lines that were skipped: %lu, records that were loaded: %lu", name,
                       (unsigned long)reading.first_unsound, reading.why, (unsigned long)reading.unsound,
                       (unsigned long)reading.sound);
    return AUTOTUNE_ERR_FILE;
}
AUTOTUNE__API autotune_status autotune_load(const char *path) {
    char *text AUTOTUNE__OWNED = NULL;
    const char *why;
    size_t got;
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_load() needs the path of a file");
    if (!(text = autotune__read_path(path, &got, &why))) return autotune__file_error(path, why);
    return autotune__load_records(path, text, got);
}
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes) {
    autotune__ready();
    if (!jsonl && bytes) return autotune__file_error("autotune_load_text()", "the text is NULL");
    return autotune__load_records("autotune_load_text()", jsonl ? jsonl : "", bytes);
}
