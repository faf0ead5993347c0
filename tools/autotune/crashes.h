/* crashes.h - the launch notes: configurations whose first launch did not return */
#pragma once
#include "library.h"

struct crash {
    const char *tuner, *key, *config; /* as shown */
    const char *date;                 /* of the last crash, as shown */
    size_t times;                     /* how many launches did not return */
};
bool is_crash(struct value line); /* false: it is a record */
/* Reads the crashes beside the cache on disk that the arguments select, as is_meant() does. A file that the user named
   has no crashes. Sorts them by tuner, key and configuration. Returns an array of stb_ds; NULL: there are none. */
struct crash *read_crashes(char *const *arguments);
