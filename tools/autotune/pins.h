/* pins.h - pins: what AUTOTUNE_USE pins, and lines for it */
#pragma once
#include "records.h"

/* What AUTOTUNE_USE asks for in the place of a record's winner, as shown. NULL: it does not. at: the record. */
const char *pinned_to(const struct record *record, struct value at);
/* A line of a file for AUTOTUNE_USE. It is a comment where an earlier line pins the same tuner and key, and where it
   is none: the record has an escape in a string that is neither of a quote nor of a backslash, a name with a =, or a
   key with a ]=. */
void print_pin(const struct record *records, size_t record);
