/* autotune.c - the command `autotune`: what tuning found out, from the cache on disk and from files that autotune_save() wrote

   It reads with the library's own functions, which it has in itself: sections "Records as text" and "The cache on disk" of autotune.h.
   docs/cache-format.md describes the file, autotune.1 the command.

   Top to bottom: messages and memory, files and their records, text for people and for programs, the commands, the command line.
   Results go to standard output: in columns on a terminal, separated by tabs elsewhere. Messages go to standard error. Whatever comes
   from a file is shown with its control characters escaped. */
#define _DEFAULT_SOURCE /* timegm */
#define AUTOTUNE_STATIC
#define AUTOTUNE_NO_SHORT_NAMES
#include "autotune.h"
#ifdef AUTOTUNE_NO_CACHE
#error "the command reads the cache on disk: it needs jsmn"
#endif
#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <langinfo.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

/* ---- Messages and memory ---------------------------------------------------------------------------------------------------------- */

/* What the command ends with. */
enum {
    DONE,
    FAULTY,  /* a line of a file was unsound and skipped, or what was asked for is not there; the rest was done */
    NOT_DONE /* a wrong command line, a file that cannot be read or written, no memory */
};

static struct options {
    const char *file, *dir, *output, *format, *name, *axes;
    bool all, cache, terminal;
} options;

