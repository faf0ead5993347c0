/* Two units, each with a library of its own. AUTOTUNE_STATIC is enough; AUTOTUNE_IMPLEMENTATION besides, as in the
   other, does no harm. */
#define AUTOTUNE_STATIC
#include "autotune.h"
#include "expect.h"

int static_two(int n);

int main(void) {
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile, .preset = AUTOTUNE_FAST);
    EXPECT(last == 1 || last == 2);
    last = static_two(7);
    EXPECT(last == 8 || last == 9);
    return failures != 0;
}
