/* files.h - the files that the command reads and writes */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "library.h"

struct input {        /* a file that was read; the first is the source 1 of its lines, and so on */
    const char *name; /* as shown */
    char *text;
    size_t bytes, sound, unsound;
};
extern struct input *inputs; /* an array of stb_ds */
extern autotune__text newer; /* lines of later versions, as they stand */
extern FILE *faults_to;      /* where unsound lines are reported; NULL: standard error, as messages */
extern size_t faults;        /* how many were */

bool read_path(const char *path, struct input *input); /* "-" is standard input. Returns false and sets errno */
/* The line at `at`, which moves behind it. Without its line feed, if it has one. */
const char *next_line(const struct input *input, size_t *at, size_t *length, bool *ended);
/* Returns true if a file in the folder of the cache is not to be read, and says why. most: as problem_of_file(). */
bool is_unfit(const char *path, size_t most);
const char *problem_of(struct value record); /* what is wrong with its members; NULL: nothing */

/* The cache on disk, in the folder that the options or the environment name. NULL: a message said why there is none. */
const char *named_cache(void);
/* Reads the records of the file that the options name, or of the cache. A cache that is not there yet is empty. */
int read_named(void);
int read_cache_if_any(void);     /* the records of the cache on disk, whatever --file names; it may be missing */
int read_files(char **paths);    /* which end with NULL */
void report_line(const struct input *input, size_t number, const char *why); /* a line that is unsound */
bool is_cache(const char *path); /* by its name */
/* Writes what a command made: to a file, which is replaced as a whole, or to standard output
   where that is NULL or "-". On a terminal, what it would obey is escaped. */
int deliver(const autotune__text *text, const char *path);
