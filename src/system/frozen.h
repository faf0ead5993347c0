/* Frozen memory: a copy of this process that does nothing. A comparison with the memory of the copy shows which memory
   this process has changed since. This needs Linux, where a process can read the memory of another process, and glibc,
   whose own memory can be recognised. */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "types.h"
#include "threads.h"
#include "child.h"
#include "named_memory.h"

#if defined __linux__ && defined __GLIBC__
/* Headers for strict POSIX hide the first two functions. The third exists only with a sanitizer. */
extern char *autotune__change_random(unsigned seed, char *state, size_t bytes) __asm__("initstate");
extern char *autotune__change_random_back(char *state) __asm__("setstate");
extern void autotune__sanitizer(void) __asm__("__sanitizer_set_death_callback") __attribute__((__weak__));

/* PIECE: how many bytes are compared at once; the size of a mapping is a multiple of it. ALL_CHANGES: how many changes
   are found at most. MOST_CHANGES: how many changes are told at most. */
enum { AUTOTUNE__PIECE = 4096, AUTOTUNE__ALL_CHANGES = 1 << 15, AUTOTUNE__MOST_CHANGES = 32 };
/* The state of a comparison with frozen memory. */
typedef struct autotune__comparison {
    const autotune__frozen *frozen;
    uintptr_t low, high;                        /* the mapping that is compared now */
    uintptr_t others;                           /* from `low` to here is a stack or heap of another thread */
    uintptr_t stack_end;                        /* end of this thread's stack; 0: the stack is in another mapping */
    /* heap: where the heap of malloc() begins; 0: not found yet. block: the last block of the heap that begins before
       the change. random: the state of rand(), behind its first word. */
    uintptr_t heap, block, random;
    size_t count;                               /* the index of the change that was found last, which may still grow */
    autotune__change changes[AUTOTUNE__ALL_CHANGES + 1];
    char ours[AUTOTUNE__PIECE], theirs[AUTOTUNE__PIECE];        /* a piece of this process, and the same of the copy */
    char maps[1 << 23];                         /* the text of /proc/self/maps at the time of the copy */
} autotune__comparison;

/* Freezes the memory: makes the copy, which ends with this process. The copy is made by the system call clone: fork()
   would call handlers of the program, and these change memory. Returns false on an error: see *why. */
static AUTOTUNE__UNUSED bool autotune__freeze(autotune__frozen *frozen, const char **why) {
    const struct link_map *const program = autotune__module_of((uintptr_t)&autotune__end_openmp_threads);
    const int maps = autotune__open_file("/proc/self/maps", AUTOTUNE__READ);
    autotune__comparison *const all = (autotune__comparison *)calloc(1, sizeof *all);
    const pid_t parent = getpid();
    long process;
    size_t got;
    autotune__end_openmp_threads();             /* OpenMP then also frees the memory of its threads */
    frozen->changes = all;
    if (!all || !autotune__read_at(maps, all->maps, sizeof all->maps - 1, 0, &got)) *why = strerror(errno);
    else if (autotune__sanitizer || strstr(all->maps, "/vgpreload_"))
        *why = "a sanitizer or valgrind keeps memory of its own in the process";
    else if (!program || !autotune__find_variable(program, all->changes))
        *why = "the program is static or has no symbols: link it without -static and -s";
    else if ((process = autotune__system_call(SYS_clone, 0L, 0L, 0L, 0L, 0L)) == 0)
        for (autotune__bind_child_to(parent, false);;) pause();
    else if (process < 0 || !autotune__peek((unsigned long)process, frozen->stack, &got, 1)) *why = strerror(errno);
    else frozen->process = (unsigned long)process;
    autotune__close_file(maps);
    return frozen->process;
}

/* Finds the kind of memory at change->first, and the limits of the variable or block. Variables in libraries of the
   system are ignored: the C library, OpenMP and others change their own state. */
static void autotune__find_kind(autotune__comparison *all, autotune__change *change) {
    const uintptr_t at = change->first, stack = all->frozen->stack, state = 124, of_thread = AUTOTUNE__PIECE;
    const struct link_map *const module = autotune__module_of(at);
    change->low = at & ~(uintptr_t)15;
    change->high = at + 1;
    if (at - all->random < state) change->kind = AUTOTUNE__RANDOM;
    else if (at - (uintptr_t)pthread_self() + of_thread < 2 * of_thread ||
             (module && (!strncmp(module->l_name, "/lib", 4) || !strncmp(module->l_name, "/usr/lib", 8)))) return;
    else if (module) (void)autotune__find_variable(module, change);
    else if (at < all->stack_end ? at < stack : at < all->others)
        change->high = at < all->stack_end ? stack : all->others;
    else change->kind = at < all->stack_end ? AUTOTUNE__STACK : AUTOTUNE__UNNAMED;
    if (change->kind == AUTOTUNE__UNNAMED && at >= all->block) autotune__find_block(&all->block, all->heap, change);
}
/* Takes a changed byte. All changed bytes of one variable or block are one change. In other memory, changed bytes near
   each other are one change. */
