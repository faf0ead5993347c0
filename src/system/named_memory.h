/* Names of memory on Linux: which variable has an address, or points to it; and the blocks of malloc(). */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "types.h"

#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* Strict POSIX hides syscall() and dladdr(). C++ gives the linker other names than the program has. */
typedef struct autotune__module_place { const char *path; void *base, *more[2]; } autotune__module_place;
extern long autotune__system_call(long number, ...) __asm__("syscall");
extern int autotune__find_module_of(const void *address, autotune__module_place *found) __asm__("dladdr");
extern char *autotune__demangle(const char *name, char *room, size_t *bytes, int *status)
    __asm__("__cxa_demangle") __attribute__((__weak__));

/* Reads memory of a process. False: there is none at that address. */
static bool autotune__peek(unsigned long process, uintptr_t at, void *to, size_t bytes) {
    struct iovec here, there;
    here.iov_base = to;
    there.iov_base = (void *)at;
    here.iov_len = there.iov_len = bytes;
    return autotune__system_call(SYS_process_vm_readv, (long)process, &here, 1L, &there, 1L, 0L) == (long)bytes;
}
static bool autotune__module_of(uintptr_t address, autotune__module_place *module) {
    return autotune__find_module_of((const void *)address, module) && module->path;
}
static bool autotune__find_program(autotune__module_place *program) {
    return autotune__module_of((uintptr_t)getauxval(AT_PHDR), program);
}
/* Libraries of the system keep states of their own, as the C library and OpenMP do. */
static bool autotune__is_of_system(const autotune__module_place *module) {
    autotune__module_place program, library;
    if (autotune__find_program(&program) && program.base == module->base) return false;
    return (autotune__module_of((uintptr_t)stdout, &library) && library.base == module->base) ||
           !strncmp(module->path, "/lib", 4) || !strncmp(module->path, "/usr/lib", 8);
}
/* Does the variable have the address? points: does it begin with a pointer to the address? */
static bool autotune__is_sought(uintptr_t low, size_t bytes, uintptr_t address, bool points) {
    uintptr_t value = 0;
    if (points && bytes >= sizeof value) memcpy(&value, (const void *)low, sizeof value);
    return points ? value == address : address - low < bytes;
}
/* Seeks such a variable in a table of symbols. */
static bool autotune__seek_symbol(const ElfW(Sym) *symbols, size_t count, const char *names, uintptr_t base,
                                  uintptr_t address, bool points, autotune__change *change) {
    size_t i;
    for (i = 0; i < count; i++) {
        const uintptr_t low = base + (uintptr_t)symbols[i].st_value;
        const size_t bytes = (size_t)symbols[i].st_size;
        if ((symbols[i].st_info & 15) != STT_OBJECT || !symbols[i].st_shndx ||
            !autotune__is_sought(low, bytes, address, points)) continue;
        autotune__put_text(change->name, sizeof change->name, "%s", names + symbols[i].st_name);
        change->is_pointer = points && bytes == sizeof(void *);
        change->low = points ? address : low;
        if (!points) change->high = low + bytes;
        return true;
    }
    return false;
}
/* Seeks a variable of a module. Tells whether the file of the module has a table of all symbols. */
static bool autotune__seek_variable(const autotune__module_place *module, uintptr_t address, bool points,
                                    autotune__change *change, bool *has_all) {
    autotune__module_place program;
    const bool is_program = autotune__find_program(&program) && program.base == module->base;
    const int number = autotune__open_file(is_program ? "/proc/self/exe" : module->path, AUTOTUNE__READ);
    autotune__file_facts facts;
    const bool is_open = autotune__facts_of_file(number, &facts) && facts.bytes > sizeof(ElfW(Ehdr));
    void *const map = is_open ? mmap(NULL, facts.bytes, PROT_READ, MAP_PRIVATE, number, 0) : MAP_FAILED;
    const ElfW(Ehdr) *const header = (const ElfW(Ehdr) *)map;
    const char *const file = (const char *)map;
    bool found = *has_all = false;
    size_t i;
    autotune__close_file(number);
    if (map == MAP_FAILED) return false;
    for (i = 0; i < header->e_shnum && !found; i++) {
        const ElfW(Shdr) *const tables = (const ElfW(Shdr) *)(const void *)(file + header->e_shoff);
        const ElfW(Shdr) *const table = &tables[i];
        if (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM) continue;
        *has_all |= table->sh_type == SHT_SYMTAB;
        found = autotune__seek_symbol((const ElfW(Sym) *)(const void *)(file + table->sh_offset),
                                      table->sh_size / sizeof(ElfW(Sym)), file + tables[table->sh_link].sh_offset,
                                      header->e_type == ET_DYN ? (uintptr_t)module->base : 0, address, points, change);
    }
    munmap(map, facts.bytes);
    return found;
}
/* A name as the program has it. gcc calls a static variable of a function NAME.NUMBER, and one of a file NAME.lto_priv
   with -flto. clang calls it FUNCTION.NAME, and C++ mangles names. malloc() is called. */