static __attribute__((__format__(__printf__, 2, 3))) int fail(int status, const char *format, ...) { /* returns the status */
    va_list list;
    fputs("autotune: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}
static _Noreturn void no_memory(void) { exit(fail(NOT_DONE, "out of memory")); }

#define PUSH(array, ...) (AUTOTUNE__PUSH(array, __VA_ARGS__) ? (void)0 : no_memory())
#define COUNT(array)     ((array) ? stbds_arrlenu(array) : 0)

/* A text as a string that is kept until the command ends. */
static char **kept;
static const char *keep(autotune__text *text) {
    autotune__append(text, "%s", "");
    if (text->broken) no_memory();
    PUSH(kept, text->at);
    return text->at;
}

/* ---- Text for people -------------------------------------------------------------------------------------------------------------- */

/* The inside of a JSON string, or any text. Escapes of the file stay as they are but for \", so that what is shown is one line, and can be
   given to the command again. */
static void append_shown(autotune__text *out, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *const end = at + length;
    while (at < end) {
        if (*at == '\\' && at + 1 < end && at[1] == '\\') {
            autotune__append(out, "\\\\");
            at += 2;
        } else if (*at == '\\' && at + 1 < end && at[1] == '"')
            at++;
        else
            at += autotune__append_visible(out, at, (size_t)(end - at));
    }
}
static const char *shown(const char *text) {
    autotune__text out = {NULL, false};
    append_shown(&out, text, strlen(text));
    return keep(&out);
}
static void append_value(autotune__text *out, const autotune__json *json, int at) {
    const jsmntok_t *token = &json->token[at];
    append_shown(out, json->text + token->start, (size_t)(token->end - token->start));
}
static const char *value_at(const autotune__json *json, int at) { /* "-": there is none, or null */
    autotune__text out = {NULL, false};
    if (at < 0 || autotune__is_raw(json, at, "null", 4))
        autotune__append(&out, "-");
    else
        append_value(&out, json, at);
    return keep(&out);
}
static bool is_value(const autotune__json *json, int at, const char *shown_value) {
    autotune__text out = {NULL, false};
    append_value(&out, json, at);
    const bool is = COUNT(out.at) == strlen(shown_value) && (!out.at || !memcmp(out.at, shown_value, strlen(shown_value)));
    if (out.broken) no_memory();
    autotune__free_text(&out);
    return is;
}
/* {"tile":32,"order":"ijk"} as tile=32,order=ijk, or its values alone; "-": it has none. */
static const char *pairs_at(const autotune__json *json, int object, bool names) {
    autotune__text out = {NULL, false};
    int at = 0;
    if (object < 0 || json->token[object].type != JSMN_OBJECT) return value_at(json, object);
    while ((at = autotune__next_member(json, object, at)) > 0) {
        if (COUNT(out.at)) autotune__append(&out, ",");
        if (names) {
            append_value(&out, json, at);
            autotune__append(&out, "=");
        }
        append_value(&out, json, at + 1);
    }
    if (!COUNT(out.at)) autotune__append(&out, "-");
    return keep(&out);
}
static const char *time_of(double ns) {
    autotune__text out = {NULL, false};
    autotune__append_time(&out, ns);
    return keep(&out);
}
static __attribute__((__format__(__printf__, 2, 3))) const char *number(double value, const char *format, ...) { /* "-": not measured */
    autotune__text out = {NULL, false};
    va_list list;
    va_start(list, format);
    if (!autotune__is_definite(value))
        autotune__append(&out, "-");
    else
        autotune__append_list(&out, format, list);
    va_end(list);
    return keep(&out);
}
#define NUMBER(format, value) number(value, format, value)

static const char *age_of(const char *date) { /* 3 days; "-" where the date is no past time */
    struct tm utc = {.tm_year = 0};
    const bool is_date =
        sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour, &utc.tm_min, &utc.tm_sec) == 6;
    static const struct unit {
        double seconds;
        const char *name;
    } units[] = {{365.25 * 86400, "year"}, {30.4 * 86400, "month"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    autotune__text out = {NULL, false};
    double seconds;
    size_t i = 0;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    seconds = difftime(time(NULL), timegm(&utc));
    if (!is_date || seconds < 0) return "-";
    while (i < 5 && seconds < units[i].seconds) i++;
    const int count = (int)(seconds / units[i].seconds);
    autotune__append(&out, "%d %s%s", count, units[i].name, count == 1 ? "" : "s");
    return keep(&out);
}
/* A bar of up to twenty columns, to an eighth of one where the terminal has the characters. */
static const char *bar(double part) {
    enum { COLUMNS = 20 };
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const bool fine = !strcmp(nl_langinfo(CODESET), "UTF-8");
    autotune__text out = {NULL, false};
    int length = part > 0 && part <= 1 ? (int)(part * COLUMNS * 8 + 0.5) : 0;
    if (part > 0 && part <= 1 && length == 0) length = 1;
    for (int column = 0; column < length / 8; column++) autotune__append(&out, fine ? "█" : "#");
    if (length % 8) autotune__append(&out, "%s", fine ? eighths[length % 8] : length % 8 >= 4 ? "#" : "");
    return keep(&out);
}

/* Tables: cells in rows (of which a row may be given more than there are columns), in columns as wide as they must be or separated by tabs.
 */
struct table {
    const char **cells; /* an stb_ds array */
    size_t columns;
    unsigned right; /* a bit for each column that is flush right */
};

static bool on_terminal(void) { return isatty(STDOUT_FILENO) != 0; }
static void add_row(struct table *table, const char *const *cells) {
    for (size_t column = 0; column < table->columns; column++) PUSH(table->cells, cells[column]);
}
#define ADD_ROW(table, ...) add_row(table, (const char *const[]){__VA_ARGS__})
static size_t width_of(const char *text) { /* in characters */
    size_t width = 0;
    for (; *text; text++) width += (*text & 0xC0) != 0x80;
    return width;
}
static void print_cell(const struct table *table, size_t cell, const size_t *widths) {
    const size_t column = cell % table->columns;
    const int gap = (int)(widths[column] - width_of(table->cells[cell]));
    const bool right = table->right >> column & 1, last = column + 1 == table->columns;
    printf("%*s%s%*s%s", right ? gap : 0, "", table->cells[cell], right || last ? 0 : gap, "", last ? "\n" : "  ");
}
static void print_table(struct table *table) {
    size_t widths[16] = {0};
    const size_t cells = COUNT(table->cells);
    for (size_t i = 0; i < cells; i++) {
        const size_t width = width_of(table->cells[i]);
        if (width > widths[i % table->columns]) widths[i % table->columns] = width;
    }
    for (size_t i = 0; i < cells; i++) {
        if (on_terminal())
            print_cell(table, i, widths);
        else
            printf("%s%s", table->cells[i], (i + 1) % table->columns ? "\t" : "\n");
    }
    stbds_arrfree(table->cells);
}

/* ---- Files and their records ------------------------------------------------------------------------------------------------------ */

struct input {        /* a file that was read. Its number is the library's source of its lines; 0 is a file that the library reads */
    const char *name; /* as shown */
    char *text;
    size_t bytes, sound, unsound;
};
struct record {  /* a line that counts */
    size_t line; /* of autotune__cache.lines */
    const char *tuner, *key;
};

static struct input *inputs;
static size_t *line_numbers; /* in their files, of autotune__cache.lines */
static autotune__text newer; /* lines of later versions, as they stand */
static FILE *faults_to;      /* where unsound lines are reported; NULL: standard error, as messages */
static size_t faults;

static const autotune__line *line_of(const struct record *record) { return &autotune__cache.lines[record->line]; }
static void report(const struct input *input, size_t number, const char *why) {
    faults++;
    if (faults_to)
        fprintf(faults_to, "%s:%zu: this line %s\n", input->name, number, why);
    else
        fail(FAULTY, "%s:%zu: this line %s and is skipped", input->name, number, why);
}

static char *read_to_end(int file, size_t *filled) { /* of a pipe, too. NULL: errno says why */
    size_t room = 64 << 10;
    char *text = malloc(room);
    ssize_t more = 1;
    *filled = 0;
    while (more > 0) {
        if (*filled == room) text = realloc(text, room *= 2);
        if (!text) no_memory();
        do more = read(file, text + *filled, room - *filled);
        while (more < 0 && errno == EINTR);
        if (more > 0) *filled += (size_t)more;
    }
    if (more == 0) return text;
    free(text);
    return NULL;
}
static bool read_path(const char *path, struct input *input) { /* false: errno says why */
    const bool is_stdin = !strcmp(path, "-");
    const int file = is_stdin ? STDIN_FILENO : autotune__open_path(path, O_RDONLY, 0);
    if (file < 0) return false;
    input->name = is_stdin ? "standard input" : shown(path);
    input->text = read_to_end(file, &input->bytes);
    const int error = errno;
    if (!is_stdin) close(file);
    errno = error;
    return input->text != NULL;
}
/* What is wrong with the members of a record; NULL: nothing. */
static const char *problem_of(const autotune__json *json) {
    static const struct {
        const char *name, *problem;
        jsmntype_t type;
    } needed[] = {{"tuner", "has no name of a tuner", JSMN_STRING},
                  {"key", "has no key", JSMN_OBJECT},
                  {"verdict", "has no verdict", JSMN_STRING},
                  {"device", "has no device", JSMN_STRING}};
    const int winner = autotune__member(json, 0, "winner");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        const int at = autotune__member(json, 0, needed[i].name);
        if (at < 0 || json->token[at].type != needed[i].type) return needed[i].problem;
    }
    if (winner < 0 || (json->token[winner].type != JSMN_OBJECT && !autotune__is_raw(json, winner, "null", 4))) return "has no winner";
    return NULL;
}
/* Of a line that the library's reader takes for sound, for it looks no further than the head and the checksum. */
static const char *problem_of_line(const char *line, size_t length) {
    autotune__head head;
    autotune__json json;
    if (autotune__read_head(line, length, &head) != AUTOTUNE__SOUND) return NULL;
    if (!autotune__parse(&json, line, length)) {
        if (json.count) no_memory();
        return "is no object of JSON";
    }
    const char *problem = problem_of(&json);
    autotune__free_json(&json);
    return problem;
}
/* Every other line goes through the library's reader, which notes for each whether a later one stands for it. */
static void read_records(struct input *input) {
    autotune__reading reading = {.source = stbds_arrlenu(inputs) + 1, .keeps_text = true};
    size_t at = 0;
    while (at < input->bytes) {
        const char *line = input->text + at, *feed = memchr(line, '\n', input->bytes - at);
        const size_t length = feed ? (size_t)(feed - line) : input->bytes - at, sound = reading.sound;
        const char *problem = problem_of_line(line, length);
        autotune__head head;
        if (problem) {
            report(input, ++reading.lines, problem);
            input->unsound++;
        } else if (feed)
            autotune__read_lines(&reading, line, length + 1);
        else
            autotune__read_end(&reading, line, length, true);
        if (reading.no_memory) no_memory();
        if (reading.unsound) {
            report(input, reading.lines, reading.why);
            if (autotune__read_head(line, length, &head) == AUTOTUNE__NEWER) autotune__append(&newer, "%.*s\n", (int)length, line);
            reading.unsound = 0;
            input->unsound++;
        }
        if (reading.sound > sound) PUSH(line_numbers, reading.lines);
        at += length + 1;
    }
    input->sound = reading.sound;
    PUSH(inputs, *input);
}

/* The cache of the user who runs the command, or that of --dir. NULL: a message said why there is none. */
static const char *cache_path(void) {
    const char *why = NULL;
    if (options.dir && setenv("AUTOTUNE_CACHE_DIR", options.dir, 1) != 0) no_memory();
    if (autotune__find_cache()) return autotune__cache.file;
    autotune__free(autotune__cache_folder(&why));
    fail(NOT_DONE, "the cache on disk: %s; --dir names its folder, --file a file", why);
    return NULL;
}
/* A line without its end may be one that somebody writes: then the file is read again when nobody does. */
static bool read_cache(const char *path, struct input *input) {
    if (!read_path(path, input)) return false;
    if (!input->bytes || input->text[input->bytes - 1] == '\n') return true;
    const autotune__locked locked = autotune__lock_file(0);
    free(input->text);
    const bool done = read_path(path, input);
    autotune__unlock_file(locked);
    return done;
}
/* The file that the options name. A cache that is not there yet is empty. */
static int read_named(void) {
    struct input input = {.name = NULL};
    const char *path = options.file ? options.file : cache_path();
    if (!path) return NOT_DONE;
    if (options.file ? !read_path(path, &input) : !read_cache(path, &input)) {
        if (options.file || errno != ENOENT) return fail(NOT_DONE, "%s: %s", shown(path), strerror(errno));
        input.name = shown(path);
        fail(DONE, "%s: there is none yet", input.name);
    }
    read_records(&input);
    return DONE;
}
static int read_files(char **paths) {
    int status = DONE;
    for (; *paths; paths++) {
        struct input input = {.name = NULL};
        if (read_path(*paths, &input))
            read_records(&input);
        else
            status = fail(NOT_DONE, "%s: %s", shown(*paths), strerror(errno));
    }
    return status;
}

static autotune__json open_line(size_t line) {
    const autotune__line *text = &autotune__cache.lines[line];
    autotune__json json;
    if (!autotune__parse(&json, text->text, text->length)) no_memory(); /* it was parsed before */
    return json;
}
/* Is it of the tuner (a name, or a pattern as the shell has them) and of the key (as shown, or its values alone)? NULL: of any. */
static bool is_of(const autotune__json *json, const char *tuner, const char *key) {
    const int object = autotune__member(json, 0, "key");
    const char *name = value_at(json, autotune__member(json, 0, "tuner"));
    size_t length;
    if (tuner && strcmp(tuner, name) && !autotune__same_string(json, "tuner", tuner) && fnmatch(tuner, name, 0) != 0) return false;
    if (!key || !strcmp(key, pairs_at(json, object, true)) || !strcmp(key, pairs_at(json, object, false))) return true;
    autotune__raw(json, object, &length);
    return autotune__is_raw(json, object, key, strlen(key));
}
static int compare_naturally(const char *a, const char *b) { /* n=64 before n=512 */
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const size_t m = strspn(a, "0123456789"), n = strspn(b, "0123456789");
            const int order = m != n ? (m < n ? -1 : 1) : memcmp(a, b, n);
            if (order) return order;
            a += m;
            b += n;
        } else if (*a != *b)
            break;
        else
            a++, b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
static int order_records(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    if (!order) order = memcmp(line_of(a)->head.date, line_of(b)->head.date, AUTOTUNE__DATE_BYTES);
    return order ? order : a->line < b->line ? -1 : 1;
}
/* The records that count, by tuner, key and date. arguments: [TUNER [KEY]]. NULL: there are none. */
static struct record *select_records(char **arguments) {
    const char *tuner = arguments[0], *key = tuner ? arguments[1] : NULL;
    struct record *records = NULL;
    for (size_t line = 0; line < COUNT(autotune__cache.lines); line++) {
        if (autotune__cache.lines[line].dead) continue;
        autotune__json json = open_line(line);
        if (is_of(&json, tuner, key)) {
            const struct record found = {line, value_at(&json, autotune__member(&json, 0, "tuner")),
                                         pairs_at(&json, autotune__member(&json, 0, "key"), true)};
            PUSH(records, found);
        }
        autotune__free_json(&json);
    }
    if (records) qsort(records, stbds_arrlenu(records), sizeof *records, order_records);
    return records;
}
static int none_found(char **arguments) {
    const char *name = stbds_arrlenu(inputs) == 1 ? inputs[0].name : "the files";
    if (!arguments[0]) return DONE;
    if (!arguments[1]) return fail(FAULTY, "%s: no record of the tuner '%s'; 'autotune list' shows the names", name, shown(arguments[0]));
    return fail(FAULTY, "%s: no record of the tuner '%s' with the key '%s'; 'autotune list' shows names and keys", name,
                shown(arguments[0]), shown(arguments[1]));
}

/* The time of the winner, or of a row: the median of the duel, or the minimum where it left the race before. */
static double ns_at(const autotune__json *json, int object) {
    const double median = autotune__number_at(json, autotune__member(json, object, "median_ns"));
    return autotune__is_definite(median) ? median : autotune__number_at(json, autotune__member(json, object, "min_ns"));
}
static double speedup_of(const autotune__json *json) { /* over the first configuration */
    const double first = autotune__number_at(json, autotune__member(json, 0, "default_ns")), ns = ns_at(json, 0);
    return autotune__is_definite(first) && autotune__is_definite(ns) && ns > 0 ? first / ns : AUTOTUNE__NEVER;
}
static const char *date_of(const struct record *record) {
    autotune__text out = {NULL, false};
    append_shown(&out, line_of(record)->head.date, AUTOTUNE__DATE_BYTES);
    return keep(&out);
}
static autotune__json open_record(const struct record *record) { return open_line(record->line); }

/* Rows of the launch table, the winner first, then by time, failures last. */
struct row {
    int at;
    double ns;
    bool winner, failed;
};
static int order_rows(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    const bool a_timed = !a->failed && autotune__is_definite(a->ns), b_timed = !b->failed && autotune__is_definite(b->ns);
    if (a->winner != b->winner) return a->winner ? -1 : 1;
    if (a_timed != b_timed) return a_timed ? -1 : 1;
    if (a_timed && (a->ns < b->ns || a->ns > b->ns)) return a->ns < b->ns ? -1 : 1;
    return a->at - b->at;
}
static struct row *rows_of(const autotune__json *json) {
    const int table = autotune__member(json, 0, "configurations");
    struct row *rows = NULL;
    int at = 0;
    while ((at = autotune__next_row(json, table, at)) > 0) {
        const struct row row = {at, ns_at(json, at), autotune__is_raw(json, autotune__member(json, at, "stage"), "\"winner\"", 8),
                                autotune__had_failed(json, at)};
        PUSH(rows, row);
    }
    if (rows) qsort(rows, stbds_arrlenu(rows), sizeof *rows, order_rows);
    return rows;
}

/* Writes what a command made: to --output, which is replaced as a whole, or to standard output. */
static int deliver(autotune__text *text) {
    const char *why = "";
    const size_t bytes = COUNT(text->at);
    if (text->broken) no_memory();
    if (!options.output || !strcmp(options.output, "-"))
        fwrite(text->at ? text->at : "", 1, bytes, stdout);
    else if (!autotune__write_to(options.output, text, &why))
        return fail(NOT_DONE, "%s: %s", shown(options.output), why);
    return DONE;
}

/* ---- The journal ------------------------------------------------------------------------------------------------------------------ */

struct crash { /* a configuration whose first launch did not come back */
    const char *tuner, *key, *config, *date; /* of the last time */
    size_t times;
};
static struct crash *crashes;

static bool is_crash(const autotune__json *json) { /* and no record */
    const int tuner = autotune__member(json, 0, "tuner"), key = autotune__member(json, 0, "key"),
              config = autotune__member(json, 0, "config");
    return tuner > 0 && key > 0 && config > 0 && json->token[tuner].type == JSMN_STRING && json->token[key].type == JSMN_OBJECT &&
           json->token[config].type == JSMN_OBJECT;
}
static void add_crash(const struct crash *crash) {
    for (size_t i = 0; i < COUNT(crashes); i++) {
        if (strcmp(crashes[i].tuner, crash->tuner) || strcmp(crashes[i].key, crash->key) || strcmp(crashes[i].config, crash->config))
            continue;
        crashes[i].date = crash->date;
        crashes[i].times++;
        return;
    }
    PUSH(crashes, *crash);
}
static void read_journal(const char *path, const autotune__line *lines, size_t count, void *arguments) {
    char *const *names = arguments; /* [TUNER [KEY]] */
    (void)path;
    for (size_t i = 0; i < count; i++) {
        autotune__json json;
        autotune__text date = {NULL, false};
        if (!autotune__parse(&json, lines[i].text, lines[i].length)) {
            if (json.count) no_memory();
            continue;
        }
        append_shown(&date, lines[i].head.date, AUTOTUNE__DATE_BYTES);
        const struct crash crash = {value_at(&json, autotune__member(&json, 0, "tuner")),
                                    pairs_at(&json, autotune__member(&json, 0, "key"), true),
                                    pairs_at(&json, autotune__member(&json, 0, "config"), true), keep(&date), 1};
        if (is_crash(&json) && is_of(&json, names[0], names[0] ? names[1] : NULL)) add_crash(&crash);
        autotune__free_json(&json);
    }
}
static int order_crashes(const void *left, const void *right) {
    const struct crash *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    return order ? order : compare_naturally(a->config, b->config);
}
/* The journal stands beside the cache on disk; a file that the user named has none. */
static void read_journals(char **arguments) {
    if (options.file || !cache_path()) return;
    autotune__walk_journals(read_journal, arguments);
    if (crashes) qsort(crashes, stbds_arrlenu(crashes), sizeof *crashes, order_crashes);
}

/* ---- list, show, check ------------------------------------------------------------------------------------------------------------ */

static void list_record(struct table *table, const struct record *record) {
    autotune__json json = open_record(record);
    const char *winner = pairs_at(&json, autotune__member(&json, 0, "winner"), true);
    const char *verdict = value_at(&json, autotune__member(&json, 0, "verdict"));
    const char *device = value_at(&json, autotune__member(&json, 0, "device"));
    const double ns = ns_at(&json, 0), speedup = speedup_of(&json);
    if (on_terminal())
        ADD_ROW(table, record->tuner, record->key, winner, time_of(ns), NUMBER("%.2f x", speedup), verdict, age_of(date_of(record)),
                device);
    else
        ADD_ROW(table, record->tuner, record->key, winner, NUMBER("%.10g", ns), NUMBER("%.4g", speedup), verdict, date_of(record), device);
    autotune__free_json(&json);
}
static int list(char **arguments) {
    struct table table = {NULL, 8, 1 << 3 | 1 << 4 | 1 << 6};
    bool devices = false;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    for (size_t i = 1; i < stbds_arrlenu(records); i++)
        devices = devices || line_of(&records[i])->head.identity.machine != line_of(&records[0])->head.identity.machine;
    if (on_terminal() && !devices) table.columns = 7;
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "WINNER", "TIME", "SPEED-UP", "VERDICT", "AGE", "DEVICE");
    for (size_t i = 0; i < stbds_arrlenu(records); i++) list_record(&table, &records[i]);
    print_table(&table);
    stbds_arrfree(records);
    return DONE;
}

static const char *count_at(const autotune__json *json, const char *member) { return value_at(json, autotune__member(json, 0, member)); }
static void show_summary(const struct record *record, const autotune__json *json) {
    const double lead = autotune__number_at(json, autotune__member(json, 0, "lead"));
    const double low = autotune__number_at(json, autotune__member(json, 0, "lead_low"));
    const double high = autotune__number_at(json, autotune__member(json, 0, "lead_high"));
    const double speedup = speedup_of(json), seconds = autotune__number_at(json, autotune__member(json, 0, "seconds"));
    const char *age = age_of(date_of(record));
    const int doubt = autotune__member(json, 0, "doubt");
    printf("%s  %s\n", record->tuner, record->key);
    printf("  winner   %s, %s", pairs_at(json, autotune__member(json, 0, "winner"), true), time_of(ns_at(json, 0)));
    if (autotune__is_definite(speedup)) printf(", %.2f x as fast as the first configuration", speedup);
    printf("\n  verdict  %s", count_at(json, "verdict"));
    if (doubt > 0 && json->token[doubt].type == JSMN_STRING)
        printf(": %s", value_at(json, doubt));
    else if (autotune__is_definite(lead))
        printf(", the second takes %.2f %% longer", 100 * lead);
    if (autotune__is_definite(low)) printf(" (95 %%: %.2f to %.2f)", 100 * low, 100 * high);
    printf("\n  race     %s of %s tried, %s failed, %s launches, %s s\n", count_at(json, "tried"), count_at(json, "space_size"),
           count_at(json, "failed"), count_at(json, "launches"), NUMBER(seconds < 1000 ? "%.3g" : "%.0f", seconds));
    printf("  made     %s, ", date_of(record));
    if (*age != '-') printf("%s ago, ", age);
    printf("by %s\n", count_at(json, "compiler"));
    printf("  device   %s\n\n", count_at(json, "device"));
}
static void show_row(struct table *table, const struct record *record, const autotune__json *json, const struct row *row, double best) {
    const char *config = pairs_at(json, autotune__member(json, row->at, "config"), true);
    const char *stage = value_at(json, autotune__member(json, row->at, "stage")),
               *state = value_at(json, autotune__member(json, row->at, "state"));
    const char *launches = value_at(json, autotune__member(json, row->at, "launches"));
    const char *reason = value_at(json, autotune__member(json, row->at, "reason"));
    if (on_terminal() && row->failed)
        ADD_ROW(table, config, "-", "", "", state, launches, reason);
    else if (on_terminal())
        ADD_ROW(table, config, time_of(row->ns), NUMBER("%.2f x", autotune__is_definite(row->ns) ? row->ns / best : AUTOTUNE__NEVER), bar(best / row->ns), stage, launches, "");
    else
        ADD_ROW(table, record->tuner, record->key, config, NUMBER("%.10g", row->failed ? AUTOTUNE__NEVER : row->ns),
                value_at(json, autotune__member(json, row->at, "min_ns")), value_at(json, autotune__member(json, row->at, "median_ns")),
                stage, state, launches, reason);
}
static void show_record(const struct record *record) {
    autotune__json json = open_record(record);
    struct row *rows = rows_of(&json);
    struct table table = {NULL, on_terminal() ? 7 : 10, 1 << 1 | 1 << 2 | 1 << 5};
    double best = AUTOTUNE__NEVER;
    bool failures = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!rows[i].failed && rows[i].ns < best) best = rows[i].ns;
        failures = failures || rows[i].failed;
    }
    if (on_terminal() && !failures) table.columns = 6;
    if (on_terminal()) show_summary(record, &json);
    if (on_terminal() && rows) ADD_ROW(&table, "CONFIGURATION", "TIME", "TO BEST", "SPEED", "LEFT AT", "LAUNCHES", "REASON");
    for (size_t i = 0; i < COUNT(rows); i++) show_row(&table, record, &json, &rows[i], best);
    print_table(&table);
    stbds_arrfree(rows);
    autotune__free_json(&json);
}
/* In the columns of show_record(), with the launches that were lost. */
static void show_crashes(void) {
    struct table table = {NULL, on_terminal() ? 5 : 10, 1 << 3};
    if (on_terminal()) puts("Lost: the first launch did not come back. Tried last; skipped after two to four runs in a row");
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "CONFIGURATION", "LOST", "LAST TIME");
    for (size_t i = 0; i < stbds_arrlenu(crashes); i++) {
        const struct crash *crash = &crashes[i];
        const char *times = NUMBER("%.0f", (double)crash->times);
        if (on_terminal())
            ADD_ROW(&table, crash->tuner, crash->key, crash->config, times, crash->date);
        else
            ADD_ROW(&table, crash->tuner, crash->key, crash->config, "-", "-", "-", "screen", "lost", times, "did not come back");
    }
    print_table(&table);
}
static int show(char **arguments) {
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    read_journals(arguments);
    if (!records && !crashes) return none_found(arguments);
    for (size_t i = 0; i < COUNT(records); i++) {
        if (i && on_terminal()) putchar('\n');
        show_record(&records[i]);
    }
    if (records && crashes && on_terminal()) putchar('\n');
    if (crashes) show_crashes();
    stbds_arrfree(records);
    return DONE;
}

