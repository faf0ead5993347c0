/* Included before a program, makes gcc or clang look like a compiler without GNU C, such as Microsoft's cl. The headers
   of this system are for GNU C, and come before. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#undef __GNUC__
#undef __clang__
#undef __clang_major__
