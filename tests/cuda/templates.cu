/* templates.cu - statements in templates, with kernels that are templates too, for nvcc.sh. To be compiled. */
#include "autotune_cuda.h"
#include <cuda_runtime.h>

template <class T> __global__ void scale(int n, T a, T *x) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] *= a;
}

template <class T> static void scaled(int n, T a, T *x, CUstream stream) {
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), (n + block - 1) / block,
             (scale<T><<<blocks.x, (unsigned)block, 0, stream>>>(n, a, x), (CUresult)cudaGetLastError()),
             .backend = CUDA(stream), .key = KEY(n), .restore = BUFFERS({x, sizeof(T) * (size_t)n}));
}

template <class T> struct scaler {
    T a;
    void apply(int n, T *x, CUstream stream) const {
        AUTOTUNE_BLOCK(SPACE(AXIS(block, 64, 128)), .backend = CUDA(stream), .key = KEY(n)) {
            const autotune_grid blocks = GRID((n + block - 1) / block);
            scale<T><<<blocks.x, (unsigned)block, 0, stream>>>(n, a, x);
        }
    }
    template <class U> void apply_to(int n, U *x, CUstream stream) const {
        AUTOTUNE_SELECT((.backend = CUDA(stream), .key = KEY(n)), scaled(n, static_cast<U>(a), x, stream),
                        apply(n, x, stream));
    }
};

void use(int n, float *x, double *y, CUstream stream) {
    const auto generic = [=](auto *z) {
        AUTOTUNE(SPACE(AXIS(block, 64, 128)), (n + block - 1) / block,
                 (scale<<<blocks.x, (unsigned)block, 0, stream>>>(n, *z, z), (CUresult)cudaGetLastError()),
                 .backend = CUDA(stream), .key = KEY(n));
    };
    scaled(n, 2.0f, x, stream);
    scaled(n, 2.0, y, stream);
    scaler<float>{ 2.0f }.apply(n, x, stream);
    scaler<float>{ 2.0f }.apply_to(n, x, stream);
    generic(x);
    generic(y);
}