static int check(char **arguments) {
    int status;
    faults_to = stdout;
    status = *arguments ? read_files(arguments) : read_named();
    if (status == NOT_DONE && !inputs) return status;
    for (size_t i = 0; i < stbds_arrlenu(inputs); i++) {
        size_t dead = 0;
        for (size_t line = 0; line < COUNT(autotune__cache.lines); line++)
            dead += autotune__cache.lines[line].source == i + 1 && autotune__cache.lines[line].dead;
        printf("%s: records %zu, replaced by later ones %zu, unsound lines %zu\n", inputs[i].name, inputs[i].sound, dead,
               inputs[i].unsound);
    }
    if (!*arguments) read_journals(arguments);
    for (size_t i = 0; i < COUNT(crashes); i++)
        printf("%s: %s %s %s: did not come back from its first launch, %zu time%s, last %s\n", shown(autotune__cache.journals),
               crashes[i].tuner, crashes[i].key, crashes[i].config, crashes[i].times, crashes[i].times == 1 ? "" : "s", crashes[i].date);
    return status;
}

/* ---- export ----------------------------------------------------------------------------------------------------------------------- */

static void append_raw(autotune__text *out, const autotune__json *json, int at) {
    size_t length;
    const char *raw = autotune__raw(json, at, &length);
    autotune__append(out, "%.*s", (int)length, raw);
}

