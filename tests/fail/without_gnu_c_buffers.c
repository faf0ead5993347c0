/* expect: BUFFERS needs gcc or clang: compile this file with clang-cl, or fill in an autotune_buffers */
/* errors: 1 */
/* flags: -include ../headers/without_gnu_c.h */
#include "autotune.h"

autotune_status call(autotune_tuner *tuner, float *a, float *b);
autotune_status call(autotune_tuner *tuner, float *a, float *b) {
    autotune_options options = { 0 };
    options.restore =
        AUTOTUNE_BUFFERS({a, 4}, {b, 4});
    return autotune_call(tuner, &options);
}
