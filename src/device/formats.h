/* The formats of floating-point elements: how near two values have to be, and which bits a NaN has. */
#pragma once
#include "../api/floor.h"
#include "../space/floor.h"

/* The properties of a floating-point type. Two values agree if they differ by no more than a tolerance, relative to the
   expected one. They also agree if they differ by no more than the rounding of the largest value in the buffer may
   leave behind when sums cancel. This is 16 units in its last place in single and double precision, and 2 in the half
   ones. Infinities and NaNs are recognised by the bits of their exponent, which are all set: with -ffast-math a
   compiler assumes that there are none. */
typedef struct autotune__format {
    double tolerance, rounding;
    uint64_t exponent;
    uint64_t nan;                               /* as often as a word holds it */
} autotune__format;
/* Zeros: it is no such type. */
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