/* A line for a program: without the launch table, and with the checksum that it then has. */
static void append_short_record(autotune__text *out, const autotune__json *json) {
    const size_t start = COUNT(out->at);
    int at = 0;
    while ((at = autotune__next_member(json, 0, at)) > 0) {
        if (autotune__is_raw(json, at, "\"configurations\"", 16) || autotune__is_raw(json, at, "\"crc\"", 5)) continue;
        autotune__append(out, COUNT(out->at) == start ? "{" : ",");
        append_raw(out, json, at);
        autotune__append(out, ":");
        append_raw(out, json, at + 1);
    }
    if (out->broken) no_memory();
    autotune__append(out, ",\"crc\":\"%08lx\"}\n", (unsigned long)autotune__crc(out->at + start, stbds_arrlenu(out->at) - start));
}
static void append_literal(autotune__text *out, const char *text, size_t length) { /* in lines of some 120 columns */
    size_t column = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (column == 0) autotune__append(out, "    \"");
        if (c == '\n')
            autotune__append(out, "\\n");
        else if (c == '"' || c == '\\' || c == '?')
            autotune__append(out, "\\%c", c); /* a question mark could begin a trigraph */
        else if (c < 0x20 || c >= 0x7F)
            autotune__append(out, "\\%03o", c);
        else
            autotune__append(out, "%c", c);
        if (++column >= 110 || c == '\n' || i + 1 == length) {
            autotune__append(out, "\"\n");
            column = 0;
        }
    }
}
static void append_comment(autotune__text *out, const char *text) { /* without what would begin or end one */
    for (; *text; text++)
        autotune__append(out, (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*') ? "%c " : "%c", *text);
}
static bool is_identifier(const char *name) {
    if (isdigit((unsigned char)*name) || !*name) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}
static int export_c(autotune__text *out, const struct record *records) {
    const char *name = options.name ? options.name : "autotune_winners";
    autotune__text lines = {NULL, false};
    if (!is_identifier(name)) return fail(NOT_DONE, "--name '%s' is no identifier of C", shown(name));
    autotune__append(
        out,
        "/* Winners that autotune found. Made by `autotune export --format c`; to be loaded before the first call that is tuned:\n\n"
        "       autotune_load_text(%s, sizeof %s - 1);\n\n",
        name, name);
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        if (!line_of(&records[i])->head.unfinished) {
            append_short_record(&lines, &json);
            autotune__append(out, "   ");
            append_comment(out, records[i].tuner);
            autotune__append(out, "  ");
            append_comment(out, records[i].key);
            autotune__append(out, "  ");
            append_comment(out, pairs_at(&json, autotune__member(&json, 0, "winner"), true));
            autotune__append(out, "\n");
        }
        autotune__free_json(&json);
    }
    autotune__append(out,
                     "*/\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
                     "static const char %s[] =\n",
                     name);
    if (lines.broken) no_memory();
    if (COUNT(lines.at))
        append_literal(out, lines.at, stbds_arrlenu(lines.at));
    else
        autotune__append(out, "    \"\"\n");
    autotune__append(out, "    ;\n#pragma GCC diagnostic pop\n");
    autotune__free_text(&lines);
    return DONE;
}

/* Which of the names, or values, it is; a new one is added. */
static size_t index_of(const char ***names, const autotune__json *json, int at) {
    autotune__text text = {NULL, false};
    size_t i = 0;
    append_value(&text, json, at);
    autotune__append(&text, "%s", "");
    if (text.broken) no_memory();
    while (i < COUNT(*names) && strcmp((*names)[i], text.at) != 0) i++;
    if (i < COUNT(*names))
        autotune__free_text(&text);
    else {
        const char *name = keep(&text);
        PUSH(*names, name);
    }
    return i;
}
/* Columns: the names that any record has in its keys, or in its configurations. */
static void add_names(const char ***names, const autotune__json *json, int object) {
    int at = 0;
    while (object > 0 && json->token[object].type == JSMN_OBJECT && (at = autotune__next_member(json, object, at)) > 0)
        index_of(names, json, at);
}
static void append_field(autotune__text *out, const char *field) { /* a comma before it, and quotes where RFC 4180 asks for them */
    const bool quoted = strpbrk(field, ",\"\r\n") != NULL;
    autotune__append(out, quoted ? ",\"" : ",");
    for (; *field; field++) autotune__append(out, *field == '"' ? "\"\"" : "%c", *field);
    if (quoted) autotune__append(out, "\"");
}
static void append_member_field(autotune__text *out, const autotune__json *json, int at) { /* empty: there is none, or null */
    append_field(out, at < 0 || autotune__is_raw(json, at, "null", 4) ? "" : value_at(json, at));
}
static void append_named_fields(autotune__text *out, const autotune__json *json, int object, const char **names) {
    int *values = autotune__allocate(COUNT(names) * sizeof *values), at = 0;
    if (!values) no_memory();
    while (object > 0 && json->token[object].type == JSMN_OBJECT && (at = autotune__next_member(json, object, at)) > 0)
        values[index_of(&names, json, at)] = at + 1; /* add_names() has seen them all */
    for (size_t i = 0; i < COUNT(names); i++) append_member_field(out, json, values[i] ? values[i] : -1);
    autotune__free(values);
}
static int export_csv(autotune__text *out, const struct record *records) { /* a line for each configuration */
    static const char *const of_record[] = {"tuner", "device", "verdict"}, *const of_row[] = {"stage",  "state",     "launches",
                                                                                              "min_ns", "median_ns", "reason"};
    const char **key_names = NULL, **axes = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        const int table = autotune__member(&json, 0, "configurations");
        add_names(&key_names, &json, autotune__member(&json, 0, "key"));
        for (int at = 0; (at = autotune__next_row(&json, table, at)) > 0;) add_names(&axes, &json, autotune__member(&json, at, "config"));
        autotune__free_json(&json);
    }
    autotune__append(out, "date");
    for (size_t i = 0; i < sizeof of_record / sizeof *of_record; i++) append_field(out, of_record[i]);
    for (size_t i = 0; i < COUNT(key_names); i++) append_field(out, number(0, "key.%s", key_names[i]));
    for (size_t i = 0; i < COUNT(axes); i++) append_field(out, number(0, "config.%s", axes[i]));
    for (size_t i = 0; i < sizeof of_row / sizeof *of_row; i++) append_field(out, of_row[i]);
    autotune__append(out, "\n");
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        struct row *rows = rows_of(&json);
        for (size_t r = 0; r < COUNT(rows); r++) {
            autotune__append(out, "%s", date_of(&records[i]));
            for (size_t m = 0; m < sizeof of_record / sizeof *of_record; m++)
                append_member_field(out, &json, autotune__member(&json, 0, of_record[m]));
            append_named_fields(out, &json, autotune__member(&json, 0, "key"), key_names);
            append_named_fields(out, &json, autotune__member(&json, rows[r].at, "config"), axes);
            for (size_t m = 0; m < sizeof of_row / sizeof *of_row; m++)
                append_member_field(out, &json, autotune__member(&json, rows[r].at, of_row[m]));
            autotune__append(out, "\n");
        }
        stbds_arrfree(rows);
        autotune__free_json(&json);
    }
    stbds_arrfree(key_names);
    stbds_arrfree(axes);
    return DONE;
}

