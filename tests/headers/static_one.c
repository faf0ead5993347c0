/* Two files, each with its own library. AUTOTUNE_STATIC is enough. static_two.c also defines AUTOTUNE_IMPLEMENTATION,
   which has no effect. */
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
