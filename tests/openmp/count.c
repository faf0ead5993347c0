/* count.c - a library that counts how often memory was allocated and a lock was taken in a program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long allocations, locks;
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
#define COUNT(counter) __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED)
void *malloc(size_t bytes) { return COUNT(allocations), __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return COUNT(allocations), __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return COUNT(allocations), __libc_realloc(old, bytes); }
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real) {
        void *const found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        memcpy(&real, &found, sizeof real);
    }
    COUNT(locks);
    return real(mutex);
}
/* For the program, which looks whether the library is there. */
long counted(void);
long counted(void) {
    return __atomic_load_n(&allocations, __ATOMIC_RELAXED) + __atomic_load_n(&locks, __ATOMIC_RELAXED);
}
