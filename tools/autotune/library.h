/* library.h - what the command uses of the library above its lowest floor: JSON, the lines of files, the cache on disk

   library.c alone has the rooms of src/store in itself, and their state. Texts that are given stay with whoever gives
   them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"

/* Before all else. Each message of the library is then an error of the command. */
void start_library(void);
const char *variable(const char *name); /* of the environment; NULL: it is not set */

/* ---- JSON ---- */

struct value { /* or the name of a member. All functions take one that is not there, too: at is -1 */
    const struct autotune__json *json;
    int at;
};
struct value open_json(const char *text, size_t length); /* one object. Not there: the text is none */
void close_json(struct value object);
bool is_there(struct value value); /* and not null */
bool is_string(struct value value);
bool is_object(struct value value);
bool is_raw(struct value value, const char *text); /* does it stand so in the file, with its quotes? */
const char *raw(struct value value, size_t *length);
const char *inside(struct value value, size_t *length); /* without the quotes of a string */
double number_at(struct value value);                   /* AUTOTUNE__NEVER: no number */
struct value member(struct value object, const char *name);
/* Members one by one: begins with a name that is not there, and goes from name to name. Their values: value_of(). */
bool next_member(struct value object, struct value *name);
struct value value_of(struct value name);
/* Elements of an array, likewise. */
bool next_element(struct value array, struct value *element);

/* Is it of the tuner of exactly this name, as a program has it? */
bool is_named(struct value record, const char *tuner);
bool had_failed(struct value row);
bool was_finalist(struct value row);
void append_number(autotune__text *out, double value); /* reads back as the same */
void append_time(autotune__text *out, double ns);
/* The end of a line that begins at `start` of the text: its checksum, and the line feed. */
void append_end(autotune__text *out, size_t start);

/* ---- Lines ---- */

enum { DATE_BYTES = 20 };
struct line { /* a sound one */
    const char *text;
    size_t length, source;
    char date[DATE_BYTES]; /* 2026-11-20T14:05:09Z, or whatever stands in its place */
    uint64_t id;           /* of tuner and key */
    uint64_t fingerprint;  /* of the build */
    uint64_t machine;      /* on which it was made */
    uint64_t tuner;        /* a hash of its name */
    bool unfinished;
    bool dead; /* a later line of its source stands for it */
};
enum soundness { SOUND, BLANK, NEWER, UNSOUND };

bool is_sound(const char *line, size_t length);
/* The line joins those of its source, of which it may replace one. ended: there is a line feed behind it. why: what is
   wrong with one that is not sound. */
enum soundness add_line(size_t source, const char *line, size_t length, bool ended, const char **why);
/* Adds a line again, as one of another source. */
void add_again(size_t line, size_t source);
/* A record without its tables of configurations, for a program; with a line feed. */
void append_without_tables(autotune__text *out, const struct line *line);
/* The same line with another date, in seconds since 1970. Its text is kept until the command ends. */
struct line dated_line(const struct line *line, double seconds);
size_t line_count(void);
struct line line_at(size_t line);

uint64_t rule_id(const struct line *line); /* of the rule of its tuner */
/* Returns the id of the line with the time of the winner's calls in use: of a winner that is far slower than raced, or
   of any other. */
uint64_t in_use_id(const struct line *record, bool slower);

/* ---- Misses ---- */

struct miss { /* lines of one tuner, key, build and device, added up */
    struct line line; /* the last of them */
    size_t words;     /* what stands there before the counts */
    double calls, runs;
};
bool is_miss(const char *line, size_t length);
/* An array of stb_ds; NULL: there are none. */
struct miss *read_misses(const char *text, size_t bytes);
void append_miss(autotune__text *out, const struct miss *miss);

/* ---- Pins ---- */

/* Returns the configuration that the first pin of AUTOTUNE_USE asks for that fits a tuner, by its name or by its name
   and key as the log shows them. NULL: none fits. */
const char *pin_of(const char *tuner, const char *tuner_and_key);
/* Does AUTOTUNE_USE take the line as a pin whose name ends before the = at this place? */
bool is_pin(const char *line, size_t equals);

/* ---- Verifications ---- */

bool read_verification(const char *text, size_t length, struct line *line); /* false: it is damaged, or none */

/* ---- Files ---- */

/* NULL: a message said why there is none. folder: NULL where the environment names it. */
const char *cache_path(const char *folder);
const char *notes_path(void); /* of that cache */
const char *misses_path(void);   /* NULL: AUTOTUNE_MISSES is off */
const char *verified_path(void); /* of that cache */
bool may_write_cache(void);      /* what the environment says */
bool lock_cache(void);           /* waits while somebody writes; false: it could not be locked */
void unlock_cache(bool locked);
bool append_to_file(const char *line, size_t bytes); /* of the cache. Returns false after a message */
/* Removes the lines of the cache that are to be cleared, and the launch notes whose first line is. Returns false after
   a message if nothing was removed. */
bool clear_cache(bool (*is_to_clear)(const char *line, size_t length, void *user), void *user);
void each_note(void (*visit)(const struct line *line, void *user), void *user);
/* Why a file in the folder of the cache is not read, of which at most so many bytes are; 0: as many as of the records.
   NULL: it may be read, or is not there. */
const char *problem_of_file(const char *path, size_t most);
size_t most_misses(void); /* bytes that are read of them */
int open_to_read(const char *path);                                                /* -1: errno says why */
bool write_to_end(int file, const char *bytes, size_t count);                      /* false: errno says why */
bool replace_file(const char *path, const autotune__text *text, const char **why); /* or writes to a pipe */
