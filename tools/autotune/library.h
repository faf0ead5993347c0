/* library.h - functions of the library that the command uses: JSON, the lines of files, the cache on disk

   Only library.c includes the rooms of src/store, and has their state. The caller of a function keeps the texts that it
   passes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"

/* Call this before all other functions. From then on the log of the library has errors alone. */
void start_library(void);
const char *variable(const char *name); /* of the environment; NULL: not set */

/* ---- JSON ---- */

struct value { /* a JSON value, or the name of a member. All functions also take a missing value */
    const struct autotune__json *json;
    int place; /* in `json`; -1: the value is missing */
};
struct value open_json(const char *text, size_t length); /* parses one object; missing: the text is no object */
void close_json(struct value object);
bool is_there(struct value value); /* false: the value is missing, or is null */
bool is_string(struct value value);
bool is_object(struct value value);
bool is_raw(struct value value, const char *text); /* is this its text in the file, with quotes? */
const char *raw(struct value value, size_t *length);
const char *inside(struct value value, size_t *length); /* without the quotes of a string */
double number_at(struct value value);                   /* AUTOTUNE__NEVER: no number */
struct value member(struct value object, const char *name);
/* Goes to the next member of the object. Begin with a missing name. value_of(name) is the value of the member. */
bool next_member(struct value object, struct value *name);
struct value value_of(struct value name);
/* Goes to the next element of the array. Begin with a missing element. */
bool next_element(struct value array, struct value *element);

/* Returns true if the tuner of the record has exactly this name, as the program writes it. */
bool is_named(struct value record, const char *tuner);
bool had_failed(struct value row);
bool was_finalist(struct value row);
void append_number(autotune__text *out, double value); /* the text reads back as the same number */
void append_time(autotune__text *out, double ns);
/* Appends the end of the line that begins at `start` of the text: its checksum, and the line feed. */
void append_end(autotune__text *out, size_t start);

/* ---- Lines ---- */

enum { DATE_BYTES = 20 };
struct line { /* a sound line */
    const char *text;
    size_t length;
    size_t source;         /* the number of its file: see `inputs` in files.h */
    char date[DATE_BYTES]; /* 2026-11-20T14:05:09Z; a damaged date is kept unchanged */
    uint64_t id;           /* a hash of tuner and key */
    uint64_t fingerprint;  /* a hash of the build */
    uint64_t machine;      /* a hash of the machine on which the line was made */
    uint64_t tuner;        /* a hash of the tuner's name */
    bool unfinished;       /* the race did not end */
    bool replaced;         /* a later line of the same source replaces this line */
};
enum soundness {
    SOUND,
    BLANK,  /* an empty line */
    NEWER,  /* a later version of the library wrote the line */
    UNSOUND /* damaged */
};

bool is_sound(const char *line, size_t length);
/* Adds the line to the lines of its source; it may replace one of them. ended: the line has a line feed. If the line is
   unsound, `*why` becomes the reason. */
enum soundness add_line(size_t source, const char *line, size_t length, bool ended, const char **why);
/* Adds a known line again, as a line of another source. */
void add_to_source(size_t line, size_t source);
/* Appends a record without its tables of configurations, as a program loads it, and a line feed. */
void append_without_tables(autotune__text *out, const struct line *line);
/* Returns the line with another date, in seconds since 1970. Its text is kept until the command ends. */
struct line dated_line(const struct line *line, double seconds);
size_t line_count(void);
struct line line_at(size_t line);

uint64_t rule_id(const struct line *line); /* the id of the rule of the line's tuner */
/* Returns the id of the line with the time of the winner's calls in use. slower: of the line for a winner that is far
   slower than in its race; else of the line for any other winner. */
uint64_t in_use_id(const struct line *record, bool slower);

/* ---- Misses ---- */

struct miss { /* the sum of the lines of one tuner, key, build and device */
    struct line line;   /* the last of these lines */
    size_t words;       /* how many bytes of the line stand before its counts */
    double calls, runs; /* how many calls missed, in how many runs */
};
bool is_miss(const char *line, size_t length);
/* An array of stb_ds; NULL: there are none. */
struct miss *read_misses(const char *text, size_t bytes);
void append_miss(autotune__text *out, const struct miss *miss);

/* ---- Pins ---- */

/* Returns the configuration of the first pin of AUTOTUNE_USE that matches the tuner's name, or its name and key as the
   log shows them. NULL: no pin matches. */
const char *pin_of(const char *tuner, const char *tuner_and_key);
/* Returns true if AUTOTUNE_USE takes the line as a pin whose name ends before the = at the place `equals`. */
bool is_pin(const char *line, size_t equals);

/* ---- Verifications ---- */

bool read_verification(const char *text, size_t length, struct line *line); /* false: damaged, or no verification */

/* ---- Files ---- */

/* Returns the path of the cache. folder: its folder; NULL: the environment names the folder. If there is no cache,
   prints why, and returns NULL. */
const char *cache_path(const char *folder);
const char *notes_path(void);    /* the launch notes beside the cache */
const char *misses_path(void);   /* NULL: AUTOTUNE_MISSES is off */
const char *verified_path(void); /* the verifications beside the cache */
bool may_write_cache(void);      /* false: the environment forbids it */
bool lock_cache(void);           /* waits while another process writes; false: the lock failed */
void unlock_cache(bool locked);
bool append_to_file(const char *line, size_t bytes); /* the cache. false: failed, after a message */
/* Removes each line of the cache for which is_to_clear() returns true. Removes a file of launch notes if is_to_clear()
   returns true for its first line. If this fails, nothing is removed: prints a message and returns false. */
bool clear_cache(bool (*is_to_clear)(const char *line, size_t length, void *user), void *user);
void each_note(void (*visit)(const struct line *line, void *user), void *user);
/* Returns why a file in the folder of the cache must not be read. NULL: it may be read, or does not exist. most: the
   greatest length in bytes; 0: the limit of the cache's file. */
const char *problem_of_file(const char *path, size_t most);
size_t misses_file_limit(void); /* the greatest length of the file of misses, in bytes */
int open_to_read(const char *path);                                                /* -1: errno says why */
bool write_to_end(int file, const char *bytes, size_t count);                      /* false: errno says why */
bool replace_file(const char *path, const autotune__text *text, const char **why); /* or writes to a pipe */
