/* Modules by their program headers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include "module.h"

/* Looks for a build id among the notes of a segment. */
static void copy_build_id(openmp_module *module, const char *notes, size_t bytes, size_t align) {
    ElfW(Nhdr) note;
    size_t end, i;
    for (; bytes > sizeof note; notes += end, bytes -= end) {
        const unsigned char *id;
        memcpy(&note, notes, sizeof note);
        id = (const unsigned char *)notes + sizeof note + ((note.n_namesz + 3u) & ~(size_t)3);
        end = ((size_t)(id - (const unsigned char *)notes) + note.n_descsz + align - 1) & ~(align - 1);
        if (end > bytes) return;
        if (note.n_type != NT_GNU_BUILD_ID || strncmp(notes + sizeof note, "GNU", 4) != 0) continue;
        for (i = 0; i < note.n_descsz && 2 * i + 2 < sizeof module->build; i++)
            snprintf(module->build + 2 * i, 3, "%02x", id[i]);
    }
}
static void hash_code(openmp_module *module, const char *code, size_t bytes) {
    uint64_t hash = 14695981039346656037u;
    while (bytes--) hash = (hash ^ (unsigned char)*code++) * 1099511628211u;
    snprintf(module->build, sizeof module->build, "code-%016llx", (unsigned long long)hash);
}
static void find_build(openmp_module *module, const char *address) {
    const char *const base = module->base;
    const ElfW(Ehdr) *const header = module->base;
    const ElfW(Phdr) *segment = (const ElfW(Phdr) *)(const void *)(base + header->e_phoff),
                     *const end = segment + header->e_phnum, *code = NULL;
    const char *bias = NULL;                    /* what addresses in the file are relative to */
    for (; segment < end; segment++) {
        if (segment->p_type == PT_LOAD && !bias) bias = base - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (size_t)(address - bias) - segment->p_vaddr < segment->p_filesz)
            code = segment;
    }
    module->offset = (uintptr_t)(address - bias);
    for (segment = end - header->e_phnum; segment < end; segment++)
        if (segment->p_type == PT_NOTE)
            copy_build_id(module, bias + segment->p_vaddr, segment->p_filesz, segment->p_align == 8 ? 8 : 4);
    if (!*module->build && code) hash_code(module, bias + code->p_vaddr, code->p_filesz);
}
bool openmp_find_module(openmp_module *module, const void *address) {
    Dl_info found;
    const char *slash;
    memset(module, 0, sizeof *module);
    if (!dladdr(address, &found)) return false;
    module->base = found.dli_fbase;
    find_build(module, address);
    snprintf(module->path, sizeof module->path, "%s", found.dli_fname);
    slash = strrchr(module->path, '/');
    snprintf(module->place, sizeof module->place, "%.60s%s%.100s+0x%lx", slash ? slash + 1 : module->path,
             found.dli_sname ? ":" : "", found.dli_sname ? found.dli_sname : "", (unsigned long)
             (found.dli_sname ? (uintptr_t)address - (uintptr_t)found.dli_saddr : module->offset));
    return true;
}
