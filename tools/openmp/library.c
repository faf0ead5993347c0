/* This file contains the implementation of autotune. */
#define AUTOTUNE_IMPLEMENTATION
#include "library.h"

void openmp_log(autotune_log_level level, const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    autotune__put_list(line, sizeof line, format, list);
    va_end(list);
    autotune__say(level, line);
}
bool openmp_read(const char *path, char *text, size_t room) {
    FILE *file = autotune__open_to_read(path);
    const size_t bytes = file ? fread(text, 1, room - 1, file) : 0;
    if (file) fclose(file);
    text[bytes] = 0;
    return bytes > 0;
}
bool openmp_identify(const void *address, char *words, size_t room) {
    autotune__ready();
    return autotune__environment.mode != AUTOTUNE_OFF && autotune__identify_program(address, words, room);
}
