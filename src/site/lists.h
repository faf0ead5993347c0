/* Macros that handle lists of arguments, for the macros of a call site. */
#pragma once

#define AUTOTUNE__CAT(a, b) AUTOTUNE__CAT_(a, b)
#define AUTOTUNE__CAT_(a, b) a##b
#define AUTOTUNE__TEXT(...) #__VA_ARGS__
#define AUTOTUNE__UNWRAP(...) __VA_ARGS__
#define AUTOTUNE__NOTHING(...)
#define AUTOTUNE__HEAD(...) AUTOTUNE__HEAD_(__VA_ARGS__, ~)
#define AUTOTUNE__HEAD_(a, ...) a
#define AUTOTUNE__SECOND(...) AUTOTUNE__SECOND_(__VA_ARGS__, 0, ~)
#define AUTOTUNE__SECOND_(a, b, ...) b
/* IS_PAREN is 1 if x begins with a parenthesis, else 0: with a parenthesis AUTOTUNE__PAREN x expands, and has 1 as its
   second argument. IS_EMPTY is 1 if x is empty, else 0. IS_UNIT is 1 if x begins with (), else 0. */
#define AUTOTUNE__IS_PAREN(x) AUTOTUNE__SECOND(AUTOTUNE__PAREN x)
#define AUTOTUNE__PAREN(...) ~, 1,
#define AUTOTUNE__IS_EMPTY(x) AUTOTUNE__CAT(AUTOTUNE__IS_EMPTY_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_EMPTY_0(x) AUTOTUNE__IS_PAREN(x ())
#define AUTOTUNE__IS_EMPTY_1(x) 0
#define AUTOTUNE__IS_UNIT(x) AUTOTUNE__CAT(AUTOTUNE__IS_UNIT_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_UNIT_0(x) 0
#define AUTOTUNE__IS_UNIT_1(x) AUTOTUNE__IS_EMPTY(AUTOTUNE__HEAD x)
/* The number of arguments, from 1 to 64. For 65 to 70 arguments it is 65. */
#define AUTOTUNE__COUNT(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    65, 65, 65, 65, 65, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, \
    50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, \
    30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, \
    10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
/* 1 if there are more than 12 arguments, else 0. */
#define AUTOTUNE__OVER_TWELVE(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define AUTOTUNE__SEVENTIETH( \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, \
    a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, \
    a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, \
    a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, n, ...) n
/* (n, rest): the number of arguments is 8 n + rest, with a rest of 1 to 8. For 65 to 70 arguments it is (8, 0). */
#define AUTOTUNE__SPLIT(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    (8, 0), (8, 0), (8, 0), (8, 0), (8, 0), (8, 0), (7, 8), (7, 7), (7, 6), (7, 5), (7, 4), (7, 3), (7, 2), (7, 1), \
    (6, 8), (6, 7), (6, 6), (6, 5), (6, 4), (6, 3), (6, 2), (6, 1), (5, 8), (5, 7), (5, 6), (5, 5), (5, 4), (5, 3), \
    (5, 2), (5, 1), (4, 8), (4, 7), (4, 6), (4, 5), (4, 4), (4, 3), (4, 2), (4, 1), (3, 8), (3, 7), (3, 6), (3, 5), \
    (3, 4), (3, 3), (3, 2), (3, 1), (2, 8), (2, 7), (2, 6), (2, 5), (2, 4), (2, 3), (2, 2), (2, 1), (1, 8), (1, 7), \
    (1, 6), (1, 5), (1, 4), (1, 3), (1, 2), (1, 1), (0, 8), (0, 7), (0, 6), (0, 5), (0, 4), (0, 3), (0, 2), (0, 1), \
    (0, 0))
/* M(context, left, argument) for each of up to 64 arguments. left: the number of arguments from this argument on. A
   caller of EACH_OF passes the SPLIT of the arguments: counting takes most of the compiler's time, so a list is counted
   only once. One expansion takes eight arguments, because each expansion reads the rest of the list again. */
