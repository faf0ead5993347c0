/* samples.cu - a program of NVIDIA's cuda-samples, which the macro SOURCE names. Tunes how many threads and blocks a
   launch has. */
#include "autotune_cuda.h"
#include "judge.h"

#ifdef FDTD
#define _FDTD3DGPU_H_                           /* the header of the kernel, which defines these two numbers */
#include <cooperative_groups.h>
#define k_blockDimX 16
#define k_blockDimMaxY 32
namespace x16 {
#include SOURCE
}
#undef k_blockDimX
#undef k_blockDimMaxY
#define k_blockDimX 32
#define k_blockDimMaxY 16
namespace x32 {
#include SOURCE
}
#undef k_blockDimX
#undef k_blockDimMaxY
#define k_blockDimX 64
#define k_blockDimMaxY 8
namespace x64 {
#include SOURCE
}
#undef k_blockDimX
#undef k_blockDimMaxY
#define k_blockDimX 128
#define k_blockDimMaxY 4
namespace x128 {
#include SOURCE
}
#else
#define main main_of_the_authors
#include SOURCE
#undef main
#endif

static autotune_result r;
static std::vector<judge::configuration> list;
static long picked(const char *axis) { return autotune_get_int(&r.config, axis); }

template <class T> static T *device(size_t count, T value) {
    std::vector<T> host(count, value);
    T *memory;
    cudaMalloc(&memory, count * sizeof *memory);
    cudaMemcpy(memory, host.data(), count * sizeof *memory, cudaMemcpyHostToDevice);
    return memory;
}

