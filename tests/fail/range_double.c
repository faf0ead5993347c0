/* expect: RANGE(share, ...): integers only */
#include "autotune.h"

void kernel(double share);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(RANGE(share, 0.5, 1.0, 0.1)), 1, kernel(share));
}
