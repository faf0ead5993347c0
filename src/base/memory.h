/* Memory: blocks, arrays and maps. Every allocation may fail, and then ends in a status. */
#pragma once
#include <setjmp.h>
#include "../system/threads.h"
#include "libraries.h"

static void *autotune__allocate(size_t bytes) {         /* zeroed; NULL when there is none */
    void *block = AUTOTUNE_REALLOC(NULL, bytes ? bytes : 1);
    if (block) memset(block, 0, bytes);
    return block;
}
static void autotune__free(void *block) { if (block) AUTOTUNE_FREE(block); }

/* NULL: no memory, the array is as it was */
static void *autotune__grown(void *array, size_t element, size_t capacity) {
    jmp_buf here;
    void *grown;
    if (setjmp(here)) { autotune__memory_exit = NULL; return NULL; }
    autotune__memory_exit = &here;
    grown = stbds_arrgrowf(array, element, 0, capacity);
    autotune__memory_exit = NULL;
    return grown;
}
/* An array is a pointer to its elements, NULL while it has none. stb_ds keeps the count and the room of an array in
   front of its elements. Only this file calls stb_ds.

   ROOM: is there room for `more` elements, or can it be had? False: there is no memory, and the array is as it was.
   PUSH appends one element; false as for ROOM.
   REMOVE takes one element out; those behind it move up.
   FREE_ARRAY frees the array and sets it to NULL. */
#define AUTOTUNE__ROOM(array, more) \
    (autotune__count(array) + (more) <= stbds_arrcap(array) || \
     autotune__take((void **)(void *)&(array), sizeof *(array), autotune__count(array) + (more)))
#define AUTOTUNE__PUSH(array, ...) (AUTOTUNE__ROOM(array, 1u) && ((void)stbds_arrput(array, __VA_ARGS__), true))
#define AUTOTUNE__REMOVE(array, index) ((void)stbds_arrdel(array, index))
#define AUTOTUNE__FREE_ARRAY(array) stbds_arrfree(array)
static inline size_t autotune__count(const void *array) { return array ? stbds_header(array)->length : 0; }
/* The array keeps its room; `count` is at most that. */
static void autotune__set_count(void *array, size_t count) { if (array) stbds_header(array)->length = count; }
static bool autotune__take(void **array, size_t element, size_t capacity) {
    void *old, *grown;
    memcpy(&old, (void *)array, sizeof old);            /* *array is a pointer of another type */
    grown = autotune__grown(old, element, capacity);
    if (grown) memcpy((void *)array, &grown, sizeof grown);
    return grown != NULL;
}

/* Defines function(inner): from a struct to the one around it, in which it is this member. NULL: of NULL. */
#define AUTOTUNE__DEFINE_AROUND(function, type, member, inner_type) \
    static inline type *function(inner_type *inner) { \
        return inner ? (type *)(void *)((char *)(uintptr_t)inner - offsetof(type, member)) : NULL; \
    }

static char *autotune__copy_string(const char *text) {
    char *copy = text ? (char *)autotune__allocate(strlen(text) + 1) : NULL;
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* A map leads from texts to pointers, and owns neither. DEFINE_MAP(name, type) defines autotune__NAME_map, an array of
   slots in the order in which they were put, and

     autotune__find_NAME(map, key)              the value; NULL: the map has no such key
     autotune__put_NAME(&map, key, value)       a key that is not there yet; false: no memory, the map is as it was

   Each map has a lock of its user's; stb_ds draws the seeds of all maps from one variable, so only one map grows at a
   time. */
static autotune__mutex autotune__putting = AUTOTUNE__MUTEX;
#define AUTOTUNE__MAP_COUNT(map) stbds_shlenu(map)
#define AUTOTUNE__FREE_MAP(map) stbds_shfree(map)
#define AUTOTUNE__DEFINE_MAP(name, type) \
    typedef struct autotune__##name##_map { char *key; type *value; } autotune__##name##_map; \
    static type *autotune__find_##name(autotune__##name##_map *map, const char *key) { \
        const ptrdiff_t at = map ? stbds_shgeti(map, (char *)(uintptr_t)key) : -1; \
        return at < 0 ? NULL : map[at].value; \
    } \
    static bool autotune__put_##name(autotune__##name##_map **map, char *key, type *value) { \
        jmp_buf here; \
        autotune__##name##_map *slots, *filled;         /* the first slot is the default of stb_ds */ \
        autotune__lock_mutex(&autotune__putting); \
        if (setjmp(here)) { \
            autotune__memory_exit = NULL; \
            autotune__unlock_mutex(&autotune__putting); \
            return false; \
        } \
        autotune__memory_exit = &here; \
        if (!*map) *map = (autotune__##name##_map *)stbds_hmput_default(NULL, sizeof **map); \
        slots = *map - 1;                               /* of the two steps that allocate, each may fail alone */ \
        if (autotune__count(slots) == stbds_arrcap(slots)) \
            *map = (autotune__##name##_map *)stbds_arrgrowf(slots, sizeof **map, 1, 0) + 1; \
        filled = *map; \
        stbds_shput(filled, key, value); \
        *map = filled; \
        autotune__memory_exit = NULL; \
        autotune__unlock_mutex(&autotune__putting); \
        return true; \
    }
