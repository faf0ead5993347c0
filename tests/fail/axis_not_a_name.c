/* expect-c: expected identifier or */
/* expect-c++: expected unqualified-id */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(16, 32, 64)), 1, kernel(16));
}
