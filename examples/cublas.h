/* cublas.h - opens cuBLAS at run time for the CUDA examples. To build the examples, cuBLAS is not needed. */
#ifndef CUBLAS_H
#define CUBLAS_H

#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

static struct cublas {
    /* In the default mode of cuBLAS, cublasSgemm() computes in FP32. */
    int (*sgemm)(void *handle, int of_a, int of_b, int m, int n, int k, const float *alpha, CUdeviceptr a, int pitch_a,
                 CUdeviceptr b, int pitch_b, const float *beta, CUdeviceptr c, int pitch_c);
    int (*gemm_ex)(void *handle, int of_a, int of_b, int m, int n, int k, const void *alpha, CUdeviceptr a, int type_a,
                   int pitch_a, CUdeviceptr b, int type_b, int pitch_b, const void *beta, CUdeviceptr c, int type_c,
                   int pitch_c, int compute_type, int algorithm);
    int (*create)(void **handle), (*set_stream)(void *handle, CUstream stream);
    void *handle;
} cublas;

/* Opens the library at `path`. NULL: opens the library that the loader finds. Returns false if this fails. */
static bool open_cublas(const char *path, CUstream stream) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    for (int i = 0; i < 3 && !path && !library; i++) library = dlopen(names[i], RTLD_NOW);
    if (!library) return false;
    *(void **)&cublas.sgemm = dlsym(library, "cublasSgemm_v2");
    *(void **)&cublas.gemm_ex = dlsym(library, "cublasGemmEx");
    *(void **)&cublas.create = dlsym(library, "cublasCreate_v2");
    *(void **)&cublas.set_stream = dlsym(library, "cublasSetStream_v2");
    return cublas.sgemm && cublas.gemm_ex && cublas.create && cublas.set_stream && !cublas.create(&cublas.handle) &&
           !cublas.set_stream(cublas.handle, stream);
}
#endif
