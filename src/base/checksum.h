/* The checksum at the end of a line in the library's own files. */
#pragma once
#include "../system/floor.h"
#include "text.h"

static uint32_t autotune__crc_table[256];
static void autotune__fill_crc_table(void) {
    uint32_t i, bit;
    for (i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        autotune__crc_table[i] = crc;
    }
}
/* Returns the CRC-32 of zlib. */
static uint32_t autotune__crc(const char *text, size_t length) {
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    static autotune__once filled = AUTOTUNE__ONCE;
    autotune__run_once(&filled, autotune__fill_crc_table);
    for (i = 0; i < length; i++) crc = crc >> 8 ^ autotune__crc_table[(crc ^ (unsigned char)text[i]) & 255];
    return crc ^ 0xFFFFFFFFu;
}

enum { AUTOTUNE__CRC_BYTES = 18 };              /* ,"crc":"1c291ca3"} */
/* Ends the line that begins at `start` with its checksum. */
static void autotune__append_crc(autotune__text *text, size_t start) {
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at + start, autotune__count(text->at) - start));
}
