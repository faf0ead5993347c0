/* worth.h - what production runs missed, and what tuning it would be worth */
#pragma once
#include "files.h"
#include "library.h"

struct worth {
    struct miss miss;
    const char *tuner, *key;
    double speedup; /* the best that a record of the tuner has; AUTOTUNE__NEVER: none has one */
    double gain;    /* the seconds that could have been gained at most */
};
/* Of a file of misses, those that are meant, as is_meant() understands it, and that no record that was read answers
   since then: what could be gained most comes first. Lines that are damaged are reported. An array of stb_ds; NULL:
   there are none. */
struct worth *select_misses(const struct input *input, char *const *arguments);
