/* Memory: blocks, arrays and maps. Every allocation may fail, and then leads to a status. */
#pragma once
#include <setjmp.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "libraries.h"

static void *autotune__allocate(size_t bytes) {         /* zeroed; NULL: no memory */
    void *block = AUTOTUNE_REALLOC(NULL, bytes ? bytes : 1);
    if (block) memset(block, 0, bytes);
    autotune__memory_refusals += !block;
    return block;
}
static void autotune__free(void *block) { if (block) AUTOTUNE_FREE(block); }
/* Marks a local pointer whose block is freed at the end of its scope. Without `unused`, nvcc warns of a pointer that is
   only set and freed. */
#define AUTOTUNE__OWNED AUTOTUNE__UNUSED __attribute__((__cleanup__(autotune__free_owned)))
static void autotune__free_owned(void *pointer) {
    void *block;
    memcpy(&block, pointer, sizeof block);      /* *pointer has another pointer type */
    autotune__free(block);
}

/* An array is a pointer to its elements; NULL: it is empty. As in stb_ds, its count and capacity stand in front of the
   elements. Only this file calls stb_ds.

   ROOM makes room for `more` elements. Returns false if there is no memory: the array is unchanged.
   PUSH appends one element. Returns false like ROOM.
   REMOVE removes an element, and later elements move up.
   FREE_ARRAY frees the array and sets it to NULL. */
#define AUTOTUNE__ROOM(array, more) autotune__make_room((void **)(void *)&(array), sizeof *(array), more)
#define AUTOTUNE__PUSH(array, ...) \
    (AUTOTUNE__ROOM(array, 1) && ((array)[stbds_header(array)->length++] = (__VA_ARGS__), true))
#define AUTOTUNE__REMOVE(array, index) ((void)stbds_arrdel(array, index))
#define AUTOTUNE__FREE_ARRAY(array) (autotune__free_array(array), (void)((array) = NULL))
static inline size_t autotune__count(const void *array) { return array ? stbds_header(array)->length : 0; }
/* The capacity of the array stays; `count` must not be larger than the capacity. */
static void autotune__set_count(void *array, size_t count) { if (array) stbds_header(array)->length = count; }
static bool autotune__make_room(void **array, size_t element, size_t more) {
    void *now;
    memcpy(&now, (void *)array, sizeof now);            /* *array has another pointer type */
    const size_t room = stbds_arrcap(now), least = autotune__count(now) + more,
                 capacity = least > 2 * room + 4 ? least : 2 * room + 4;
    stbds_array_header *header;
    if (least <= room) return true;
    header = (stbds_array_header *)AUTOTUNE_REALLOC(now ? stbds_header(now) : NULL,
                                                    sizeof *header + element * capacity);
    autotune__memory_refusals += !header;
    if (!header) return false;
    if (!now) memset(header, 0, sizeof *header);
    header->capacity = capacity;
    now = header + 1;
    memcpy((void *)array, &now, sizeof now);
    return true;
}
static void autotune__free_array(void *array) { if (array) AUTOTUNE_FREE(stbds_header(array)); }

/* Returns the first position of a value in an array; SIZE_MAX: it is not in the array. */
static size_t autotune__position_among(size_t value, const size_t *array) {
    size_t at = 0;
    while (at < autotune__count(array) && array[at] != value) at++;
    return at < autotune__count(array) ? at : SIZE_MAX;
}

/* Removes an item from a list, if it is there. Each item points to the next one by the member `next`. */
#define AUTOTUNE__UNLINK(list, item, next) \
    autotune__unlink((void *)&(list), item, offsetof(__typeof__(*(item)), next))
static void autotune__unlink(void *link, const void *item, size_t next) {
    void *at;
    for (; memcpy(&at, link, sizeof at), at; link = (char *)at + next)      /* *link has another pointer type */
        if (at == item) { memcpy(link, (const char *)item + next, sizeof at); return; }
}

/* Defines function(inner), which returns the struct around its member `inner`. NULL stays NULL. */
#define AUTOTUNE__DEFINE_AROUND(function, type, member, inner_type) \
    AUTOTUNE__INLINE type *function(inner_type *inner) { \
        return inner ? (type *)(void *)((char *)(uintptr_t)inner - offsetof(type, member)) : NULL; \
    }

static char *autotune__copy_piece(const char *text, size_t length) {                /* with a zero at the end */
    char *copy = (char *)autotune__allocate(length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}
static char *autotune__copy_string(const char *text) { return text ? autotune__copy_piece(text, strlen(text)) : NULL; }
/* Two functions for strings that stand at the end of their owner's block. autotune__bytes_of() returns how many bytes a
   string needs there. autotune__put_string() copies the string to *at, and moves *at behind the copy. NULL needs no
   bytes, and stays NULL. */
static size_t autotune__bytes_of(const char *string) { return string ? strlen(string) + 1 : 0; }
static const char *autotune__put_string(char **at, const char *string) {
    const size_t bytes = autotune__bytes_of(string);
    const char *const copy = string ? (const char *)memcpy(*at, string, bytes) : NULL;
    *at += bytes;
    return copy;
}

/* A map finds a pointer by a text. The map owns a copy of the text, and its user owns what the pointer points to. A map
   is an array of slots in the order of their creation; NULL: empty. The user locks each map. stb_ds draws the seeds of
   all maps from one variable, so autotune__putting lets one map grow at a time. */
typedef struct autotune__map { char *key; void *value; } autotune__map;
static autotune__mutex autotune__putting = AUTOTUNE__MUTEX;
#define AUTOTUNE__MAP_COUNT(map) stbds_shlenu(map)
static void *autotune__value_of(autotune__map *map, const char *key) {         /* NULL: no such key */
    const ptrdiff_t at = map ? stbds_shgeti(map, (char *)(uintptr_t)key) : -1;
    return at < 0 ? NULL : map[at].value;
}
/* Adds a key that the map does not have. Returns false if there is no memory: the map is unchanged. */
static bool autotune__put_value(autotune__map **map, const char *key, void *value) {
    char *const copy = autotune__copy_string(key);
    jmp_buf here;
    autotune__map *slots, *filled;                      /* the first slot is the default of stb_ds */
    if (!copy) return false;
    autotune__lock_mutex(&autotune__putting);
    if (setjmp(here)) {
        autotune__memory_exit = NULL;
        autotune__unlock_mutex(&autotune__putting);
        autotune__free(copy);
        return false;
    }
    autotune__memory_exit = &here;
    if (!*map) *map = (autotune__map *)stbds_hmput_default(NULL, sizeof **map);
    slots = *map - 1;                                   /* two steps allocate, and each may fail */
    if (autotune__count(slots) == stbds_arrcap(slots))
        *map = (autotune__map *)stbds_arrgrowf(slots, sizeof **map, 1, 0) + 1;
    filled = *map;
    stbds_shput(filled, copy, value);
    *map = filled;
    autotune__memory_exit = NULL;
    autotune__unlock_mutex(&autotune__putting);
    return true;
}
/* Adds a key with a block that was just allocated. Returns the block. Returns NULL if the block is NULL, or if there is
   no memory for the key: then frees the block. */
static void *autotune__put_block(autotune__map **map, const char *key, void *block) {
    if (block && autotune__put_value(map, key, block)) return block;
    autotune__free(block);
    return NULL;
}
static void autotune__free_map(autotune__map **map) {
    size_t i;
    for (i = 0; i < AUTOTUNE__MAP_COUNT(*map); i++) autotune__free((*map)[i].key);
    stbds_shfree(*map);
}
