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

const char *variable(const char *name) { return autotune__variable(name); }

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
    return value.place >= 0 && autotune__begins(value.json, value.place, with);
}
bool is_there(struct value value) { return value.place >= 0 && !is_raw(value, "null"); }
bool is_string(struct value value) { return begins(value, '"'); }
bool is_object(struct value value) { return begins(value, '{'); }
bool is_raw(struct value value, const char *text) { return autotune__is_raw(value.json, value.place, text); }
const char *raw(struct value value, size_t *length) {
    *length = 0;
    return value.place < 0 ? "" : autotune__raw(value.json, value.place, length);
}
const char *inside(struct value value, size_t *length) {
    const char *text = raw(value, length);
    if (!is_string(value)) return text;
    *length -= 2;
    return text + 1;
}
double number_at(struct value value) { return autotune__number_at(value.json, value.place); }
struct value member(struct value object, const char *name) {
    return (struct value){object.json, autotune__member(object.json, object.place, name)};
}
static bool step(struct value of, struct value *at, int (*next)(const autotune__json *json, int of, int at)) {
    *at = (struct value){of.json, next(of.json, of.place, at->place < 0 ? 0 : at->place)};
    return at->place > 0;
}
bool next_member(struct value object, struct value *name) {
    return is_object(object) && step(object, name, autotune__next_member);
}
struct value value_of(struct value name) {
    return (struct value){name.json, autotune__member_value(name.json, name.place)};
}
bool next_element(struct value array, struct value *element) { return step(array, element, autotune__next_row); }

bool is_named(struct value record, const char *tuner) { return autotune__same_string(record.json, 0, "tuner", tuner); }
static autotune__recorded_row read_row(struct value at) {
    autotune__recorded_row row = {.at = at.place};
    autotune__read_row(at.json, &row);
    return row;
}
bool had_failed(struct value row) { return read_row(row).failed; }
bool was_finalist(struct value row) { return read_row(row).finalist; }
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
                      .replaced = line->dead};
    _Static_assert(sizeof it.date == sizeof line->head.date, "a date of the library");
    memcpy(it.date, line->head.date, sizeof it.date);
    return it;
}
bool is_sound(const char *line, size_t length) {
    autotune__head head;
    return autotune__read_head("autotune", line, length, true, &head) == AUTOTUNE__SOUND;
}
enum soundness add_line(size_t source, const char *line, size_t length, bool ended, const char **why) {
    const size_t refusals = autotune__memory_refusals;
    autotune__reading reading = {.source = source};
    autotune__head head;
    autotune__read_text(&reading, line, length + ended);
    if (refusals != autotune__memory_refusals) no_memory();
    *why = reading.offset < length ? "was cut short" : reading.why;
    if (!*why) return reading.sound ? SOUND : BLANK;
    return autotune__read_head("autotune", line, length, true, &head) == AUTOTUNE__NEWER ? NEWER : UNSOUND;
}
void add_to_source(size_t line, size_t source) {
    autotune__line again = autotune__disk.lines[line];
    again.source = source; /* no source is ever forgotten, so both lines may share the text */
    if (!autotune__add_line(&again)) no_memory();
}
void append_without_tables(autotune__text *out, const struct line *line) {
    autotune__append_without_tables(out, line->text, line->length);
    if (out->broken) no_memory();
}
struct line dated_line(const struct line *line, double seconds) {
    static const char behind[] = "\",\"date\":\"";
    const size_t start = (size_t)(strstr(line->text, behind) - line->text) + sizeof behind - 1;
    autotune__text text = {NULL, false}, date = {NULL, false};
    struct line dated = *line;
    autotune__append_date(&date, (int64_t)seconds);
    if (date.broken) no_memory();
    memcpy(dated.date, date.at, DATE_BYTES);
    autotune__append_piece(&text, line->text, start);
    autotune__append_piece(&text, date.at, DATE_BYTES);
    autotune__append_piece(&text, line->text + start + DATE_BYTES,
                           line->length - AUTOTUNE__CRC_BYTES - start - DATE_BYTES);
    append_end(&text, 0);
    dated.text = keep(&text);
    autotune__free_text(&date);
    return dated;
}
size_t line_count(void) { return COUNT(autotune__disk.lines); }
struct line line_at(size_t line) {
    return plain(&autotune__disk.lines[line]);
}

uint64_t rule_id(const struct line *line) { return autotune__id_of_rule(line->tuner); }
uint64_t in_use_id(const struct line *record, bool slower) { return autotune__id_in_use(record->id, slower); }

/* ---- Misses ---- */

