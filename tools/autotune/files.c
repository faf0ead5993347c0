/* files.c - see files.h */
#include "files.h"
#include "library.h"
#include "options.h"
#include "shown.h"
#include "table.h"
#include <errno.h>
#include <unistd.h>

struct input *inputs;
autotune__text lines_of_later_versions;
FILE *faults_to;
size_t faults;

static char *read_to_end(int file, size_t *filled) { /* also reads a pipe. NULL: errno says why */
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
bool read_path(const char *path, struct input *input) {
    const bool is_stdin = !strcmp(path, "-");
    const int file = is_stdin ? STDIN_FILENO : open_to_read(path);
    if (file < 0) return false;
    input->name = is_stdin ? "standard input" : shown(path);
    input->text = read_to_end(file, &input->bytes);
    const int error = errno;
    if (!is_stdin) close(file);
    errno = error;
    return input->text != NULL;
}
bool must_not_read(const char *path, size_t most) {
    const char *problem = problem_of_file(path, most);
    if (problem) fail(NOT_DONE, "%s: %s", shown(path), problem);
    return problem != NULL;
}
const char *next_line(const struct input *input, size_t *at, size_t *length, bool *ended) {
    const char *line, *feed;
    if (*at >= input->bytes) return NULL;       /* also if text is NULL */
    line = input->text + *at;
    feed = memchr(line, '\n', input->bytes - *at);
    *ended = feed != NULL;
    *length = feed ? (size_t)(feed - line) : input->bytes - *at;
    *at += *length + *ended;
    return line;
}

const char *problem_of(struct value record) {
    const struct value winner = member(record, "winner");
    if (!is_string(member(record, "tuner"))) return "has no name of a tuner";
    if (!is_object(member(record, "key"))) return "has no key";
    if (!is_string(member(record, "verdict"))) return "has no verdict";
    if (!is_string(member(record, "device"))) return "has no device";
    return is_object(winner) || is_raw(winner, "null") ? NULL : "has no winner";
}

void report_line(const struct input *input, size_t number, const char *why) {
    faults++;
    if (faults_to)
        fprintf(faults_to, "%s:%zu: this line %s\n", input->name, number, why);
    else
        fail(FAULTY, "%s:%zu: this line %s and is skipped", input->name, number, why);
}
/* Moves `at` behind a string, a word or a number. Returns false if none of them stands there. */
static bool pass_scalar(const char **at, const char *end) {
    const char *const start = *at;
    if (start < end && *start == '"') {
        *at = autotune__past_quoted(start, end);
        return *at > start + 1 && (*at)[-1] == '"';
    }
    while (*at < end && !strchr("\"{}[]:,", **at)) ++*at;
    return *at > start;
}
/* Returns true if the brackets, names and commas are those of JSON. A line may have a million brackets, so this
   function is not recursive. */
static bool is_json(const char *line, size_t length) {
    const char *at = line, *const end = line + length;
    char *closing = NULL; /* the closing brackets that are still to come */
    bool is = true;
    do { /* a value; in an object with its name */
        if (COUNT(closing) && closing[COUNT(closing) - 1] == '}')
            is = at < end && *at == '"' && pass_scalar(&at, end) && at < end && *at++ == ':';
        const bool opens = is && at < end && (*at == '{' || *at == '[');
        if (opens) PUSH(closing, (char)(*at++ + 2)); /* } is { + 2, and ] is [ + 2 */
        is = is && at < end && (opens || pass_scalar(&at, end));
        if (is && opens && *at != closing[COUNT(closing) - 1]) continue;
        while (is && COUNT(closing) && at < end && *at == closing[COUNT(closing) - 1]) {
            (void)stbds_arrpop(closing);
            at++;
        }
        is = is && (!COUNT(closing) || (at < end && *at++ == ','));
    } while (is && COUNT(closing));
    stbds_arrfree(closing);
    return is && at == end;
}
/* Returns the problem of a line that the library takes for sound, since the library checks only head and checksum.
   NULL: there is no problem. */
static const char *problem_of_line(const char *line, size_t length) {
    if (!is_sound(line, length)) return NULL;
    const struct value record = open_json(line, length);
    const char *problem = !is_object(record) || !is_json(line, length) ? "is no object of JSON" : problem_of(record);
    close_json(record);
    return problem;
}
static void read_records(struct input *input) {
    const size_t source = COUNT(inputs) + 1;
    size_t at = 0, length, number = 0;
    const char *line;
    bool ended;
    while ((line = next_line(input, &at, &length, &ended)) != NULL) {
        const char *why = problem_of_line(line, length);
        const enum soundness soundness = why ? UNSOUND : add_line(source, line, length, ended, &why);
        number++;
        if (why) report_line(input, number, why);
        if (soundness == NEWER) append(&lines_of_later_versions, "%.*s\n", (int)length, line);
        input->sound += soundness == SOUND;
        input->unsound += soundness == UNSOUND || soundness == NEWER;
    }
    PUSH(inputs, *input);
}

const char *named_cache(void) { return cache_path(options.dir); }
/* Reads the cache. If its last line has no end, a process may be writing this line. Then the function waits for the
   lock of the cache, and reads the file again. */
static bool read_cache(const char *path, struct input *input) {
    if (!read_path(path, input)) return false;
    if (!input->bytes || input->text[input->bytes - 1] == '\n') return true;
    const bool locked = lock_cache();
    free(input->text);
    const bool done = read_path(path, input);
    unlock_cache(locked);
    return done;
}
int read_named(void) {
    struct input input = {.name = NULL};
    const char *path = options.file ? options.file : named_cache();
    if (!path || (!options.file && must_not_read(path, 0))) return NOT_DONE;
    if (options.file ? !read_path(path, &input) : !read_cache(path, &input)) {
        if (options.file || errno != ENOENT) return fail(NOT_DONE, "%s: %s", shown(path), strerror(errno));
        input.name = shown(path);
        fail(DONE, "%s: there is none yet", input.name);
    }
    read_records(&input);
    return DONE;
}
int read_cache_if_any(void) {
    struct input input = {.name = NULL};
    const char *path = named_cache();
    if (!path || must_not_read(path, 0)) return NOT_DONE;
    if (read_cache(path, &input))
        read_records(&input);
    else if (errno != ENOENT)
        return fail(NOT_DONE, "%s: %s", shown(path), strerror(errno));
    return DONE;
}
int read_files(char **paths) {
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
bool is_cache(const char *path) {
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "results.jsonl");
}
static void print_visible(const char *text, size_t bytes) {
    autotune__text out = {NULL, false};
    for (const unsigned char *at = (const unsigned char *)text, *const end = at + bytes; at < end;)
        if (*at == '\n')
            append(&out, "%c", *at++);
        else
            at += autotune__append_visible(&out, at, (size_t)(end - at));
    if (out.broken) no_memory();
    fwrite(out.at ? out.at : "", 1, COUNT(out.at), stdout);
    autotune__free_text(&out);
}
int write_result(const autotune__text *text, const char *path) {
    const char *why = "";
    if ((!path || !strcmp(path, "-")) && on_terminal())
        print_visible(text->at, COUNT(text->at));
    else if (!path || !strcmp(path, "-"))
        fwrite(text->at ? text->at : "", 1, COUNT(text->at), stdout);
    else if (!replace_file(path, text, &why))
        return fail(NOT_DONE, "%s: %s", shown(path), why);
    return DONE;
}
