/* expect: an argument is not an option (.name = value): put a call or a value with a comma into parentheses, as (f(a), f(b)) or (f<int, 4>(a)), and buffers into BUFFERS({pointer, bytes}, ...) */
/* elsewhere: g++ clang++ */
/* errors: 7 */
#include "autotune.h"

#ifdef __cplusplus
template <class T, int N> void kernel(T *v, int tile);
#else
void kernel(float *v, int tile);
#endif
void call_site(int n, int *a, int *b);
void call_site(int n, int *a, int *b) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel<int, 4>(a, tile), .key = KEY(n)); (void)b;
}
