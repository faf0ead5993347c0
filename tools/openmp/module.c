/* Modules, as the dynamic linker knows them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include "library.h"
#include "module.h"

bool openmp_find_module(openmp_module *module, const void *address) {
    Dl_info found;
    void *extra = NULL;
    const struct link_map *map;
    const char *slash;
    memset(module, 0, sizeof *module);
    if (!dladdr1(address, &found, &extra, RTLD_DL_LINKMAP)) return false;
    map = extra;
    module->base = found.dli_fbase;
    module->offset = (uintptr_t)address - map->l_addr;
    snprintf(module->path, sizeof module->path, "%s", found.dli_fname);
    slash = strrchr(module->path, '/');
    snprintf(module->place, sizeof module->place, "%.60s%s%.100s+0x%lx", slash ? slash + 1 : module->path,
             found.dli_sname ? ":" : "", found.dli_sname ? found.dli_sname : "", (unsigned long)
             (found.dli_sname ? (uintptr_t)address - (uintptr_t)found.dli_saddr : module->offset));
    return openmp_identify(address, module->build, sizeof module->build);
}
