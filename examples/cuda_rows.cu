/* cuda_rows.cu [ROWS [COLUMNS]] - a kernel<<<...>>> of the CUDA runtime, wrapped in AUTOTUNE. The kernel adds up the
   rows of a matrix. The axes are the number of threads that share a row, and the number of threads of a block. Put a
   call with <<<...>>> in parentheses, since it has commas outside of its own parentheses. End it with
   cudaGetLastError(): a launch that the runtime refuses takes no time, and would win without this check.

       nvcc -I.. cuda_rows.cu -lcuda && ./a.out */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_rows(int rows, int columns, const float *matrix, float *sums, int lanes) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    float sum = 0;
    if (row < rows)
        for (int j = lane; j < columns; j += lanes) sum += matrix[(size_t)row * columns + j];
    for (int half = lanes / 2; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half, lanes);
    if (row < rows && lane == 0) sums[row] = sum;
}

static autotune_result sum(int rows, int columns, const float *matrix, float *sums, cudaStream_t stream) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(lanes, 1, 2, 4, 8, 16, 32), AXIS(threads, 64, 128, 256, 512)),
             (rows * lanes + threads - 1) / threads,
             (sum_rows<<<blocks.x, threads, 0, stream>>>(rows, columns, matrix, sums, lanes),
              cudaGetLastError()),
             .backend = CUDA(stream), .key = KEY(rows, columns),
             .outputs = BUFFERS({sums, rows * sizeof *sums, AUTOTUNE_F32, 1e-4}), .result = &result);
    return result;
}

static void must(cudaError_t error) {
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error)), std::exit(EXIT_FAILURE);
}

int main(int count, char **arguments) {
    const int rows = count > 1 ? std::atoi(arguments[1]) : 1 << 16, columns = count > 2 ? std::atoi(arguments[2]) : 256;
    std::vector<float> host((size_t)rows * columns), host_sums(rows);
    float *matrix, *sums;
    cudaStream_t stream;
    must(cudaMalloc(&matrix, host.size() * sizeof *matrix));
    must(cudaMalloc(&sums, rows * sizeof *sums));
    must(cudaStreamCreate(&stream));
    for (size_t i = 0; i < host.size(); i++) host[i] = (float)(i % 10);
    must(cudaMemcpy(matrix, host.data(), host.size() * sizeof *matrix, cudaMemcpyHostToDevice));

    const autotune_result r = sum(rows, columns, matrix, sums, stream);
    must(cudaStreamSynchronize(stream));
    must(cudaMemcpy(host_sums.data(), sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
    if (r.status != AUTOTUNE_OK) return std::printf("%s\n", autotune_last_error()), EXIT_FAILURE;
    int wrong = 0;
    for (int i = 0; i < rows; i++) {
        float expected = 0;
        for (int j = 0; j < columns; j++) expected += host[(size_t)i * columns + j];
        wrong += host_sums[i] != expected;          /* sums of small integers are exact in any order */
    }
    std::printf("%s threads a row, %s a block: %.1f us; 1 and 64: %.1f us; %d wrong\n",
                autotune_get_label(&r.config, "lanes"), autotune_get_label(&r.config, "threads"), r.median_ns / 1e3,
                r.default_ns / 1e3, wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
