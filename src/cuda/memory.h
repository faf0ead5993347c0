/* A session's memory on the device: for buffers, and to empty the caches. */
#pragma once
#include "../api/floor.h"
#include "../accelerator/floor.h"
#include "session.h"

/* A pointer may point to memory of the device, to managed memory, or to memory of the CPU, pinned or not. The driver
   knows which. */
static CUdeviceptr autotune__cuda_address(const void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static void *autotune__cuda_allocate(autotune_backend *self, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUdeviceptr memory = 0;
    return AUTOTUNE__CUDA_CALL(session, cuMemAlloc, &memory, bytes) == AUTOTUNE_OK ? (void *)(uintptr_t)memory : NULL;
}
static void autotune__cuda_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__CUDA_CALL(autotune__cuda_session_of(self), cuMemFree, autotune__cuda_address(memory));
}
static autotune_status autotune__cuda_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemcpyAsync, autotune__cuda_address(to), autotune__cuda_address(from), bytes,
                               autotune__cuda_stream(session));
}
static autotune_status autotune__cuda_copy_and_wait(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    const autotune_status status = autotune__cuda_copy(self, to, from, bytes);
    if (status != AUTOTUNE_OK) return status;
    return AUTOTUNE__CUDA_CALL(session, cuStreamSynchronize, autotune__cuda_stream(session));
}
static autotune_status autotune__cuda_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                           size_t bytes) {
    return autotune__cuda_copy_and_wait(self, host, (const char *)memory + offset, bytes);
}
static autotune_status autotune__cuda_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                            size_t bytes) {
    return autotune__cuda_copy_and_wait(self, (char *)memory + offset, host, bytes);
}
static autotune_status autotune__cuda_fill_memory(autotune_backend *self, void *memory, int byte, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemsetD8Async, autotune__cuda_address(memory), (unsigned char)byte, bytes,
                               autotune__cuda_stream(session));
}
