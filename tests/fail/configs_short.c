/* expect: CONFIGS: every row is in parentheses and has one value for each name */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(CONFIGS((tile, unroll), (16, 1), (32))), 1, kernel(tile * unroll));
}
