/* crashes.h - the launch notes: configurations whose first launch did not come back */
#pragma once
#include "library.h"

struct crash {
    const char *tuner, *key, *config, *date; /* of the last time; all as shown */
    size_t times;
};
bool is_crash(struct value line); /* and no record */
/* Reads the crashes of the cache on disk that are meant, as is_meant() understands it; a file that the user named has
   none. By tuner, key and configuration: an array of stb_ds, NULL: there are none. */
struct crash *read_crashes(char *const *arguments);