static bool read_miss(const char *line, size_t length, struct miss *miss) {
    autotune__line its = {.text = line, .length = length};
    autotune__json json;
    if (autotune__read_head("missed", line, length, true, &its.head) != AUTOTUNE__SOUND ||
        !autotune__parse(&json, line, length))
        return false;
    const int calls = autotune__member(&json, 0, "calls");
    *miss = (struct miss){plain(&its), (size_t)calls - strlen(",\"calls\":"), autotune__number_at(&json, calls),
                          autotune__number_in(&json, 0, "runs")};
    return autotune__is_within(miss->calls, 0, 1e300) && autotune__is_within(miss->runs, 0, 1e300);
}
bool is_miss(const char *line, size_t length) {
    struct miss miss;
    return read_miss(line, length, &miss);
}
/* Returns 0 if both lines are of one tuner, key, device and build. */
static int order_identities(const struct line *a, const struct line *b) {
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    if (a->machine != b->machine) return a->machine < b->machine ? -1 : 1;
    return a->fingerprint < b->fingerprint ? -1 : a->fingerprint > b->fingerprint;
}
static int order_misses(const void *left, const void *right) { /* equal lines: the last one comes first */
    const struct miss *a = left, *b = right;
    const int order = order_identities(&a->line, &b->line);
    return order ? order : a->line.text > b->line.text ? -1 : 1;
}
struct miss *read_misses(const char *text, size_t bytes) {
    struct miss *misses = NULL, miss;
    const char *at = text, *line;
    size_t length, kept = 0;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL)
        if (read_miss(line, length, &miss)) PUSH(misses, miss);
    if (!misses) return NULL;
    qsort(misses, COUNT(misses), sizeof *misses, order_misses);
    for (size_t i = 1; i < COUNT(misses); i++) {
        if (order_identities(&misses[kept].line, &misses[i].line)) {
            misses[++kept] = misses[i];
            continue;
        }
        misses[kept].calls += misses[i].calls;
        misses[kept].runs += misses[i].runs;
    }
    stbds_arrsetlen(misses, kept + 1);
    return misses;
}
void append_miss(autotune__text *out, const struct miss *miss) {
    const size_t start = COUNT(out->at);
    autotune__append_piece(out, miss->line.text, miss->words);
    autotune__append(out, ",\"calls\":%.0f,\"runs\":%.0f", miss->calls, miss->runs);
    autotune__append_crc(out, start);
    if (out->broken) no_memory();
}

/* ---- Pins ---- */

const char *pin_of(const char *tuner, const char *tuner_and_key) {
    const char *wanted = NULL;
    autotune__text problems = {NULL, false};
    if (!autotune__pins_are_read) autotune__read_pins(&problems);
    autotune__complain_of_all(&problems);
    for (size_t i = 0; i < COUNT(autotune__pins); i++) {
        autotune__pin *pin = &autotune__pins[i];
        pin->used = true; /* else the library reports an unused pin */
        if (!wanted && (autotune__matches(pin->pattern, tuner) || autotune__matches(pin->pattern, tuner_and_key)))
            wanted = pin->wanted;
    }
    return wanted;
}
bool is_pin(const char *line, size_t equals) {
    char *copy = autotune__copy_string(line);
    if (!copy) no_memory();
    const bool is = *line != '#' && autotune__equals_of_pin(copy) == copy + equals &&
                    strlen(line + equals + 1) < AUTOTUNE__PIN_BYTES;
    autotune__free(copy);
    return is;
}

/* ---- Verifications ---- */

bool read_verification(const char *text, size_t length, struct line *line) {
    autotune__line its = {.text = text, .length = length};
    if (autotune__read_head("verified", text, length, true, &its.head) != AUTOTUNE__SOUND) return false;
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
    autotune__lock_mutex(&autotune__cache_lock); /* while autotune__lock_file() waits, it releases this lock */
    const bool locked = autotune__lock_file(false) == AUTOTUNE__HELD;
    autotune__unlock_cache();
    return locked;
}
void unlock_cache(bool locked) { autotune__unlock_file(locked ? AUTOTUNE__HELD : AUTOTUNE__NO_LOCKS); }
bool append_to_file(const char *line, size_t bytes) {
    autotune__text text = {NULL, false};
    autotune__append_piece(&text, line, bytes);
    autotune__lock_mutex(&autotune__cache_lock);
    const bool written = autotune__append_line(&text);
    autotune__unlock_cache();
    autotune__free_text(&text);
    return written;
}

bool clear_cache(bool (*is_to_clear)(const char *line, size_t length, void *user), void *user) {
    autotune__to_clear clear = {.test = is_to_clear, .user = user};
    return autotune__clear_lines(&clear) == AUTOTUNE_OK;
}

struct visit {
    void (*visit)(const struct line *line, void *user);
    void *user;
};
static bool visit_note(const char *path, autotune__line *note, void *user) {
    const struct visit *visit = user;
    const struct line line = plain(note);
    (void)path;
    visit->visit(&line, visit->user);
    return true;
}
void each_note(void (*visit)(const struct line *line, void *user), void *user) {
    struct visit lines = {visit, user};
    autotune__walk_notes(visit_note, &lines);
}
const char *problem_of_file(const char *path, size_t most) {
    autotune__file_facts facts;
    if (!autotune__facts_of_path(path, &facts) || facts.is_folder) return NULL;
    if (!facts.is_regular) return "is no regular file";
    if (facts.bytes <= (most ? most : autotune__most_bytes())) return NULL;
    return "is larger than it becomes by tuning, and is not read; --file reads it all the same";
}
size_t misses_file_limit(void) { return AUTOTUNE__MISSES_READ; }
int open_to_read(const char *path) { return autotune__open_file(path, AUTOTUNE__READ); }
bool write_to_end(int file, const char *bytes, size_t count) { return autotune__write_all(file, bytes, count); }
bool replace_file(const char *path, const autotune__text *text, const char **why) {
    return autotune__write_file(path, text, why);
}
