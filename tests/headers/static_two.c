/* See static_one.c. */
#define AUTOTUNE_STATIC
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

int static_two(int n);

int static_two(int n) {
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile + n, .key = KEY(n), .preset = AUTOTUNE_FAST);
    return last;
}
