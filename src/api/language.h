/* The version, differences between C and C++ and between compilers, and attributes of functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of this header. docs/compatibility.md says which changes each of the three numbers allows.
   AUTOTUNE_VERSION of 1.2.3 is 1002003, so that versions can be compared: #if AUTOTUNE_VERSION >= 1002000.
   autotune_version() returns the version of the implementation. */
#define AUTOTUNE_VERSION_MAJOR 0
#define AUTOTUNE_VERSION_MINOR 2
#define AUTOTUNE_VERSION_PATCH 0
#define AUTOTUNE_VERSION (AUTOTUNE_VERSION_MAJOR * 1000000 + AUTOTUNE_VERSION_MINOR * 1000 + AUTOTUNE_VERSION_PATCH)

/* The header needs GNU C: attributes, builtin functions, statement expressions, __typeof__. gcc, clang and clang-cl
   have GNU C, but clang-cl does not define __GNUC__. The condition avoids `defined __clang__`: with it cppcheck would
   check the file a second time, with __clang__ and without __cppcheck__. */
#if !defined __GNUC__ && !defined __cppcheck__ && !(__clang_major__ >= 1)
#error "autotune.h needs gcc or clang: on Windows compile this file with clang-cl, or with gcc of mingw-w64"
#endif
/* C99 is not refused: gcc and clang have all needed parts of C11 there, too. clang-cl sets __cplusplus to the value of
   the oldest C++, so its value is not tested. */
#if defined __cplusplus ? __cplusplus < 201402L && !defined _MSC_VER : !defined __STDC_VERSION__
#error "autotune.h needs C11, or C++14 or later: compile this file with -std=gnu11 or -std=c++14"
#endif

#ifdef __cplusplus
/* Names between these two macros have C linkage. */
#define AUTOTUNE__BEGIN_C extern "C" {
#define AUTOTUNE__END_C }
/* -Wmissing-field-initializers does not warn of a member that has an initialiser. */
#define AUTOTUNE__DEFAULT(value) = value
#define AUTOTUNE__NULL nullptr
/* -Wuseless-cast and -Wold-style-cast do not warn of a cast in a template. */
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
/* AUTOTUNE__DEMAND asserts an enumerator. If it fails, clang quotes only the enumerator after "due to requirement", and
   not a page of _Generic. A block can have only one AUTOTUNE__DEMAND. */
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
/* For functions that programs call rarely: gcc compiles a cold function to less code. A static function that only cold
   functions call is cold without this attribute. A public function that programs call without an error, such as
   autotune_shutdown(), lacks the attribute. With it gcc would take each path of the program to such a call for
   unlikely. */
#define AUTOTUNE__COLD AUTOTUNE__API __attribute__((__cold__, __noinline__))
/* If a file is compiled for speed, the functions between these two macros are still compiled for a quick build and
   little code. The macros enclose the whole implementation, with two exceptions: the rooms named hit.h, which hits run,
   and stb_ds, which the program may call. The hit of OpenCL is no exception, since an enqueue takes microseconds
   anyway. bench/compile.sh prints the time of compilation. Other options of the command line stay in effect, but gcc 11
   drops -ffast-math. No macro tells gcc's -Og from -O2, so -Og becomes -Os: to step through the library, compile with
   -O0. nvcc does not know these pragmas. */
#if !defined __OPTIMIZE__ || defined __OPTIMIZE_SIZE__ || defined __CUDACC__ || defined __EDG__
#define AUTOTUNE__COLD_CODE
#define AUTOTUNE__END_COLD_CODE
#elif defined __clang__
#define AUTOTUNE__COLD_CODE _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define AUTOTUNE__END_COLD_CODE _Pragma("clang attribute pop")
#else
/* -Os without the optimisation passes that are not worth their price here. The passes in the first three lines copy
   code, or need more registers than they save. The passes in the other lines take more time to compile than they save.
   One pragma names all passes, because a second pragma would switch the passes of -Os on again. With -Os alone gcc
   takes 50 % longer, and makes 3,000 bytes more code. With -O1, without its useless passes, gcc takes 5 % less time,
   and makes 13,500 bytes more code. */
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
