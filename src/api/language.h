/* The two languages, C and C++, and the compilers: the few places in which they differ, and attributes of functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The two languages differ in few places, and they stand here. */
#ifdef __cplusplus
#include <type_traits>
#define AUTOTUNE__DEFAULT(value) = value        /* default member initialisers keep -Wmissing-field-initializers
                                                   quiet */
#define AUTOTUNE__NULL nullptr
/* In a template gcc takes no cast for useless, and nobody for old. */
template <class To, class From> static inline __attribute__((__always_inline__)) constexpr To autotune__as(From value) {
    return static_cast<To>(value);
}
#define AUTOTUNE__AS(type, ...) autotune__as<type>(__VA_ARGS__)
#define AUTOTUNE__ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#define AUTOTUNE__ASSERT(condition, sentence) static_assert(condition, sentence)
#define AUTOTUNE__DEMAND(condition, sentence) AUTOTUNE__ASSERT(condition, sentence)
#else
#define AUTOTUNE__DEFAULT(value)
#define AUTOTUNE__NULL NULL
#define AUTOTUNE__AS(type, ...) ((type)(__VA_ARGS__))
#define AUTOTUNE__ADDRESS(pointer) ((uintptr_t)(pointer))
#define AUTOTUNE__ASSERT(condition, sentence) _Static_assert(condition, sentence)
/* DEMAND through an enumerator, so that clang's "due to requirement" is one word and not a page of _Generic. One per
   block. */
#define AUTOTUNE__DEMAND(condition, sentence) \
    enum { autotune__demand = (condition) }; AUTOTUNE__ASSERT(autotune__demand, sentence)
#endif

#ifdef AUTOTUNE_STATIC
#define AUTOTUNE__API static __attribute__((__unused__))
#elif defined AUTOTUNE_API
#define AUTOTUNE__API extern AUTOTUNE_API
#else
#define AUTOTUNE__API extern
#endif
#define AUTOTUNE__COLD AUTOTUNE__API __attribute__((__cold__, __noinline__))
#define AUTOTUNE__INLINE static inline __attribute__((__always_inline__, __unused__))
#define AUTOTUNE__UNUSED __attribute__((__unused__))
#define AUTOTUNE__LIKELY(condition) __builtin_expect(condition, 1)

/* Our names in a caller's scope (axes, blocks, autotune_trial) may hide the caller's without a -Wshadow: off from the
   first declaration to the last, on again before the body. And the values of an axis must have one type: what C only
   warns of is an error. */
#define AUTOTUNE__SHADOWS_OFF _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define AUTOTUNE__SHADOWS_ON(live) __extension__({ _Pragma("GCC diagnostic pop") live; })
#ifdef __clang__                            /* its -Wconversion holds the others */
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
