/* Outputs: keeps the outputs of the first configuration that worked, and compares the outputs of other configurations
   with these. */
#pragma once
#include <math.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "formats.h"
#include "buffers.h"
#include "elements.h"

/* Returns the bits of one element, in the lowest bits of a word. */
AUTOTUNE__INLINE uint64_t autotune__bits_at(const unsigned char *at, autotune_type type) {
    uint64_t bits = 0;
    memcpy((unsigned char *)&bits + autotune__low_bytes(type), at, autotune__type_bytes(type));
    return bits;
}
/* Returns the value of a floating-point element, given by its bits. */
AUTOTUNE__INLINE double autotune__double_of_bits(uint64_t bits, autotune_type type) {
    const uint32_t low = (uint32_t)bits, exponent = low >> 10 & 31;                 /* of F16 */
    uint32_t single = low;
    float value;
    if (type == AUTOTUNE_F64) return autotune__as_double(bits);
    if (type == AUTOTUNE_F16 && !exponent)      /* zero, or a subnormal number */
        return (low & 0x8000u ? -1.0 : 1.0) * (double)(low & 1023) / (1 << 24);
    if (type == AUTOTUNE_F16)
        single = (low & 0x8000u) << 16 | (exponent == 31 ? 255 : exponent + 112) << 23 | (low & 1023) << 13;
    if (type == AUTOTUNE_BF16) single = low << 16;
    memcpy(&value, &single, sizeof value);
    return (double)value;
}

/* Returns true if two finite values are near each other. A distance of 1e308 or more may be an overflow, and is not
   near. */
static inline bool autotune__is_near(double x, double y, autotune__allowed allowed) {
    const double distance = fabs(x - y);
    return (distance <= allowed.relative * fabs(y) || distance <= allowed.absolute) && distance < 1e308;
}
/* Returns true if a floating-point element, given by its bits, is NaN. */
AUTOTUNE__INLINE bool autotune__is_nan(uint64_t bits, autotune_type type) {
    const uint64_t exponent = autotune__format_of(type)->exponent;
    return (bits & (exponent | (exponent - 1))) > exponent;
}
/* Returns true if an element is equal to the expected one, or near it. All NaNs are equal. */
AUTOTUNE__INLINE bool autotune__passes(const unsigned char *got, const unsigned char *expected, autotune_type type,
                                       autotune__allowed allowed) {
    const uint64_t x = autotune__bits_at(got, type), y = autotune__bits_at(expected, type);
    const uint64_t exponent = autotune__format_of(type)->exponent;
    if (x == y) return true;
    if (!autotune__is_float(type)) return false;
    if ((x & exponent) == exponent || (y & exponent) == exponent)
        return autotune__is_nan(x, type) && autotune__is_nan(y, type);
    return autotune__is_near(autotune__double_of_bits(x, type), autotune__double_of_bits(y, type), allowed);
}
/* Returns the offset in bytes of the first element that differs; `bytes` if no element differs. */
AUTOTUNE__INLINE size_t autotune__difference_of(autotune_type type, const unsigned char *got,
                                                const unsigned char *expected, size_t bytes,
                                                autotune__allowed allowed) {
    const size_t size = autotune__type_bytes(type), block = 4096;
    size_t at = 0, end;
    for (end = 0; end < bytes; at = end) {
        end = bytes - at < block ? bytes : at + block;
        if (!memcmp(got + at, expected + at, end - at)) continue;
        for (; at < end; at += size) if (!autotune__passes(got + at, expected + at, type, allowed)) return at;
    }
    return bytes;
}
/* Most of the time of a comparison is spent here. So the two most frequent types have their own loops. */
static size_t autotune__difference(autotune_type type, const unsigned char *got, const unsigned char *expected,
                                   size_t bytes, autotune__allowed allowed) {
    if (type == AUTOTUNE_F32) return autotune__difference_of(AUTOTUNE_F32, got, expected, bytes, allowed);
    if (type == AUTOTUNE_F64) return autotune__difference_of(AUTOTUNE_F64, got, expected, bytes, allowed);
    return autotune__difference_of(type, got, expected, bytes, allowed);
}
/* Returns the largest magnitude of the finite elements; 0: no element is finite, or the type is no floating-point type;
   -1: all elements are NaNs. */
