/* Numbers: unknown numbers, hashes, random numbers, searching, sorting and medians. Also functions that would need the
   math library. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"

/* AUTOTUNE__NEVER stands for a time that is unknown, or a limit that is never reached. It is a number larger than all
   others, since with -ffast-math a compiler assumes that neither infinities nor NaNs exist. Only users see a NaN, for a
   time that was not measured. The cast drops excess digits on processors whose registers are wider than a double.

   A number from outside may be infinite or NaN, so its bits are tested. The bits go through memory: otherwise the
   compiler could remove the test. */
#define AUTOTUNE__NEVER ((double)1e200)
static uint64_t autotune__bits(double value) {
    uint64_t bits;
    __asm__("" : "+m"(value));
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static bool autotune__are_nan(uint64_t bits) { return bits << 1 > 0xFFE0000000000000u; }
static bool autotune__is_finite(double value) { return autotune__bits(value) << 1 < 0xFFE0000000000000u; }
/* Returns true if the magnitude of the value is below 2^500. So AUTOTUNE__NEVER is not definite. */
static bool autotune__is_definite(double value) { return autotune__bits(value) << 1 < 0xBE60000000000000u; }
static bool autotune__is_within(double value, double least, double most) {
    return autotune__is_definite(value) && value >= least && value <= most;
}
static double autotune__nan(void) {
    const uint64_t bits = 0x7FF8000000000000u;
    double value;
    memcpy(&value, &bits, sizeof value);
    __asm__("" : "+m"(value));
    return value;
}

/* Hashes texts by FNV-1a, byte by byte. The cache on disk keeps such hashes: their values must not change. */
AUTOTUNE__INLINE uint64_t autotune__hash_byte(uint64_t hash, unsigned char value) {
    return (hash ^ value) * 1099511628211u;
}
/* NULL is hashed as "". A hit needs this function inline. */
AUTOTUNE__INLINE uint64_t autotune__hash_in_line(const char *text) {
    uint64_t hash = 14695981039346656037u;
    if (text) for (; *text; text++) hash = autotune__hash_byte(hash, (unsigned char)*text);
    return hash;
}
/* The same for all other callers: less code. */
static uint64_t autotune__hash_string(const char *text) { return autotune__hash_in_line(text); }
/* Hashes a text and its end: "a", "bc" and "ab", "c" have different hashes. */
static AUTOTUNE__UNUSED uint64_t autotune__hash_more(uint64_t hash, const char *text, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) hash = autotune__hash_byte(hash, (unsigned char)text[i]);
    return autotune__hash_byte(hash, 0xFF);
}
/* Adds a word to a hash, by a product and a fold. Each bit of the word reaches the low bits of the hash. */
AUTOTUNE__INLINE uint64_t autotune__hash_word(uint64_t hash, uint64_t word) {
    word *= 0x9E3779B97F4A7C15u;
    return (hash << 23 | hash >> 41) + (word ^ word >> 32);
}

static uint64_t autotune__random(uint64_t *state) {                 /* splitmix64 */
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
/* Draws a number from 0 to below - 1. The distribution is nearly even. Only a large `below` needs a division. */
static uint64_t autotune__random_below(uint64_t *state, uint64_t below) {
    const uint64_t random = autotune__random(state);
    return below <= UINT32_MAX ? (random >> 32) * below >> 32 : random % below;
}
/* Logarithm, exponential and inverse root without the math library. Errors: 1e-10, 1e-12, 1e-6. */
static double autotune__logarithm(double x) {   /* x: normal and above 0. By the exponent, and the series of atanh */
    uint64_t bits;
    int64_t exponent;
    double s, square;
    memcpy(&bits, &x, sizeof bits);
    /* the remaining factor lies between the roots of 1/2 and 2 */
    exponent = (int64_t)((bits - 0x3FE6A09E00000000u) >> 52 & 0x7FF);
    if (exponent & 0x400) exponent -= 0x800;
    bits -= (uint64_t)exponent << 52;
    memcpy(&x, &bits, sizeof x);
    s = (x - 1) / (x + 1);
    square = s * s;
    return (double)exponent * 0.69314718055994531 +
           2 * s *
               (1 + square * (1 / 3.0 + square * (1 / 5.0 + square * (1 / 7.0 + square * (1 / 9.0 + square / 11)))));
}
static double autotune__exp(double x) {         /* a power of two times Taylor's series of the rest */
    const double clamped = x < -700 ? -700 : x > 700 ? 700 : x, turns = clamped / 0.69314718055994531;
    const int64_t power = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double rest = clamped - (double)power * 0.69314718055994531;
    const uint64_t bits = (uint64_t)(power + 1023) << 52;
    static const double one_over[] = { 0,       1,       1 / 2.0, 1 / 3.0, 1 / 4.0, 1 / 5.0,
                                       1 / 6.0, 1 / 7.0, 1 / 8.0, 1 / 9.0, 1 / 10.0 };
    double scale, sum = 1;
    int n;
    for (n = 10; n > 0; n--) sum = 1 + sum * rest * one_over[n];
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}
static float autotune__inverse_root(float x) {  /* a guess by the exponent, improved by Newton */
    uint32_t bits;
    float y;
    int n;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5F375A86u - (bits >> 1);
    memcpy(&y, &bits, sizeof y);
    for (n = 0; n < 3; n++) y *= 1.5f - 0.5f * x * y * y;
    return y;
}

/* Returns the dot product. Adds in lanes, since without -ffast-math a compiler must not change the order of additions,
   and so uses no vector instructions. */
typedef float autotune__lanes __attribute__((__vector_size__(16)));
static float autotune__dot(const float *a, const float *b, size_t count) {
    autotune__lanes sum = { 0, 0, 0, 0 }, other = { 0, 0, 0, 0 }, x, y;
    float total;
    size_t i;
    for (i = 0; i + 8 <= count; i += 8) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        sum += x * y;
        memcpy(&x, a + i + 4, sizeof x);
        memcpy(&y, b + i + 4, sizeof y);
        other += x * y;
    }
    sum += other;
    total = sum[0] + sum[1] + sum[2] + sum[3];
    for (; i < count; i++) total += a[i] * b[i];
    return total;
}

/* For qsort() and bsearch() of elements that begin with a size_t. */
static int autotune__order_sizes(const void *left, const void *right) {
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}
/* Returns the position of the value among ascending values; SIZE_MAX: not found. */
static size_t autotune__position_of(size_t value, const size_t *ascending, size_t count) {
    const void *const found = count ? bsearch(&value, ascending, count, sizeof value, autotune__order_sizes) : NULL;
    return found ? (size_t)((const size_t *)found - ascending) : SIZE_MAX;
}

/* A value and the number of its owner. For qsort(): by ascending values, then by ascending numbers. */
typedef struct autotune__numbered { double value; size_t number; } autotune__numbered;
static int autotune__order_numbered(const void *left, const void *right) {
    const autotune__numbered *a = (const autotune__numbered *)left, *b = (const autotune__numbered *)right;
    return a->value < b->value ? -1 : a->value > b->value ? 1 : a->number < b->number ? -1 : 1;
}
static int autotune__order_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
static void autotune__sort(double *values, size_t count) {
    qsort(values, count, sizeof *values, autotune__order_doubles);
}
static double autotune__median(double *values, size_t count) {      /* reorders the values */
    autotune__sort(values, count);
    return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : AUTOTUNE__NEVER;
}
