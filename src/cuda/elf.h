/* What a cubin tells of itself. It is an ELF file of 64 bits, in the byte order of the host. */
#pragma once
#include "../api/language.h"

typedef struct autotune__elf {
    unsigned char magic[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t head, segment_bytes, segment_count, section_bytes, section_count, names;
} autotune__elf;
typedef struct autotune__elf_section {
    uint32_t name, type; uint64_t flags, address, offset, bytes; uint32_t link;
} autotune__elf_section;
enum { AUTOTUNE__ELF_NO_BITS = 8 };             /* the type of a section that takes no room in the file */

static bool autotune__read_elf(autotune__elf *elf, const void *image) {     /* false: it is a fatbin or PTX */
    if (strncmp((const char *)image, "\177ELF\2", 5)) return false;
    memcpy(elf, image, sizeof *elf);
    return true;
}
static autotune__elf_section autotune__elf_section_at(const autotune__elf *elf, const void *image, size_t i) {
    autotune__elf_section section;
    memcpy(&section, (const char *)image + elf->sections + i * elf->section_bytes, sizeof section);
    return section;
}
static const char *autotune__elf_name_of(const autotune__elf *elf, const void *image, autotune__elf_section section) {
    return (const char *)image + autotune__elf_section_at(elf, image, elf->names).offset + section.name;
}
/* The bytes of the section whose name is these two parts; NULL: there is none that has any. */
static const unsigned char *autotune__elf_find(const void *image, const char *prefix, const char *rest, size_t *bytes) {
    const size_t length = strlen(prefix);
    autotune__elf elf;
    size_t i;
    if (!autotune__read_elf(&elf, image)) return NULL;
    for (i = 0; i < elf.section_count; i++) {
        const autotune__elf_section section = autotune__elf_section_at(&elf, image, i);
        const char *name = autotune__elf_name_of(&elf, image, section);
        if (section.type == AUTOTUNE__ELF_NO_BITS || strncmp(name, prefix, length) || strcmp(name + length, rest))
            continue;
        *bytes = (size_t)section.bytes;
        return (const unsigned char *)image + section.offset;
    }
    return NULL;
}
/* The name of a __constant__ variable that has no initialiser, or nothing but zeros in it; NULL: there is none. */
static const char *autotune__elf_zero_constant(const void *image) {
    enum { SYMBOLS = 2, OBJECT = 1 };
    struct { uint32_t name; unsigned char info, other; uint16_t section; uint64_t value, bytes; } symbol;
    const char *const file = (const char *)image;
    autotune__elf elf;
    size_t i, at, k;
    if (!autotune__read_elf(&elf, image)) return NULL;
    for (i = 0; i < elf.section_count; i++) {
        const autotune__elf_section section = autotune__elf_section_at(&elf, image, i);
        if (section.type != SYMBOLS) continue;
        for (at = 0; at + sizeof symbol <= section.bytes; at += sizeof symbol) {
            autotune__elf_section home, names;
            memcpy(&symbol, file + section.offset + at, sizeof symbol);
            if ((symbol.info & 15) != OBJECT || !symbol.bytes || !symbol.section || symbol.section >= elf.section_count)
                continue;
            home = autotune__elf_section_at(&elf, image, symbol.section);
            names = autotune__elf_section_at(&elf, image, section.link);
            if (strncmp(autotune__elf_name_of(&elf, image, home), ".nv.constant3", 13) ||
                home.type == AUTOTUNE__ELF_NO_BITS)
                continue;
            for (k = 0; k < symbol.bytes && !file[home.offset + symbol.value - home.address + k]; k++) {}
            if (k == symbol.bytes) return file + names.offset + symbol.name;
        }
    }
    return NULL;
}
/* How many parameters a kernel has. Its section .nv.info.NAME is a list of attributes, each with a format, a kind, and
   16 bits, which are its value or the number of bytes that follow. NVIDIA does not document them; cuobjdump -elf shows
   them by name. */
enum { AUTOTUNE__ELF_PARAMETER = 0x17, AUTOTUNE__ELF_PARAMETER_V2 = 0x45, AUTOTUNE__ELF_PARAMETER_BYTES = 0x19 };
static size_t autotune__elf_count_parameters(const void *image, const char *kernel) {    /* SIZE_MAX: it is not told */
    size_t bytes = 0, at, count = 0;
    const unsigned char *info = autotune__elf_find(image, ".nv.info.", kernel, &bytes);
    bool any = false;
    for (at = 0; info && at + 4 <= bytes; ) {
        const unsigned char *attribute = info + at;
        const size_t value = attribute[2] + 256u * attribute[3];
        any = any || attribute[1] == AUTOTUNE__ELF_PARAMETER_BYTES;
        count += attribute[1] == AUTOTUNE__ELF_PARAMETER || attribute[1] == AUTOTUNE__ELF_PARAMETER_V2;
        at += 4 + (attribute[0] == 4 ? value : 0);              /* 4: bytes follow */
    }
    return info && any == (count > 0) ? count : SIZE_MAX;
}
/* How many bytes an image has: a fatbin, an ELF file, or text, which its beginning tells. */
static size_t autotune__image_bytes(const void *image) {
    const unsigned char *at = (const unsigned char *)image;
    size_t bytes = 0, i;
    struct { uint32_t magic; uint16_t version, head; uint64_t bytes; } fatbin;
    autotune__elf elf;
    if (at[0] == 0x50 && at[1] == 0xED && at[2] == 0x55 && at[3] == 0xBA) {
        memcpy(&fatbin, image, sizeof fatbin);
        return fatbin.head + (size_t)fatbin.bytes;
    }
    if (!autotune__read_elf(&elf, image)) return strlen((const char *)image);
    bytes = (size_t)elf.sections + (size_t)elf.section_count * elf.section_bytes;
    for (i = 0; i < elf.section_count; i++) {
        const autotune__elf_section section = autotune__elf_section_at(&elf, image, i);
        const uint64_t section_end = section.type == AUTOTUNE__ELF_NO_BITS ? 0 : section.offset + section.bytes;
        if (section_end > bytes) bytes = (size_t)section_end;
    }
    return bytes;
}
