/* out_of_memory.c - replaces malloc, realloc and calloc in the command (ld --wrap). A compiler may make
   calloc of malloc and memset. The FAIL_AT-th call of these functions, from 0, fails. */
#include <stdlib.h>
#include <string.h>

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_realloc(void *old, size_t bytes) {
    static long until_failure = -1, asked;
    if (!asked++ && getenv("FAIL_AT")) until_failure = atol(getenv("FAIL_AT"));
    return until_failure >= 0 && until_failure-- == 0 ? NULL : __real_realloc(old, bytes);
}
void *__wrap_malloc(size_t bytes) { return __wrap_realloc(NULL, bytes); }
void *__wrap_calloc(size_t count, size_t bytes) {
    void *block = __wrap_realloc(NULL, count * bytes);
    return block ? memset(block, 0, count * bytes) : NULL;
}
