/* expect: SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items */
#include "autotune.h"

void kernel(int a, int b);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(CONFIGS((a, b), (1, 2), (3, 4)) WHERE(a > 1)), 1, kernel(a, b));
}
