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