static int export_json(autotune__text *out, const struct record *records) { /* the records, as they stand */
    autotune__append(out, "[");
    for (size_t i = 0; i < COUNT(records); i++) {
        const autotune__line *line = line_of(&records[i]);
        autotune__append(out, "%s\n%.*s", i ? "," : "", (int)line->length, line->text);
    }
    autotune__append(out, "\n]\n");
    return DONE;
}

/* T4, the results format of the auto-tuning community: one race, times in milliseconds. */
static void append_t4_row(autotune__text *out, const struct record *record, const autotune__json *json, const struct row *row) {
    const int state = autotune__member(json, row->at, "state"), config = autotune__member(json, row->at, "config");
    const bool timed = !row->failed && autotune__is_definite(row->ns);
    autotune__append(out, "{\"timestamp\":\"%s\",\"configuration\":", date_of(record));
    if (config > 0)
        append_raw(out, json, config);
    else
        autotune__append(out, "{}");
    autotune__append(out, ",\"times\":{\"runtimes\":[");
    if (timed) autotune__append_double(out, row->ns / 1e6);
    autotune__append(out, "]},\"invalidity\":\"%s\",\"correctness\":%d,\"measurements\":[",
                     autotune__is_raw(json, state, "\"rejected\"", 10) ? "constraints"
                     : row->failed                                     ? "runtime"
                                                                       : "correct",
                     !row->failed);
    if (timed) {
        autotune__append(out, "{\"name\":\"time\",\"value\":");
        autotune__append_double(out, row->ns / 1e6);
        autotune__append(out, ",\"unit\":\"ms\"}");
    }
    autotune__append(out, "],\"objectives\":[\"time\"]}");
}
static int export_t4(autotune__text *out, const struct record *records) {
    if (COUNT(records) != 1)
        return fail(NOT_DONE, "--format t4 holds one race, and here are %zu: name a tuner and a key, as 'autotune list' shows them",
                    COUNT(records));
    autotune__json json = open_record(records);
    struct row *rows = rows_of(&json);
    autotune__append(out, "{\"schema_version\":\"1.0.0\",\"results\":[");
    for (size_t i = 0; i < COUNT(rows); i++) {
        autotune__append(out, i ? ",\n" : "\n");
        append_t4_row(out, records, &json, &rows[i]);
    }
    autotune__append(out, "\n]}\n");
    stbds_arrfree(rows);
    autotune__free_json(&json);
    return DONE;
}

static int export_records(char **arguments) {
    static const struct format {
        const char *name;
        int (*make)(autotune__text *out, const struct record *records);
    } formats[] = {{"c", export_c}, {"csv", export_csv}, {"json", export_json}, {"t4", export_t4}};
    const struct format *format = NULL;
    autotune__text out = {NULL, false};
    for (size_t i = 0; options.format && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(options.format, formats[i].name)) format = &formats[i];
    if (!options.format) return fail(NOT_DONE, "export: --format is needed: c, csv, json or t4");
    if (!format) return fail(NOT_DONE, "--format '%s' is not known: it is c, csv, json or t4", shown(options.format));
    if (options.name && format->make != export_c) return fail(NOT_DONE, "--name is for --format c alone");
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records && arguments[0]) return none_found(arguments);
    int status = format->make(&out, records);
    if (status == DONE) status = deliver(&out);
    autotune__free_text(&out);
    stbds_arrfree(records);
    return status;
}

/* ---- merge, clear ----------------------------------------------------------------------------------------------------------------- */

