/* Diagnostics of compilers at a call site: which warnings are off, which are errors, and what compilers say of a
   statement that stands in place of a value. */
#pragma once
#include "../api/language.h"

/* The names of a statement (axes, blocks, autotune_trial) may hide names of the caller. So -Wshadow is off from the
   first declaration to the last, and the body has the caller's setting. AUTOTUNE_WARN_SHADOWS leaves -Wshadow as it is.
   From clang 22 on -Wpedantic warns that __COUNTER__ is no part of C; a statement uses it for a name. gcc 9 and 10 warn
   of missing members if the value of another option has braces. They also warn of how AUTOTUNE__TYPE drops
   qualifiers. -Waddress is an error: it finds a string of an axis that is compared by ==. */
#ifdef AUTOTUNE_WARN_SHADOWS
#define AUTOTUNE__PUSH_SHADOWS _Pragma("GCC diagnostic push")
#else
#define AUTOTUNE__PUSH_SHADOWS _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#endif
#if defined __clang__ && __clang_major__ >= 22
#define AUTOTUNE__SHADOWS_OFF AUTOTUNE__PUSH_SHADOWS \
    _Pragma("GCC diagnostic ignored \"-Wc2y-extensions\"") _Pragma("GCC diagnostic error \"-Waddress\"")
#elif !defined __clang__ && __GNUC__ < 11
#define AUTOTUNE__SHADOWS_OFF AUTOTUNE__PUSH_SHADOWS \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") \
    _Pragma("GCC diagnostic ignored \"-Wignored-qualifiers\"") _Pragma("GCC diagnostic error \"-Waddress\"")
#else
#define AUTOTUNE__SHADOWS_OFF AUTOTUNE__PUSH_SHADOWS _Pragma("GCC diagnostic error \"-Waddress\"")
#endif
#define AUTOTUNE__SHADOWS_ON _Pragma("GCC diagnostic pop")
/* A statement becomes nested loops. g++ 15 ignores pragmas within an expression. So for g++ 15 the pragmas stand before
   the first loop and behind the head of the last loop. In gcc's C a pragma in front of a loop counts as the body of an
   `if` or a loop. So other compilers of gcc have the pragmas within the heads of the loops, and so does nvcc. */
#if defined __clang__ || (defined __cplusplus && __GNUC__ >= 15 && !defined __CUDACC__)
#define AUTOTUNE__SHADOWS_OFF_BEFORE AUTOTUNE__SHADOWS_OFF
#define AUTOTUNE__SHADOWS_OFF_WITHIN
#define AUTOTUNE__SHADOWS_ON_WITHIN(live) live
#define AUTOTUNE__SHADOWS_ON_BEHIND AUTOTUNE__SHADOWS_ON
#else
#define AUTOTUNE__SHADOWS_OFF_BEFORE
#define AUTOTUNE__SHADOWS_OFF_WITHIN AUTOTUNE__SHADOWS_OFF
#define AUTOTUNE__SHADOWS_ON_WITHIN(live) __extension__({ AUTOTUNE__SHADOWS_ON live; })
#define AUTOTUNE__SHADOWS_ON_BEHIND
#endif
/* A statement in place of a value is one error in clang. For a loop in that place gcc prints two hundred lines. gcc
   prints only "void value not ignored" if the loop stands within an expression without a value. M(...) is the body of
   the loop. Such an expression could also be the call of another statement: AUTOTUNE__REFUSE_STATEMENT refuses it by
   the beginning of its text. */
#if defined __clang__ || defined __CUDACC__ || (defined __cplusplus && __GNUC__ >= 15)
#define AUTOTUNE__VOID_BEGIN
#define AUTOTUNE__VOID_END(M, ...) M(__VA_ARGS__)
#define AUTOTUNE__REFUSE_STATEMENT(text)
#else
#define AUTOTUNE__VOID_BEGIN __extension__ __extension__({
#define AUTOTUNE__VOID_END(M, ...) M(__VA_ARGS__); })
#define AUTOTUNE__REFUSE_STATEMENT(text) \
    AUTOTUNE__ASSERT(__builtin_strncmp(text, "__extension__ __", 16) != 0, \
                     "AUTOTUNE as the call of another statement: write AUTOTUNE_BLOCK(...) { AUTOTUNE(...); }");
#endif
/* The values of an axis must have the type of the first value. So some warnings of C are errors for these values. In
   clang -Wconversion includes the other warnings about conversions. */
#ifdef __clang__
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"") \
    _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")
#elif defined __cplusplus
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push")
#else
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wint-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wconversion\"") _Pragma("GCC diagnostic error \"-Wsign-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wfloat-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")
#endif
#define AUTOTUNE__STRICT_OFF _Pragma("GCC diagnostic pop")
