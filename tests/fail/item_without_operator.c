/* expect: SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 8, 16), WHERE(tile > 8) && tile < n), .key = KEY(n)) kernel(tile);
}