static int order_by_date(const void *left, const void *right) { /* of one date those of the first file last, so that they count */
    const struct record *a = left, *b = right;
    const int order = memcmp(line_of(a)->head.date, line_of(b)->head.date, AUTOTUNE__DATE_BYTES);
    if (order) return order;
    if (line_of(a)->source != line_of(b)->source) return line_of(a)->source > line_of(b)->source ? -1 : 1;
    return a->line < b->line ? -1 : 1;
}
/* What a file would hold if all records had been appended to it in the order of their dates. */
static struct record *merge_records(void) {
    char *all[] = {NULL};
    struct record *records = select_records(all), *merged = NULL;
    const size_t source = stbds_arrlenu(inputs) + 1, first = COUNT(autotune__cache.lines);
    if (!records) return NULL;
    qsort(records, stbds_arrlenu(records), sizeof *records, order_by_date);
    for (size_t i = 0; i < stbds_arrlenu(records); i++) {
        autotune__line line = *line_of(&records[i]);
        line.source = source;
        if (!autotune__add_line(&line)) no_memory();
    }
    for (size_t i = 0; i < stbds_arrlenu(records); i++)
        if (!autotune__cache.lines[first + i].dead) PUSH(merged, records[i]);
    stbds_arrfree(records);
    return merged;
}
static bool may_write_cache(void) {
    if (autotune__environment.cache <= AUTOTUNE_CACHE_ON) return true;
    fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk");
    return false;
}
static bool is_cache(const char *path) {
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "results.jsonl");
}
static int append_to_cache(const struct record *records) { /* what comes from other files than the first, the cache itself */
    autotune__text lines = {NULL, false};
    int status = DONE;
    for (size_t i = 0; i < COUNT(records); i++)
        if (line_of(&records[i])->source != 1)
            autotune__append(&lines, "%.*s\n", (int)line_of(&records[i])->length, line_of(&records[i])->text);
    if (lines.broken) no_memory();
    for (const char *at = lines.at, *feed; status == DONE && at && (feed = strchr(at, '\n')) != NULL; at = feed + 1) {
        autotune__enter_cache();
        if (!autotune__append_line(at, (size_t)(feed + 1 - at))) status = NOT_DONE;
        autotune__leave_cache();
    }
    autotune__free_text(&lines);
    return status;
}
static int merge(char **arguments) {
    autotune__text out = {NULL, false};
    int status = DONE;
    if (options.cache && options.output) return fail(NOT_DONE, "merge: --cache and --output exclude each other");
    if (options.dir && !options.cache) return fail(NOT_DONE, "merge: --dir is for --cache");
    if (options.output && is_cache(options.output))
        return fail(NOT_DONE, "%s: programs may be adding to a cache on disk: --cache --dir DIR adds to it under its lock",
                    shown(options.output));
    if (options.cache && !may_write_cache()) return NOT_DONE;
    if (options.cache && read_named() != DONE) return NOT_DONE;
    if (read_files(arguments) != DONE) return NOT_DONE; /* rather nothing than a part */
    struct record *records = merge_records();
    if (options.cache)
        status = append_to_cache(records);
    else {
        for (size_t i = 0; i < COUNT(records); i++)
            autotune__append(&out, "%.*s\n", (int)line_of(&records[i])->length, line_of(&records[i])->text);
        autotune__append_text(&out, &newer);
        status = deliver(&out);
    }
    autotune__free_text(&out);
    stbds_arrfree(records);
    return status;
}

struct clearing {
    const char *tuner, *key;
    size_t cleared, journals;
};
static bool is_to_clear(const autotune__line *line, void *user) {
    struct clearing *clearing = user;
    autotune__text text = {NULL, false};
    autotune__json json;
    bool is = false, journal = false;
    if (autotune__fetch(line, &text) && autotune__parse(&json, text.at, stbds_arrlenu(text.at))) {
        journal = is_crash(&json);
        is = options.all || ((journal || !problem_of(&json)) && is_of(&json, clearing->tuner, clearing->key));
        autotune__free_json(&json);
    }
    autotune__free_text(&text);
    *(journal ? &clearing->journals : &clearing->cleared) += is;
    return is;
}
/* A file of the user's own is replaced; what cannot be read of it stays. */
static int clear_file(struct clearing *clearing) {
    struct input input = {.name = NULL};
    autotune__text left = {NULL, false};
    int status = DONE;
    if (!strcmp(options.file, "-")) return fail(NOT_DONE, "clear: --file is a file, which is replaced; '-' has no place");
    if (is_cache(options.file))
        return fail(NOT_DONE, "%s: programs may be adding to a cache on disk: --dir DIR clears it under its lock", shown(options.file));
    if (!read_path(options.file, &input)) return fail(NOT_DONE, "%s: %s", shown(options.file), strerror(errno));
    for (size_t at = 0; at < input.bytes;) {
        const char *feed = memchr(input.text + at, '\n', input.bytes - at);
        autotune__line line = {.text = input.text + at};
        line.length = feed ? (size_t)(feed - line.text) : input.bytes - at;
        at += line.length + (feed != NULL);
        if (autotune__read_head(line.text, line.length, &line.head) == AUTOTUNE__SOUND && is_to_clear(&line, clearing)) continue;
        autotune__append(&left, "%.*s%s", (int)line.length, line.text, feed ? "\n" : "");
    }
    options.output = options.file;
    if (left.broken) no_memory();
    if (clearing->cleared) status = deliver(&left);
    autotune__free_text(&left);
    free(input.text);
    return status;
}
static int clear(char **arguments) {
    struct clearing clearing = {arguments[0], arguments[0] ? arguments[1] : NULL, 0, 0};
    if (options.all == (arguments[0] != NULL)) return fail(NOT_DONE, "clear: which records? TUNER, TUNER KEY, or --all");
    if (options.file ? clear_file(&clearing) != DONE : !cache_path()) return NOT_DONE;
    if (!options.file && autotune__clear_lines(is_to_clear, &clearing) != AUTOTUNE_OK) return NOT_DONE;
    if (!clearing.cleared && !clearing.journals && !options.all) {
        const struct input cache = {.name = shown(options.file ? options.file : autotune__cache.file)};
        PUSH(inputs, cache);
        return none_found(arguments);
    }
    printf("%zu %s cleared", clearing.cleared, clearing.cleared == 1 ? "record" : "records");
    if (clearing.journals) printf(", %zu %s", clearing.journals, clearing.journals == 1 ? "journal" : "journals");
    putchar('\n');
    return DONE;
}

/* ---- plot ------------------------------------------------------------------------------------------------------------------------- */

/* Text in a script of gnuplot: in single quotes nothing is expanded or run, and noenhanced terminals show it as it is. */
static void append_gnuplot(autotune__text *out, const char *text) {
    autotune__append(out, "'");
    for (; *text; text++) autotune__append(out, *text == '\'' ? "''" : "%c", *text);
    autotune__append(out, "'");
}
static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}
static int append_terminal(autotune__text *out) {
    if (options.terminal) {
        struct winsize size = {.ws_col = 0};
        const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 10;
        autotune__append(out, "set terminal dumb noenhanced size %d,%d\n", known ? size.ws_col - 1 : 79, known ? size.ws_row - 2 : 24);
        return DONE;
    }
    if (ends_with(options.output, ".svg"))
        autotune__append(out, "set terminal svg noenhanced size 1000,600 background 'white'\n");
    else if (ends_with(options.output, ".png"))
        autotune__append(out, "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo noenhanced size 1000,600\n"
                              "if (!strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal png noenhanced size 1000,600\n");
    else
        return fail(NOT_DONE, "%s: the name of a plot ends with .png or .svg", shown(options.output));
    autotune__append(out, "set output ");
    append_gnuplot(out, options.output);
    autotune__append(out, "\n");
    return DONE;
}

/* The rows that have a time, which come first, and in what unit they are plotted. */
struct plot {
    const autotune__json *json;
    const struct row *rows;
    size_t count;
    double least, most, unit;
    const char *unit_name;
};
static struct plot plot_of(const autotune__json *json, const struct row *rows) {
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "nanoseconds"}, {1e3, "microseconds"}, {1e6, "milliseconds"}, {1e9, "seconds"}};
    struct plot plot = {json, rows, 0, AUTOTUNE__NEVER, 0, 1, NULL};
    for (; plot.count < COUNT(rows) && !rows[plot.count].failed && autotune__is_within(rows[plot.count].ns, 1e-300, 1e150); plot.count++) {
        plot.least = fmin(plot.least, rows[plot.count].ns);
        plot.most = fmax(plot.most, rows[plot.count].ns);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && (i == 0 || plot.least >= units[i].ns); i++) {
        plot.unit = units[i].ns;
        plot.unit_name = units[i].name;
    }
    return plot;
}

