/* expect: SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(kernel(2), PRIORITY(2) WHERE(n > 64)));
}
