/* expect: CASE: at most 8 items */
#include "autotune.h"

void kernel(int tile);
#define THREE WHERE(n > 1), WHERE(n > 2), WHERE(n > 3)
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(kernel(2), THREE, THREE, THREE));
}
