/* expect: an argument is not an option (.name = value): put a call or a value with a comma into parentheses, as (f(a), f(b)) or (f<int, 4>(a)), and buffers into BUFFERS({pointer, bytes}, ...) */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int *v, int tile);
void call_site(int n, int *a, int *b);
void call_site(int n, int *a, int *b) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(a, tile), 5); (void)b, (void)n;
}