static double autotune__largest(const autotune_buffer *buffer, const unsigned char *values) {
    const autotune_type type = buffer->type;
    const size_t size = autotune__type_bytes(type);
    const uint64_t exponent = autotune__format_of(type)->exponent;
    double largest = autotune__is_float(type) ? -1 : 0;
    size_t at;
    for (at = 0; autotune__is_float(type) && at < buffer->bytes; at += size) {
        const uint64_t bits = autotune__bits_at(values + at, type);
        const double y = autotune__is_nan(bits, type) ? -1
                       : (bits & exponent) == exponent ? 0 : fabs(autotune__double_of_bits(bits, type));
        if (y > largest) largest = y;
    }
    return largest;
}
static void autotune__append_element(autotune__text *text, const autotune_buffer *buffer, const unsigned char *at) {
    uint64_t value = 0;
    memcpy(&value, at, autotune__type_bytes(buffer->type));
    if (autotune__is_float(buffer->type))
        autotune__append_number(text, "%.9g",
                                autotune__double_of_bits(autotune__bits_at(at, buffer->type), buffer->type));
    else if (buffer->type == AUTOTUNE_BYTES) autotune__append(text, "0x%02x", *at);
    else autotune__append_integer(text, buffer->type == AUTOTUNE_U64,
                                  (uint64_t)autotune__int_of_value(buffer->type, value));
}
static void autotune__append_difference(autotune__text *why, const autotune_buffer *buffer, size_t offset,
                                        const unsigned char *got, const unsigned char *expected) {
    const size_t element = offset / autotune__type_bytes(buffer->type);
    autotune__append(why, "wrong output: element %lu is ", (unsigned long)element);
    autotune__append_element(why, buffer, got);
    autotune__append(why, ", not ");
    autotune__append_element(why, buffer, expected);
}
/* Lets the device compare an output with the copy in its memory. AUTOTUNE_REJECTED: the device cannot compare.
   AUTOTUNE_FAILED: an element differs, and `why` names it. The device answers 0 if all elements agree, else ~n: element
   n is the first that differs. */
static autotune_status autotune__compare_there(const autotune__memory *memory, autotune_backend *backend,
                                               autotune__text *why) {
    const size_t size = autotune__type_bytes(memory->buffer.type);
    unsigned char got[8], expected[8];
    uint64_t answer;
    size_t offset;
    autotune_status status = autotune__ask_device(memory, backend, AUTOTUNE_FIND_DIFFERENCE, &answer);
    if (status != AUTOTUNE_OK || !answer) return status;
    offset = (size_t)~answer * size;
    status = backend->read(backend, got, memory->buffer.memory, offset, size);
    if (status == AUTOTUNE_OK) status = backend->read(backend, expected, memory->copy, offset, size);
    if (status != AUTOTUNE_OK) return status;
    autotune__append_difference(why, &memory->buffer, offset, got, expected);
    return AUTOTUNE_FAILED;
}
/* Reads the expected elements from memory of the backend. */
static autotune_status autotune__read_expected(autotune__memory *memory, autotune_backend *backend, const void *from) {
    unsigned char *expected = (unsigned char *)autotune__allocate(memory->buffer.bytes);
    autotune_status status = AUTOTUNE_ERR_MEMORY;
    if (expected) status = backend->read(backend, expected, from, 0, memory->buffer.bytes);
    if (status == AUTOTUNE_OK) memory->expected = expected;
    else autotune__free(expected);
    return status;
}
/* Compares an output with the expected elements. AUTOTUNE_FAILED: an element differs, and `why` names it. */
static autotune_status autotune__compare_here(autotune__memories *all, const autotune__memory *memory,
                                                autotune_backend *backend, autotune__text *why) {
    const autotune_buffer *buffer = &memory->buffer;
    const autotune__allowed allowed = autotune__allowed_of(memory);
    size_t at, bytes, different;
    for (at = 0; at < buffer->bytes; at += bytes) {
        const unsigned char *expected = memory->expected + at;
        const autotune_status status = backend->read(backend, all->scratch, buffer->memory, at,
                                                     bytes = autotune__chunk(buffer, at));
        if (status != AUTOTUNE_OK) return status;
        different = autotune__difference(buffer->type, all->scratch, expected, bytes, allowed);
        if (different == bytes) continue;
        autotune__append_difference(why, buffer, at + different, all->scratch + different, expected + different);
        return AUTOTUNE_FAILED;
    }
    return AUTOTUNE_OK;
}
static autotune_status autotune__compare_output(autotune__memories *all, autotune__memory *memory,
                                                autotune_backend *backend, autotune__text *why) {
    autotune_status status = memory->copy ? autotune__compare_there(memory, backend, why) : AUTOTUNE_OK;
    if (status == AUTOTUNE_REJECTED) {
        status = autotune__read_expected(memory, backend, memory->copy);
        backend->release(backend, memory->copy);
        memory->copy = NULL;
    }
    return status == AUTOTUNE_OK && memory->expected ? autotune__compare_here(all, memory, backend, why) : status;
}
static autotune_status autotune__compare(autotune__memories *all, autotune_backend *backend, autotune__text *why) {
    autotune_status status = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->outputs && status == AUTOTUNE_OK; i++)
        status = autotune__compare_output(all, &all->at[i], backend, why);
    return status;
}
/* The result of comparing all outputs of a configuration.
   NOT_COMPARED: the outputs were not compared.
   AS_EXPECTED: each output agrees with `expected` of its buffer, or has become `expected`.
   AS_WRONG: each output agrees with `wrong` of its buffer.
   AS_NO_OTHER: outputs are wrong, and not all agree with `wrong`, or there was no `wrong` before. */
