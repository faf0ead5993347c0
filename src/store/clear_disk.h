/* What autotune_clear() forgets on disk, and of what was loaded; what autotune_shutdown() frees of the cache. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "json.h"
#include "read_record.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "journal.h"
#include "save_load.h"

/* The lines of a tuner, of a key, or of both. */
typedef struct autotune__named_key { const char *name; const autotune_key *key; } autotune__named_key;   /* NULL: any */
static bool autotune__line_has(const autotune__line *line, void *user) {
    const autotune__named_key *named = (const autotune__named_key *)user;
    autotune__text text = { NULL, false };
    autotune__json json;
    bool has = !named->name && !named->key;
    if (!has && autotune__fetch(line, &text) && autotune__parse(&json, text.at, autotune__count(text.at))) {
        has = (!named->name || autotune__same_string(&json, 0, "tuner", named->name)) &&
              (!named->key || autotune__same_key_values(&json, autotune__member(&json, 0, "key"), named->key));
        autotune__free_json(&json);
    }
    autotune__free_text(&text);
    return has;
}
typedef bool autotune__line_test(const autotune__line *line, void *user);
typedef struct autotune__lines_to_clear { autotune__line_test *is; void *user; } autotune__lines_to_clear;
static void autotune__clear_journal(const char *path, const autotune__line *lines, size_t count, void *user) {
    const autotune__lines_to_clear *clear = (const autotune__lines_to_clear *)user;
    if (count && clear->is(&lines[0], clear->user)) autotune__remove_file(path);    /* all are of one tuner and key */
}
static void autotune__kill_lines(autotune__line_test *is, void *user, bool on_disk) {
    struct autotune__cache *cache = &autotune__cache;
    size_t i;
    for (i = 0; i < autotune__count(cache->lines); i++) {
        autotune__line *line = &cache->lines[i];
        if (!line->dead && (line->source == 0) == on_disk && is(line, user)) line->dead = true;
    }
}
/* Lines of the file on disk, and journals. */
static autotune_status autotune__clear_lines(autotune__line_test *is, void *user) {
    struct autotune__cache *cache = &autotune__cache;
    autotune__lines_to_clear journals = { is, user };
    autotune__locked locked;
    const char *why = NULL;
    bool done = false;
    int file;
    if (autotune__environment.cache > AUTOTUNE_CACHE_ON) {
        autotune__complain("AUTOTUNE_CACHE is off or readonly: nothing is cleared on disk");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    autotune__enter_cache();
    if (autotune__find_cache()) {
        file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why);
        done = file < 0 && !why;                /* there is none */
        autotune__close_file(file);
        locked = file < 0 ? AUTOTUNE__NO_LOCKS : autotune__lock_file(true);
        if (file >= 0 && locked != AUTOTUNE__HELD)
            why = "is locked by another process, or its file system has no locks";
        /* nobody replaces it now */
        else if (file >= 0 && (file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why)) >= 0) {
            autotune__read_tail(file, true);
            autotune__kill_lines(is, user, true);
            done = autotune__rewrite(file, SIZE_MAX);
            autotune__close_file(file);
            if (!done) autotune__forget_file();             /* nothing was cleared: the file is read anew */
            autotune__refresh();
        }
        autotune__unlock_file(locked);
        if (done) autotune__walk_journals(autotune__clear_journal, &journals);
    }
    autotune__leave_cache();
    return done ? AUTOTUNE_OK
                : autotune__file_error(cache->file ? cache->file : "the cache on disk",
                                       why ? why : "could not be rewritten");
}
static autotune_status autotune__clear_disk(const char *name, const autotune_key *key) {
    autotune__named_key named = { name, key };
    return autotune__clear_lines(autotune__line_has, &named);
}
static void autotune__forget_loaded(const char *name, const autotune_key *key) {
    autotune__named_key named = { name, key };
    autotune__enter_cache();
    autotune__kill_lines(autotune__line_has, &named, false);
    autotune__free_unused();
    autotune__leave_cache();
}

static void autotune__free_cache(void) {
    struct autotune__cache *cache = &autotune__cache;
    int cancellation;
    size_t i;
    autotune__enter_cache();
    for (i = 0; i < autotune__count(cache->texts); i++) autotune__free(cache->texts[i].text);
    AUTOTUNE__FREE_ARRAY(cache->texts);
    AUTOTUNE__FREE_ARRAY(cache->lines);
    autotune__free(cache->newest);
    if (cache->usable && autotune__has_lock_open()) autotune__close_file(cache->lock);
    autotune__forget_paths();
    autotune__free_text(&cache->say);
    cancellation = cache->cancellation;         /* of the thread that is in here */
    memset(cache, 0, sizeof *cache);
    cache->cancellation = cancellation;
    autotune__leave_cache();
}
