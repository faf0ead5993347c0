/* text.h - growing arrays and texts, from src/base/text.h. If there is no memory for them, the command ends. */
#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "../../src/base/text.h"
#pragma GCC diagnostic pop
#include "status.h"

#define PUSH(array, ...) (AUTOTUNE__PUSH(array, __VA_ARGS__) ? (void)0 : no_memory())
#define COUNT(array)     ((array) ? stbds_arrlenu(array) : 0)

__attribute__((__format__(__printf__, 2, 3))) void append(autotune__text *out, const char *format, ...);
/* Returns the text as a string that is kept until the command ends. */
const char *keep(autotune__text *text);
