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

#ifdef __APPLE__
/* Which module holds the address? False: none does. */
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *found) {
    Dl_info image;
    if (!dladdr(address, &image) || !image.dli_fname) return false;
    found->build[0] = 0;
    snprintf(found->path, sizeof found->path, "%s", image.dli_fname);
    return true;
}
#else
/* What the loader shows of each module, the program first. Strict POSIX hides its names: so these are of our own. */
typedef struct autotune__mapped {
    ElfW(Addr) base;
    const char *name;
    const ElfW(Phdr) *headers;
    ElfW(Half) header_count;
} autotune__mapped;
typedef int autotune__visit_mapped(autotune__mapped *mapped, size_t bytes, void *user);
#ifdef __cplusplus
extern "C"
#endif
int autotune__each_mapped(autotune__visit_mapped *visit, void *user) __asm__("dl_iterate_phdr");

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
typedef struct autotune__module_search {
    uintptr_t address;
    autotune__module *found;
    bool is_first;                              /* the program, which has no name there */
} autotune__module_search;
static AUTOTUNE__UNUSED int autotune__match_module(autotune__mapped *mapped, size_t bytes, void *user) {
    autotune__module_search *search = (autotune__module_search *)user;
    autotune__module *found = search->found;
    bool holds = false;
    int i;
    (void)bytes;
    found->build[0] = 0;
    for (i = 0; i < mapped->header_count; i++) {
        const ElfW(Phdr) *header = &mapped->headers[i];
        const uintptr_t start = mapped->base + header->p_vaddr;
        if (header->p_type == PT_LOAD) holds |= search->address - start < header->p_memsz;
        if (header->p_type == PT_NOTE)
            autotune__read_build((const char *)start, header->p_memsz, header->p_align == 8 ? 8 : 4, found->build);
    }
    if (holds) snprintf(found->path, sizeof found->path, "%s", search->is_first ? "/proc/self/exe" : mapped->name);
    search->is_first = false;
    return holds;
}
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *found) {
    autotune__module_search search = { (uintptr_t)address, found, true };
    return autotune__each_mapped(autotune__match_module, &search) != 0;
}
#endif
