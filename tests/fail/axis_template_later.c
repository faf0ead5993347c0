/* expect-c: expected expression */
/* expect-c++: AXIS(name, value, ...): put a value with a comma into parentheses, as (f<int, 4>) */
#include "autotune.h"

#ifdef __cplusplus
template <class T, int N> void kernel(T *v);
#else
void kernel(float *v);
#endif
void plain(int *v);
void call_site(int n, int *a);
void call_site(int n, int *a) {
    AUTOTUNE(SPACE(AXIS(f, plain, kernel<int, 4>, kernel<int, 8>)), 1, f(a), .key = KEY(n));
}
