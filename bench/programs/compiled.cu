/* compiled.cu - kernels that NVRTC compiles for each configuration, since the tuned numbers are constants of the
   kernel. */
#include "autotune_cuda.h"
#include "judge.h"

static autotune_result r;
static std::vector<judge::configuration> list;

static float *device(size_t count, float value) {
    std::vector<float> host(count, value);
    float *memory;
    cudaMalloc(&memory, count * sizeof *memory);
    cudaMemcpy(memory, host.data(), count * sizeof *memory, cudaMemcpyHostToDevice);
    return memory;
}

/* Kernel 10 of SGEMM_CUDA. The macro SOURCE names the unchanged file of the kernel. BARE is this file without the lines
   with #include. NVRTC compiles BARE for autotune, and nvcc compiles SOURCE for the judge. */
#include SOURCE
static autotune_cuda_program sgemm = CUDA_PROGRAM_FILE(BARE, "-Duint=unsigned");
enum { n = 4096 };
static float *a, *b, *c;

/* The assertions of their launcher, with ITER for WNITER. */
template <int M, int N, int K, int WM, int WN, int ITER, int TM, int TN> static void add() {
    if constexpr (WM * WN >= 32 * TM * TN * ITER && M % (16 * TM) == 0) {
    const int T = 32 * (M / WM) * (N / WN);
    const char *const names[] = {"TILE_M", "TILE_N", "DEPTH", "WARP_M", "WARP_N", "ITER", "LANE_M", "LANE_N"};
    const int values[] = {M, N, K, WM, WN, ITER, TM, TN};
    bool picked = true;
    std::string name;
    for (int i = 0; i < 8; i++) {
        picked = picked && autotune_get_int(&r.config, names[i]) == values[i];
        name += (i ? " " : "") + std::to_string(values[i]);
    }
    const bool authors = M == 128 && N == 128 && K == 16 && WM == 64 && WN == 64 && ITER == 4 && TM == 8 && TN == 4;
    list.push_back({name, authors, picked, [=] {
        sgemmWarptiling<M, N, K, WM, WN, ITER, TM, TN, T><<<dim3(n / N, n / M), T>>>(n, n, n, 1.f, a, b, 0.f, c);
        return cudaGetLastError() == cudaSuccess;
    }, {}});
    }
}
template <int M, int N, int K, int WM, int WN> static void add_tiles() {
    add<M, N, K, WM, WN, 1, 4, 4>();
    add<M, N, K, WM, WN, 2, 4, 4>();
    add<M, N, K, WM, WN, 2, 8, 4>();
    add<M, N, K, WM, WN, 4, 8, 4>();
}
template <int M, int N, int WM, int WN> static void add_depths() {
    add_tiles<M, N, 8, WM, WN>();
    add_tiles<M, N, 16, WM, WN>();
}

int main() {
    cudaSetDevice(0);
    a = device((size_t)n * n, 1), b = device((size_t)n * n, 2), c = device((size_t)n * n, 0);
    AUTOTUNE(SPACE(CONFIGS((TILE_M, TILE_N, WARP_M, WARP_N), (64, 64, 32, 32), (64, 128, 32, 64), (128, 64, 64, 32),
                           (128, 128, 64, 32), (128, 128, 64, 64)),
                   AXIS(DEPTH, 8, 16), CONFIGS((ITER, LANE_M, LANE_N), (1, 4, 4), (2, 4, 4), (2, 8, 4), (4, 8, 4)),
                   WHERE(WARP_M * WARP_N >= 32 * LANE_M * LANE_N * ITER && TILE_M % (16 * LANE_M) == 0)),
             GRID(n / TILE_N, n / TILE_M),
             CUDA_LAUNCH(&sgemm, "sgemmWarptiling<TILE_M, TILE_N, DEPTH, WARP_M, WARP_N, ITER, LANE_M, LANE_N, "
                                 "32 * (TILE_M / WARP_M) * (TILE_N / WARP_N)>",
                         THREADS(32 * (TILE_M / WARP_M) * (TILE_N / WARP_N)), SHARED(0),
                         (int)n, (int)n, (int)n, 1.f, a, b, 0.f, c),
             .backend = CUDA(0), .key = KEY((int)n), .result = &r);
    add_depths<64, 64, 32, 32>();
    add_depths<64, 128, 32, 64>();
    add_depths<128, 64, 64, 32>();
    add_depths<128, 128, 64, 32>();
    add_depths<128, 128, 64, 64>();
    return judge::report("SGEMM_CUDA kernel 10, n = 4096", r, list, judge::on_gpu, 8);
}
