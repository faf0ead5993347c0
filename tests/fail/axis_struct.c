/* expect: AXIS(size, ...): values are numbers, strings or functions */
#include "autotune.h"

struct size { int rows, columns; };
void kernel(struct size size);
void call_site(struct size small, struct size large);
void call_site(struct size small, struct size large) {
    AUTOTUNE(SPACE(AXIS(size, small, large)), 1, kernel(size));
}
