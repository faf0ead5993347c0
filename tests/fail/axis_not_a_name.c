/* expect: SPACE: the name of an axis is an identifier, and no macro of the program has this name; here it is '16' */
/* errors: 20 */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(16, 32, 64)), 1, kernel(16));
}
