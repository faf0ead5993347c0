/* Opens libraries at run time, and finds the library or program that holds an address. */
#pragma once
#include <dlfcn.h>
#include "../api/floor.h"
#include "files.h"
#include "types.h"

#ifndef __APPLE__
#include <link.h>
#endif

/* The name of the OpenCL loader, the library that finds the OpenCL drivers. */
#ifdef __APPLE__
#define AUTOTUNE__OPENCL_LIBRARY "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define AUTOTUNE__OPENCL_LIBRARY "libOpenCL.so.1"
#endif

/* autotune__open_library() opens a library for the life of the process. autotune__find_library() finds a library that
   is open already. NULL: the library does not exist, or is not open. */
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static AUTOTUNE__UNUSED void *autotune__find_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_NOLOAD); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {        /* NULL: none */
    return dlsym(library, name);
}

#ifdef __APPLE__
/* Finds the module that holds the address. Returns false if there is none. */
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *found) {
    Dl_info image;
    if (!dladdr(address, &image) || !image.dli_fname) return false;
    found->build[0] = 0;
    autotune__put_text(found->path, sizeof found->path, "%s", image.dli_fname);
    return true;
}
#else
/* _dl_find_object() of glibc, since 2.35, finds the module that holds an address, and takes no lock. dl_iterate_phdr()
   and dladdr() take the loader's lock. In a child made by fork() this lock may stay locked forever, since the thread
   that held it does not exist there. Headers for strict POSIX hide the struct of glibc, so this struct stands for it,
   with more room than glibc needs. */
typedef struct autotune__loaded_object {
    unsigned long long flags;
    void *start, *end, *more[32];
} autotune__loaded_object;
AUTOTUNE__BEGIN_C
int autotune__find_object(void *address, autotune__loaded_object *found)
    __asm__("_dl_find_object") __attribute__((__weak__));
AUTOTUNE__END_C

/* Reads the build id from a list of ELF notes: the note of type NT_GNU_BUILD_ID with the name "GNU". align: the
   alignment of the notes, in bytes. */
static AUTOTUNE__UNUSED void autotune__read_build(const char *notes, size_t bytes, size_t align, char build[33]) {
    ElfW(Nhdr) note;
    size_t at, words, i;
    for (at = 0; at + sizeof note < bytes; at = (words + note.n_descsz + align - 1) / align * align) {
        const char *const name = notes + at + sizeof note;
        memcpy(&note, notes + at, sizeof note);
        words = (at + sizeof note + note.n_namesz + align - 1) / align * align;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(name, "GNU", 4)) continue;
        for (i = 0; i < note.n_descsz && i < 16; i++)
            autotune__put_text(build + 2 * i, 3, "%02x", (unsigned char)notes[words + i]);
    }
}
/* Reads the build id of a module. image: the beginning of the module in memory, with its ELF header. */
static AUTOTUNE__UNUSED void autotune__read_build_of(const char *image, char build[33]) {
    const ElfW(Ehdr) *const header = (const ElfW(Ehdr) *)(const void *)image;
    const ElfW(Phdr) *part;
    uintptr_t base = (uintptr_t)image;
    int i;
    if (memcmp(image, ELFMAG, SELFMAG)) return;
    part = (const ElfW(Phdr) *)(const void *)(image + header->e_phoff);
    for (i = 0; i < header->e_phnum && part[i].p_type != PT_LOAD; i++) {}
    if (i < header->e_phnum) base -= (uintptr_t)(part[i].p_vaddr - part[i].p_offset);
    for (i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_NOTE)
            autotune__read_build((const char *)(base + part[i].p_vaddr), part[i].p_memsz,
                                 part[i].p_align == 8 ? 8 : 4, build);
}
/* Finds the file that is mapped at the address, and writes its path; "" if there is no such file. Returns the address
   at which the beginning of the file is mapped. NULL: unknown. */
static AUTOTUNE__UNUSED const char *autotune__find_mapping(uintptr_t address, char path[4096]) {
    FILE *maps = autotune__open_to_read("/proc/self/maps");
    unsigned long low, high, offset, start = 0;
    bool found = false;
    char line[4400], right = 0;
    int at;
    *path = 0;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        line[strcspn(line, "\n")] = 0;
        at = 0;
        if (sscanf(line, "%lx-%lx %c%*s %lx %*s %*s %n", &low, &high, &right, &offset, &at) < 4) continue;
        if (!offset || strcmp(path, at ? line + at : "")) start = !offset && right == 'r' ? low : 0;
        found = address >= low && address < high;
        autotune__put_text(path, 4096, "%s", at ? line + at : "");
    }
    if (maps) fclose(maps);
    if (!found) *path = 0;
    return *path == '/' ? (const char *)start : NULL;
}
/* Finds the build id of the module that holds the address. Looks up the path of its file if the build id is not found
   that way. Returns false if neither is found. */
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *module) {
    autotune__loaded_object found;
    const char *image;
    *module->build = *module->path = 0;
    if (autotune__find_object && autotune__find_object((void *)(uintptr_t)address, &found) == 0)
        autotune__read_build_of((const char *)found.start, module->build);
    if (*module->build) return true;
    image = autotune__find_mapping((uintptr_t)address, module->path);
    if (image) autotune__read_build_of(image, module->build);
    return *module->path;
}
#endif
