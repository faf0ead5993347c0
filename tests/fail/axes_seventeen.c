/* expect: SPACE: at most 16 axes */
#include "autotune.h"

void kernel(int tile);
#define EIGHT(x) \
    AXIS(x##1, 1), AXIS(x##2, 1), AXIS(x##3, 1), AXIS(x##4, 1), AXIS(x##5, 1), AXIS(x##6, 1), AXIS(x##7, 1), \
    AXIS(x##8, 1)
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(EIGHT(a), EIGHT(b), AXIS(one_more, 1)), 1, kernel(a1));
}