#define AUTOTUNE__EACH(M, c, ...) AUTOTUNE__EACH_OF(M, c, AUTOTUNE__SPLIT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__EACH_OF(M, c, split, ...) AUTOTUNE__EACH_BY(M, c, AUTOTUNE__UNWRAP split, __VA_ARGS__)
#define AUTOTUNE__EACH_BY(...) AUTOTUNE__EACH_BY_(__VA_ARGS__)
#define AUTOTUNE__EACH_BY_(M, c, n, rest, ...) AUTOTUNE__CAT(AUTOTUNE__EIGHTS_, n)(M, c, rest, __VA_ARGS__)
#define AUTOTUNE__EIGHTS_0(M, c, rest, ...) AUTOTUNE__CAT(AUTOTUNE__EACH_, rest)(M, c, __VA_ARGS__)
#define AUTOTUNE__EIGHTS_1(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 0 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_0(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_2(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 8 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_1(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_3(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 16 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_2(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_4(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 24 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_3(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_5(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 32 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_4(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_6(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 40 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_5(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
#define AUTOTUNE__EIGHTS_7(M, c, rest, ...) AUTOTUNE__NEXT_EIGHT(M, c, 48 + rest, __VA_ARGS__) \
    AUTOTUNE__EIGHTS_6(M, c, rest, AUTOTUNE__BEHIND_EIGHT(__VA_ARGS__))
/* More than 64 arguments expand to nothing. The macro that has the list reports the mistake. */
#define AUTOTUNE__EIGHTS_8(...)
#define AUTOTUNE__NEXT_EIGHT(M, c, left, a1, a2, a3, a4, a5, a6, a7, a8, ...) M(c, left + 8, a1) M(c, left + 7, a2) \
    M(c, left + 6, a3) M(c, left + 5, a4) M(c, left + 4, a5) M(c, left + 3, a6) M(c, left + 2, a7) M(c, left + 1, a8)
#define AUTOTUNE__BEHIND_EIGHT(a1, a2, a3, a4, a5, a6, a7, a8, ...) __VA_ARGS__
#define AUTOTUNE__EACH_1(M, c, a1) M(c, 1, a1)
#define AUTOTUNE__EACH_2(M, c, a1, a2) M(c, 2, a1) M(c, 1, a2)
#define AUTOTUNE__EACH_3(M, c, a1, a2, a3) M(c, 3, a1) M(c, 2, a2) M(c, 1, a3)
#define AUTOTUNE__EACH_4(M, c, a1, a2, a3, a4) M(c, 4, a1) M(c, 3, a2) M(c, 2, a3) M(c, 1, a4)
#define AUTOTUNE__EACH_5(M, c, a1, a2, a3, a4, a5) M(c, 5, a1) M(c, 4, a2) M(c, 3, a3) M(c, 2, a4) M(c, 1, a5)
#define AUTOTUNE__EACH_6(M, c, a1, ...) M(c, 6, a1) AUTOTUNE__EACH_5(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_7(M, c, a1, ...) M(c, 7, a1) AUTOTUNE__EACH_6(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_8(M, c, a1, ...) M(c, 8, a1) AUTOTUNE__EACH_7(M, c, __VA_ARGS__)
/* M(name_1, value_1) M(name_2, value_2) ... for the n names of one tuple and the first n values of another tuple. n is
   at most 12. */
#define AUTOTUNE__ZIP(n, M, names, values) AUTOTUNE__CAT(AUTOTUNE__ZIP_, n)(M, names, values)
#define AUTOTUNE__PAIR(M, names, values) AUTOTUNE__PAIR_(M, AUTOTUNE__HEAD names, AUTOTUNE__HEAD values)
#define AUTOTUNE__PAIR_(M, ...) M(__VA_ARGS__)
#define AUTOTUNE__TAIL(a, ...) (__VA_ARGS__)
#define AUTOTUNE__ZIP_1(M, n, v) AUTOTUNE__PAIR(M, n, v)
#define AUTOTUNE__ZIP_2(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_1(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_3(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_2(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_4(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_3(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_5(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_4(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_6(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_5(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_7(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_6(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_8(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_7(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_9(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_8(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_10(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_9(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_11(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_10(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
#define AUTOTUNE__ZIP_12(M, n, v) AUTOTUNE__PAIR(M, n, v) AUTOTUNE__ZIP_11(M, AUTOTUNE__TAIL n, AUTOTUNE__TAIL v)
