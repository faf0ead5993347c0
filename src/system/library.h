/* Libraries: opened at run time; and which file of the program an address belongs to. */
#pragma once
#include <stdio.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#include "../api/language.h"
#include "files.h"
#include "threads.h"

/* A range of addresses into which a file is mapped. */
typedef struct autotune__mapping { uintptr_t low, high; char path[4400]; } autotune__mapping;

/* The loader of OpenCL. */
#if defined __APPLE__
#define AUTOTUNE__OPENCL_LIBRARY "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#elif defined _WIN32
#define AUTOTUNE__OPENCL_LIBRARY "OpenCL.dll"
#else
#define AUTOTUNE__OPENCL_LIBRARY "libOpenCL.so.1"
#endif

#ifndef _WIN32
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
#else
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return (void *)LoadLibraryA(name); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {
    const FARPROC function = GetProcAddress((HMODULE)library, name);
    void *symbol;
    memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}
static AUTOTUNE__UNUSED bool autotune__find_mapping(const void *address, autotune__mapping *mapping) {
    MEMORY_BASIC_INFORMATION region;
    DWORD length = 0;
    mapping->low = mapping->high = 0;
    if (!VirtualQuery(address, &region, sizeof region)) return false;
    if (region.Type == MEM_IMAGE)
        length = GetModuleFileNameA((HMODULE)region.AllocationBase, mapping->path, (DWORD)sizeof mapping->path);
    if (!length || length == sizeof mapping->path) return false;
    mapping->low = (uintptr_t)region.BaseAddress;
    mapping->high = mapping->low + region.RegionSize;
    return true;
}
#endif

/* A library of which a program can do without: its names, and what is said where none of these is there, or a function
   is missing; up to a NULL. */
typedef struct autotune__optional_library { const char *names[5], *what, *absent, *needed; } autotune__optional_library;

/* Opens the library, and looks for functions by their names, each of which ends with a zero and the last with two: puts
   their addresses side by side to `functions`. NULL, and the problem is told: it is not there, or lacks one. */
static AUTOTUNE__UNUSED void *autotune__open_functions(const autotune__optional_library *of, const char *names,
                                                       void *functions, char *problem, size_t bytes) {
    const char *missing = NULL, *name = NULL;
    void *library = NULL;
    void *symbol;
    size_t i;
    for (i = 0; !library && of->names[i]; i++) library = autotune__open_library(name = of->names[i]);
    if (!library) snprintf(problem, bytes, "%s: %s", of->what, of->absent);
    for (i = 0; library && *names; i++, names += strlen(names) + 1) {
        symbol = autotune__symbol_of(library, names);
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);      /* ISO C has no cast from void * to
                                                                                       a function */
        if (!symbol && !missing) missing = names;
    }
    if (missing) snprintf(problem, bytes, "%s: %s lacks %s: %s", of->what, name, missing, of->needed);
    return missing ? NULL : library;
}
/* A list of functions as such names: X(name) or X(name, parameters). */
#define AUTOTUNE__NAME_OF_FUNCTION(...) AUTOTUNE__FIRST_AS_NAME(__VA_ARGS__, ~)
#define AUTOTUNE__FIRST_AS_NAME(name, ...) #name "\0"
/* Defines works(), which opens a library before it answers for the first time. problem: "" if that went well. */
#define AUTOTUNE__DEFINE_WORKS(works, open, problem) \
    AUTOTUNE__INLINE bool works(void) {              \
        static autotune__once once = AUTOTUNE__ONCE; \
        autotune__run_once(&once, open);             \
        return !*(problem);                          \
    }
