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
