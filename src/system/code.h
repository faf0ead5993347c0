/* Loads machine code from memory, as a library without a file name. For Linux only. */
#pragma once
#include "../api/floor.h"
#include "files.h"
#include "library.h"
#include "rights.h"

#ifdef __linux__
#include <link.h>

/* Headers for strict POSIX hide both functions. glibc has memfd_create() since 2.27, musl since 1.1.20. */
extern int autotune__make_memory_file(const char *name, unsigned flags) __asm__("memfd_create");
extern int autotune__library_facts(void *library, int what, void *facts) __asm__("dlinfo");

/* Returns why this process cannot load code that it compiles; NULL: it can. */
static AUTOTUNE__UNUSED const char *autotune__cannot_load(void) {
    return autotune__is_privileged() ? "a process with more rights than the user who started it compiles nothing"
         : getauxval(AT_BASE) ? NULL                    /* a loader of dynamic libraries started it */
         : "this program is linked statically, and loads no machine code: link it without -static";
}
/* Keeps the libraries that the code needs loaded, even after the code is unloaded. Otherwise libgomp could be unloaded
   while threads of OpenMP wait in it, as on Debian. DT_STRTAB is an address with glibc, and
   an offset with musl. */
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
/* Writes a path of the file; each call spells it in a new way. glibc takes two libraries for one if their paths are
   equal, and the system uses file numbers again. A counter makes the spelling: each of its bits becomes "/." if it is
   1, and "//." if it is 0. */
static void autotune__write_code_path(int file, char *path, size_t room) {
    static unsigned long count;
    unsigned long bits = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    size_t length = (size_t)snprintf(path, room, "/proc");
    for (; bits; bits /= 2) length += (size_t)snprintf(path + length, room - length, bits % 2 ? "/." : "//.");
    autotune__put_text(path + length, room - length, "/self/fd/%d", file);
}
/* Loads `count` bytes of code from the memory of this process: in a file, another user could change the code. Returns
   NULL on an error: see *why. */
static AUTOTUNE__UNUSED void *autotune__load_code(const char *bytes, size_t count, const char **why) {
    const int file = autotune__above_standard_files(autotune__make_memory_file("autotune", 1 /* MFD_CLOEXEC */));
    void *library = NULL;
    char path[256];
    autotune__write_code_path(file, path, sizeof path);
    if (file < 0 || !autotune__write_all(file, bytes, count)) *why = strerror(errno);
    else if (!(library = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
        const char *const said = dlerror(), *const behind = said ? strstr(said, "/self/fd/") : NULL;
        *why = behind && strstr(behind, ": ") ? strstr(behind, ": ") + 2 : said;    /* leaves out the path */
    }
    else autotune__keep_needed(library);
    autotune__close_file(file);
    return library;
}
static AUTOTUNE__UNUSED void autotune__unload_code(void *library) { (void)dlclose(library); }
#endif
