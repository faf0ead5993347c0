/* See units_one.c. */
#include "units.h"

static bool known(int n) {
    autotune_result result;
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile + n, .key = KEY(n), .preset = AUTOTUNE_FAST, .result = &result);
    EXPECT(last == n + 1 || last == n + 2);
    return result.cache_hit;
}

bool known_to_all_in_unit_two(int n) { return known_to_all(n); }
bool known_to_unit_two(int n) { return known(n); }
int failures_in_unit_two(void) { return failures; }
