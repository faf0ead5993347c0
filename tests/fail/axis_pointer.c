/* expect: AXIS(vector, ...): values are numbers, strings or functions */
#include "autotune.h"

void kernel(float *vector);
void call_site(float *a, float *b);
void call_site(float *a, float *b) {
    AUTOTUNE(SPACE(AXIS(vector, a, b)), 1, kernel(vector));
}
