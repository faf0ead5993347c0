/* expect: AUTOTUNE(space, blocks, call, .option = ..., ...): three arguments at least */
#include "autotune.h"

void call_site(void);
void call_site(void) {
    AUTOTUNE();
}
