/* records.h - the records that were read: which are meant, in which order, and what they say */
#pragma once
#include "library.h"

struct record {   /* a line that counts */
    size_t index; /* line_at() */
    struct line line;
    const char *tuner, *key; /* as shown */
};
struct row { /* of the launch table */
    struct value at;
    double ns;
    bool winner, failed;
};

/* Is it of the tuner (a name, a short name, or a pattern as the shell has them) and of the key (as shown, or its values
   alone)? The arguments are [TUNER [KEY]], and end with NULL; what is not named is any. */
bool is_meant(struct value record, char *const *arguments);
/* By tuner, key and date. If no record has a tuner of this name, records of tuners whose names have it as a part. An
   array of stb_ds; NULL: there are none. */
struct record *select_records(char *const *arguments);
/* Are both lines of one tuner, key, device and build? Older versions gave the same texts another fingerprint: then the
   call, its version and its compiler tell. */
bool is_same_build(const struct line *a, const struct line *b);
bool is_same_case(const struct record *a, const struct record *b); /* of the same tuner and key? */
/* Returns the records that one file would hold if all records had been appended to it in the order of their dates. The
   result is an array of stb_ds in that order, or NULL if there are no records. */
struct record *merged_records(void);
int none_found(char *const *arguments); /* in the files that were read: says so; DONE where nothing was named */
int none_found_in(const char *name, char *const *arguments);

struct value open_record(const struct record *record); /* to be closed by close_json() */
/* The time of a record's winner, or of a row: the median of the duel, or the minimum where it left the race before. */
double ns_of(struct value object);
bool is_rule(const struct record *record); /* of `autotune fit`, and no record of a key */
double speedup_of(struct value record); /* over the first configuration */
/* The winner first, then by time, failures last. An array of stb_ds. */
struct row *rows_of(struct value record);
void append_line(autotune__text *out, const struct record *record); /* as it stands, with a line feed */
