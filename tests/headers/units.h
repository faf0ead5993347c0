/* A call site in a header: all files that include it share one tuner. */
#ifndef UNITS_H
#define UNITS_H
#include "autotune.h"
#include "expect.h"
#include <stdbool.h>

static inline bool known_to_all(int n) {
    autotune_result result;
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile + n, .key = KEY(n), .preset = AUTOTUNE_FAST, .result = &result);
    EXPECT(last == n + 1 || last == n + 2);
    return result.cache_hit;
}

#ifdef __cplusplus
extern "C" {
#endif
bool known_to_all_in_unit_two(int n);
bool known_to_unit_two(int n);
int failures_in_unit_two(void);
#ifdef __cplusplus
}
#endif
#endif
