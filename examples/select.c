/* Alternatives with different signatures: three functions that count the bits that are set. The third function works
   only if the number of words is a multiple of 4. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdio.h>

enum { MOST = 4096 };
static uint64_t words[MOST];

static uint64_t one_by_one(const uint64_t *w, size_t n) {
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) for (uint64_t rest = w[i]; rest; rest &= rest - 1) bits++;
    return bits;
}
static uint64_t from_table(const unsigned char *byte, size_t n, const unsigned char table[256]) {
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) bits += table[byte[i]];
    return bits;
}
static uint64_t parallel(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return ((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
}
/* Counts the bits of four words at once, so that the processor can overlap their instructions. */
static void four_at_once(const uint64_t *w, size_t fours, uint64_t *bits) {
    *bits = 0;
    for (; fours; fours--, w += 4) *bits += parallel(w[0]) + parallel(w[1]) + parallel(w[2]) + parallel(w[3]);
}

/* The alternatives with the highest PRIORITY are raced. Those with a lower PRIORITY are raced only if none of these
   works. */
static uint64_t count(const uint64_t *w, size_t n, const unsigned char table[256], autotune_result *result) {
    uint64_t bits = 0;
    AUTOTUNE_SELECT((.key = KEY(n), .outputs = BUFFERS({&bits, sizeof bits}), .result = result),
                    CASE(bits = one_by_one(w, n), PRIORITY(1)),
                    CASE(bits = from_table((const unsigned char *)w, n * sizeof *w, table), PRIORITY(1),
                         NAME("a table of bytes")),
                    CASE(four_at_once(w, n / 4, &bits), PRIORITY(2), WHERE(n % 4 == 0)));
    return bits;
}

int main(void) {
    unsigned char table[256] = {0};
    for (int i = 1; i < 256; i++) table[i] = (unsigned char)(table[i / 2] + i % 2);
    for (size_t i = 0; i < MOST; i++) words[i] = parallel(i) * 0x9e3779b97f4a7c15;

    bool right = true;
    const size_t sizes[] = { 1001, MOST };
    for (size_t s = 0; s < 2; s++) {
        autotune_result r;
        uint64_t bits = count(words, sizes[s], table, &r);
        right = right && r.status == AUTOTUNE_OK && bits == one_by_one(words, sizes[s]);
        printf("%4zu words, %6llu bits, %zu tried: %s\n", sizes[s], (unsigned long long)bits, r.tried,
               autotune_get_label(&r.config, "call"));
    }
    puts(right ? "all counts right" : "a count is WRONG");
    return right ? 0 : 1;
}
