/* For Linux with glibc: reads memory of a process, and finds the variable or the block of malloc() at an address. */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "types.h"

#if defined __linux__ && defined __GLIBC__
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* Headers for strict POSIX hide syscall() and dladdr1(). The names in __asm__ have no C++ mangling, also in C++. */
extern long autotune__system_call(long number, ...) __asm__("syscall");
extern int autotune__find_link_map(const void *address, void **symbol, void **map, int what) __asm__("dladdr1");
extern char *autotune__demangle(const char *, char *, size_t *, int *) __asm__("__cxa_demangle") __attribute__((weak));

/* Copies `bytes` bytes at address `at` of a process. Returns false if the process has no memory there. */
static bool autotune__peek(unsigned long process, uintptr_t at, void *to, size_t bytes) {
    struct iovec here = { to, bytes }, there = { (void *)at, bytes };
    return autotune__system_call(SYS_process_vm_readv, (long)process, &here, 1L, &there, 1L, 0L) == (long)bytes;
}
/* Returns the link map of the program or library that holds an address; NULL: none. The l_name of the program is "". */
static const struct link_map *autotune__module_of(uintptr_t address) {
    void *symbol[4], *map = NULL;
    (void)autotune__find_link_map((const void *)address, symbol, &map, 2);      /* 2: the link map */
    return (struct link_map *)map;
}
/* Looks in the symbols of a module for the variable that holds change->first, and writes it to the change. Returns true
   if the module has symbols. */
static bool autotune__find_variable(const struct link_map *module, autotune__change *change) {
    const int number = autotune__open_file(*module->l_name ? module->l_name : "/proc/self/exe", AUTOTUNE__READ);
    autotune__file_facts facts;
    void *const map = autotune__facts_of_file(number, &facts) && facts.bytes > sizeof(ElfW(Ehdr))
                          ? mmap(NULL, facts.bytes, PROT_READ, MAP_PRIVATE, number, 0) : MAP_FAILED;
    const char *const file = (const char *)map;
    const ElfW(Ehdr) *const header = (const ElfW(Ehdr) *)map;
    const ElfW(Shdr) *tables, *table;
    const ElfW(Sym) *symbol = NULL, *end;       /* NULL: there is no symbol table */
    autotune__close_file(number);
    if (map == MAP_FAILED) return false;
    tables = (const ElfW(Shdr) *)(const void *)(file + header->e_shoff);
    for (table = tables; table < tables + header->e_shnum; table++) {
        if (table->sh_type != SHT_SYMTAB) continue;
        symbol = (const ElfW(Sym) *)(const void *)(file + table->sh_offset);
        for (end = symbol + table->sh_size / sizeof *symbol; symbol < end; symbol++) {
            const uintptr_t low = module->l_addr + symbol->st_value, bytes = symbol->st_size;
            if ((symbol->st_info & 15) != STT_OBJECT || !symbol->st_shndx || change->first - low >= bytes) continue;
            change->kind = AUTOTUNE__VARIABLE;
            change->low = low;
            change->high = low + bytes;
            autotune__put_text(change->name, sizeof change->name, "%s",
                               file + tables[table->sh_link].sh_offset + symbol->st_name);
        }
    }
    munmap(map, facts.bytes);
    return symbol != NULL;
}
/* Turns the name of a symbol into the name in the source. gcc names a static variable of a function NAME.NUMBER, and
   with -flto a static variable of a file NAME.lto_priv. clang names a static variable of a function FUNCTION.NAME. C++
   mangles most names. Calls malloc(), so it is not called during the comparison. */
static void autotune__make_readable(char *name, size_t room) {
    char *readable = NULL, *const dot = strchr(name, '.');
    if (autotune__demangle && !strncmp(name, "_Z", 2)) readable = autotune__demangle(name, NULL, NULL, NULL);
    if (readable) autotune__put_text(name, room, "%s", readable);
    else if (dot && dot[1] > '9' && strncmp(dot, ".lto_priv", 9)) memmove(name, dot + 1, strlen(dot));
    if (!readable) name[strcspn(name, ".")] = 0;
    free(readable);
}

/* glibc's malloc() puts a size before each block. The lowest bit of the size is 1 if the block before is in use. */
enum { AUTOTUNE__WORD = sizeof(size_t), AUTOTUNE__HEADER = 2 * AUTOTUNE__WORD };
static size_t autotune__size_word(uintptr_t block) {        /* 0: behind the end of the heap */
    size_t word = 0;
    (void)autotune__peek((unsigned long)getpid(), block + AUTOTUNE__WORD, &word, sizeof word);
    return word;
}
/* Finds the block that holds change->first, from *block on, and moves *block there. Changes in three kinds of blocks
   are ignored: the first block of the heap, which malloc() uses itself; free blocks; the buffer of stdout. */
static void autotune__find_block(uintptr_t *block, uintptr_t heap, autotune__change *change) {
    size_t size;
    while ((size = autotune__size_word(*block) & ~(size_t)7) && change->first - *block >= size + AUTOTUNE__WORD)
        *block += size;
    if (size < 2 * AUTOTUNE__HEADER || size % AUTOTUNE__HEADER) return;         /* not a heap of glibc */
    change->low = *block + AUTOTUNE__HEADER;
    change->high = change->first < change->low ? change->low : *block + size + AUTOTUNE__WORD;
    change->kind = *block == heap || !(autotune__size_word(*block + size) & 1) || change->first < change->low ||
                           change->low == (uintptr_t)stdout->_IO_buf_base ? AUTOTUNE__IGNORED : AUTOTUNE__BLOCK;
}
/* Returns true if the block is free. The heap does not show this for a block in one of malloc()'s lists of free blocks.
   So this function calls malloc() until it returns this block, or often enough to show that the block is in no list.
   Lists of small blocks are long, so they need more calls. */
static bool autotune__is_free_block(const autotune__change *change) {
    size_t bytes = change->high - change->low, left = bytes < 256 ? 100000 : 32;
    void *last = NULL, **block;
    bool is_free;
    for (; left && (uintptr_t)last != change->low && (block = (void **)malloc(bytes)) != NULL; left--) {
        *block = last;
        last = block;
    }
    is_free = (uintptr_t)last == change->low;
    for (; (block = (void **)last) != NULL; free(block)) last = *block;
    return is_free;
}
#endif
