/* Turns: several processes may need the same machine code at the same time, for instance the ranks of a node. One
   process compiles the code, and the others wait for its file on disk. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../store/floor.h"
#include "digest.h"
#include "compiler.h"

/* Returns the byte of the cache's lock file for an image: at least 0x80000001. The locks of keys use the bytes up to
   0x80000000, see store/lock.h. Systems with 32 bits may lack offsets from 0x80000000 on. On these systems an image
   has a byte above 0x40000000. This byte may be the lasting byte of a key, with a chance of one in 2^30. Earlier
   versions of the library use these lower bytes on all systems. So two processes with different versions do not wait
   for each other, and may compile the same code at the same time. A lock ends with its process. */
static uint64_t autotune__image_byte(const autotune__digest *digest) {
    return (sizeof(void *) > 4 ? 0x80000001u : 0x40000001u) + digest->word[0] % 0x3FFFFFFF;
}
static void autotune__end_image_turn(const autotune__digest *digest) {
    autotune__release_lock(autotune__image_byte(digest));
}
/* Waits for the turn. Returns true if this process has the turn. Returns false if another process had the turn when
   this function was called. Then the turn of the other process has ended or takes too long, or the code is unwanted
   now. Also returns false if locks do not work, or if another thread of this process has the turn. */
static bool autotune__take_image_turn(const autotune__digest *digest, const autotune__compile_limits *limits) {
    const uint64_t began = autotune__wait_clock();
    const double patience_ns = limits->seconds * 1e9;
    autotune__locked locked;
    bool waited = false;
    while ((locked = autotune__hold_lock(autotune__image_byte(digest))) == AUTOTUNE__BUSY &&
           (double)(autotune__wait_clock() - began) < patience_ns && !autotune__is_unwanted(limits)) {
        waited = true;
        autotune__sleep_ns(1000000);
    }
    if (locked == AUTOTUNE__HELD && waited) autotune__end_image_turn(digest);
    return locked == AUTOTUNE__HELD && !waited;
}