static void autotune__make_readable(char *name, size_t room) {
    char *const readable = autotune__demangle ? autotune__demangle(name, NULL, NULL, NULL) : NULL;
    char *last = strstr(name, ".lto_priv");
    if (last) *last = 0;
    last = strrchr(name, '.');
    if (last && last[1] >= '0' && last[1] <= '9') *last = 0;
    last = strrchr(name, '.');
    if (readable) autotune__put_text(name, room, "%s", readable);
    else if (last) memmove(name, last + 1, strlen(last));
    free(readable);
}
/* Gives memory the name of a variable of the program that points to it, if there is one. */
static void autotune__name_memory(autotune__change *change) {
    const uintptr_t start = change->kind == AUTOTUNE__BLOCK ? change->low : change->first & ~(uintptr_t)15;
    autotune__module_place program;
    bool has_all;
    if (change->kind != AUTOTUNE__VARIABLE && autotune__find_program(&program))
        (void)autotune__seek_variable(&program, start, true, change, &has_all);
    autotune__make_readable(change->name, sizeof change->name);
}

/* glibc's malloc() has a size in front of each block. Its lowest bit tells whether the block before is in use. */
#ifdef __GLIBC__
enum { AUTOTUNE__WORD = sizeof(size_t), AUTOTUNE__HEADER = 2 * AUTOTUNE__WORD };
static size_t autotune__size_word(uintptr_t block) {        /* 0: the heap has ended before */
    size_t word = 0;
    (void)autotune__peek((unsigned long)getpid(), block + AUTOTUNE__WORD, &word, sizeof word);
    return word;
}
/* Seeks the block with change->first, from *block on. The first block of the heap is malloc()'s own, the last one is
   free, and printf() writes to one. */
static void autotune__find_block(uintptr_t *block, uintptr_t low, uintptr_t high, autotune__change *change) {
    size_t size;
    bool is_last;
    while ((size = autotune__size_word(*block) & ~(size_t)7) && change->first - *block >= size + AUTOTUNE__WORD)
        *block += size;
    if (size < 2 * AUTOTUNE__HEADER || size % AUTOTUNE__HEADER) return;         /* this is no heap of glibc */
    is_last = high - *block < size + 2 * AUTOTUNE__HEADER;
    change->low = *block + AUTOTUNE__HEADER;
    change->high = change->first < change->low ? change->low : is_last ? high : *block + size + AUTOTUNE__WORD;
    change->kind = *block == low || is_last || !(autotune__size_word(*block + size) & 1) ||
                           change->first < change->low || change->low == (uintptr_t)stdout->_IO_buf_base
                       ? AUTOTUNE__IGNORED : AUTOTUNE__BLOCK;
}
#else
static void autotune__find_block(uintptr_t *block AUTOTUNE__UNUSED, uintptr_t low AUTOTUNE__UNUSED,
                                 uintptr_t high AUTOTUNE__UNUSED, autotune__change *change AUTOTUNE__UNUSED) {}
#endif
/* malloc() keeps lists of free blocks that it does not mark as such, and gives these first. */
static bool autotune__is_free_block(const autotune__change *change) {
    void *blocks[32];
    const size_t bytes = change->high - change->low, largest = 1 << 16;
    bool is_free = false;
    int i;
    for (i = 0; i < 32 && bytes <= largest && !is_free; i++)
        is_free = (uintptr_t)(blocks[i] = malloc(bytes)) == change->low;
    while (i--) free(blocks[i]);
    return is_free;
}
#endif
