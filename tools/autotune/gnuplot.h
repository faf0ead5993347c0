/* gnuplot.h - pictures, drawn by gnuplot */
#pragma once
#include "text.h"

/* Text in a script of gnuplot: in single quotes nothing is expanded or run, and noenhanced terminals show it as it
   is. */
void append_gnuplot(autotune__text *out, const char *text);
/* The head of a script. path: of a .svg or .png; NULL: the terminal, with characters. */
int append_terminal(autotune__text *out, const char *path);
int run_gnuplot(const autotune__text *script);
