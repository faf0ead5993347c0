/* expect: SPACE: at least one axis */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(WHERE(n > 1)), 1, kernel(n));
}
