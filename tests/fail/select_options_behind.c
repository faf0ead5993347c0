/* expect: AUTOTUNE_SELECT((.option = ...), call, ...): the options stand before the calls */
/* errors: 6 */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), kernel(2), .max_trials = 5);
}
