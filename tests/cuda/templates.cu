/* templates.cu - statements in templates, with kernels that are templates too: nvcc.sh compiles them. With REAL_DEVICE
   it is a program, which runs on a GPU twice: a second call of each statement knows its winner. */
#ifdef REAL_DEVICE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#endif
#include "autotune_cuda.h"
#include <cuda_runtime.h>

template <class T> __global__ void scale(int n, T a, T *x) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] *= a;
}

template <class T> static void scaled(int n, T a, T *x, CUstream stream) {
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), (n + block - 1) / block,
             (scale<T><<<blocks.x, (unsigned)block, 0, stream>>>(n, a, x), cudaGetLastError()),
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

/* nvcc compiles the call of this program, and NVRTC its text. */
static autotune_cuda_program filling = CUDA_PROGRAM("extern \"C\" __global__ void fill(int *x) { *x = value; }");
void fill(int n, int *x, CUstream stream) {
    AUTOTUNE(SPACE(AXIS(value, 1, 2)), 1, CUDA_LAUNCH(&filling, "fill", THREADS(1), SHARED(0), x),
             .backend = CUDA(stream), .key = KEY(n));
}

void use(int n, float *x, double *y, CUstream stream) {
    const auto generic = [=](auto *z) {
        AUTOTUNE(SPACE(AXIS(block, 64, 128)), (n + block - 1) / block,
                 (scale<<<blocks.x, (unsigned)block, 0, stream>>>(n, *z, z), cudaGetLastError()),
                 .backend = CUDA(stream), .key = KEY(n));
    };
    scaled(n, 2.0f, x, stream);
    scaled(n, 2.0, y, stream);
    scaler<float>{ 2.0f }.apply(n, x, stream);
    scaler<float>{ 2.0f }.apply_to(n, x, stream);
    generic(x);
    generic(y);
}

#ifdef REAL_DEVICE
#include <cstdio>
#include <vector>

template <class T> static bool all_are(const T *device, int n, T value) {
    std::vector<T> host((size_t)n);
    if (cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (T each : host)
        if (each != value) return false;
    return true;
}
/* Returns true if each statement multiplies ones to `value`, in its first and in its second call. The statements of the
   class have no .restore, so their values are unknown: they only must not fail. */
template <class T> static bool is_scaled(int n, T value, cudaStream_t stream) {
    const std::vector<T> ones((size_t)n, T(1));
    bool right = true;
    T *x;
    if (cudaMalloc(&x, n * sizeof *x) != cudaSuccess) return false;
    for (int call = 1; call <= 2; call++) {
        right = right && cudaMemcpy(x, ones.data(), n * sizeof *x, cudaMemcpyHostToDevice) == cudaSuccess;
        scaled(n, value, x, stream);
        right = right && cudaStreamSynchronize(stream) == cudaSuccess && all_are(x, n, value);
        scaler<T>{ value }.apply(n, x, stream);
        scaler<T>{ value }.apply_to(n, x, stream);
        right = right && cudaStreamSynchronize(stream) == cudaSuccess && !*autotune_last_error();
    }
    std::printf("%d bytes: %s\n", (int)sizeof(T), right ? "right" : "WRONG");
    if (!right) std::printf("%s\n", autotune_last_error());
    return right;
}
int main() {
    cudaStream_t stream;
    if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
    const bool floats = is_scaled(1 << 20, 2.0f, stream), doubles = is_scaled(1 << 20, 2.0, stream);
    return floats && doubles ? 0 : 1;
}
#endif
