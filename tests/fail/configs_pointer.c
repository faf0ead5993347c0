/* expect: CONFIGS: vector: values are numbers, strings or functions */
#include "autotune.h"

void kernel(int tile, float *vector);
void call_site(float *a, float *b);
void call_site(float *a, float *b) {
    AUTOTUNE(SPACE(CONFIGS((tile, vector), (16, a), (32, b))), 1, kernel(tile, vector));
}
