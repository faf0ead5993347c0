/* Libraries: opened at run time; and which file of the program an address belongs to. */
#pragma once
#include <stdio.h>
#include <dlfcn.h>
#include "../api/floor.h"
#include "files.h"
#include "types.h"

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
/* Which file holds the address. The system does not tell its range: low and high are 0. False: no file does. */
static AUTOTUNE__UNUSED bool autotune__find_mapping(const void *address, autotune__mapping *mapping) {
    Dl_info image;
    mapping->low = mapping->high = 0;
    if (!dladdr(address, &image) || !image.dli_fname) return false;
    snprintf(mapping->path, sizeof mapping->path, "%s", image.dli_fname);
    return true;
}
#else
/* Finds the mapping that holds the address. False: there is none, or the system does not tell; low and high are 0. */
static AUTOTUNE__UNUSED bool autotune__find_mapping(const void *address, autotune__mapping *mapping) {
    const uintptr_t number = (uintptr_t)address;
    unsigned long low, high;
    FILE *maps = autotune__open_to_read("/proc/self/maps");
    bool found = false;
    char line[4400];
    int path;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        path = 0;
        found = sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &low, &high, &path) >= 2 && number >= low && number < high;
        line[strcspn(line, "\n")] = 0;
        if (found) snprintf(mapping->path, sizeof mapping->path, "%s", path ? line + path : "");
    }
    if (maps) fclose(maps);
    mapping->low = found ? low : 0;
    mapping->high = found ? high : 0;
    return found;
}
#endif
