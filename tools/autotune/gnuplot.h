/* gnuplot.h - pictures, drawn by gnuplot */
#pragma once
#include "text.h"

/* The head of a script. path: of a .svg or .png; NULL: the terminal, with characters. */
int append_terminal(autotune__text *out, const char *path);
int run_gnuplot(const autotune__text *script);
