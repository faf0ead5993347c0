/* The checksum at the end of a line in the library's own files. */
#pragma once
#include "../system/floor.h"
#include "text.h"

/* Returns the CRC-32 of zlib. The usual table of 256 entries has the remainder of each byte. Such a remainder is the
   XOR of the remainders of the byte's two halves. So two constant tables of 16 entries are enough. */
static uint32_t autotune__crc(const char *text, size_t length) {
    static const uint32_t of_low[16] = { 0x00000000, 0x77073096, 0xEE0E612C, 0x990951BA, 0x076DC419, 0x706AF48F,
                                         0xE963A535, 0x9E6495A3, 0x0EDB8832, 0x79DCB8A4, 0xE0D5E91E, 0x97D2D988,
                                         0x09B64C2B, 0x7EB17CBD, 0xE7B82D07, 0x90BF1D91 },
                          of_high[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                          0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                          0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    for (i = 0; i < length; i++) {
        crc ^= (unsigned char)text[i];
        crc = crc >> 8 ^ of_low[crc & 15] ^ of_high[crc >> 4 & 15];
    }
    return crc ^ 0xFFFFFFFFu;
}

enum { AUTOTUNE__CRC_BYTES = 18 };              /* the bytes of ,"crc":"1c291ca3"} */
/* Ends the line that begins at `start` with its checksum. */
static void autotune__append_crc(autotune__text *text, size_t start) {
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at + start, autotune__count(text->at) - start));
}
