/* Finds modules by the dynamic linker. */
#include <dlfcn.h>
#include <link.h>
#include "module.h"

bool openmp_find_module(openmp_module *module, const void *address) {
    Dl_info found;
    if (!dladdr(address, &found)) return false;
    module->base = found.dli_fbase;
    module->offset = (uintptr_t)address;        /* of a program that is linked for a fixed address */
    if (((const ElfW(Ehdr) *)found.dli_fbase)->e_type != ET_EXEC) module->offset -= (uintptr_t)found.dli_fbase;
    if ((size_t)snprintf(module->path, sizeof module->path, "%s", found.dli_fname) >= sizeof module->path) return false;
    const char *const slash = strrchr(module->path, '/');
    const int length = snprintf(module->place, sizeof module->place, "%.60s%s%.100s+0x%lx",
                                slash ? slash + 1 : module->path, found.dli_sname ? ":" : "",
                                found.dli_sname ? found.dli_sname : "", (unsigned long)
                                (found.dli_sname ? (uintptr_t)address - (uintptr_t)found.dli_saddr : module->offset));
    return (size_t)length < sizeof module->place && openmp_identify(address, module->build, sizeof module->build);
}
