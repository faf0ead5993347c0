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
/* Arrays of stb_ds: true if there is room for `more` elements; false if there is no memory. PUSH appends one, EMPTY
   removes all and keeps the room. */
#define AUTOTUNE__ROOM(array, more) \
    (stbds_arrlenu(array) + (more) <= stbds_arrcap(array) || \
     autotune__take((void **)(void *)&(array), sizeof *(array), stbds_arrlenu(array) + (more)))
#define AUTOTUNE__EMPTY(array) ((array) ? (void)(stbds_header(array)->length = 0) : (void)0)
#define AUTOTUNE__PUSH(array, ...) (AUTOTUNE__ROOM(array, 1u) && ((void)stbds_arrput(array, __VA_ARGS__), true))
static bool autotune__take(void **array, size_t element, size_t capacity) {
    void *old, *grown;
    memcpy(&old, (void *)array, sizeof old);            /* *array is a pointer of another type */
    grown = autotune__grown(old, element, capacity);
    if (grown) memcpy((void *)array, &grown, sizeof grown);
    return grown != NULL;
}

static char *autotune__copy_string(const char *text) {
    char *copy = text ? (char *)autotune__allocate(strlen(text) + 1) : NULL;
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* Maps of stb_ds with a key of their own. Two steps that allocate, each of which changes nothing when it fails. Maps
   have locks of their own, but stb_ds draws their seeds from one variable: hence one at a time. */
static autotune__mutex autotune__putting = AUTOTUNE__MUTEX;
#define AUTOTUNE__DEFINE_PUT(name, map_type, value_type) \
    static bool name(map_type **map, char *key, value_type *value) { \
        jmp_buf here; \
        map_type *slots, *filled;               /* the first slot is the map's default */ \
        autotune__lock_mutex(&autotune__putting); \
        if (setjmp(here)) { autotune__memory_exit = NULL; autotune__unlock_mutex(&autotune__putting); return false; } \
        autotune__memory_exit = &here; \
        if (!*map) *map = (map_type *)stbds_hmput_default(NULL, sizeof **map); \
        slots = *map - 1; \
        if (stbds_arrlenu(slots) == stbds_arrcap(slots)) \
            *map = (map_type *)stbds_arrgrowf(slots, sizeof **map, 1, 0) + 1; \
        filled = *map; \
        stbds_shput(filled, key, value); \
        *map = filled; \
        autotune__memory_exit = NULL; \
        autotune__unlock_mutex(&autotune__putting); \
        return true; \
    }
