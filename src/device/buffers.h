/* Buffers that trials may write. Each is copied before the first trial, and put back after the race. Before launches it
   is restored or zeroed if an option asks for that. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"

/* The preparation of a buffer before each launch of a trial.
   LEFT: the buffer stays as it is.
   ZEROED: each byte is set to 0, for .zero.
   RESTORED: the snapshot is copied back, for .restore. */
typedef enum autotune__preparation { AUTOTUNE__LEFT, AUTOTUNE__ZEROED, AUTOTUNE__RESTORED } autotune__preparation;
typedef struct autotune__memory {
    autotune_buffer buffer;
    autotune__preparation prepared;
    void *snapshot;                             /* the content before the race, in the backend's memory */
    unsigned char *expected;                    /* output of the first configuration that worked, on the CPU; or NULL */
    unsigned char *wrong;                       /* output of the first configuration with a wrong output, on the CPU; or
                                                   NULL */
    void *copy;                                 /* the same output as `expected`, in the backend's memory; or NULL. At
                                                   most one of `expected` and `copy` is kept */
    double largest;                             /* the largest finite magnitude of the expected output; -1: the output
                                                   has only NaNs. statement/checks.h logs this once, and sets 0 */
} autotune__memory;
typedef struct autotune__memories {
    autotune__memory *at;
    size_t count;                               /* how many elements `at` has */
    size_t outputs;                             /* how many elements are outputs; the outputs come first. In an audit
                                                   all elements are outputs */
    unsigned char *scratch;                     /* memory for one chunk of an output */
    unsigned agree, differ;                     /* how many configurations wrote `expected`, and how many `wrong` */
    unsigned differ_on_other_rank;              /* the maximum of autotune__differ_from_first() over all ranks;
                                                   0: no rank doubts `expected`, or there are no ranks */
    unsigned audited;                           /* how many launches of an audit worked; more than AUTOTUNE__AUDITED:
                                                   the audit has logged a difference */
} autotune__memories;

/* Poison is written, and outputs are compared, in chunks. Most wrong outputs differ in the first chunk. The size of a
   chunk is a power of two. So no element is in two chunks, and the pattern of poison continues in the next chunk. */
enum { AUTOTUNE__CHUNK = 1 << 22 };
static size_t autotune__chunk(const autotune_buffer *buffer, size_t at) {       /* the bytes of the chunk at `at` */
    return buffer->bytes - at < AUTOTUNE__CHUNK ? buffer->bytes - at : (size_t)AUTOTUNE__CHUNK;
}

/* Returns the problem of one buffer, as the end of a sentence; NULL: none. The caller checks that the size is a
   multiple of the element's size. */
static const char *autotune__buffer_wrong(const autotune_buffer *buffer) {
    if (!buffer->memory) return "is NULL: name memory that exists when the call is made";
    if (!buffer->bytes) return "has 0 bytes: give its size, or leave it out";
    if (buffer->bytes > PTRDIFF_MAX) return "has a negative number of bytes: give its size as a size_t";
    if ((unsigned)buffer->type > AUTOTUNE_F64) return "has no element type that can be compared";
    return autotune__is_finite(buffer->tolerance) && buffer->tolerance >= 0
               ? NULL : "has a tolerance that is negative or no number";
}
/* Returns true if a list has a problem. `problem` then has a sentence about the option that `name` names. */
static bool autotune__list_problem(autotune__text *problem, const char *name, const autotune_buffers *list) {
    size_t i;
    if (list->count > AUTOTUNE_MAX_BUFFERS) {
        autotune__append(problem, ".%s has more than 8 buffers: make it with BUFFERS(...)", name);
        return true;
    }
    if (!list->count && list->at[0].memory) {
        autotune__append(problem, ".%s has a buffer and a count of 0: make it with BUFFERS({pointer, bytes})", name);
        return true;
    }
    for (i = 0; i < list->count; i++) {
        const autotune_buffer *b = &list->at[i];
        const char *wrong = autotune__buffer_wrong(b);
        if (wrong) autotune__append(problem, "buffer %lu of .%s %s", (unsigned long)i + 1, name, wrong);
        else if (b->bytes % autotune__type_bytes(b->type))
            autotune__append(problem, "buffer %lu of .%s has %lu bytes, no multiple of its elements' %lu",
                             (unsigned long)i + 1, name, (unsigned long)b->bytes,
                             (unsigned long)autotune__type_bytes(b->type));
        else continue;
        return true;
    }
    return false;
}

