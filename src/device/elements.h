/* Lets the device work on the elements of large outputs: see work_on() of a backend. */
#pragma once
#include "../api/floor.h"
#include "../space/floor.h"
#include "formats.h"
#include "buffers.h"

/* How far a value may be from the expected value: as a share of the expected value, or as a difference. */
typedef struct autotune__allowed { double relative, absolute; } autotune__allowed;
static autotune__allowed autotune__allowed_of(const autotune__memory *memory) {
    const autotune_buffer *buffer = &memory->buffer;
    const autotune__format *format = autotune__format_of(buffer->type);
    autotune__allowed allowed;
    allowed.relative = buffer->tolerance > 0 ? buffer->tolerance : format->tolerance;
    allowed.absolute = format->rounding * memory->largest;
    return allowed;
}
/* Lets the device work on all elements of an output. AUTOTUNE_REJECTED: the device cannot, or the output is smaller
   than 256 KiB. Then the CPU has to do the work: it needs half a millisecond for 256 KiB. */
static autotune_status autotune__ask_device(const autotune__memory *memory, autotune_backend *backend,
                                            autotune_work work, uint64_t *answer) {
    enum { FEW = 1 << 18 };                     /* bytes */
    const autotune_buffer *buffer = &memory->buffer;
    const autotune__format *format = autotune__format_of(buffer->type);
    const autotune__allowed allowed = autotune__allowed_of(memory);
    const size_t size = autotune__type_bytes(buffer->type);
    const autotune_elements elements = {
        buffer->memory, memory->copy, AUTOTUNE__AS(uint64_t, work), buffer->bytes / size, size, format->exponent,
        format->nan, allowed.relative, allowed.absolute
    };
    if (answer) *answer = 0;
    return backend->work_on && buffer->bytes >= FEW ? backend->work_on(backend, &elements, answer) : AUTOTUNE_REJECTED;
}