/* Every configuration by its rank; of finalists the median, and how far it is from the least time. */
static void append_times(autotune__text *out, const struct plot *plot, bool finalists) {
    autotune__append(out, "%s << END\n", finalists ? "$finalists" : "$others");
    for (size_t i = 0; i < plot->count; i++) {
        const int at = plot->rows[i].at;
        const double min = autotune__number_at(plot->json, autotune__member(plot->json, at, "min_ns")), ns = plot->rows[i].ns;
        if (autotune__was_finalist(plot->json, at) != finalists) continue;
        autotune__append(out, "%zu %.9g %.9g\n", i + 1, ns / plot->unit, (min > 0 ? min : ns) / plot->unit);
    }
    autotune__append(out, "END\n");
}
static int append_sorted_plot(autotune__text *out, const struct plot *plot) {
    size_t finalists = 0;
    for (size_t i = 0; i < plot->count; i++) finalists += autotune__was_finalist(plot->json, plot->rows[i].at);
    append_times(out, plot, true);
    append_times(out, plot, false);
    autotune__append(out,
                     "set xlabel 'configurations, sorted by time'\nset ylabel '%s'\nset key top left\nset logscale y\n"
                     "set xrange [0:%zu]\nset yrange [%.9g:%.9g]\nplot ",
                     plot->unit_name, plot->count + 1, plot->least / plot->unit * 0.8, plot->most / plot->unit * 1.25);
    if (finalists) autotune__append(out, "$finalists using 1:2:3:2 with yerrorbars pointtype 7 title 'finalists: median, least'");
    if (finalists && finalists < plot->count) autotune__append(out, ", ");
    if (finalists < plot->count) autotune__append(out, "$others using 1:2 with points pointtype 6 title 'left before: least'");
    autotune__append(out, "\n");
    return DONE;
}

/* Two axes against each other: the least time over all others. */
struct plot_axis {
    const char *name, **values; /* each once, sorted; NULL: no configuration has such an axis */
};
static int value_on(const struct plot *plot, size_t row, const char *axis) { /* -1: it has no such axis */
    const int config = autotune__member(plot->json, plot->rows[row].at, "config");
    for (int at = 0; config > 0 && (at = autotune__next_member(plot->json, config, at)) > 0;)
        if (is_value(plot->json, at, axis)) return at + 1;
    return -1;
}
static int order_names(const void *left, const void *right) {
    return compare_naturally(*(const char *const *)left, *(const char *const *)right);
}
static struct plot_axis axis_of(const struct plot *plot, const char *name) {
    struct plot_axis axis = {name, NULL};
    for (size_t row = 0; row < plot->count; row++) {
        const int at = value_on(plot, row, name);
        if (at > 0) index_of(&axis.values, plot->json, at);
    }
    if (axis.values) qsort(axis.values, stbds_arrlenu(axis.values), sizeof *axis.values, order_names);
    return axis;
}
static void append_tics(autotune__text *out, char direction, const struct plot_axis *axis) {
    autotune__append(out, "set %clabel ", direction);
    append_gnuplot(out, axis->name);
    autotune__append(out, "\nset %crange [-0.5:%zu.5]\nset %ctics (", direction, stbds_arrlenu(axis->values) - 1, direction);
    for (size_t i = 0; i < stbds_arrlenu(axis->values); i++) {
        autotune__append(out, i ? ", " : "");
        append_gnuplot(out, axis->values[i]);
        autotune__append(out, " %zu", i);
    }
    autotune__append(out, ")\n");
}
static void append_cells(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    const size_t height = stbds_arrlenu(y->values), count = stbds_arrlenu(x->values) * height;
    double *least = autotune__allocate(count * sizeof *least);
    if (!least) no_memory();
    for (size_t row = 0; row < plot->count; row++) { /* the fastest of a cell comes first, but for a winner that is not the fastest */
        const int x_at = value_on(plot, row, x->name), y_at = value_on(plot, row, y->name);
        if (x_at < 0 || y_at < 0) continue;
        double *cell = &least[index_of(&x->values, plot->json, x_at) * height + index_of(&y->values, plot->json, y_at)];
        if (!(*cell > 0) || plot->rows[row].ns < *cell) *cell = plot->rows[row].ns;
    }
    autotune__append(out, "$cells << END\n");
    for (size_t i = 0; i < count; i++)
        if (least[i] > 0) autotune__append(out, "%zu %zu %.9g\n", i / height, i % height, least[i] / plot->unit);
    autotune__append(out, "END\n");
    autotune__free(least);
}
static void append_heat_map(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    append_cells(out, plot, x, y);
    append_tics(out, 'x', x);
    append_tics(out, 'y', y);
    autotune__append(out, "unset key\nset palette defined (0 '#fff7bc', 1 '#fec44f', 2 '#d95f0e')\nset cblabel '%s'\nset logscale cb\n",
                     plot->unit_name);
    autotune__append(out, "set cbrange [%.9g:%.9g]\nplot ", plot->least / plot->unit * 0.99, plot->most / plot->unit * 1.01);
    if (!options.terminal) autotune__append(out, "$cells using 1:2:(0.5):(0.5):3 with boxxyerror fillcolor palette fillstyle solid, ");
    autotune__append(out, "$cells using 1:2:(sprintf('%%.3g', $3)) with labels\n");
}
static int append_axes_plot(autotune__text *out, const struct plot *plot) {
    const char *comma = strchr(options.axes, ',');
    int status = DONE;
    if (!comma) return fail(NOT_DONE, "--axes '%s': two axes with a comma between them", shown(options.axes));
    struct plot_axis x = axis_of(plot, number(0, "%.*s", (int)(comma - options.axes), options.axes)), y = axis_of(plot, comma + 1);
    if (x.values && y.values)
        append_heat_map(out, plot, &x, &y);
    else
        status = fail(FAULTY, "--axes '%s': there is no axis '%s'", shown(options.axes), shown(x.values ? y.name : x.name));
    stbds_arrfree(x.values);
    stbds_arrfree(y.values);
    return status;
}

