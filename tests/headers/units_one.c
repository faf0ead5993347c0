/* Two files share the winner of the call site in their header. Two functions with the same name, one in each file,
   share nothing. */
#include "units.h"

static bool known(int n) {
    autotune_result result;
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile + n, .key = KEY(n), .preset = AUTOTUNE_FAST, .result = &result);
    EXPECT(last == n + 1 || last == n + 2);
    return result.cache_hit;
}

int main(void) {
    EXPECT(!known_to_all(3));
    EXPECT(known_to_all_in_unit_two(3));
    EXPECT(!known_to_all_in_unit_two(4));
    EXPECT(known_to_all(4));

    EXPECT(!known(3));
    EXPECT(!known_to_unit_two(3));
    EXPECT(known(3));
    EXPECT(known_to_unit_two(3));
    return failures + failures_in_unit_two() != 0;
}
