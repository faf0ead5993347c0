/* library.c - see library.h */
#include "library.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "../../src/base/environment.h"
#include "../../src/registry/race_log.h"
#include "../../src/store/floor.h"
#pragma GCC diagnostic pop

void start_library(void) {
    autotune__ready();
    autotune__environment.log = AUTOTUNE_LOG_ERRORS;
}

/* ---- JSON ---- */

static struct value nothing(void) { return (struct value){NULL, -1}; }

struct value open_json(const char *text, size_t length) {
    autotune__json *json = autotune__allocate(sizeof *json);
    if (!json) no_memory();
    if (autotune__parse(json, text, length)) return (struct value){json, 0};
    autotune__free(json);
    return nothing();
}
void close_json(struct value object) {
    autotune__free((void *)object.json);
}
static bool begins(struct value value, char with) {
    return value.at >= 0 && autotune__begins(value.json, value.at, with);
}
bool is_there(struct value value) { return value.at >= 0 && !is_raw(value, "null"); }
bool is_string(struct value value) { return begins(value, '"'); }
bool is_object(struct value value) { return begins(value, '{'); }
bool is_raw(struct value value, const char *text) { return autotune__is_raw(value.json, value.at, text, strlen(text)); }
const char *raw(struct value value, size_t *length) {
    *length = 0;
    return value.at < 0 ? "" : autotune__raw(value.json, value.at, length);
}
const char *inside(struct value value, size_t *length) {
    const char *text = raw(value, length);
    if (!is_string(value)) return text;
    *length -= 2;
    return text + 1;
}
double number_at(struct value value) { return autotune__number_at(value.json, value.at); }
struct value member(struct value object, const char *name) {
    return (struct value){object.json, autotune__member(object.json, object.at, name)};
}
static bool step(struct value of, struct value *at, int (*next)(const autotune__json *json, int of, int at)) {
    *at = (struct value){of.json, next(of.json, of.at, at->at < 0 ? 0 : at->at)};
    return at->at > 0;
}
bool next_member(struct value object, struct value *name) {
    return is_object(object) && step(object, name, autotune__next_member);
}
struct value value_of(struct value name) {
    return (struct value){name.json, autotune__member_value(name.json, name.at)};
}
bool next_element(struct value array, struct value *element) { return step(array, element, autotune__next_row); }

bool is_named(struct value record, const char *tuner) { return autotune__same_string(record.json, 0, "tuner", tuner); }
bool had_failed(struct value row) { return autotune__had_failed(row.json, row.at); }
bool was_finalist(struct value row) { return autotune__was_finalist(row.json, row.at); }
void append_number(autotune__text *out, double value) {
    autotune__append_double(out, value);
    if (out->broken) no_memory();
}
void append_time(autotune__text *out, double ns) {
    autotune__append_time(out, ns);
    if (out->broken) no_memory();
}
void append_end(autotune__text *out, size_t start) {
    append(out, ",\"crc\":\"%08lx\"}\n", (unsigned long)autotune__crc(out->at + start, COUNT(out->at) - start));
}

/* ---- Lines ---- */

static struct line plain(const autotune__line *line) {
    struct line it = {.text = line->text,
                      .length = line->length,
                      .source = line->source,
                      .id = line->head.identity.id,
                      .fingerprint = line->head.identity.fingerprint,
                      .machine = line->head.identity.machine,
                      .tuner = line->head.identity.tuner,
                      .unfinished = line->head.unfinished,
                      .dead = line->dead};
    _Static_assert(sizeof it.date == sizeof line->head.date, "a date of the library");
    memcpy(it.date, line->head.date, sizeof it.date);
    return it;
}
bool is_sound(const char *line, size_t length) {
    autotune__head head;
    return autotune__read_head(line, length, &head) == AUTOTUNE__SOUND;
}
enum soundness add_line(size_t source, const char *line, size_t length, bool ended, const char **why) {
    autotune__reading reading = {.source = source};
    autotune__head head;
    if (ended)
        autotune__read_lines(&reading, line, length + 1);
    else
        autotune__read_end(&reading, line, length, true);
    if (reading.no_memory) no_memory();
    *why = reading.why;
    if (!reading.unsound) return reading.sound ? SOUND : BLANK;
    return autotune__read_head(line, length, &head) == AUTOTUNE__NEWER ? NEWER : UNSOUND;
}
void add_again(size_t line, size_t source) {
    autotune__line again = autotune__disk.lines[line];
    again.source = source;
    if (!autotune__add_line(&again)) no_memory();
}
size_t line_count(void) { return COUNT(autotune__disk.lines); }
struct line line_at(size_t line) {
    return plain(&autotune__disk.lines[line]);
}

uint64_t rule_id(const struct line *line) { return autotune__id_of_rule(line->tuner); }

/* ---- Misses ---- */

