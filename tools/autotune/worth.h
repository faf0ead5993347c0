/* worth.h - keys that production runs missed, and how much tuning each key would be worth */
#pragma once
#include "files.h"
#include "library.h"

struct worth {
    struct miss miss;
    const char *tuner, *key;
    double worth; /* how many calls missed */
};
/* Returns the misses of a file that the arguments select, as is_selected() does. Leaves out misses of a key if one of
   the records that were read has the winner of the key. The miss that is worth most comes first. Reports damaged lines.
   The result is an array of stb_ds; NULL: there are none. */
struct worth *select_misses(const struct input *input, char *const *arguments);
