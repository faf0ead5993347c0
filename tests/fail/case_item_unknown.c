/* expect: CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not 'n > 64' */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(kernel(2), n > 64));
}
