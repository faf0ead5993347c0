/* The macros of a call site for a compiler without GNU C: each is one error, which says what to do. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"

/* cl's C has static_assert always, and _Static_assert with /std:c11 alone. */
#ifdef _MSC_VER
#define AUTOTUNE__ERROR(sentence) static_assert(0, sentence)
#else
#define AUTOTUNE__ERROR(sentence) AUTOTUNE__ASSERT(0, sentence)
#endif
/* An expression that is no more than an error. The arguments of the macro are gone: nothing is said of them. */
#ifdef __cplusplus
#define AUTOTUNE__REFUSED(type, sentence) ([]() -> type { AUTOTUNE__ERROR(sentence); return type(); }())
#else
#define AUTOTUNE__REFUSED(type, sentence) (*(type *)sizeof(struct { AUTOTUNE__ERROR(sentence); char some; }))
#endif
#define AUTOTUNE__NEEDS_GNU_C(type, macro, instead) \
    AUTOTUNE__REFUSED(type, macro " needs gcc or clang: compile this file with clang-cl, or " instead)
#define AUTOTUNE__STATEMENT(macro) \
    AUTOTUNE__NEEDS_GNU_C(int, macro, "call autotune_create() and autotune_call() in the place of the statement")

#define AUTOTUNE(...) (void)AUTOTUNE__STATEMENT("AUTOTUNE")
#define AUTOTUNE_BLOCK(...) if (AUTOTUNE__STATEMENT("AUTOTUNE_BLOCK"))       /* its block follows */
#define AUTOTUNE_SELECT(...) (void)AUTOTUNE__STATEMENT("AUTOTUNE_SELECT")
#define AUTOTUNE_SPACE(...) AUTOTUNE__NEEDS_GNU_C(int, "SPACE", "describe the axes by autotune_axis")
#define AUTOTUNE_CASE(...) AUTOTUNE__NEEDS_GNU_C(int, "CASE", "let an autotune_axis have the alternatives as values")
#define AUTOTUNE_KEY(...) \
    AUTOTUNE__NEEDS_GNU_C(autotune_key, "KEY", \
                          "call autotune_key_add_int(), autotune_key_add_double() and autotune_key_add_string()")
#define AUTOTUNE_ANCHOR(...) AUTOTUNE__NEEDS_GNU_C(uint64_t, "ANCHOR", "call autotune_anchor()")
#define AUTOTUNE_BUFFERS(...) AUTOTUNE__NEEDS_GNU_C(autotune_buffers, "BUFFERS", "fill in an autotune_buffers")
#define AUTOTUNE_GRID(...) AUTOTUNE__NEEDS_GNU_C(autotune_grid, "GRID", "fill in an autotune_grid")
#ifndef AUTOTUNE_NO_SHORT_NAMES
#define SPACE(...) AUTOTUNE_SPACE(__VA_ARGS__)
#define CASE(...) AUTOTUNE_CASE(__VA_ARGS__)
#define KEY(...) AUTOTUNE_KEY(__VA_ARGS__)
#define ANCHOR(...) AUTOTUNE_ANCHOR(__VA_ARGS__)
#define BUFFERS(...) AUTOTUNE_BUFFERS(__VA_ARGS__)
#define GRID(...) AUTOTUNE_GRID(__VA_ARGS__)
#endif
