/* fit_times.h - what the records of one tuner say of all configurations at all keys */
#pragma once
#include "records.h"

enum { MOST_PARTS = 8 };
struct part { /* of the keys */
    const char *name; /* as shown */
    bool is_number;   /* or it is the same at all keys, and stands as `text` in them */
    const char *text;
};
struct key {
    const char *shown;
    double number[MOST_PARTS];
    double *ratio;  /* of each configuration: its least time over that of the best one; NAN: there is none */
    size_t winner;  /* a configuration; SIZE_MAX: it has no time */
    double first;   /* what the first configuration took, over the winner; NAN: that was not measured */
    const char *date;
};
struct times {
    const char *tuner, *device, *newest; /* the newest date */
    struct line line;                    /* of a record, whose build and device are those of all */
    struct value record;                 /* that of the line */
    struct value *opened;                /* records, an array of stb_ds */
    size_t part_count;
    struct part parts[MOST_PARTS];
    struct key *keys;                    /* arrays of stb_ds */
    struct value *configs;
    bool *complete;                      /* has the configuration a time at each key? */
    size_t incomplete, others;           /* configurations without; records of other builds or devices */
    size_t bare;                         /* records that lost their tables for want of room */
};

/* Returns false if times are missing: a message said which. */
bool read_times(char *const *arguments, struct times *times);
void free_times(struct times *times);
