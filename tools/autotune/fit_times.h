/* fit_times.h - the times of all configurations at all keys, from the records of one tuner */
#pragma once
#include "records.h"

enum { MOST_PARTS = 8 };
struct part { /* a part of the keys */
    const char *name; /* as shown */
    bool is_number;   /* false: the part is the same at all keys */
    const char *text; /* if the part is no number: its value */
};
struct key {
    const char *shown;
    double number[MOST_PARTS];
    double *ratio;  /* for each configuration: its least time divided by that of the best; NAN: it has no time */
    size_t winner;  /* the number of the winner in `configs`; SIZE_MAX: the winner has no time */
    double first;   /* time of the first configuration divided by the winner's; NAN: it was not measured */
    const char *date;
};
struct times {
    const char *tuner, *device, *newest; /* the newest date */
    struct line line;                    /* the line of one record. All records have its build and device */
    struct value record;                 /* the record of `line` */
    struct value *opened;                /* the opened records, an array of stb_ds */
    size_t part_count;
    struct part parts[MOST_PARTS];
    struct key *keys;                    /* arrays of stb_ds */
    struct value *configs;
    bool *complete;                      /* for each configuration: true if it has a time at each key */
    size_t incomplete;                   /* how many configurations lack a time at some key */
    size_t other_builds;                 /* how many records of other builds or devices were left out */
    size_t without_table;                /* how many records lost their launch tables, since the cache had no room */
};

/* If times are missing, prints a message that says which, and returns false. */
bool read_times(char *const *arguments, struct times *times);
void free_times(struct times *times);
