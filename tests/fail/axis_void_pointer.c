/* expect: AXIS(memory, ...): values are numbers, strings or functions */
#include "autotune.h"

void kernel(void *memory);
void call_site(void *a, void *b);
void call_site(void *a, void *b) {
    AUTOTUNE(SPACE(AXIS(memory, a, b)), 1, kernel(memory));
}