#ifdef JACOBI
int main() {
    float *a = device<float>(N_ROWS * N_ROWS, 1);
    double *b = device<double>(N_ROWS, 1), *x = device<double>(N_ROWS, 0), *y = device<double>(N_ROWS, 0);
    double *sum = device<double>(1, 0);
    const auto launch = [=](int threads) {
        JacobiMethod<<<N_ROWS / ROWS_PER_CTA + 2, threads>>>(a, b, 1e-2f, x, y, sum);
        return cudaGetLastError();
    };
    AUTOTUNE(SPACE(AXIS(threads, 32, 64, 128, 256, 512, 1024)), 1, launch(threads),
             .backend = CUDA(0), .key = KEY(N_ROWS), .result = &r);
    for (const int threads : {32, 64, 128, 256, 512, 1024})
        list.push_back({"threads " + std::to_string(threads), threads == 256, picked("threads") == threads,
                       [=] { return launch(threads) == cudaSuccess; }, {}});
    return judge::report("cuda-samples jacobiCudaGraphs", r, list, judge::on_gpu);
}
#elif defined REDUCTION
int main() {
    const int n = 1 << 25;
    float *in = device<float>(n, 1), *out = device<float>(1 << 16, 0);
    int sms, most, threads_of_authors, blocks_of_authors;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    getNumBlocksAndThreads(n, sms * (most / 1024), 1024, blocks_of_authors, threads_of_authors);
    const auto launch = [=](int threads, int grid) {        /* the authors' launcher ends the program on errors */
        int fits = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, reduceSinglePassMultiBlockCG, threads, threads * 8);
        if (grid > fits * sms) return cudaErrorCooperativeLaunchTooLarge;
        call_reduceSinglePassMultiBlockCG(n, threads, grid, in, out);
        return cudaGetLastError();
    };
    AUTOTUNE(SPACE(AXIS(threads, 128, 256, 512, 1024), AXIS(factor, 1, 2, 4, 8, 16),
                   WHERE(threads * factor <= most)), 1, launch(threads, sms * factor),
             .backend = CUDA(0), .key = KEY(n, most, sms), .result = &r);
    for (const int threads : {128, 256, 512, 1024})
        for (const int factor : {1, 2, 4, 8, 16})
            if (threads * factor <= most)
                list.push_back({judge::pair("threads", threads, "blocks", sms * factor),
                               false,
                               picked("threads") == threads && picked("factor") == factor,
                               [=] { return launch(threads, sms * factor) == cudaSuccess; }, {}});
    list.push_back({judge::pair("occupancy: threads", threads_of_authors, "blocks", blocks_of_authors), true, false,
                    [=] { return launch(threads_of_authors, blocks_of_authors) == cudaSuccess; }, {}});
    return judge::report("cuda-samples reductionMultiBlockCG", r, list, judge::on_gpu);
}
#elif defined SCALAR_PRODUCT
int main() {
    const int vectors = 256, elements = 4096;
    float *a = device<float>(vectors * elements, 1), *b = device<float>(vectors * elements, 2);
    float *c = device<float>(256, 0);
    const auto launch = [=](int grid, int threads) {
        scalarProdGPU<<<grid, threads>>>(c, a, b, vectors, elements);
        return cudaGetLastError();
    };
    AUTOTUNE(SPACE(AXIS(grid, 32, 64, 128, 256), AXIS(threads, 32, 64, 128, 256, 512, 1024)), 1, launch(grid, threads),
             .backend = CUDA(0), .key = KEY(vectors, elements), .result = &r);
    for (const int grid : {32, 64, 128, 256})
        for (const int threads : {32, 64, 128, 256, 512, 1024})
            list.push_back({judge::pair("blocks", grid, "threads", threads), grid == 128 && threads == 256,
                           picked("grid") == grid && picked("threads") == threads,
                           [=] { return launch(grid, threads) == cudaSuccess; }, {}});
    return judge::report("cuda-samples scalarProd", r, list, judge::on_gpu);
}
#elif defined TRANSPOSE
int main() {
    const int n = 4096;
    float *in = device<float>(n * n, 1), *out = device<float>(n * n, 0);
    const dim3 grid(n / TILE_DIM, n / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
    AUTOTUNE_SELECT((.backend = CUDA(0), .key = KEY(n), .result = &r),
                    (transposeNaive<<<grid, threads>>>(out, in, n, n), cudaGetLastError()),
                    (transposeCoalesced<<<grid, threads>>>(out, in, n, n), cudaGetLastError()),
                    (transposeNoBankConflicts<<<grid, threads>>>(out, in, n, n), cudaGetLastError()),
                    (transposeDiagonal<<<grid, threads>>>(out, in, n, n), cudaGetLastError()));
    void (*const kernels[])(float *, float *, int, int) = {transposeNaive, transposeCoalesced, transposeNoBankConflicts,
                                                          transposeDiagonal};
    const char *const names[] = {"naive", "coalesced", "noBankConflicts", "diagonal"};
    for (size_t i = 0; i < 4; i++)
        list.push_back({names[i], i == 2, r.index == i,
                       [=] {
            kernels[i]<<<grid, threads>>>(out, in, n, n);
            return cudaGetLastError() == cudaSuccess;
        }, {}});
    return judge::report("cuda-samples transpose", r, list, judge::on_gpu);
}
#elif defined FDTD
int main() {
    const int n = 376;                          /* the largest size of the authors: n * n * n, with a halo of 4 */
    const size_t volume = (size_t)(n + 8) * (n + 8) * (n + 8) + 1024;
    float *in = device<float>(volume, 1), *out = device<float>(volume, 0);
    const float coefficients[] = {.2f, .1f, .1f, .1f, .1f};
    cudaMemcpyToSymbol(x16::stencil, coefficients, sizeof coefficients);
    cudaMemcpyToSymbol(x32::stencil, coefficients, sizeof coefficients);
    cudaMemcpyToSymbol(x64::stencil, coefficients, sizeof coefficients);
    cudaMemcpyToSymbol(x128::stencil, coefficients, sizeof coefficients);
    const auto launch = [=](int x, int y) {
        (x == 16 ? x16::FiniteDifferencesKernel : x == 32 ? x32::FiniteDifferencesKernel
         : x == 64 ? x64::FiniteDifferencesKernel : x128::FiniteDifferencesKernel)
            <<<dim3((n + x - 1) / x, (n + y - 1) / y), dim3(x, y)>>>(out, in, n, n, n);
        return cudaGetLastError();
    };
    AUTOTUNE(SPACE(AXIS(x, 16, 32, 64, 128), AXIS(y, 4, 8, 16, 32), WHERE(x * y <= 512)), 1, launch(x, y),
             .backend = CUDA(0), .key = KEY((int)n), .result = &r);
    for (const int x : {16, 32, 64, 128})
        for (const int y : {4, 8, 16, 32})
            if (x * y <= 512)
                list.push_back({judge::pair("x", x, "y", y), x == 32 && y == 16, picked("x") == x && picked("y") == y,
                               [=] { return launch(x, y) == cudaSuccess; }, {}});
    return judge::report("cuda-samples FDTD3d", r, list, judge::on_gpu);
}
#endif