typedef enum autotune__output_match {
    AUTOTUNE__NOT_COMPARED, AUTOTUNE__AS_EXPECTED, AUTOTUNE__AS_WRONG, AUTOTUNE__AS_NO_OTHER } autotune__output_match;
/* Compares wrong outputs with `wrong`, the outputs of the first wrong configuration. If there was no wrong
   configuration before, keeps all outputs of this configuration as `wrong`. */
static autotune__output_match autotune__compare_with_wrong(autotune__memories *all, autotune_backend *backend) {
    autotune__text ignored AUTOTUNE__FREED = { NULL, false };
    const bool kept = all->at[all->outputs - 1].wrong != NULL;
    autotune_status status = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->outputs && status == AUTOTUNE_OK; i++) {
        autotune__memory memory = all->at[i];
        memory.copy = NULL;
        memory.expected = memory.wrong;
        if (kept) { status = autotune__compare_output(all, &memory, backend, &ignored); continue; }
        autotune__free(memory.expected);
        memory.expected = NULL;
        status = autotune__read_expected(&memory, backend, memory.buffer.memory);
        all->at[i].wrong = memory.expected;
    }
    return kept && status == AUTOTUNE_OK ? AUTOTUNE__AS_WRONG : AUTOTUNE__AS_NO_OTHER;
}
static void autotune__count_match(autotune__memories *all, autotune__output_match match) {
    all->agree += match == AUTOTUNE__AS_EXPECTED;
    all->differ += match == AUTOTUNE__AS_WRONG || (match == AUTOTUNE__AS_NO_OTHER && !all->differ);
}
/* Returns how many configurations wrote the outputs `wrong`. 0: fewer than two did, or more configurations agree with
   `expected`, which then is not in doubt. */
static unsigned autotune__differ_from_first(const autotune__memories *all) {
    return all->differ >= 2 && all->differ >= all->agree ? all->differ : 0;
}
/* Keeps a copy of an output on the device, and finds its largest finite magnitude. AUTOTUNE_REJECTED: the device cannot
   compare, or has no memory left. */
static autotune_status autotune__keep_there(autotune__memory *memory, autotune_backend *backend) {
    uint64_t answer;
    autotune_status status = autotune__ask_device(memory, backend, AUTOTUNE_FIND_LARGEST, &answer);
    void *copy;
    if (status != AUTOTUNE_OK) return status;
    if (!(copy = backend->allocate(backend, memory->buffer.bytes))) return AUTOTUNE_REJECTED;
    status = backend->copy(backend, copy, memory->buffer.memory, memory->buffer.bytes);
    if (status != AUTOTUNE_OK) { backend->release(backend, copy); return status; }
    memory->copy = copy;
    memory->largest = !autotune__is_float(memory->buffer.type) ? 0 : answer ? autotune__as_double(answer - 1) : -1;
    return AUTOTUNE_OK;
}
/* Keeps the outputs of the first configuration that worked. */
static autotune_status autotune__keep_outputs(autotune__memories *all, autotune_backend *backend) {
    autotune_status status = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->outputs && status == AUTOTUNE_OK; i++) {
        autotune__memory *memory = &all->at[i];
        if (memory->expected || memory->copy) continue;
        if ((status = autotune__keep_there(memory, backend)) != AUTOTUNE_REJECTED) continue;
        status = autotune__read_expected(memory, backend, memory->buffer.memory);
        if (status == AUTOTUNE_OK) memory->largest = autotune__largest(&memory->buffer, memory->expected);
    }
    return status;
}
