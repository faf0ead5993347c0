/* expect: CASE(call, item, ...): the call stands before WHERE, PRIORITY, MODEL and NAME */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(WHERE(n > 64)));
}