bool is_miss(const char *line, size_t length) {
    autotune__miss_line miss;
    return autotune__read_miss(line, length, &miss);
}
struct miss *read_misses(const char *text, size_t bytes) {
    autotune__miss_line *lines = autotune__read_misses(text, bytes);
    struct miss *misses = NULL;
    for (size_t i = 0; i < COUNT(lines); i++) {
        const char *feed = memchr(lines[i].words, '\n', bytes - (size_t)(lines[i].words - text));
        const autotune__line line = {.head = lines[i].head, .text = lines[i].words,
                                     .length = (size_t)(feed - lines[i].words)};
        const struct miss miss = {plain(&line), lines[i].length, lines[i].counts.calls, lines[i].counts.runs,
                                  lines[i].counts.first_seconds};
        PUSH(misses, miss);
    }
    AUTOTUNE__FREE_ARRAY(lines);
    return misses;
}
double worth_of(const struct miss *miss) {
    const autotune__miss_counts counts = {miss->calls, miss->runs, miss->first_seconds};
    return autotune__worth_of(&counts);
}
void append_miss(autotune__text *out, const struct miss *miss) {
    const autotune__miss_counts counts = {miss->calls, miss->runs, miss->first_seconds};
    autotune__append_miss(out, miss->line.text, miss->words, &counts, false);
    if (out->broken) no_memory();
}

/* ---- Pins ---- */

const char *pin_of(const char *tuner, const char *tuner_and_key) {
    const char *wanted = NULL;
    if (!autotune__pins_are_read) autotune__read_pins();
    for (size_t i = 0; i < COUNT(autotune__pins); i++) {
        autotune__pin *pin = &autotune__pins[i];
        pin->used = true; /* a program may use it */
        if (!wanted && (autotune__matches(pin->pattern, tuner) || autotune__matches(pin->pattern, tuner_and_key)))
            wanted = pin->wanted;
    }
    return wanted;
}
bool is_pin(const char *line, size_t equals) {
    char *copy = autotune__copy_string(line);
    if (!copy) no_memory();
    const bool is = *line != '#' && !strchr(line, '\\') && autotune__equals_of_pin(copy) == copy + equals &&
                    strlen(line + equals + 1) < AUTOTUNE__PIN_BYTES;
    autotune__free(copy);
    return is;
}

/* ---- Verifications ---- */

bool read_verification(const char *text, size_t length, struct line *line) {
    autotune__line its = {.text = text, .length = length};
    if (autotune__read_head_of("verified", text, length, &its.head) != AUTOTUNE__SOUND) return false;
    *line = plain(&its);
    return true;
}

/* ---- Files ---- */

const char *cache_path(const char *folder) {
    const char *why = NULL;
    if (folder && setenv("AUTOTUNE_CACHE_DIR", folder, 1) != 0) no_memory();
    if (autotune__find_cache()) return autotune__disk.file;
    autotune__free(autotune__cache_folder(&why));
    fail(NOT_DONE, "the cache on disk: %s; --dir names its folder, --file a file", why);
    return NULL;
}
const char *notes_path(void) { return autotune__disk.notes; }
const char *misses_path(void) {
    return autotune__find_miss_file() ? autotune__miss_file.path : NULL;
}
const char *verified_path(void) {
    static const char *path;
    if (!path && !(path = autotune__joined(autotune__disk.folder, "verify.jsonl"))) no_memory();
    return path;
}
bool may_write_cache(void) { return autotune__environment.cache <= AUTOTUNE_CACHE_ON; }
bool lock_cache(void) {
    autotune__enter_cache(); /* the lock is waited for outside of it */
    const bool locked = autotune__lock_file(false) == AUTOTUNE__HELD;
    autotune__leave_cache();
    return locked;
}
void unlock_cache(bool locked) { autotune__unlock_file(locked ? AUTOTUNE__HELD : AUTOTUNE__NO_LOCKS); }
bool append_to_file(const char *line, size_t bytes) {
    autotune__enter_cache();
    const bool written = autotune__append_line(line, bytes);
    autotune__leave_cache();
    return written;
}

bool clear_cache(bool (*is_to_clear)(const char *line, size_t length, void *user), void *user) {
    autotune__to_clear clear = autotune__begin_clear(NULL, NULL);
    clear.test = is_to_clear;
    clear.user = user;
    return autotune__clear_lines(&clear) == AUTOTUNE_OK;
}

struct visit {
    void (*visit)(const struct line *line, void *user);
    void *user;
};
static void visit_lines(const char *path, const autotune__line *lines, size_t count, void *user) {
    const struct visit *visit = user;
    (void)path;
    for (size_t i = 0; i < count; i++) {
        const struct line line = plain(&lines[i]);
        visit->visit(&line, visit->user);
    }
}
void each_note(void (*visit)(const struct line *line, void *user), void *user) {
    struct visit lines = {visit, user};
    autotune__walk_notes(visit_lines, &lines);
}
int open_to_read(const char *path) { return autotune__open_file(path, AUTOTUNE__READ); }
bool write_to_end(int file, const char *bytes, size_t count) { return autotune__write_all(file, bytes, count); }
bool replace_file(const char *path, const autotune__text *text, const char **why) {
    return autotune__write_file(path, text, why);
}
