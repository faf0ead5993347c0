/* Which program or shared library an address is in: the same in every run, wherever it is loaded. */
#pragma once
#include "library.h"

typedef struct openmp_module {
    const void *base;
    uintptr_t offset;                           /* of the address, as addr2line wants it */
    char build[48];                             /* what openmp_identify() says of it */
    char path[1024];
    char place[200];                            /* module:function+offset; module+offset if no function is exported */
} openmp_module;

/* Returns false if the address is in no module, or the module cannot be told from another one. */
bool openmp_find_module(openmp_module *module, const void *address);
