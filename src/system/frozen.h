/* Frozen memory: a copy of this process, which does nothing. A comparison with the copy shows what this process has
   changed since. Only Linux shows a process the memory of another one. */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "types.h"
#include "threads.h"
#include "child.h"
#include "named_memory.h"

#ifdef __linux__
/* Strict POSIX hides these. */
extern char *autotune__change_random(unsigned seed, char *state, size_t bytes) __asm__("initstate");
extern char *autotune__change_random_back(char *state) __asm__("setstate");
extern void autotune__sanitizer(void) __asm__("__sanitizer_set_death_callback") __attribute__((__weak__));

/* The room of a comparison: /proc/self/maps, a piece of this memory, the same piece of the copy, and changes, of which
   many may be free blocks. */
enum {
    AUTOTUNE__MAPS = 1 << 22,
    AUTOTUNE__PIECE = 1 << 16,
    AUTOTUNE__ALL_CHANGES = 2000,
    AUTOTUNE__ALL_ROOM = AUTOTUNE__MAPS + 2 * AUTOTUNE__PIECE + (AUTOTUNE__ALL_CHANGES + 1) * sizeof(autotune__change)
};

/* Returns the address of the state of rand(). 0: the program gave the C library memory of its own for the state. */
static uintptr_t autotune__find_random(void) {
    char other[128];
    char *const state = autotune__change_random(1, other, sizeof other);
    autotune__module_place module;
    (void)autotune__change_random_back(state);
    return autotune__module_of((uintptr_t)state, &module) && autotune__is_of_system(&module) ? (uintptr_t)state : 0;
}
static void autotune__thaw(autotune__frozen *frozen) {
    const pid_t process = (pid_t)frozen->process;
    if (process > 0) kill(process, SIGKILL);
    while (process > 0 && waitpid(process, NULL, (int)__WCLONE) < 0 && errno == EINTR) {}
    munmap(frozen->room, AUTOTUNE__ALL_ROOM);
    frozen->process = 0;
}
/* Freezes the memory. fork() would call handlers of the program, which change memory; the room is shared memory, which
   is not compared. False: why says it. */
