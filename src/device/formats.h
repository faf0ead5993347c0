/* The formats of floating-point elements: the tolerances of comparisons, and the bits of a NaN. */
#pragma once
#include "../api/floor.h"
#include "../space/floor.h"

/* The properties of a floating-point type. Two values agree if they differ by at most `tolerance` times the expected
   value. The tolerance of a buffer replaces `tolerance`, if it is not 0. Two values also agree if they differ by at
   most `rounding` times the largest expected magnitude of the buffer. This allows for errors of sums that cancel: 16
   units in the last place in single and double precision, 2 in both half precisions. In infinities and NaNs all bits
   of the exponent are set. The code looks only at these bits, since -ffast-math removes other tests. */
typedef struct autotune__format {
    double tolerance, rounding;
    uint64_t exponent;                          /* a mask of the bits of the exponent */
    uint64_t nan;                               /* a NaN, repeated to fill the word */
} autotune__format;
/* Returns the format of a type. If the type is no floating-point type, all members are 0. */
AUTOTUNE__INLINE const autotune__format *autotune__format_of(autotune_type type) {
    static const autotune__format formats[] = {
        { 0, 0, 0, 0 },
        { 1e-2, 1.0 / 512, 0x7C00u, 0x7E007E007E007E00u },                          /* F16 */
        { 5e-2, 1.0 / 64, 0x7F80u, 0x7FC07FC07FC07FC0u },                           /* BF16 */
        { 1e-4, 1.0 / (1 << 19), 0x7F800000u, 0x7FC000007FC00000u },                /* F32 */
        { 1e-10, 1.0 / ((int64_t)1 << 48), 0x7FF0000000000000u, 0x7FF8000000000000u }       /* F64 */
    };
    return &formats[autotune__is_float(type) ? type - AUTOTUNE_F16 + 1 : 0];
}
