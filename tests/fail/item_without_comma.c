/* expect: SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 8, 16) WHERE(tile > 8)), 1, kernel(tile));
}
