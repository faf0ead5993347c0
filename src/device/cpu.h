/* The backend of the CPU, which is the reference for all backends. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"

static uint64_t autotune__cpu_now(autotune_backend *self AUTOTUNE__UNUSED) { return autotune__monotonic_ns(); }
static void *autotune__cpu_allocate(autotune_backend *self AUTOTUNE__UNUSED, size_t bytes) {
    return AUTOTUNE_REALLOC(NULL, bytes);
}
static void autotune__cpu_release(autotune_backend *self AUTOTUNE__UNUSED, void *memory) { autotune__free(memory); }
static autotune_status autotune__cpu_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static autotune_status autotune__cpu_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                          size_t bytes) {
    return autotune__cpu_copy(self, host, (const unsigned char *)memory + offset, bytes);
}
static autotune_status autotune__cpu_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                           size_t bytes) {
    return autotune__cpu_copy(self, (unsigned char *)memory + offset, host, bytes);
}
static autotune_status autotune__cpu_fill(autotune_backend *self, void *memory, int filler, size_t bytes) {
    (void)self;
    memset(memory, filler, bytes);
    return AUTOTUNE_OK;
}

/* Random branches replace the content of the branch predictor. 32 branches, each made 1024 times, are enough. A
   quicksort took 13 us for new numbers, and 3 us for numbers that it had sorted before. After these branches it took
   13 us for numbers sorted before, too. After a tenth of the branches it took little more than 3 us. All branches take
   0.2 ms. A volatile write keeps the compiler from removing a branch. */
#define AUTOTUNE__BRANCH(bit) if (bits >> (bit) & 1) autotune__branched = bit;
#define AUTOTUNE__8_BRANCHES(bit)                                                                                \
    AUTOTUNE__BRANCH(bit) AUTOTUNE__BRANCH(bit + 1) AUTOTUNE__BRANCH(bit + 2) AUTOTUNE__BRANCH(bit + 3)          \
    AUTOTUNE__BRANCH(bit + 4) AUTOTUNE__BRANCH(bit + 5) AUTOTUNE__BRANCH(bit + 6) AUTOTUNE__BRANCH(bit + 7)
static volatile int autotune__branched;
static void autotune__empty_branch_predictor(void) {
    static uint64_t random = 1;
    int i;
    for (i = 0; i < 1024; i++) {
        const uint32_t bits = (uint32_t)autotune__random(&random);
        AUTOTUNE__8_BRANCHES(0) AUTOTUNE__8_BRANCHES(8) AUTOTUNE__8_BRANCHES(16) AUTOTUNE__8_BRANCHES(24)
    }
}
/* Empties the caches and the branch predictor. To empty the caches, it writes to memory of twice the size of the
   last-level cache, but at most 1 GiB. If the size of the cache is not known, it writes to 64 MiB. The memory is kept
   for the next flush, until autotune_shutdown(). */
static autotune__mutex autotune__one_flush_at_a_time = AUTOTUNE__MUTEX;
static volatile unsigned char *autotune__flush_memory;
static autotune_status autotune__cpu_flush(autotune_backend *self AUTOTUNE__UNUSED) {
    static size_t bytes;
    volatile unsigned char *memory;
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__one_flush_at_a_time);
    if (!autotune__flush_memory) {
        const size_t cache = autotune__cache_bytes(3);
        bytes = cache ? 2 * cache : (size_t)64 << 20;
        if (bytes > (size_t)1 << 30) bytes = (size_t)1 << 30;
        autotune__flush_memory = (volatile unsigned char *)AUTOTUNE_REALLOC(NULL, bytes);
    }
    memory = autotune__flush_memory;
    /* 64 bytes are a line of the cache */
    for (i = 0; memory && i < bytes; i += 64) memory[i] = (unsigned char)(memory[i] + 1);
    autotune__empty_branch_predictor();
    return memory ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
/* The function returns the name of a backend if its device has work, else NULL. cuda/at_work.h sets this pointer before
   main(). In a program without CUDA the pointer is NULL. */
static const char *(*autotune__device_at_work)(void);
static autotune_backend autotune__cpu_backend = {
    "cpu", NULL, NULL,
    autotune__cpu_now,
    autotune__cpu_allocate, autotune__cpu_release, autotune__cpu_copy, autotune__cpu_fill, autotune__cpu_read,
    autotune__cpu_write,
    AUTOTUNE_HOT, autotune__cpu_flush, NULL, NULL,
    NULL, NULL, NULL, NULL, 0,                  /* now() measures the launches */
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL };
AUTOTUNE__API autotune_backend autotune_cpu(void) { return autotune__cpu_backend; }
