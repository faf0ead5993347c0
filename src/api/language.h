/* What differs between C and C++, and between gcc and clang; attributes of functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#include <type_traits>
/* A member with an initialiser is none that -Wmissing-field-initializers misses. */
#define AUTOTUNE__DEFAULT(value) = value
#define AUTOTUNE__NULL nullptr
/* A cast in a template is warned of by neither -Wuseless-cast nor -Wold-style-cast. */
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
/* AUTOTUNE__DEMAND asserts an enumerator, so that clang quotes one word after "due to requirement" and not a page of
   _Generic. A block can hold one AUTOTUNE__DEMAND. */
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

/* The names of a statement (axes, blocks, autotune_trial) may hide names of the caller: -Wshadow is off from the first
   declaration to the last, and as the caller had it in the body. */
#define AUTOTUNE__SHADOWS_OFF _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define AUTOTUNE__SHADOWS_ON(live) __extension__({ _Pragma("GCC diagnostic pop") live; })
/* The values of an axis must have the type of the first: what is only a warning in C becomes an error for them. In
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
