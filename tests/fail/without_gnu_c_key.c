/* expect: KEY needs gcc or clang: compile this file with clang-cl, or call autotune_key_add_int() */
/* errors: 1 */
/* flags: -include ../headers/without_gnu_c.h */
#include "autotune.h"

autotune_status call(autotune_tuner *tuner, int n, const char *layout);
autotune_status call(autotune_tuner *tuner, int n, const char *layout) {
    autotune_options options = { 0 };
    options.key =
        AUTOTUNE_KEY(n, layout);
    return autotune_call(tuner, &options);
}
