/* Functions of library.c, which contains the implementation of autotune, for the other files. autotune.h has no public
   functions for these jobs. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../../autotune.h"

/* Writes a line to the log if AUTOTUNE_LOG asks for lines of this level. Call openmp_identify() before. */
void openmp_log(autotune_log_level level, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* Reads the beginning of a file into `text`, and ends it with a zero. Returns false if the file is empty or cannot be
   read. */
bool openmp_read(const char *path, char *text, size_t room);
/* Writes the build id of the program or shared library that contains the address. If the linker made no build id,
   writes the time and size of the file. Returns false if neither is known, or if AUTOTUNE_MODE is off. */
bool openmp_identify(const void *address, char *words, size_t room);
