/* Libraries: opened at run time; and which file of the program an address belongs to. */
#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include "../api/language.h"
#include "files.h"

/* The library stays open as long as the process lives. NULL: it is not there. */
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {        /* NULL: it has none */
    return dlsym(library, name);
}

/* A range of addresses into which a file is mapped. */
typedef struct autotune__mapping { unsigned long low, high; char path[4400]; } autotune__mapping;
/* Finds the mapping that holds the address. False: there is none, or the system does not tell; low and high are 0. */
static AUTOTUNE__UNUSED bool autotune__find_mapping(const void *address, autotune__mapping *mapping) {
    const unsigned long place = (unsigned long)(uintptr_t)address;
    FILE *maps = autotune__open_to_read("/proc/self/maps");
    bool found = false;
    char line[4400];
    int path;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        path = 0;
        found = sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &mapping->low, &mapping->high, &path) >= 2 &&
                place >= mapping->low && place < mapping->high;
        line[strcspn(line, "\n")] = 0;
        if (found) snprintf(mapping->path, sizeof mapping->path, "%s", path ? line + path : "");
    }
    if (maps) fclose(maps);
    if (!found) mapping->low = mapping->high = 0;
    return found;
}
