/* Lists of the preprocessor, which the macros of a call site use. */
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
/* IS_PAREN is 1 if x begins with a parenthesis, else 0. For such an x AUTOTUNE__PAREN expands, and leaves 1 as the
   second argument. IS_EMPTY is 1 if x is empty. IS_UNIT is 1 if x begins with (). */
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
/* M(context, number of arguments from this argument on, argument) for each of up to 64 arguments. EACH_OF gets the
   number of arguments, since counting takes the compiler longer than the rest. One macro expands the last five
   arguments, because each expansion reads the rest of the list again. */
#define AUTOTUNE__EACH(M, c, ...) AUTOTUNE__EACH_OF(M, c, AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__EACH_OF(M, c, n, ...) AUTOTUNE__CAT(AUTOTUNE__EACH_, n)(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_1(M, c, a1) M(c, 1, a1)
#define AUTOTUNE__EACH_2(M, c, a1, a2) M(c, 2, a1) M(c, 1, a2)
#define AUTOTUNE__EACH_3(M, c, a1, a2, a3) M(c, 3, a1) M(c, 2, a2) M(c, 1, a3)
#define AUTOTUNE__EACH_4(M, c, a1, a2, a3, a4) M(c, 4, a1) M(c, 3, a2) M(c, 2, a3) M(c, 1, a4)
#define AUTOTUNE__EACH_5(M, c, a1, a2, a3, a4, a5) M(c, 5, a1) M(c, 4, a2) M(c, 3, a3) M(c, 2, a4) M(c, 1, a5)
#define AUTOTUNE__EACH_6(M, c, a, ...) M(c, 6, a) AUTOTUNE__EACH_5(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_7(M, c, a, ...) M(c, 7, a) AUTOTUNE__EACH_6(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_8(M, c, a, ...) M(c, 8, a) AUTOTUNE__EACH_7(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_9(M, c, a, ...) M(c, 9, a) AUTOTUNE__EACH_8(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_10(M, c, a, ...) M(c, 10, a) AUTOTUNE__EACH_9(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_11(M, c, a, ...) M(c, 11, a) AUTOTUNE__EACH_10(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_12(M, c, a, ...) M(c, 12, a) AUTOTUNE__EACH_11(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_13(M, c, a, ...) M(c, 13, a) AUTOTUNE__EACH_12(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_14(M, c, a, ...) M(c, 14, a) AUTOTUNE__EACH_13(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_15(M, c, a, ...) M(c, 15, a) AUTOTUNE__EACH_14(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_16(M, c, a, ...) M(c, 16, a) AUTOTUNE__EACH_15(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_17(M, c, a, ...) M(c, 17, a) AUTOTUNE__EACH_16(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_18(M, c, a, ...) M(c, 18, a) AUTOTUNE__EACH_17(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_19(M, c, a, ...) M(c, 19, a) AUTOTUNE__EACH_18(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_20(M, c, a, ...) M(c, 20, a) AUTOTUNE__EACH_19(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_21(M, c, a, ...) M(c, 21, a) AUTOTUNE__EACH_20(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_22(M, c, a, ...) M(c, 22, a) AUTOTUNE__EACH_21(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_23(M, c, a, ...) M(c, 23, a) AUTOTUNE__EACH_22(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_24(M, c, a, ...) M(c, 24, a) AUTOTUNE__EACH_23(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_25(M, c, a, ...) M(c, 25, a) AUTOTUNE__EACH_24(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_26(M, c, a, ...) M(c, 26, a) AUTOTUNE__EACH_25(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_27(M, c, a, ...) M(c, 27, a) AUTOTUNE__EACH_26(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_28(M, c, a, ...) M(c, 28, a) AUTOTUNE__EACH_27(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_29(M, c, a, ...) M(c, 29, a) AUTOTUNE__EACH_28(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_30(M, c, a, ...) M(c, 30, a) AUTOTUNE__EACH_29(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_31(M, c, a, ...) M(c, 31, a) AUTOTUNE__EACH_30(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_32(M, c, a, ...) M(c, 32, a) AUTOTUNE__EACH_31(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_33(M, c, a, ...) M(c, 33, a) AUTOTUNE__EACH_32(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_34(M, c, a, ...) M(c, 34, a) AUTOTUNE__EACH_33(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_35(M, c, a, ...) M(c, 35, a) AUTOTUNE__EACH_34(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_36(M, c, a, ...) M(c, 36, a) AUTOTUNE__EACH_35(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_37(M, c, a, ...) M(c, 37, a) AUTOTUNE__EACH_36(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_38(M, c, a, ...) M(c, 38, a) AUTOTUNE__EACH_37(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_39(M, c, a, ...) M(c, 39, a) AUTOTUNE__EACH_38(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_40(M, c, a, ...) M(c, 40, a) AUTOTUNE__EACH_39(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_41(M, c, a, ...) M(c, 41, a) AUTOTUNE__EACH_40(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_42(M, c, a, ...) M(c, 42, a) AUTOTUNE__EACH_41(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_43(M, c, a, ...) M(c, 43, a) AUTOTUNE__EACH_42(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_44(M, c, a, ...) M(c, 44, a) AUTOTUNE__EACH_43(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_45(M, c, a, ...) M(c, 45, a) AUTOTUNE__EACH_44(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_46(M, c, a, ...) M(c, 46, a) AUTOTUNE__EACH_45(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_47(M, c, a, ...) M(c, 47, a) AUTOTUNE__EACH_46(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_48(M, c, a, ...) M(c, 48, a) AUTOTUNE__EACH_47(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_49(M, c, a, ...) M(c, 49, a) AUTOTUNE__EACH_48(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_50(M, c, a, ...) M(c, 50, a) AUTOTUNE__EACH_49(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_51(M, c, a, ...) M(c, 51, a) AUTOTUNE__EACH_50(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_52(M, c, a, ...) M(c, 52, a) AUTOTUNE__EACH_51(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_53(M, c, a, ...) M(c, 53, a) AUTOTUNE__EACH_52(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_54(M, c, a, ...) M(c, 54, a) AUTOTUNE__EACH_53(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_55(M, c, a, ...) M(c, 55, a) AUTOTUNE__EACH_54(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_56(M, c, a, ...) M(c, 56, a) AUTOTUNE__EACH_55(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_57(M, c, a, ...) M(c, 57, a) AUTOTUNE__EACH_56(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_58(M, c, a, ...) M(c, 58, a) AUTOTUNE__EACH_57(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_59(M, c, a, ...) M(c, 59, a) AUTOTUNE__EACH_58(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_60(M, c, a, ...) M(c, 60, a) AUTOTUNE__EACH_59(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_61(M, c, a, ...) M(c, 61, a) AUTOTUNE__EACH_60(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_62(M, c, a, ...) M(c, 62, a) AUTOTUNE__EACH_61(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_63(M, c, a, ...) M(c, 63, a) AUTOTUNE__EACH_62(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_64(M, c, a, ...) M(c, 64, a) AUTOTUNE__EACH_63(M, c, __VA_ARGS__)
/* Too many arguments expand to nothing. An assertion elsewhere reports the mistake. */
#define AUTOTUNE__EACH_65(M, c, ...)
/* M(a1, b1) M(a2, b2) ...: pairs of n names of one tuple and the first n values of another. n is at most 12. */
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
