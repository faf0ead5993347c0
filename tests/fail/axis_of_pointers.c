/* expect: AXIS_OF(vector, ...): values are numbers, strings or functions */
#include "autotune.h"

void kernel(float *vector);
void call_site(float *const *vectors, int n);
void call_site(float *const *vectors, int n) {
    AUTOTUNE(SPACE(AXIS_OF(vector, vectors, n)), 1, kernel(vector));
}
