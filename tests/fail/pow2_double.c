/* expect: POW2(share, ...): integers only */
#include "autotune.h"

void kernel(double share);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(POW2(share, 0.5, 4.0)), 1, kernel(share));
}
