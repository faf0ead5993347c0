/* Locks among processes. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "session.h"
#include "disk.h"

/* Each lock is a byte of the file `lock`. Byte 0 is the lock for writing to the cache's file. Each key on a device has
   one of the bytes 1 to 0x40000000. The process that races the key holds this lock. In mode ONLINE the process also
   holds one of the bytes 0x40000001 to 0x80000000. Each image has one of the later bytes: see kernels/image_turn.h.
   Processes of other versions use the same file, so the byte of a key stays the same in all versions. */

/* Returns true if the lock file is open. Other code may have closed the file, and opened another
   file with the same number. */
static bool autotune__has_lock_open(void) { return autotune__is_open_as(autotune__disk.lock, autotune__disk.lock_id); }
/* Closes the lock file. This releases the locks of this process. In a child made by fork() the parent keeps its
   locks. */
static void autotune__close_lock(void) {
    if (autotune__has_lock_open()) autotune__close_file(autotune__disk.lock);
    autotune__disk.lock = -1;
    AUTOTUNE__FREE_ARRAY(autotune__disk.held);
}
/* Opens the lock file. Opens it again if it was closed, removed or replaced. create: a missing file is created. Else
   the file has to exist, and a file that cannot be written is opened for reading. */
static bool autotune__open_lock(bool create) {
    const int locks = AUTOTUNE__READ | AUTOTUNE__WRITE;
    struct autotune__disk *cache = &autotune__disk;
    autotune__file_facts facts;
    const char *why = "cannot be used";
    if (autotune__has_lock_open() && autotune__facts_of_name(cache->lock_file, &facts) &&
        autotune__is_same_id(facts.id, cache->lock_id))
        return true;
    autotune__close_lock();
    if (create) cache->lock = autotune__create_ours(cache->lock_file, locks, cache->folder, &why);
    else if ((cache->lock = autotune__open_ours(cache->lock_file, locks, &why)) < 0)
        cache->lock = autotune__open_ours(cache->lock_file, AUTOTUNE__READ, &why);
    if (autotune__facts_of_file(cache->lock, &facts)) { cache->lock_id = facts.id; return true; }
    if (create && autotune__is_not_regular(cache->lock_file))
        autotune__say_once(&cache->said_no_lock, cache->lock_file, why,
                           "processes do not wait for each other, and may race a key twice; remove what is there");
    autotune__close_file(cache->lock);
    cache->lock = -1;
    return false;
}
static uint64_t autotune__lock_byte(const autotune__identity *identity) {     /* of a tuner and key on a device */
    return 1 + ((identity->id ^ identity->machine) & 0x3FFFFFFF);
}
/* In mode ONLINE the process also locks this byte, maybe until the process ends. No process waits for this byte. */
static uint64_t autotune__lasting_byte(const autotune__identity *identity) {
    return autotune__lock_byte(identity) + 0x40000000;
}
static void autotune__unlock(uint64_t at) {
    if (autotune__has_lock_open()) autotune__unlock_at(autotune__disk.lock, at);
}
/* Returns the position of a byte among the held bytes; SIZE_MAX: no race of this process holds it. All bytes of locks
   fit into a size_t. */
static size_t autotune__find_held(uint64_t at) { return autotune__position_among((size_t)at, autotune__disk.held); }
static unsigned autotune__forks;                /* how many forks lie between the first process and this one */
/* Returns true if this process holds the key's lock for the store. A child made by fork() does not hold this lock. */
static bool autotune__holds_key(const autotune__store *store) {
    return store->locked == AUTOTUNE__HELD && store->forks == autotune__forks;
}
/* Takes a lock without waiting; autotune__release_lock() gives it back. If another store of this process has the lock,
   this store races without a lock, and writes no launch notes. */
static autotune__locked autotune__hold_lock(uint64_t at) {
    autotune__locked locked = AUTOTUNE__NO_LOCKS;
    AUTOTUNE__WITH_CACHE;
    if (autotune__find_cache() && autotune__open_lock(true) && autotune__find_held(at) == SIZE_MAX)
        locked = autotune__lock_at(autotune__disk.lock, at);
    if (locked == AUTOTUNE__HELD && !AUTOTUNE__PUSH(autotune__disk.held, (size_t)at)) {
        autotune__unlock(at);
        autotune__say_no_notes(autotune__disk.lock_file, "out of memory");
        locked = AUTOTUNE__NO_LOCKS;
    }
    return locked;
}
static void autotune__release_lock(uint64_t at) {
    size_t held;
    AUTOTUNE__WITH_CACHE;
    held = autotune__find_held(at);
    if (held == SIZE_MAX) return;               /* the lock file was closed meanwhile */
    AUTOTUNE__REMOVE(autotune__disk.held, held);
    autotune__unlock(at);
}
/* Takes the lock of the key. In mode ONLINE a store also takes the lock of the lasting byte, or takes neither lock. */
static autotune__locked autotune__lock_key(autotune__store *store) {
    if (autotune__holds_key(store)) return AUTOTUNE__HELD;
    store->forks = autotune__forks;
    store->locked = autotune__hold_lock(autotune__lock_byte(&store->identity));
    if (store->locked == AUTOTUNE__HELD && store->subject->mode == AUTOTUNE_ONLINE &&
        (store->locked = autotune__hold_lock(autotune__lasting_byte(&store->identity))) != AUTOTUNE__HELD)
        autotune__release_lock(autotune__lock_byte(&store->identity));
    return store->locked;
}
static void autotune__unlock_key(autotune__store *store) {
    if (autotune__holds_key(store)) {
        if (store->subject->mode == AUTOTUNE_ONLINE) autotune__release_lock(autotune__lasting_byte(&store->identity));
        autotune__release_lock(autotune__lock_byte(&store->identity));
    }
    store->locked = AUTOTUNE__BUSY;
}
/* Returns true if a race of this process, or another process or copy of this implementation, holds the lock. */
static bool autotune__is_locked(uint64_t at) {
    return autotune__open_lock(false) &&
           (autotune__find_held(at) != SIZE_MAX || autotune__is_locked_at(autotune__disk.lock, at));
}
/* Takes the lock for writing. Other processes hold it for a few milliseconds. A process that holds it for five
   seconds is probably suspended. The five seconds begin when a call first finds the lock busy. A later call waits
   only for the rest of them. Once a call has the lock, the next wait begins anew. During a wait, other threads may
   change the state of the cache, or fork. */
static autotune__locked autotune__lock_file(bool create) {
    const uint64_t patience = 5000000000u;
    autotune__locked locked;
    for (;;) {
        if (!autotune__find_cache()) return AUTOTUNE__BUSY;             /* no memory: the log says so */
        if (!autotune__open_lock(create)) return AUTOTUNE__NO_LOCKS;
        locked = autotune__lock_at(autotune__disk.lock, 0);
        if (locked == AUTOTUNE__HELD) autotune__disk.waits_since = 0;
        if (locked != AUTOTUNE__BUSY) return locked;
        if (!autotune__disk.waits_since) autotune__disk.waits_since = autotune__wait_clock();
        if (autotune__wait_clock() - autotune__disk.waits_since >= patience) return locked;
        autotune__unlock_mutex(&autotune__cache_lock);
        autotune__sleep_ns(1000000);
        autotune__lock_mutex(&autotune__cache_lock);
    }
}
static void autotune__unlock_file(autotune__locked locked) { if (locked == AUTOTUNE__HELD) autotune__unlock(0); }
