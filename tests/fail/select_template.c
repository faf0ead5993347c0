/* expect-c: expected expression */
/* expect-c++: AUTOTUNE_SELECT: put a call with a comma into parentheses, as (f<int, 4>(a)) */
#include "autotune.h"

#ifdef __cplusplus
template <class T, int N> void kernel(T *v);
#else
void kernel(float *v);
#endif
void call_site(int n, int *a);
void call_site(int n, int *a) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel<int, 4>(a), (kernel<int, 8>(a)));
}
