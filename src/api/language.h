/* The version; what differs between C and C++, and between compilers; attributes of functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* docs/compatibility.md says what may change with which number. In 1.2.3 AUTOTUNE_VERSION is 1002003, so that versions
   can be compared: #if AUTOTUNE_VERSION >= 1002000. autotune_version() is that of the implementation. */
#define AUTOTUNE_VERSION_MAJOR 0
#define AUTOTUNE_VERSION_MINOR 2
#define AUTOTUNE_VERSION_PATCH 0
#define AUTOTUNE_VERSION (AUTOTUNE_VERSION_MAJOR * 1000000 + AUTOTUNE_VERSION_MINOR * 1000 + AUTOTUNE_VERSION_PATCH)

/* GNU C: attributes, builtin functions, statement expressions, __typeof__. gcc, clang and clang-cl have it; clang-cl
   does not define __GNUC__. From `defined __clang__` cppcheck would conclude that this is one more thing to try, and
   then try it without __cppcheck__. */
#if !defined __GNUC__ && !defined __cppcheck__ && !(__clang_major__ >= 1)
#error "autotune.h needs gcc or clang: on Windows compile this file with clang-cl, or with gcc of mingw-w64"
#endif
/* gcc and clang have what is used of C11 in C99, too. clang-cl says of every C++ that it is the oldest one. */
#if defined __cplusplus ? __cplusplus < 201402L && !defined _MSC_VER : !defined __STDC_VERSION__
#error "autotune.h needs C11, or C++14 or later: compile this file with -std=gnu11 or -std=c++14"
#endif

#ifdef __cplusplus
/* Names between these two are for the linker as they are in C. */
#define AUTOTUNE__BEGIN_C extern "C" {
#define AUTOTUNE__END_C }
/* A member with an initialiser is none that -Wmissing-field-initializers misses. */
#define AUTOTUNE__DEFAULT(value) = value
#define AUTOTUNE__NULL nullptr
/* A cast in a template is warned of by neither -Wuseless-cast nor -Wold-style-cast. */
template <class To, class From>
static inline __attribute__((__always_inline__)) constexpr To autotune__as(From value) {
    return static_cast<To>(value);
}
#define AUTOTUNE__AS(type, ...) autotune__as<type>(__VA_ARGS__)
#define AUTOTUNE__STRUCT(type, ...) type{ __VA_ARGS__ }
#define AUTOTUNE__ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#define AUTOTUNE__ASSERT(condition, sentence) static_assert(condition, sentence)
#define AUTOTUNE__DEMAND(condition, sentence) AUTOTUNE__ASSERT(condition, sentence)
#else
#define AUTOTUNE__BEGIN_C
#define AUTOTUNE__END_C
#define AUTOTUNE__DEFAULT(value)
#define AUTOTUNE__NULL NULL
#define AUTOTUNE__AS(type, ...) ((type)(__VA_ARGS__))
#define AUTOTUNE__STRUCT(type, ...) ((type){ __VA_ARGS__ })
#define AUTOTUNE__ADDRESS(pointer) ((uintptr_t)(pointer))
#define AUTOTUNE__ASSERT(condition, sentence) _Static_assert(condition, sentence)
/* AUTOTUNE__DEMAND asserts an enumerator, so that clang quotes one word after "due to requirement" and not a page of
   _Generic. A block can hold one AUTOTUNE__DEMAND. */
#define AUTOTUNE__DEMAND(condition, sentence) \
    enum { autotune__demand = (condition) }; AUTOTUNE__ASSERT(autotune__demand, sentence)
#endif

#define AUTOTUNE__UNUSED __attribute__((__unused__))
#ifdef AUTOTUNE_STATIC
#define AUTOTUNE__API static AUTOTUNE__UNUSED
#elif defined AUTOTUNE_API
#define AUTOTUNE__API extern AUTOTUNE_API
#else
#define AUTOTUNE__API extern
#endif
/* gcc compiles a static function to less code if all of its callers are cold. One that others call as well is marked
   itself. A public function that programs call without any error, as autotune_shutdown(), is not marked. gcc takes the
   path to a call of a cold function for an unlikely path, and this path would be one of the program. */
#define AUTOTUNE__COLD AUTOTUNE__API __attribute__((__cold__, __noinline__))
/* If the file is compiled for speed, functions between these two are compiled for a quick build and little code. They
   are all of the implementation but the rooms named hit.h, which hits run, and stb_ds, which the program may call, too.
   The code of a hit of OpenCL is among them, since an enqueue takes microseconds. bench/compile.sh prints what it takes
   to compile. Other options of the command line still hold, but that gcc 11 drops -ffast-math. No macro tells gcc's -Og
   from -O2, so that it becomes -Os: who steps through the library compiles with -O0. The front end of nvcc does not
   know these pragmas. */
#if !defined __OPTIMIZE__ || defined __OPTIMIZE_SIZE__ || defined __CUDACC__ || defined __EDG__
#define AUTOTUNE__COLD_CODE
#define AUTOTUNE__END_COLD_CODE
#elif defined __clang__
#define AUTOTUNE__COLD_CODE _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define AUTOTUNE__END_COLD_CODE _Pragma("clang attribute pop")
#else
/* The choices of -Os, without steps of -O1 and -Os that do not pay. Those of the first three lines copy code, or need
   more registers than they save. Those of the other lines take longer than they gain. One pragma has all of them: a
   second one would switch the steps of -Os on again. With -Os alone gcc takes half as long again, and makes 3,000 bytes
   more. With the steps of -O1 that pay it takes a twentieth less, and makes 13,500 bytes more. */
#define AUTOTUNE__COLD_CODE \
    _Pragma("GCC push_options") \
    _Pragma("GCC optimize(\"Os\", \"no-reorder-blocks\", \"no-move-loop-invariants\", \"no-tree-loop-optimize\", \
        \"no-shrink-wrap\", \"no-caller-saves\", \"no-cse-follow-jumps\", \"no-tree-tail-merge\", \
        \"no-inline-small-functions\", \"no-ipa-sra\", \
        \"no-tree-pta\", \"no-tree-ccp\", \"no-tree-dse\", \"no-tree-fre\", \"no-tree-pre\", \"no-tree-sra\", \
        \"no-tree-vrp\", \"no-tree-reassoc\", \"no-tree-sink\", \"no-tree-ch\", \"no-tree-dominator-opts\", \
        \"no-dse\", \"no-gcse\", \"no-rerun-cse-after-loop\", \"no-forward-propagate\", \"no-schedule-insns2\", \
        \"no-store-merging\", \"no-expensive-optimizations\", \"no-optimize-strlen\", \
        \"no-isolate-erroneous-paths-dereference\", \"no-partial-inlining\", \"no-devirtualize\", \"no-ipa-icf\", \
        \"no-ipa-modref\", \"no-ipa-profile\", \"no-ipa-reference\")")
#define AUTOTUNE__END_COLD_CODE _Pragma("GCC pop_options")
#endif
#define AUTOTUNE__INLINE static inline __attribute__((__always_inline__, __unused__))
#define AUTOTUNE__LIKELY(condition) __builtin_expect((condition) != 0, 1)