static AUTOTUNE__UNUSED bool autotune__freeze(autotune__frozen *frozen, const void *stack, const char **why) {
    const int zero = autotune__open_file("/dev/zero", AUTOTUNE__READ | AUTOTUNE__WRITE),
              maps = autotune__open_file("/proc/self/maps", AUTOTUNE__READ);
    void *const room = mmap(NULL, AUTOTUNE__ALL_ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    bool is_shared;
    size_t got = 0;
    long process = -1;
    autotune__end_openmp_threads();             /* they free what OpenMP keeps for them */
    frozen->stack = (uintptr_t)stack;
    frozen->random = autotune__find_random();
    frozen->room = (char *)room;
    if (room != MAP_FAILED) (void)autotune__read_at(maps, frozen->room, AUTOTUNE__MAPS - 1, 0, &got);
    is_shared = autotune__sanitizer || (got && strstr(frozen->room, "/vgpreload_"));
    if (got && !is_shared) process = autotune__system_call(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (process == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (process == 0) pause();
    frozen->process = process > 0 ? (unsigned long)process : 0;
    if (process > 0 && autotune__peek(frozen->process, frozen->stack, frozen->room + AUTOTUNE__MAPS, 1)) process = 0;
    autotune__close_file(maps);
    autotune__close_file(zero);
    if (process == 0) return true;
    *why = is_shared ? "a sanitizer or valgrind keeps memory of its own in the process" : strerror(errno);
    if (room != MAP_FAILED) autotune__thaw(frozen);
    return false;
}

/* A line of /proc/self/maps. */
typedef struct autotune__mapping { uintptr_t low, high; bool is_private, is_guard, is_heap; } autotune__mapping;
typedef struct autotune__comparison {
    autotune__frozen *frozen;
    autotune__excluded *excluded;
    const void *user;
    autotune__change *changes;                  /* ALL_CHANGES and one more, which may be ignored */
    size_t count;                               /* of those that are complete */
    bool goes_on;                               /* the change behind these may become longer */
    autotune__mapping mapping;
    uintptr_t others;                           /* up to this address the mapping is a stack or heap of a thread */
    bool is_heap_of_thread;
    uintptr_t block;                            /* of the heap, at or in front of the change */
    int pages;                                  /* /proc/self/pagemap */
} autotune__comparison;

/* Finds the kind of memory that begins to change at change->first, and the limits of the variable or block. */
static void autotune__find_place(autotune__comparison *all, autotune__change *change) {
    enum { THREAD = 2400, RANDOM = 128 };       /* bytes that the C library keeps */
    const uintptr_t at = change->first, thread = (uintptr_t)pthread_self(), stack = all->frozen->stack;
    const autotune__mapping *const mapping = &all->mapping;
    const uintptr_t end = all->others > mapping->low ? all->others : mapping->high;     /* of a stack */
    autotune__module_place module;
    bool has_symbols;
    change->low = change->high = at;
    if (at - thread < THREAD) change->high = thread + THREAD;           /* the kernel writes there, too */
    else if (at - (uintptr_t)&errno < sizeof errno) change->high = at + 1;
    else if (at - all->frozen->random < RANDOM) {
        change->kind = AUTOTUNE__RANDOM;
        change->high = all->frozen->random + RANDOM;
    } else if (autotune__module_of(at, &module)) {
        change->high = (at | 3) + 1;
        if (autotune__is_of_system(&module)) return;
        if (autotune__seek_variable(&module, at, false, change, &has_symbols)) change->kind = AUTOTUNE__VARIABLE;
        else if (!has_symbols) {                /* else it is a table of the loader */
            all->frozen->left_out = "variables of a program or library without symbols: link it without -s";
            change->high = mapping->high;
        }
    } else if (stack - mapping->low < end - mapping->low && at < end) {
        if (at < stack) change->high = stack;
        else change->kind = AUTOTUNE__STACK;
    } else if (at >= all->others) {
        change->kind = AUTOTUNE__MAPPED;
        if (mapping->is_heap) autotune__find_block(&all->block, mapping->low, mapping->high, change);
    } else if (all->is_heap_of_thread)
        all->frozen->left_out = "blocks of malloc() that threads besides the first have";
}
/* Takes a byte that has changed. Bytes of one variable or block are one change. Other bytes are if they stand near each
   other in one mapping, and both or none in memory of a thread. */
static void autotune__take_byte(autotune__comparison *all, uintptr_t at) {
    enum { NEAR = 64 };
    autotune__change *change = &all->changes[all->count];
    const bool is_apart = at - change->last > NEAR || change->last < all->mapping.low ||
                          (change->last < all->others && at >= all->others);
    if (!all->goes_on || (change->high > change->low ? at >= change->high : is_apart)) {
        if (all->goes_on && change->kind != AUTOTUNE__IGNORED) change = &all->changes[++all->count];
        memset(change, 0, sizeof *change);
        change->first = at;
        autotune__find_place(all, change);
        all->goes_on = true;
    }
    change->last = at;
}
/* Is the value a pointer? On the stack these are temporary, to blocks of malloc(), which are others in each launch. */
static bool autotune__is_pointer(const char *value) {
    uintptr_t pointer;
    char byte;
    memcpy(&pointer, value, sizeof pointer);
    return autotune__peek((unsigned long)getpid(), pointer, &byte, 1);
}
static void autotune__compare_piece(autotune__comparison *all, uintptr_t low, size_t bytes) {
    const char *const ours = all->frozen->room + AUTOTUNE__MAPS, *const theirs = ours + AUTOTUNE__PIECE;
    const size_t word = sizeof(void *);
    const bool on_stack = all->frozen->stack - low < all->mapping.high - low;
    size_t at, excluded;
    for (at = 0; at < bytes && all->count < AUTOTUNE__ALL_CHANGES; at++) {
        if (ours[at] == theirs[at]) continue;
        excluded = all->excluded(all->user, low + at);
        if (excluded) at += excluded - 1;
        else if (on_stack && autotune__is_pointer(ours + at / word * word)) at |= word - 1;
        else autotune__take_byte(all, low + at);
    }
}
/* May the memory have changed? Not where each page is shared with the copy, or was never touched: /proc/self/pagemap
   tells. A page that was written since belongs to this process alone. */
static bool autotune__may_have_changed(int pages, uintptr_t at, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const uint64_t swapped = (uint64_t)1 << 62, own = (uint64_t)1 << 56;
    uint64_t entries[AUTOTUNE__PIECE >> 12];
    size_t got, i;
    if (!autotune__read_at(pages, (char *)entries, (bytes + page - 1) / page * 8, at / page * 8, &got)) return true;
    for (i = 0; i < got / 8; i++) if (entries[i] & (swapped | own)) return true;
    return false;
}
static void autotune__compare_mapping(autotune__comparison *all) {
    char *const ours = all->frozen->room + AUTOTUNE__MAPS, *const theirs = ours + AUTOTUNE__PIECE;
    const uintptr_t high = all->mapping.high;
    uintptr_t at;
    size_t bytes;
    all->block = all->mapping.low;
    for (at = all->mapping.low; at < high; at += bytes) {
        bytes = high - at < AUTOTUNE__PIECE ? high - at : (size_t)AUTOTUNE__PIECE;
        if (!autotune__may_have_changed(all->pages, at, bytes) ||
            !autotune__peek((unsigned long)getpid(), at, ours, bytes)) continue;
        if (!autotune__peek(all->frozen->process, at, theirs, bytes))
            all->frozen->left_out = "mappings that a child process does not get";
        else if (memcmp(ours, theirs, bytes) != 0) autotune__compare_piece(all, at, bytes);
    }
}
/* Reads a line, as in: 7ffff7fc1000-7ffff7fc3000 rw-p 00000000 00:00 0 [heap]. Returns the next one; NULL: the end. */
static const char *autotune__read_mapping(const char *line, autotune__mapping *mapping) {
    const char *const end = line ? strchr(line, '\n') : NULL;
    char *rights;
    memset(mapping, 0, sizeof *mapping);
    if (!end) return NULL;
    mapping->low = (uintptr_t)strtoull(line, &rights, 16);
    mapping->high = (uintptr_t)strtoull(rights + 1, &rights, 16);
    mapping->is_private = !strncmp(rights, " rw-p", 5);
    mapping->is_guard = !strncmp(rights, " ---p", 5);
    mapping->is_heap = !strncmp(end - 6, "[heap]", 6);
    return end + 1;
}
/* Returns the end of the stack of a thread behind a guard. The C library keeps the address of the guard at the end of
   the stack, and behind it the length of both. Other memory may follow the stack in the same mapping. Returns the
   beginning of the mapping if there is no stack. */
static uintptr_t autotune__end_of_stack(const autotune__comparison *all, uintptr_t guard) {
    const autotune__mapping *const mapping = &all->mapping;
    const uintptr_t longest = (uintptr_t)1 << 30, room = mapping->high - mapping->low;
    const uintptr_t end = mapping->low + (room < longest ? room : longest);
    uintptr_t *const words = (uintptr_t *)(void *)(all->frozen->room + AUTOTUNE__MAPS), at;
    size_t i;
    for (at = mapping->low; at < end; at += AUTOTUNE__PIECE) {
        const size_t bytes = end - at < AUTOTUNE__PIECE ? end - at : (size_t)AUTOTUNE__PIECE;
        if (!autotune__peek(all->frozen->process, at, words, bytes)) return mapping->low;
        for (i = 0; i + 1 < bytes / sizeof *words; i++)
            if (words[i] == guard && words[i + 1] > at - guard && words[i + 1] <= mapping->high - guard)
                return guard + words[i + 1];
    }
    return mapping->low;
}
/* Finds memory of a thread at the beginning of the mapping: a stack, or a heap of glibc, which begins with a pointer to
   itself, and behind which is memory without rights. */
static void autotune__find_thread(autotune__comparison *all, const autotune__mapping *before,
                                  const autotune__mapping *after) {
    const uintptr_t low = all->mapping.low, high = all->mapping.high, header = 256;
    uintptr_t heap = 0;
    if (after->is_guard && after->low == high) (void)autotune__peek(all->frozen->process, low, &heap, sizeof heap);
    all->is_heap_of_thread = heap - low - 1 < header;
    all->others = all->is_heap_of_thread                       ? high
                  : before->is_guard && before->high == low ? autotune__end_of_stack(all, before->low) : low;
}
static void autotune__compare_mappings(autotune__comparison *all) {
    const uint64_t largest = (uint64_t)1 << 36;         /* a sanitizer reserves more */
    autotune__mapping before, after, *const now = &all->mapping;
    const char *line = autotune__read_mapping(all->frozen->room, now);
    memset(&before, 0, sizeof before);
    for (; now->high && all->count < AUTOTUNE__ALL_CHANGES; before = *now, *now = after) {
        line = autotune__read_mapping(line, &after);
        for (; now->is_heap && after.is_heap; line = autotune__read_mapping(line, &after)) now->high = after.high;
        if (now->is_private) autotune__find_thread(all, &before, &after);
        if (now->is_private && now->high - now->low > largest)
            all->frozen->left_out = "mappings of more than 64 GiB";
        else if (now->is_private) autotune__compare_mapping(all);
    }
    if (all->goes_on && all->count < AUTOTUNE__ALL_CHANGES)
        all->count += all->changes[all->count].kind != AUTOTUNE__IGNORED;
}
/* Finds what has changed since the memory was frozen, but for what is excluded, for memory of the C library and of
   other threads, and for free blocks. Returns how many changes there are, which are MOST_CHANGES at most. */
static AUTOTUNE__UNUSED size_t autotune__find_changes(autotune__frozen *frozen, autotune__excluded *excluded,
                                                      const void *user, autotune__change *changes) {
    const size_t small_block = 1 << 16;
    autotune__comparison all;
    size_t i, kept = 0;
    memset(&all, 0, sizeof all);
    all.frozen = frozen;
    all.excluded = excluded;
    all.user = user;
    all.changes = (autotune__change *)(void *)(frozen->room + AUTOTUNE__MAPS + 2 * AUTOTUNE__PIECE);
    autotune__end_openmp_threads();
    all.pages = autotune__open_file("/proc/self/pagemap", AUTOTUNE__READ);
    if (!autotune__may_have_changed(all.pages, (uintptr_t)&all, 1)) {   /* it has: the system does not tell that */
        autotune__close_file(all.pages);
        all.pages = -1;
    }
    autotune__compare_mappings(&all);
    autotune__close_file(all.pages);
    for (i = 0; i < all.count; i++) {           /* the comparison is over: malloc() may be called */
        const autotune__change *const change = &all.changes[i];
        const bool is_block = change->kind == AUTOTUNE__BLOCK;
        if (is_block && autotune__has_clang_openmp() && change->high - change->low <= small_block)
            frozen->left_out = "blocks of malloc() of up to 64 KiB, which may be OpenMP's";
        else if (is_block && autotune__is_free_block(change)) continue;
        else if (kept < AUTOTUNE__MOST_CHANGES) changes[kept++] = *change;
        else frozen->left_out = "variables and blocks at higher addresses";
    }
    if (all.count == AUTOTUNE__ALL_CHANGES) frozen->left_out = "variables and blocks at higher addresses";
    for (i = 0; i < kept; i++) autotune__name_memory(&changes[i]);
    autotune__thaw(frozen);
    return kept;
}
#endif
