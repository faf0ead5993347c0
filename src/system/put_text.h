/* Writes texts into buffers, in place of snprintf(). A text that does not fit is cut, and ends with three dots. So
   callers need not check whether it fits. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/floor.h"

/* Writes a text from a list of arguments. */
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