/* Finds the struct for a range of memory, or adds it. Several lists may name the same range. */
static autotune__memory *autotune__memory_of(autotune__memories *all, const autotune_buffer *buffer) {
    size_t i;
    for (i = 0; i < all->count; i++)
        if (all->at[i].buffer.memory == buffer->memory && all->at[i].buffer.bytes == buffer->bytes) return &all->at[i];
    all->at[all->count].buffer = *buffer;
    if (autotune__environment.audits) all->at[all->count].buffer.type = AUTOTUNE_BYTES;
    return &all->at[all->count++];
}
/* Copies all buffers that the options name, before the first trial. */
static autotune_status autotune__snapshot(autotune__memories *all, const autotune_options *options,
                                          autotune_backend *backend) {
    const size_t named = options->restore.count + options->zero.count + options->outputs.count;
    size_t i, largest = 0;
    if (!named) return AUTOTUNE_OK;
    if (!(all->at = (autotune__memory *)autotune__allocate(named * sizeof *all->at))) return AUTOTUNE_ERR_MEMORY;
    for (i = 0; i < options->outputs.count; i++)
        autotune__memory_of(all, &options->outputs.at[i])->buffer = options->outputs.at[i];
    all->outputs = all->count;
    for (i = 0; i < options->restore.count; i++)
        autotune__memory_of(all, &options->restore.at[i])->prepared = AUTOTUNE__RESTORED;
    for (i = 0; i < options->zero.count; i++) {             /* .restore has precedence */
        autotune__memory *memory = autotune__memory_of(all, &options->zero.at[i]);
        if (memory->prepared == AUTOTUNE__LEFT) memory->prepared = AUTOTUNE__ZEROED;
    }
    if (autotune__environment.audits) all->outputs = all->count;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        autotune_status status;
        if (i < all->outputs && autotune__chunk(&memory->buffer, 0) > largest)
            largest = autotune__chunk(&memory->buffer, 0);
        if (!(memory->snapshot = backend->allocate(backend, memory->buffer.bytes))) return AUTOTUNE_ERR_MEMORY;
        if ((status = backend->copy(backend, memory->snapshot, memory->buffer.memory, memory->buffer.bytes)) !=
            AUTOTUNE_OK) {
            backend->release(backend, memory->snapshot);
            memory->snapshot = NULL;                        /* put_back() skips it */
            return status;
        }
    }
    if (largest && !(all->scratch = (unsigned char *)autotune__allocate(largest))) return AUTOTUNE_ERR_MEMORY;
    return AUTOTUNE_OK;
}
static autotune_status autotune__put_back(autotune__memories *all, autotune_backend *backend) {
    autotune_status worst = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune_status status = all->at[i].snapshot ? backend->copy(backend, all->at[i].buffer.memory,
                                                                     all->at[i].snapshot, all->at[i].buffer.bytes)
                                                     : AUTOTUNE_OK;
        if (status != AUTOTUNE_OK) worst = status;
    }
    return worst;
}
static void autotune__free_memories(autotune__memories *all, autotune_backend *backend) {
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        if (memory->snapshot) backend->release(backend, memory->snapshot);
        if (memory->copy) backend->release(backend, memory->copy);
        autotune__free(memory->expected);
        autotune__free(memory->wrong);
    }
    autotune__free(all->at);
    autotune__free(all->scratch);
    memset(all, 0, sizeof *all);
}

/* Restores all buffers of .restore before it zeroes any buffer: a zeroed buffer may be a part of a restored buffer. */
static autotune_status autotune__restore_and_zero(autotune__memories *all, autotune_backend *backend) {
    autotune_status status = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < 2 * all->count && status == AUTOTUNE_OK; i++) {
        const bool zeroes = i >= all->count;
        autotune__memory *memory = &all->at[i % all->count];
        if (memory->prepared != (zeroes ? AUTOTUNE__ZEROED : AUTOTUNE__RESTORED)) continue;
        status = zeroes ? backend->fill(backend, memory->buffer.memory, 0, memory->buffer.bytes)
                        : backend->copy(backend, memory->buffer.memory, memory->snapshot, memory->buffer.bytes);
    }
    return status;
}