static int run_gnuplot(const autotune__text *script) {
    int ends[2], status;
    if (pipe(ends) != 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    const pid_t child = fork();
    if (child < 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("LC_ALL", "C.UTF-8", 1); /* the encoding of the script */
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN); /* it may have ended, which its status says */
    autotune__write_all(ends[1], script->at, stbds_arrlenu(script->at));
    close(ends[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return DONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(NOT_DONE, "plot needs gnuplot, which is not installed; 'autotune show' draws bars without it");
    return fail(NOT_DONE, "gnuplot failed");
}
static int draw(const struct record *record) {
    autotune__text script = {NULL, false};
    autotune__json json = open_record(record);
    struct row *rows = rows_of(&json);
    const struct plot plot = plot_of(&json, rows);
    int status = append_terminal(&script);
    autotune__append(&script, "set encoding utf8\nset title ");
    append_gnuplot(&script, number(0, "%s  %s", record->tuner, record->key));
    autotune__append(&script, "\n");
    if (status == DONE && !plot.count) status = fail(FAULTY, "%s: no configuration has a time", record->tuner);
    if (status == DONE) status = options.axes ? append_axes_plot(&script, &plot) : append_sorted_plot(&script, &plot);
    if (script.broken) no_memory();
    if (status == DONE) status = run_gnuplot(&script);
    autotune__free_text(&script);
    stbds_arrfree(rows);
    autotune__free_json(&json);
    return status;
}
static int plot(char **arguments) {
    int status;
    if (options.terminal == (options.output != NULL)) return fail(NOT_DONE, "plot: --output FILE.png, --output FILE.svg or --terminal");
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    const struct record *last = &records[stbds_arrlenu(records) - 1]; /* of several devices or builds the latest */
    if (strcmp(records->tuner, last->tuner) == 0 && strcmp(records->key, last->key) == 0)
        status = draw(last);
    else
        status = fail(NOT_DONE, "plot: %zu records match: name a tuner and a key, as 'autotune list' shows them", stbds_arrlenu(records));
    stbds_arrfree(records);
    return status;
}

/* ---- The command line ------------------------------------------------------------------------------------------------------------- */

static const struct command {
    const char *name;
    int (*run)(char **arguments); /* which end with two NULL */
    int least, most;              /* arguments */
    const char *options;          /* letters of those it has */
    const char *synopsis, *purpose, *help;
} commands[] = {
    {"list", list, 0, 2, "fd", "[TUNER [KEY]]", "tuners, keys and their winners",
     "On a terminal, a line for each record: its time, how much faster it is than the first\n"
     "configuration, the verdict and the age. Elsewhere, separated by tabs: tuner, key, winner,\n"
     "nanoseconds, speed-up, verdict, date, device.\n"},
    {"show", show, 1, 2, "fd", "TUNER [KEY]", "all configurations of a tuner, sorted by time",
     "On a terminal, a summary of each race and a table with bars, the longest the fastest.\n"
     "Elsewhere, separated by tabs: tuner, key, configuration, nanoseconds, minimum, median, stage,\n"
     "state, launches, reason of a failure. Then what the journal knows: configurations whose first\n"
     "launch did not come back (state lost), and how often.\n"},
    {"check", check, 0, INT_MAX, "fd", "[FILE...]", "whether files are sound",
     "Names each line that is damaged, cut short or of a later version, by its number. The exit status\n"
     "is 0 if there is none, 1 if there is one, 2 if a file cannot be read. Of the cache on disk it\n"
     "names the configurations whose first launch did not come back, too.\n"},
    {"export", export_records, 0, 2, "fdFon", "--format c|csv|json|t4 [TUNER [KEY]]", "records in other formats",
     "c     a header with the winners as one string, for autotune_load_text(): a program that has them\n"
     "      compiled in needs no file\n"
     "csv   a line for each configuration, with a column for each axis and part of a key\n"
     "json  an array of the records\n"
     "t4    one race in the T4 results format of the auto-tuning community, times in milliseconds\n"},
    {"merge", merge, 1, INT_MAX, "doc", "[--output FILE | --cache] FILE...", "one file of several",
     "Of two records for the same tuner, key, device and build the later counts. Without an option the\n"
     "result goes to standard output.\n"},
    {"plot", plot, 1, 2, "fdotx", "--output FILE | --terminal [--axes X,Y] TUNER [KEY]", "a race as a picture, by gnuplot",
     "All configurations, sorted by time: of finalists the median, with a bar down to the least time;\n"
     "of others the least time. With --axes a heat map: the least time for each pair of two axes' values.\n"},
    {"clear", clear, 0, 2, "fda", "--all | TUNER [KEY]", "forget records, of the cache on disk or of --file",
     "With the cache also which configurations did not come back from their first launch. Programs that\n"
     "run keep what they know. A --file is replaced as a whole.\n"},
};
static const struct described_option {
    struct option option;
    const char *argument, *help;
} described[] = {
    {{"file", required_argument, NULL, 'f'}, "FILE", "read this file, - for standard input, instead of the cache on disk"},
    {{"dir", required_argument, NULL, 'd'}, "DIR", "the folder of the cache on disk, instead of AUTOTUNE_CACHE_DIR"},
    {{"format", required_argument, NULL, 'F'}, "FORMAT", "c, csv, json or t4"},
    {{"output", required_argument, NULL, 'o'}, "FILE", "write to this file, instead of standard output"},
    {{"name", required_argument, NULL, 'n'}, "NAME", "with --format c: what the string is called (autotune_winners)"},
    {{"cache", no_argument, NULL, 'c'}, "", "add the records to the cache on disk"},
    {{"terminal", no_argument, NULL, 't'}, "", "plot in the terminal, with characters"},
    {{"axes", required_argument, NULL, 'x'}, "X,Y", "plot these two axes against each other"},
    {{"all", no_argument, NULL, 'a'}, "", "all records"},
    {{"help", no_argument, NULL, 'h'}, "", "this text"},
};
enum { COMMANDS = sizeof commands / sizeof *commands, OPTIONS = sizeof described / sizeof *described };

static const char usage[] = "usage: autotune COMMAND [OPTION...] [ARGUMENT...]\n\n";

static int help(FILE *to) {
    fputs(usage, to);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].purpose);
    fputs("\n  autotune COMMAND --help    says more of one\n  autotune --version\n\n"
          "The file is --file FILE, or results.jsonl in the folder --dir DIR, AUTOTUNE_CACHE_DIR,\n"
          "XDG_CACHE_HOME/autotune or ~/.cache/autotune, the first that is set.\n",
          to);
    return DONE;
}
static int help_on(const struct command *command) {
    printf("usage: autotune %s [OPTION...] %s\n\n%s.\n\n%s\n", command->name, command->synopsis, command->purpose, command->help);
    for (size_t i = 0; i < OPTIONS; i++)
        if (described[i].option.val == 'h' || strchr(command->options, described[i].option.val))
            printf("  --%s%s%-*s %s\n", described[i].option.name, *described[i].argument ? " " : "",
                   (int)(15 - strlen(described[i].option.name)), described[i].argument, described[i].help);
    return DONE;
}
static const struct command *command_named(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i].name)) return &commands[i];
    return NULL;
}
/* Options may stand before, between and behind arguments; -- ends them. True: the command is to be run. */
static bool read_options(const struct command *command, int count, char **arguments, int *status) {
    struct option long_options[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    int letter;
    *status = NOT_DONE;
    for (size_t i = 0; i < OPTIONS; i++) long_options[i] = described[i].option;
    while ((letter = getopt_long(count, arguments, "hf:o:", long_options, NULL)) != -1) {
        if (letter == '?') return false; /* getopt_long() said what is wrong */
        if (letter == 'h') return *status = help_on(command), false;
        if (!strchr(command->options, letter)) {
            size_t i = 0;
            while (described[i].option.val != letter) i++;
            return fail(NOT_DONE, "%s has no option --%s; see 'autotune %s --help'", command->name, described[i].option.name,
                        command->name),
                   false;
        }
        switch (letter) {
        case 'f': options.file = optarg; break;
        case 'd': options.dir = optarg; break;
        case 'F': options.format = optarg; break;
        case 'o': options.output = optarg; break;
        case 'n': options.name = optarg; break;
        case 'c': options.cache = true; break;
        case 't': options.terminal = true; break;
        case 'x': options.axes = optarg; break;
        default: options.all = true;
        }
    }
    if (count - optind >= command->least && count - optind <= command->most) {
        if (!options.file || !options.dir) return true;
        return fail(NOT_DONE, "--file and --dir exclude each other"), false;
    }
    return fail(NOT_DONE, "%s takes %s; see 'autotune %s --help'", command->name, command->synopsis, command->name), false;
}
static int run(const struct command *command, int count, char **arguments) {
    int status;
    optind = 1;
    if (!read_options(command, count, arguments, &status)) return status;
    autotune__ready();
    autotune__environment.log = AUTOTUNE_LOG_ERRORS; /* what the library says here are the command's own errors */
    if (count - optind == 1) return command->run((char *[]){arguments[optind], NULL, NULL});
    return command->run(count == optind ? (char *[]){NULL, NULL} : arguments + optind);
}
static int finish(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status == DONE && faults ? FAULTY : status;
    return errno == EPIPE ? NOT_DONE : fail(NOT_DONE, "standard output: %s", strerror(errno));
}
int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : NULL;
    const bool asks_help = name && (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"));
    const struct command *command = name ? command_named(asks_help && count > 2 ? arguments[2] : name) : NULL;
    setlocale(LC_CTYPE, "");
    if (!name) return help(stderr), NOT_DONE;
    if (command) return finish(asks_help ? help_on(command) : run(command, count - 1, arguments + 1));
    if (asks_help && count == 2) return finish(help(stdout));
    if (!strcmp(name, "--version")) {
        printf("autotune %d.%d.%d\n", AUTOTUNE_VERSION_MAJOR, AUTOTUNE_VERSION_MINOR, AUTOTUNE_VERSION_PATCH);
        return finish(DONE);
    }
    return fail(NOT_DONE, "'%s' is not a command; see 'autotune --help'", shown(asks_help ? arguments[2] : name));
}
