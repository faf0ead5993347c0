/* files.h - the files that the command reads and writes */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "library.h"

struct input {        /* a file that was read. Lines of the first file have the source 1, and so on */
    const char *name; /* as shown */
    char *text;
    size_t bytes, sound, unsound;
};
extern struct input *inputs; /* an array of stb_ds */
extern autotune__text lines_of_later_versions; /* lines that a later version of the library wrote, unchanged */
extern FILE *faults_to;      /* the file for reports of unsound lines; NULL: messages on standard error */
extern size_t faults;        /* how many unsound lines were reported */

bool read_path(const char *path, struct input *input); /* "-" is standard input. Returns false and sets errno */
/* Returns the line at `*at`, and moves `*at` behind it. The length does not count the line feed. ended: the line has a
   line feed. */
const char *next_line(const struct input *input, size_t *at, size_t *length, bool *ended);
/* Returns true if a file in the folder of the cache must not be read, and prints why. most: see problem_of_file(). */
bool must_not_read(const char *path, size_t most);
const char *problem_of(struct value record); /* the problem of its members; NULL: none */

/* Returns the path of the cache, in the folder that the options or the environment name. If there is none, prints why,
   and returns NULL. */
const char *named_cache(void);
/* Reads the records of the file that the options name, else of the cache. A cache that does not exist is empty. */
int read_named(void);
int read_cache_if_any(void);     /* reads the cache on disk and ignores --file; the cache may be missing */
int read_files(char **paths);    /* NULL ends the paths */
void report_line(const struct input *input, size_t number, const char *why); /* reports an unsound line */
bool is_cache(const char *path); /* true if the path has the name of the cache's file */
/* Writes the result of a command to a file, which is replaced as a whole. path is NULL or "-": writes to standard
   output, and escapes control characters if that is a terminal. */
int write_result(const autotune__text *text, const char *path);
