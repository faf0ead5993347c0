/* autotune_save(), autotune_load() and its variants */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../base/memory.h"
#include "../system/files.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../registry/records.h"
#include "lines.h"
#include "folder.h"
#include "file.h"

/* The functions. */
static autotune_status autotune__file_error(const char *path, const char *why) {
    autotune__complain("%s: %s", path ? path : "(no path)", why);
    return AUTOTUNE_ERR_FILE;
}
static bool autotune__write_to(const char *path, const autotune__text *text, const char **why) {
    const mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    const size_t bytes = autotune__count(text->at);
    struct stat status;
    bool written;
    int file;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return autotune__replace_file(path, text->at, bytes, mode, true, why);
    file = autotune__open_path(path, O_WRONLY, 0);              /* a pipe, say */
    written = file >= 0 && autotune__write_all(file, text->at, bytes);
    if (!written) *why = strerror(errno);
    if (file >= 0) close(file);
    return written;
}
static bool autotune__append_known(void *user, const autotune__tuner *tuner, autotune__record *record) {
    const char *line = record->entry ? record->line.at : NULL;
    (void)tuner;
    if (line) autotune__append((autotune__text *)user, "%.*s\n", (int)strcspn(line, "\n"), line);
    return true;
}
AUTOTUNE__API autotune_status autotune_save(const char *path) {
    autotune__text all = { NULL, false };
    const char *why = "out of memory";
    bool written;
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_save() needs the path of a file");
    pthread_mutex_lock(&autotune__lock);
    autotune__walk(autotune__append_known, &all);
    pthread_mutex_unlock(&autotune__lock);
    written = !all.broken && autotune__write_to(path, &all, &why);
    autotune__free_text(&all);
    return written ? AUTOTUNE_OK : autotune__file_error(path, why);
}
/* takes the text */
static autotune_status autotune__load(const char *name, char *text, size_t bytes, bool any_device) {
    autotune__loaded loaded;
    autotune__reading reading;
    size_t whole;
    memset(&reading, 0, sizeof reading);
    reading.any_device = any_device;
    reading.keeps_text = true;
    autotune__enter_cache();
    loaded.text = text;
    loaded.source = reading.source = ++autotune__cache.sources;
    if (AUTOTUNE__PUSH(autotune__cache.texts, loaded)) {
        whole = autotune__read_lines(&reading, text, bytes);
        autotune__read_end(&reading, text + whole, bytes - whole, true);
        autotune__free_unused();
    } else {
        autotune__free(text);
        reading.no_memory = true;
    }
    autotune__leave_cache();
    if (reading.no_memory) return autotune__file_error(name, "out of memory: not all of its records were loaded");
    if (!reading.unsound) return AUTOTUNE_OK;
    autotune__complain("%s:%lu: this line %s; %lu lines are skipped, %lu records were loaded", name,
                       (unsigned long)reading.first_unsound, reading.why, (unsigned long)reading.unsound,
                       (unsigned long)reading.sound);
    return AUTOTUNE_ERR_FILE;
}
static autotune_status autotune__load_file(const char *path, bool any_device) {
    struct stat status;
    const char *why = "is no regular file";
    char *text = NULL;
    size_t got = 0;
    int file;
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_load() needs the path of a file");
    file = autotune__open_path(path, O_RDONLY | O_NONBLOCK, 0);
    if (file < 0) return autotune__file_error(path, strerror(errno));
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        errno = ENOMEM;
        text = autotune__read_from(file, 0, (size_t)status.st_size, &got);
        why = strerror(errno);
    }
    close(file);
    return text ? autotune__load(path, text, got, any_device) : autotune__file_error(path, why);
}
AUTOTUNE__API autotune_status autotune_load(const char *path) { return autotune__load_file(path, false); }
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path) { return autotune__load_file(path, true); }
static autotune_status autotune__load_copy(const char *function, const char *jsonl, size_t bytes, bool any_device) {
    char *copy;
    autotune__ready();
    if (!jsonl && bytes) return autotune__file_error(function, "the text is NULL");
    if (!(copy = (char *)autotune__allocate(bytes + 1))) return autotune__file_error(function, "out of memory");
    if (bytes) memcpy(copy, jsonl, bytes);
    return autotune__load(function, copy, bytes, any_device);
}
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes) {
    return autotune__load_copy("autotune_load_text()", jsonl, bytes, false);
}
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes) {
    return autotune__load_copy("autotune_load_text_any_device()", jsonl, bytes, true);
}
