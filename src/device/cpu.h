/* The CPU, the reference of all backends */
#pragma once
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../base/libraries.h"
#include "../base/memory.h"
#include "../base/files.h"

static uint64_t autotune__cpu_now(autotune_backend *self) {
    struct timespec now;
    (void)self;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
/* How often the process was preempted. Only the real clock cares: a virtual one is to give the same times whatever else
   happens. */
static long autotune__preemptions(const autotune_backend *backend) {
    struct rusage usage;
    return backend->now == autotune__cpu_now && getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}
static void *autotune__cpu_allocate(autotune_backend *self, size_t bytes) {
    (void)self;
    return AUTOTUNE_REALLOC(NULL, bytes);
}
static void autotune__cpu_release(autotune_backend *self, void *memory) { (void)self; autotune__free(memory); }
static autotune_status autotune__cpu_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static autotune_status autotune__cpu_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    (void)self;
    memset(memory, byte, bytes);
    return AUTOTUNE_OK;
}

/* Caches of the first processor, by sysfs. sysconf is asked where there is none: for a cache that is shared it may
   multiply what a virtual machine says of its processors. */
static const char *autotune__caches_folder = "/sys/devices/system/cpu/cpu0/cache";
static bool autotune__cache_says(int index, const char *what, char word[16]) {
    char path[256];
    FILE *file;
    bool said;
    snprintf(path, sizeof path, "%s/index%d/%s", autotune__caches_folder, index, what);
    if (!(file = autotune__open_to_read(path))) return false;
    said = fgets(word, 16, file) != NULL;
    fclose(file);
    return said;
}
static size_t autotune__cache_bytes(int level, int name) {          /* of data; name: sysconf's; 0: unknown */
    char word[16], *unit;
    int i;
    for (i = 0; autotune__cache_says(i, "level", word); i++) {
        unsigned long size;
        if (strtol(word, NULL, 10) != level || !autotune__cache_says(i, "type", word) || *word == 'I') continue;
        if (!autotune__cache_says(i, "size", word)) continue;
        size = strtoul(word, &unit, 10);
        return (size_t)size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
    }
    return name >= 0 && sysconf(name) > 0 ? (size_t)sysconf(name) : 0;
}
enum {
#ifdef _SC_LEVEL1_DCACHE_SIZE
    AUTOTUNE__L1_NAME = _SC_LEVEL1_DCACHE_SIZE,
    AUTOTUNE__L2_NAME = _SC_LEVEL2_CACHE_SIZE,
    AUTOTUNE__L3_NAME = _SC_LEVEL3_CACHE_SIZE
#else
    AUTOTUNE__L1_NAME = -1, AUTOTUNE__L2_NAME = -1, AUTOTUNE__L3_NAME = -1
#endif
};

/* Writes twice the last-level cache, at most 1 GiB, so that nothing else is left in it. The memory is kept for the next
   time. */
static pthread_mutex_t autotune__one_flush_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned char *autotune__flush_memory;
static autotune_status autotune__cpu_flush(autotune_backend *self) {
    static size_t bytes;
    volatile unsigned char *memory;
    size_t i;
    (void)self;
    pthread_mutex_lock(&autotune__one_flush_at_a_time);
    if (!autotune__flush_memory) {
        const size_t cache = autotune__cache_bytes(3, AUTOTUNE__L3_NAME);
        bytes = cache ? 2 * cache : (size_t)64 << 20;
        if (bytes > (size_t)1 << 30) bytes = (size_t)1 << 30;
        autotune__flush_memory = (volatile unsigned char *)AUTOTUNE_REALLOC(NULL, bytes);
    }
    memory = autotune__flush_memory;
    /* a line of the cache each */
    for (i = 0; memory && i < bytes; i += 64) memory[i] = (unsigned char)(memory[i] + 1);
    pthread_mutex_unlock(&autotune__one_flush_at_a_time);
    return memory ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
static void autotune__cpu_pause(autotune_backend *self, uint64_t ns) {
    const struct timespec pause = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
    (void)self;
    nanosleep(&pause, NULL);
}
static autotune_backend autotune__cpu_backend = {
    "cpu", autotune__cpu_now, autotune__cpu_allocate, autotune__cpu_release, autotune__cpu_copy, autotune__cpu_fill,
    autotune__cpu_copy, autotune__cpu_copy, autotune__cpu_flush, NULL, NULL, autotune__cpu_pause, NULL,
    AUTOTUNE_HOT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 };
AUTOTUNE__API autotune_backend autotune_cpu(void) { return autotune__cpu_backend; }
