/* The checksum that stands at the end of a line of the library's own files. */
#pragma once
#include "../system/floor.h"
#include "text.h"

static uint32_t autotune__crc_table[4][256];
/* Row k has what each byte becomes with k bytes of zeros behind it. That of a byte is the sum, without carries, of
   those of its bits. From bit to bit, the highest of a byte first, and then to the next row, one step leads. */
static void autotune__fill_crc_table(void) {
    uint32_t crc = 1, bit, i, k;
    for (k = 0; k < 4; k++)
        for (bit = 128; bit; bit /= 2) {
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
            for (i = 0; i < 256; i += 2 * bit)
                autotune__crc_table[k][i + bit] = autotune__crc_table[k][i] ^ crc;
        }
}
/* The CRC-32 of zlib. Four bytes are taken at a time ("slicing"): with more, the table takes longer to fill than the
   line of a first call to check. */
static uint32_t autotune__crc(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    const uint32_t (*t)[256] = (const uint32_t (*)[256])autotune__crc_table;
    uint32_t crc = 0xFFFFFFFFu;
    static autotune__once filled = AUTOTUNE__ONCE;
    autotune__run_once(&filled, autotune__fill_crc_table);
    for (; length >= 4; length -= 4, at += 4)
        crc = t[3][at[0] ^ (crc & 255)] ^ t[2][at[1] ^ (crc >> 8 & 255)] ^ t[1][at[2] ^ (crc >> 16 & 255)] ^
              t[0][at[3] ^ crc >> 24];
    for (; length; length--, at++) crc = crc >> 8 ^ t[0][(crc ^ *at) & 255];
    return crc ^ 0xFFFFFFFFu;
}

enum { AUTOTUNE__CRC_BYTES = 18 };              /* ,"crc":"1c291ca3"} */
/* The end of the line that begins at `start`. */
static void autotune__append_crc(autotune__text *text, size_t start) {
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at + start, autotune__count(text->at) - start));
}
