/* sizes_rule() chooses a configuration of sizes.c:tune for a key.
   Made by `autotune fit --format c` from 12 keys in
   sizes.jsonl of 2026-11-25T17:52:17Z, on AMD EPYC, 2 cores, L1d 32 KiB, L2 512 KiB.
   At keys that were left out of the rule, the chosen configuration takes longer than the best one: by
   0.0 % in the median, by 8.4 % at worst.
   Returns NULL if the key is outside the range of these keys, or if no choice is fast enough for
   keys near it. */
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
