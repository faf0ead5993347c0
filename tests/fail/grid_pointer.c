/* expect-gcc: not compatible with any association */
/* expect-clang: not compatible with any generic association type */
/* expect-c++: no matching function for call to */
#include "autotune.h"

void kernel(int tile);
void call_site(float *a);
void call_site(float *a) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), a, kernel(tile));
}
