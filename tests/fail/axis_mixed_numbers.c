/* expect-gcc: conversion from 'double' to 'int' changes value */
/* expect-clang: implicit conversion from 'double' to */
/* expect-g++: narrowing conversion of */
/* expect-clang++: cannot be narrowed to */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 2.5)), 1, kernel(tile));
}
