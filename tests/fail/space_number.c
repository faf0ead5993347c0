/* expect: AUTOTUNE: the first argument is SPACE(AXIS(name, value, ...), ...) */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(n, 1, kernel(n));
}
