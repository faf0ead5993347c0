/* Libraries: opened at run time; and to which of them, or to the program, an address belongs. */
#pragma once
#include <stdio.h>
#include <dlfcn.h>
#include "../api/floor.h"
#include "files.h"
#include "types.h"

#ifndef __APPLE__
#include <link.h>
#endif

/* The loader of OpenCL. */
#ifdef __APPLE__
#define AUTOTUNE__OPENCL_LIBRARY "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define AUTOTUNE__OPENCL_LIBRARY "libOpenCL.so.1"
#endif

/* The library stays open as long as the process lives. NULL: it is not there. */
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {        /* NULL: it has none */
    return dlsym(library, name);
}

/* What dladdr() tells. Strict POSIX hides its names: so these are of our own. In a child made by fork() glibc and musl
   free the lock of the loader, which dladdr() takes. */
typedef struct autotune__image {
    const char *path;
    void *start;
    const char *symbol;
    void *address;
} autotune__image;
#ifdef __cplusplus
extern "C"
#endif
#ifdef __APPLE__
int autotune__find_image(const void *address, autotune__image *found) __asm__("_dladdr");
#else
int autotune__find_image(const void *address, autotune__image *found) __asm__("dladdr");

/* Of notes, which stand one behind the other: the build id, whose name is "GNU". */
static AUTOTUNE__UNUSED void autotune__read_build(const char *notes, size_t bytes, size_t align, char build[33]) {
    ElfW(Nhdr) note;
    size_t at, words, i;
    for (at = 0; at + sizeof note < bytes; at = (words + note.n_descsz + align - 1) / align * align) {
        const char *const name = notes + at + sizeof note;
        memcpy(&note, notes + at, sizeof note);
        words = (at + sizeof note + note.n_namesz + align - 1) / align * align;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(name, "GNU", 4)) continue;
        for (i = 0; i < note.n_descsz && i < 16; i++)
            snprintf(build + 2 * i, 3, "%02x", (unsigned char)notes[words + i]);
    }
}
/* image: where the module begins, which is with its header. */
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
#endif

/* Which module holds the address? False: none does. A program that was started by a relative path is found by Linux. */
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *module) {
    autotune__image image;
    *module->build = 0;
    if (!autotune__find_image(address, &image) || !image.path) return false;
#ifndef __APPLE__
    autotune__read_build_of((const char *)image.start, module->build);
#endif
    snprintf(module->path, sizeof module->path, "%s", *image.path == '/' ? image.path : "/proc/self/exe");
    return true;
}
