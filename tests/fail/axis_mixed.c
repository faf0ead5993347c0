/* expect-gcc: makes integer from pointer without a cast */
/* expect-clang: incompatible pointer to integer conversion */
/* expect-g++: invalid conversion from */
/* expect-clang++: cannot initialize an array element */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, "32")), 1, kernel(tile));
}
