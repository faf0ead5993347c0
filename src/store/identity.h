/* The hashes and words that identify a statement in the file: its tuner and key, its device, and the program that holds
   its call site. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "disk.h"

/* The words for the CPU stay the same when a virtual machine moves to another host of the same model. They have the
   model, the number of processors, and the L1d and L2 caches of one core. They leave out shared caches, since a virtual
   machine may see only a part of a shared cache. They have the number of usable processors only if the process may not
   use all. */
static char autotune__cpu_words[256];
static void autotune__describe_cpu(void) {
    const long all = autotune__processor_count(), usable = autotune__usable_processors(all);
    char model[160], share[32] = "";
    int level;
    autotune__read_processor_model(model, sizeof model);
    if (usable < all) autotune__put_text(share, sizeof share, " (%ld usable)", usable);
    autotune__put_text(autotune__cpu_words, sizeof autotune__cpu_words, "%s, %ld cores%s", model, all, share);
    for (level = 1; level <= 2; level++) {
        const unsigned long kib = (unsigned long)autotune__cache_bytes(level) / 1024;
        const size_t used = strlen(autotune__cpu_words);
        if (kib)
            autotune__put_text(autotune__cpu_words + used, sizeof autotune__cpu_words - used, ", L%d%s %lu KiB", level,
                               level == 1 ? "d" : "", kib);
    }
}
static const char *autotune__device_words(const autotune_backend *backend) {
    static autotune__once described = AUTOTUNE__ONCE;
    if (strcmp(backend->device, autotune__cpu_backend.device)) return backend->device;
    autotune__run_once(&described, autotune__describe_cpu);
    return autotune__cpu_words;
}
/* exact_key: the key as text, with the types of its parts. */
static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) {
    const autotune__subject *subject = store->subject;
    autotune__identity *identity = &store->identity;
    autotune__text name AUTOTUNE__FREED = { NULL, false };
    autotune__append_string(&name, subject->name);
    autotune__clear_text(&store->device);
    autotune__append_text(&store->device, autotune__device_words(subject->backend));
    if (subject->together > 1) autotune__append(&store->device, ", %d ranks", subject->together);
    identity->id = autotune__hash_more(autotune__hash_string(subject->name), exact_key, strlen(exact_key));
    identity->fingerprint = subject->known_key->tuner->fingerprint;
    identity->machine = autotune__hash_string(autotune__string(&store->device));
    identity->tuner = name.broken ? 0 : autotune__hash_more(0, name.at, autotune__count(name.at));
    store->program = subject->known_key->tuner->program;
}
/* Called if a pin of AUTOTUNE_USE leaves several configurations. They are a space of their own, in the file and in this
   process. */
static void autotune__identify_pin(autotune__store *store) {
    const char *pin = store->prior->recalled.pin;
    const uint64_t pinned = autotune__hash_string(pin);
    store->identity.fingerprint = autotune__hash_word(store->subject->known_key->tuner->fingerprint, pinned);
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    store->subject->known_key->pinned = pinned;
}
