/* The library stb_ds, and the program's own realloc and free.

   stb_ds does not check the result of realloc. If memory is lacking while a map grows, autotune__stb_realloc() leaves
   stb_ds by longjmp() before the map has changed. */
#pragma once
#include <setjmp.h>
#include <stdlib.h>
#include "../api/floor.h"

#if defined AUTOTUNE_REALLOC != defined AUTOTUNE_FREE
#error "autotune.h: define both AUTOTUNE_REALLOC and AUTOTUNE_FREE, or neither"
#endif
#ifndef AUTOTUNE_REALLOC
#define AUTOTUNE_REALLOC(old, bytes) realloc(old, bytes)
#define AUTOTUNE_FREE(old) free(old)
#endif

/* autotune__stb_realloc() jumps here if memory is lacking; NULL: it returns NULL. */
static __thread jmp_buf *autotune__memory_exit;

/* How often this thread asked for memory in vain. */
static __thread size_t autotune__memory_refusals;

static AUTOTUNE__UNUSED void *autotune__stb_realloc(void *old, size_t bytes) {
    void *block = AUTOTUNE_REALLOC(old, bytes);
    autotune__memory_refusals += !block;
    if (!block && autotune__memory_exit) longjmp(*autotune__memory_exit, 1);
    return block;
}

#ifndef AUTOTUNE_STB_DS_H
#if __has_include(<stb_ds.h>)
#define AUTOTUNE_STB_DS_H <stb_ds.h>
#elif __has_include(<stb/stb_ds.h>)
#define AUTOTUNE_STB_DS_H <stb/stb_ds.h>
#else
#error "autotune.h: stb_ds.h is not found: install libstb-dev, or define AUTOTUNE_STB_DS_H as the path of the file"
#endif
#endif

/* These declarations make the functions of stb_ds static: they do not clash with a program's own stb_ds. */
#if !defined AUTOTUNE_NO_STB_DS_IMPL && !defined STB_DS_IMPLEMENTATION
#define STB_DS_IMPLEMENTATION
#define AUTOTUNE__OWN_STB_DS
#ifndef INCLUDE_STB_DS_H
AUTOTUNE__BEGIN_C
struct stbds_string_arena;
static AUTOTUNE__UNUSED void stbds_rand_seed(size_t seed);
static AUTOTUNE__UNUSED size_t stbds_hash_bytes(void *p, size_t len, size_t seed);
static AUTOTUNE__UNUSED size_t stbds_hash_string(char *str, size_t seed);
static AUTOTUNE__UNUSED char *stbds_stralloc(struct stbds_string_arena *a, char *str);
static AUTOTUNE__UNUSED void stbds_strreset(struct stbds_string_arena *a);
static AUTOTUNE__UNUSED void *stbds_arrgrowf(void *a, size_t elemsize, size_t addlen, size_t min_cap);
static AUTOTUNE__UNUSED void stbds_arrfreef(void *a);
static AUTOTUNE__UNUSED void stbds_hmfree_func(void *p, size_t elemsize);
static AUTOTUNE__UNUSED void *stbds_hmget_key(void *a, size_t elemsize, void *key, size_t keysize, int mode);
static AUTOTUNE__UNUSED void *stbds_hmget_key_ts(void *a, size_t elemsize, void *key, size_t keysize, ptrdiff_t *temp,
                                                 int mode);
static AUTOTUNE__UNUSED void *stbds_hmput_default(void *a, size_t elemsize);
static AUTOTUNE__UNUSED void *stbds_hmput_key(void *a, size_t elemsize, void *key, size_t keysize, int mode);
static AUTOTUNE__UNUSED void *stbds_hmdel_key(void *a, size_t elemsize, void *key, size_t keysize, size_t keyoffset,
                                              int mode);
static AUTOTUNE__UNUSED void *stbds_shmode_func(size_t elemsize, int mode);
AUTOTUNE__END_C
#endif
#undef STBDS_REALLOC
#undef STBDS_FREE
#define STBDS_REALLOC(context, old, bytes) autotune__stb_realloc(old, bytes)
#define STBDS_FREE(context, old) AUTOTUNE_FREE(old)
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 550                    /* a variable is set but not used */
#endif
#include AUTOTUNE_STB_DS_H
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_default 550
#endif
#pragma GCC diagnostic pop
#ifdef AUTOTUNE__OWN_STB_DS
#undef STB_DS_IMPLEMENTATION                    /* a later include of stb_ds.h must not define its functions */
#endif
