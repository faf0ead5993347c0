/* report_hash.c - see report.h: SHA-256 (FIPS 180-4) in base 64 */
#include "report.h"

static uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

/* The first 32 bits of the fractional parts of roots of the first primes: 64 cube roots, and 8 square roots. */
static const uint32_t of_cube_roots[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t of_square_roots[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static void hash_block(uint32_t *hash, const unsigned char *block) {
    uint32_t words[64], at[8];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    memcpy(at, hash, sizeof at);
    for (int i = 0; i < 64; i++) {
        const uint32_t first = at[7] + (rotated(at[4], 6) ^ rotated(at[4], 11) ^ rotated(at[4], 25)) +
                               ((at[4] & at[5]) ^ (~at[4] & at[6])) + of_cube_roots[i] + words[i];
        const uint32_t second = (rotated(at[0], 2) ^ rotated(at[0], 13) ^ rotated(at[0], 22)) +
                                ((at[0] & at[1]) ^ (at[0] & at[2]) ^ (at[1] & at[2]));
        memmove(at + 1, at, 7 * sizeof *at);
        at[4] += first;
        at[0] = first + second;
    }
    for (int i = 0; i < 8; i++) hash[i] += at[i];
}
static void hash_of(const unsigned char *bytes, size_t count, unsigned char result[33]) {
    uint32_t hash[8];
    unsigned char end[128] = {0}; /* the remaining bytes, one bit, zeros, and the number of bits */
    const size_t left = count % 64, end_bytes = left < 56 ? 64 : 128;
    memcpy(hash, of_square_roots, sizeof hash);
    for (size_t i = 0; i + 64 <= count; i += 64) hash_block(hash, bytes + i);
    if (left) memcpy(end, bytes + count - left, left);
    end[left] = 0x80;
    for (size_t i = 0; i < 8; i++) end[end_bytes - 1 - i] = (unsigned char)((uint64_t)count * 8 >> 8 * i);
    for (size_t i = 0; i < end_bytes; i += 64) hash_block(hash, end + i);
    for (size_t i = 0; i < 32; i++) result[i] = (unsigned char)(hash[i / 4] >> (24 - 8 * (i % 4)));
    result[32] = 0; /* makes 33 bytes, a multiple of 3 */
}
void append_hash(autotune__text *out, const char *text, size_t bytes) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char hash[33];
    char encoded[45] = "";
    hash_of((const unsigned char *)text, bytes, hash);
    for (size_t i = 0; i < 44; i++) {
        const size_t at = i / 4 * 3;
        const uint32_t bits = (uint32_t)hash[at] << 16 | (uint32_t)hash[at + 1] << 8 | hash[at + 2];
        encoded[i] = alphabet[bits >> (18 - 6 * (i % 4)) & 63];
    }
    append(out, "'sha256-%.43s='", encoded);
}
