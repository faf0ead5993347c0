/* expect: CONFIGS: at most 12 names */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(CONFIGS((a, b, c, d, e, f, g, h, i, j, k, l, m), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))), 1,
             kernel(1));
}
