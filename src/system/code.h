/* Machine code that is loaded from memory: a library that has no name among files. On Linux. */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "library.h"
#include "rights.h"

#ifdef __linux__
#include <link.h>

/* Headers that keep to POSIX declare neither. glibc has the first since 2.27, musl since 1.1.20. */
extern int autotune__make_memory_file(const char *name, unsigned flags) __asm__("memfd_create");
extern int autotune__library_facts(void *library, int what, void *facts) __asm__("dlinfo");

/* Why this process can load nothing that it compiles. NULL: it can. */
static AUTOTUNE__UNUSED const char *autotune__cannot_load(void) {
    return autotune__is_privileged() ? "a process with more rights than the user who started it compiles nothing"
         : getauxval(AT_BASE) ? NULL                    /* a loader of dynamic libraries started it */
         : "this program is linked statically, and loads no machine code: link it without -static";
}
/* Libraries that the code needs stay when it is unloaded: threads of OpenMP wait in theirs, and Debian's libgomp may be
   unloaded. The table is relocated by glibc, and not by musl. */
static void autotune__keep_needed(void *library) {
    const struct link_map *map = NULL;
    const ElfW(Dyn) *at;
    uintptr_t names = 0;
    if (autotune__library_facts(library, 2 /* RTLD_DI_LINKMAP */, &map) != 0 || !map) return;
    for (at = map->l_ld; at->d_tag != DT_NULL; at++) if (at->d_tag == DT_STRTAB) names = (uintptr_t)at->d_un.d_ptr;
    if (names < (uintptr_t)map->l_addr) names += (uintptr_t)map->l_addr;
    for (at = map->l_ld; names && at->d_tag != DT_NULL; at++)
        if (at->d_tag == DT_NEEDED)
            (void)dlopen((const char *)(names + (uintptr_t)at->d_un.d_val), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
/* glibc takes two libraries for one if their paths are equal, and the number of a file that was closed is given to the
   next. So each path is written differently: the bits of a counter become /./ or //. */
static void autotune__write_code_path(int file, char *path, size_t room) {
    static unsigned long count;
    unsigned long bits = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    size_t length = (size_t)snprintf(path, room, "/proc");
    for (; bits; bits /= 2) length += (size_t)snprintf(path + length, room - length, bits % 2 ? "/." : "//.");
    autotune__put_text(path + length, room - length, "/self/fd/%d", file);
}
/* Loads the code from bytes in this process, so that no file is loaded that another user could write. Returns NULL on
   an error, which `why` names. */
static AUTOTUNE__UNUSED void *autotune__load_code(const char *bytes, size_t count, const char **why) {
    const int file = autotune__above_standard_files(autotune__make_memory_file("autotune", 1 /* MFD_CLOEXEC */));
    void *library = NULL;
    char path[256];
    autotune__write_code_path(file, path, sizeof path);
    if (file < 0 || !autotune__write_all(file, bytes, count)) *why = strerror(errno);
    else if (!(library = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
        const char *const said = dlerror(), *const behind = said ? strstr(said, "/self/fd/") : NULL;
        *why = behind && strstr(behind, ": ") ? strstr(behind, ": ") + 2 : said;    /* each path is another */
    }
    else autotune__keep_needed(library);
    autotune__close_file(file);
    return library;
}
static AUTOTUNE__UNUSED void autotune__unload_code(void *library) { (void)dlclose(library); }
#endif
