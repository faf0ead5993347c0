/* text.c - see text.h */
#include "text.h"

static char **kept;

void append(autotune__text *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__append_list(out, format, list);
    va_end(list);
    if (out->broken) no_memory();
}
const char *keep(autotune__text *text) {
    append(text, "%s", "");
    PUSH(kept, text->at);
    return text->at;
}
