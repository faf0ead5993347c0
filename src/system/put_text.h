/* Texts in buffers: a text that is cut shows it. So nobody has to look at the result of snprintf(). */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/floor.h"

/* Writes a text. A text that is cut ends with three points, so that it does not look complete. */
static AUTOTUNE__UNUSED void autotune__put_list(char *buffer, size_t room, const char *format, va_list list) {
    const int length = vsnprintf(buffer, room, format, list);
    if (room > 3 && (length < 0 || (size_t)length >= room)) strcpy(buffer + room - 4, "...");
}
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 3, 4)))
void autotune__put_text(char *buffer, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__put_list(buffer, room, format, list);
    va_end(list);
}