static void autotune__take_byte(autotune__comparison *all, uintptr_t at) {
    autotune__change *change = &all->changes[all->count];
    if (at - (uintptr_t)all < sizeof *all || all->frozen->excludes(all->frozen->user, at)) return;
    if (at >= change->high) {
        if (change->kind != AUTOTUNE__IGNORED) change = &all->changes[++all->count];
        memset(change, 0, sizeof *change);
        change->first = at;
        autotune__find_kind(all, change);
    }
    change->last = at;
    if (change->kind >= AUTOTUNE__RANDOM) change->high = at + (change->kind == AUTOTUNE__STACK ? 16 : 64);
}
/* Returns the end of the stack of a thread. guard: the address of the protected pages before the stack. At the end of
   the stack the C library keeps this address, followed by the length of guard and stack. Other memory may follow the
   stack in the same mapping. Returns the beginning of the mapping if there is no stack. */
static uintptr_t autotune__end_of_stack(const autotune__comparison *all, uintptr_t guard) {
    uintptr_t words[AUTOTUNE__PIECE / sizeof(uintptr_t)], at;
    size_t i;
    for (at = all->low; at < all->high; at += sizeof words) {
        if (!autotune__peek(all->frozen->process, at, words, sizeof words)) break;
        for (i = 0; i + 1 < sizeof words / sizeof *words; i++)
            if (words[i] == guard && words[i + 1] > at - guard && words[i + 1] <= all->high - guard)
                return guard + words[i + 1];
    }
    return all->low;
}
/* Compares a mapping. guard: the address of protected pages before the mapping, as before the stack of a thread; 0:
   none. A heap that glibc has for a thread begins with a pointer to itself. */
static void autotune__compare_mapping(autotune__comparison *all, uintptr_t guard) {
    const unsigned long theirs = all->frozen->process, ours = (unsigned long)getpid();
    uintptr_t at = 0, i;
    (void)autotune__peek(theirs, all->low, &at, sizeof at);
    all->others = at - all->low - 1 < 256 ? all->high : guard ? autotune__end_of_stack(all, guard) : all->low;
    all->stack_end = all->others > all->low ? all->others : all->high;
    if (all->frozen->stack - all->low >= all->stack_end - all->low) all->stack_end = 0;
    for (at = all->low; at < all->high; at += AUTOTUNE__PIECE) {
        if (!autotune__peek(ours, at, all->ours, AUTOTUNE__PIECE) ||
            !autotune__peek(theirs, at, all->theirs, AUTOTUNE__PIECE) ||
            !memcmp(all->ours, all->theirs, AUTOTUNE__PIECE)) continue;
        for (i = 0; i < AUTOTUNE__PIECE && all->count < AUTOTUNE__ALL_CHANGES; i++)
            if (all->ours[i] != all->theirs[i]) autotune__take_byte(all, at + i);
    }
}
/* Compares all private mappings that can be written. Each mapping is a line of /proc/self/maps:
   7ffff7fc1000-7ffff7fc3000 rw-p 00000000 00:00 0 [heap] */
static void autotune__compare_mappings(autotune__comparison *all) {
    char *line = all->maps, *end, *rights;
    uintptr_t guard = 0;                        /* address of the guard before the mapping; 0: none */
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        all->low = (uintptr_t)strtoull(line, &rights, 16);
        all->high = (uintptr_t)strtoull(rights + 1, &rights, 16);
        if (!all->heap && !strncmp(end - 6, "[heap]", 6)) all->heap = all->block = all->low;
        if (!strncmp(rights, " rw-p", 5) && (all->high - all->low) >> 30 < 64) autotune__compare_mapping(all, guard);
        guard = strncmp(rights, " ---p", 5) ? 0 : all->low;
    }
}
/* Calls frozen->tell() for each change since the memory was frozen. Changes of excluded memory, of memory of the C
   library and of other threads, and of free blocks are left out. Changes of a few bytes on the stack are temporary, and
   are left out, too. */
static AUTOTUNE__UNUSED void autotune__tell_changes(autotune__frozen *frozen) {
    const size_t few = 128, small_block = autotune__clang_openmp ? 1 << 16 : 0;   /* may be a block of OpenMP */
    autotune__comparison *const all = (autotune__comparison *)frozen->changes;
    autotune__change *change = all->changes, *const end = change + AUTOTUNE__ALL_CHANGES;
    char other[128], *const state = autotune__change_random(1, other, sizeof other);    /* changes *state */
    (void)autotune__change_random_back(state);
    all->random = (uintptr_t)state + 4;
    all->frozen = frozen;
    autotune__end_openmp_threads();
    autotune__compare_mappings(all);
    for (; change < end && frozen->told < AUTOTUNE__MOST_CHANGES; change++) {
        if (change->kind == AUTOTUNE__IGNORED ||
            (change->kind == AUTOTUNE__STACK && change->last - change->first < few) ||
            (change->kind == AUTOTUNE__BLOCK &&
             (change->high - change->low <= small_block || autotune__is_free_block(change)))) continue;
        autotune__make_readable(change->name, sizeof change->name);
        frozen->tell(frozen->user, change);
        frozen->told++;
    }
    frozen->is_complete = all->count < AUTOTUNE__ALL_CHANGES;
    frozen->process = 0;
}
#endif
