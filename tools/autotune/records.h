/* records.h - selects, sorts and opens the records of the files that were read */
#pragma once
#include "library.h"

struct record {   /* a line that no other line replaces */
    size_t index; /* the argument of line_at() for this line */
    struct line line;
    const char *tuner, *key; /* as shown */
};
struct row { /* a row of the launch table */
    struct value at;
    double ns; /* see ns_of() */
    bool winner, failed;
};

/* Returns true if the arguments select the record. The arguments are [TUNER [KEY]], and end with NULL. TUNER is a name,
   a short name, or a pattern of the shell; without TUNER every tuner is selected. KEY is a key as shown, or its values
   alone; without KEY every key is selected. */
bool is_selected(struct value record, char *const *arguments);
/* Returns the records that the arguments select, sorted by tuner, key and date. If no tuner has the name TUNER, selects
   tuners whose names contain TUNER. The result is an array of stb_ds; NULL: there are none. */
struct record *select_records(char *const *arguments);
/* Returns true if both lines are of one tuner, key, device and build. Older versions of the library made another
   fingerprint of the same build. So if fingerprints differ, the function compares the call, its version and its
   compiler. */
bool is_same_build(const struct line *a, const struct line *b);
bool is_same_case(const struct record *a, const struct record *b); /* the same tuner and key */
/* Returns the records that one file would hold if all records had been appended to it in the order of their dates. The
   result is an array of stb_ds in that order, or NULL if there are no records. */
struct record *merged_records(void);
/* Without arguments returns DONE. Else reports that the files have no such record, and returns FAULTY. */
int none_found(char *const *arguments);
int none_found_in(const char *name, char *const *arguments);

struct value open_record(const struct record *record); /* close it with close_json() */
/* Returns the time of a record's winner, or of a row: the median of the duel, or the minimum if the configuration left
   the race before the duel. */
double ns_of(struct value object);
bool is_rule(const struct record *record); /* a rule of `autotune fit`; false: a record of a key */
double speedup_of(struct value record); /* time of the first configuration divided by the winner's time */
/* Returns the rows: the winner first, then the others by time, failures last. The result is an array of stb_ds. */
struct row *rows_of(struct value record);
void append_line(autotune__text *out, const struct record *record); /* unchanged, with a line feed */
