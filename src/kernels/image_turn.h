/* Turns: several processes may need the same machine code at the same time, for instance the ranks of a node. One
   process compiles the code, and the others wait for its file on disk. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../store/floor.h"
#include "digest.h"
#include "compiler.h"

/* Returns the byte of the cache's lock file for an image. The locks of keys use the bytes below this range. Only the
   lasting byte of a key in mode ONLINE may be the same byte, with a chance of one in 2^30. A lock ends with its
   process. */
static uint64_t autotune__image_byte(const autotune__digest *digest) {
    return 0x40000001u + digest->word[0] % 0x3FFFFFFF;
}
static void autotune__end_image_turn(const autotune__digest *digest) {
    autotune__release_lock(autotune__image_byte(digest));
}
/* Waits for the turn.
   HELD: this process has the turn.
   BUSY: another process had the turn. This turn has ended or takes too long, or the code is unwanted now.
   NO_LOCKS: locks do not work, or another thread of this process has the turn. */
static autotune__locked autotune__await_image_turn(const autotune__digest *digest,
                                                   const autotune__compile_limits *limits) {
    const uint64_t began = autotune__wait_clock();
    const double patience_ns = limits->seconds * 1e9;
    autotune__locked locked, first = AUTOTUNE__HELD;
    do {
        locked = autotune__hold_lock(autotune__image_byte(digest));
        if (locked != AUTOTUNE__BUSY) break;
        first = locked;
        autotune__sleep_ns(1000000);
    } while ((double)(autotune__wait_clock() - began) < patience_ns && !autotune__is_unwanted(limits));
    if (locked == AUTOTUNE__HELD && first == AUTOTUNE__BUSY) autotune__end_image_turn(digest);
    return locked == AUTOTUNE__HELD ? first : locked;
}
