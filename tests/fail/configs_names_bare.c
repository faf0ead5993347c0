/* expect: CONFIGS((a, b), (1, 2), ...): the names stand in parentheses */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(CONFIGS(tile, (16), (32))), 1, kernel(tile));
}
