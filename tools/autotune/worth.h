/* worth.h - what production runs missed, and what tuning it would be worth */
#pragma once
#include "files.h"
#include "library.h"

struct worth {
    struct miss miss;
    const char *tuner, *key;
    double worth;
};
/* Selects the misses of a file that are meant, as is_meant() understands it, and that no record that was read answers
   since then. The miss that is worth most comes first. Lines that are damaged are reported. An array of stb_ds; NULL:
   there are none. */
struct worth *select_misses(const struct input *input, char *const *arguments);
