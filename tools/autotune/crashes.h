/* crashes.h - the launch notes: configurations whose first launch did not return */
#pragma once
#include "library.h"

struct crash {
    const char *tuner, *key, *config; /* as shown */
    const char *date;                 /* of the last crash, as shown */
    size_t launches;                  /* how many launches did not return */
};
bool is_crash(struct value line); /* false: it is a record */
/* Reads the crashes from the launch notes beside the cache. The arguments select crashes as they select records: see
   is_selected(). Returns the crashes, sorted by tuner, key and configuration, as an array of stb_ds. NULL: there are
   none, or --file names another file than the cache. */
struct crash *read_crashes(char *const *arguments);
