/* elements.h - tests if a device fills and compares the elements of outputs like the CPU, bit by bit. Only a program
   that contains the implementation can use it, since it calls the private functions for the CPU. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "plain.h"

/* enough elements that the device does the work, and no multiple of a block */
enum { ELEMENTS = 270007 };
static unsigned char elements_got[8 * ELEMENTS], elements_wanted[8 * ELEMENTS], elements_read[8 * ELEMENTS];
static uint64_t elements_seed = 1;
static uint64_t any_bits(void) {
    elements_seed = elements_seed * 6364136223846793005u + 1442695040888963407u;
    return elements_seed ^ elements_seed >> 29;
}
/* Returns special bits of the type, or a number near 1, or random bits. */
static uint64_t some_bits(autotune_type type) {
    const uint64_t exponent = autotune__format_of(type)->exponent, unit = exponent & (~exponent + 1),
                   sign = exponent + unit, one = exponent / 2 & exponent, bits = any_bits() >> 7;
    const uint64_t special[] = {0,        sign,         1,              unit - 1, unit,    exponent - 1,
                                exponent, exponent + 1, sign | exponent, one,      one + 1, sign | one, 2 * sign - 1};
    return !exponent ? bits : bits % 3 == 0 ? special[bits / 3 % (sizeof special / sizeof *special)]
         : bits % 3 == 1 ? one + bits / 3 % unit : bits;
}
static void put_bits(unsigned char *at, autotune_type type, uint64_t bits) {
    memcpy(at, &bits, autotune__type_bytes(type));
}
/* Makes expected and actual elements. Most pairs are equal; some are near each other, or random. */
static void make_elements(autotune_type type, size_t rare) {
    const size_t size = autotune__type_bytes(type);
    for (size_t i = 0; i < ELEMENTS; i++) {
        const uint64_t y = some_bits(type), chance = any_bits() >> 9;
        put_bits(elements_wanted + i * size, type, y);
        put_bits(elements_got + i * size, type, chance % rare == 1 ? some_bits(type)
                                                : chance % 5 == 0 ? y + chance / 5 % 7 : y);
    }
}
static void expect_the_same(autotune_backend *opened, autotune__memory *memory) {
    const autotune_type type = memory->buffer.type;
    const size_t size = autotune__type_bytes(type), bytes = memory->buffer.bytes;
    uint64_t answer;
    size_t i = 0;
    CHECK(autotune__ask_device(memory, opened, AUTOTUNE_WRITE_POISON, NULL) == AUTOTUNE_OK);
    CHECK(opened->read(opened, elements_read, memory->buffer.memory, 0, bytes) == AUTOTUNE_OK);
    autotune__poison_pattern(elements_got, type, 0, bytes);
    CHECK(!memcmp(elements_read, elements_got, bytes));
    for (size_t rare = 100; rare < 10000000; rare *= 40) {
        const autotune__allowed allowed = autotune__allowed_of(memory);
        make_elements(type, rare);
        CHECK(opened->write(opened, memory->copy, 0, elements_wanted, bytes) == AUTOTUNE_OK);
        CHECK(opened->write(opened, memory->buffer.memory, 0, elements_got, bytes) == AUTOTUNE_OK);
        for (i = 0; i < ELEMENTS; i++)
            if (!autotune__passes(elements_got + i * size, elements_wanted + i * size, type, allowed)) break;
        CHECK(autotune__ask_device(memory, opened, AUTOTUNE_FIND_DIFFERENCE, &answer) == AUTOTUNE_OK);
        CHECK(answer == (i < ELEMENTS ? ~(uint64_t)i : 0));
        CHECK(autotune__ask_device(memory, opened, AUTOTUNE_FIND_LARGEST, &answer) == AUTOTUNE_OK);
        const double largest = autotune__largest(&memory->buffer, elements_got);
        uint64_t bits;
        memcpy(&bits, &largest, sizeof bits);
        CHECK(!autotune__is_float(type) || answer == (largest < 0 ? 0 : 1 + bits));
    }
}
/* If all elements are NaNs, there is no largest element. With an infinity, the largest is 0. */
static void expect_nothing_of_nans(autotune_backend *opened, autotune__memory *memory) {
    const autotune_type type = memory->buffer.type;
    const size_t size = autotune__type_bytes(type);
    uint64_t answer;
    autotune__poison_pattern(elements_got, type, 0, memory->buffer.bytes);
    for (int round = 0; round < 2; round++) {
        CHECK(opened->write(opened, memory->buffer.memory, 0, elements_got, memory->buffer.bytes) == AUTOTUNE_OK);
        CHECK(autotune__ask_device(memory, opened, AUTOTUNE_FIND_LARGEST, &answer) == AUTOTUNE_OK);
        CHECK(answer == (uint64_t)round);
        put_bits(elements_got + (ELEMENTS - 1) * size, type, autotune__format_of(type)->exponent);
    }
}
/* opened: the backend that its open() returned. */
static void check_elements(autotune_backend *opened) {
    static const double tolerances[] = {0, 1e-6, 0.5}, largest[] = {0, 1, 3e38};
    for (int type = 0; type <= AUTOTUNE_F64; type++) {
        autotune__memory memory;
        memset(&memory, 0, sizeof memory);
        memory.buffer.type = (autotune_type)type;
        if (memory.buffer.type == AUTOTUNE_STRING || memory.buffer.type == AUTOTUNE_POINTER) continue;
        memory.buffer.bytes = ELEMENTS * autotune__type_bytes(memory.buffer.type);
        memory.buffer.memory = opened->allocate(opened, memory.buffer.bytes);
        memory.copy = opened->allocate(opened, memory.buffer.bytes);
        CHECK(memory.buffer.memory && memory.copy);
        for (size_t t = 0; t < (autotune__is_float(memory.buffer.type) ? 3 : 1); t++) {
            memory.buffer.tolerance = tolerances[t];
            memory.largest = largest[t];
            expect_the_same(opened, &memory);
        }
        if (autotune__is_float(memory.buffer.type)) expect_nothing_of_nans(opened, &memory);
        opened->release(opened, memory.buffer.memory);
        opened->release(opened, memory.copy);
    }
}

#endif
