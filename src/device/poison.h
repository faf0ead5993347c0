/* Poison: a pattern that fills `.outputs` before the first launch of a configuration. It shows elements that the launch
   does not write. Floating-point elements become NaNs with different bits, integers become noise. An output that
   `.restore` names gets no poison. `.zero` overwrites the poison. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "formats.h"
#include "buffers.h"
#include "elements.h"

static inline uint64_t autotune__poison_word(size_t word, uint64_t nan) {
    uint64_t z = (word + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 29) * 0xBF58476D1CE4E5B9u;
    return (z ^ z >> 32) | nan;
}
/* Writes to `out` the poison of `bytes` bytes of a buffer, from byte `first` on. `first` is a multiple of 8. */
static void autotune__poison_pattern(unsigned char *out, autotune_type type, size_t first, size_t bytes) {
    const uint64_t nan = autotune__format_of(type)->nan;
    size_t at;
    for (at = 0; at < bytes; at += 8) {
        const uint64_t word = autotune__poison_word((first + at) / 8, nan);
        memcpy(out + at, &word, bytes - at < 8 ? bytes - at : 8);
    }
}
static autotune_status autotune__poison_here(autotune__memories *all, const autotune__memory *memory,
                                             autotune_backend *backend) {
    autotune_status status = AUTOTUNE_OK;
    size_t at;
    for (at = 0; at < memory->buffer.bytes && status == AUTOTUNE_OK; at += AUTOTUNE__CHUNK) {
        const size_t bytes = autotune__chunk(&memory->buffer, at);
        autotune__poison_pattern(all->scratch, memory->buffer.type, at, bytes);
        status = backend->write(backend, memory->buffer.memory, at, all->scratch, bytes);
    }
    return status;
}
static autotune_status autotune__poison(autotune__memories *all, autotune_backend *backend) {
    autotune_status status = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->outputs && status == AUTOTUNE_OK; i++) {
        const autotune__memory *memory = &all->at[i];
        if (memory->prepared == AUTOTUNE__RESTORED) continue;
        status = autotune__ask_device(memory, backend, AUTOTUNE_WRITE_POISON, NULL);
        if (status == AUTOTUNE_REJECTED) status = autotune__poison_here(all, memory, backend);
    }
    return status;
}
/* Restores elements that still are poison. A launch may write a byte that equals the poison by chance. So a sequence
   of poison is restored only if it has at least `least` bytes, or reaches an end of the buffer. */
static void autotune__unpoison_elements(unsigned char *now, const unsigned char *before, const unsigned char *poison,
                                        size_t bytes, size_t size, size_t least) {
    size_t at, end;
    for (at = 0; at < bytes; at = end + size) {
        for (end = at; end < bytes && !memcmp(now + end, poison + end, size); end += size) {}
        if (at == 0 || end == bytes || end - at >= least) memcpy(now + at, before + at, end - at);
    }
}
/* Called after a body was left in the middle of a launch. Elements that still are poison are restored. All others stay,
   since the launch or `.zero` wrote them. If there is no memory for this, or a buffer cannot be read, all elements of
   the buffer are restored. */
static void autotune__unpoison(autotune__memories *all, autotune_backend *backend) {
    size_t i;
    for (i = 0; i < all->outputs; i++) {
        autotune__memory *memory = &all->at[i];
        const size_t bytes = memory->buffer.bytes;
        if (memory->prepared == AUTOTUNE__RESTORED) continue;
        unsigned char *now AUTOTUNE__OWNED = (unsigned char *)autotune__allocate(bytes),
                      *before AUTOTUNE__OWNED = (unsigned char *)autotune__allocate(bytes),
                      *poison AUTOTUNE__OWNED = (unsigned char *)autotune__allocate(bytes);
        if (poison) autotune__poison_pattern(poison, memory->buffer.type, 0, bytes);
        if (now && before && poison && backend->read(backend, now, memory->buffer.memory, 0, bytes) == AUTOTUNE_OK &&
            backend->read(backend, before, memory->snapshot, 0, bytes) == AUTOTUNE_OK) {
            autotune__unpoison_elements(now, before, poison, bytes, autotune__type_bytes(memory->buffer.type),
                                        memory->buffer.type == AUTOTUNE_BYTES ? 4 : 1);
            backend->write(backend, memory->buffer.memory, 0, now, bytes);
        } else backend->copy(backend, memory->buffer.memory, memory->snapshot, bytes);
    }
}
