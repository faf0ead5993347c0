/* Which configuration of sizes.c:tune a key is given. Made by `autotune fit --format c` from 12 keys in
   sizes.jsonl of 2026-11-25T17:52:17Z, on AMD EPYC, 2 cores, L1d 32 KiB, L2 512 KiB.
   Each key left out once, this loses 0.0 % of the best time in the median, 8.4 % at worst. NULL: a key that is
   too far from these. */
#pragma once
#include <stddef.h>

struct sizes_rule_choice {
    long long lanes;
};
static inline const struct sizes_rule_choice *sizes_rule(double n) {
    static const struct sizes_rule_choice choices[] = {
        { 4 },
        { 8 },
    };
    if (n < 16 || n > 1024) return NULL;
    if (n <= 212) return &choices[0]; /* lanes=4 */
    return &choices[1]; /* lanes=8 */
}
