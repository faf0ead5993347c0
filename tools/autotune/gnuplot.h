/* gnuplot.h - pictures, drawn by gnuplot */
#pragma once
#include "text.h"

/* Appends the head of a script. path: a .svg or .png file; NULL: the picture consists of characters on the terminal. */
int append_terminal(autotune__text *out, const char *path);
int run_gnuplot(const autotune__text *script);
