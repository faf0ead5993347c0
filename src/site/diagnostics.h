/* Diagnostics of compilers at a call site: which warnings are off, which warnings are errors, and what compilers print
   for a statement that stands in place of a value. */
#pragma once
#include "../api/language.h"

/* AUTOTUNE__SHADOWS_OFF sets the warnings for the declarations of a statement. The body of the statement has the
   caller's warnings again.
   - -Wshadow is off: the names of a statement (axes, blocks, autotune_trial) may hide names of the caller. With
     AUTOTUNE_WARN_SHADOWS it stays as it is.
   - -Wc2y-extensions is off for clang 22 and later, which warn that __COUNTER__ is no part of C. Each statement makes a
     name by __COUNTER__.
   - -Wmissing-field-initializers is off for gcc 9 and 10, which warn if the value of an option has braces.
   - -Wignored-qualifiers is off for gcc 9 and 10, where AUTOTUNE__TYPE drops qualifiers by a cast.
   - -Waddress is an error: it finds an axis of strings that is compared with a string by ==. */
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
/* A statement becomes nested loops. These macros choose where the pragmas of the warnings stand.
   - For clang, and for g++ from 15 on, which ignores pragmas within an expression: before the first loop, and behind
     the head of the last loop.
   - For gcc's C, older g++ and nvcc: within the heads of the loops. In gcc's C a pragma in front of the first loop
     would be the whole body of an `if` or of a loop of the caller. */
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
/* A statement in place of a value is an error. The statement is a loop: clang prints one error for a loop in place of
   a value, but gcc prints two hundred lines. So for most versions of gcc the loop stands within an expression without
   a value: then gcc prints only "void value not ignored". M(...) makes the body of the loop. gcc would also accept
   such an expression as the call of another statement, which is no valid use. AUTOTUNE__REFUSE_STATEMENT recognises
   it by the beginning of the call's text, and refuses it. */
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
/* All values of an axis have the type of the first value. A value that does not fit this type has to be an error, so
   some warnings of C are errors for the list of values. In clang -Wconversion includes the other warnings about
   conversions. */
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
