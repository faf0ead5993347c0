/* expect-c: AXIS(tile, value, ...): the values stand without braces */
/* expect-c++: AXIS(tile, value, ...): the values stand without braces */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, {16, 32})), 1, kernel(tile));
}
