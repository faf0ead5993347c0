/* Modules: the program or shared library that contains an address. A module's data are the same in every run. */
#pragma once
#include "library.h"

typedef struct openmp_module {
    const void *base;
    uintptr_t offset;                           /* the address, as addr2line takes it */
    char build[48];                             /* the text of openmp_identify() */
    char path[1024];
    char place[200];                            /* module:function+offset; module+offset if no function is exported */
} openmp_module;

/* Returns false if the address is in no module, or if openmp_identify() cannot identify the module. */
bool openmp_find_module(openmp_module *module, const void *address);
