/* cuda_gemm.cu - C = A B for square matrices of n, stored row by row. A block computes a tile of BLOCK_M x BLOCK_N
   elements of C. A thread computes ROWS x COLUMNS elements of the tile in registers. Slices of A and B in shared memory
   are BLOCK_K deep. While the block uses one slice, it loads the next slice into registers. With STAGES 2 shared memory
   has room for two slices, and one barrier per slice is enough.

   n is a multiple of BLOCK_M, BLOCK_N and BLOCK_K. n is at most 46340, so that an int can count the elements of a
   matrix. Loads and stores move vectors of VECTOR elements. */
enum {
    LANES_M = 4, LANES_N = 8,                           /* a warp is 4 x 8 threads: it is nearly square, so it
                                                           reads few different elements */
    WARP_M = LANES_M * ROWS, WARP_N = LANES_N * COLUMNS,
    ALL_THREADS = BLOCK_M / ROWS * (BLOCK_N / COLUMNS),
    PART_A = BLOCK_M * BLOCK_K / VECTOR / ALL_THREADS,  /* how many vectors of a slice one thread loads */
    PART_B = BLOCK_K * BLOCK_N / VECTOR / ALL_THREADS,
    UNROLL_COUNT = UNROLL                               /* #pragma unroll does not expand macros */
};
struct alignas(sizeof(float) * VECTOR) vector { float at[VECTOR]; };    /* one load or store */

/* Returns where the i-th vector of this thread's part begins in a slice, counted in elements. */
__device__ __forceinline__ int place(int i) { return ((int)threadIdx.x + i * ALL_THREADS) * VECTOR; }

/* Loads this thread's part of a slice. The slice is WIDTH elements wide, the matrix n elements. */
template <int WIDTH, int COUNT> __device__ __forceinline__ void fetch(vector (&part)[COUNT], const float *from, int n) {
#pragma unroll
    for (int i = 0; i < COUNT; i++) part[i] = *(const vector *)&from[place(i) / WIDTH * n + place(i) % WIDTH];
}
/* Reads COUNT elements of a slice's row: every `step`-th vector, so that neighbouring threads read neighbouring
   vectors. */
template <int COUNT> __device__ __forceinline__ void read(float (&element)[COUNT], const float *from, int step) {
#pragma unroll
    for (int i = 0; i < COUNT; i += VECTOR) {
        const vector v = *(const vector *)&from[i * step];
#pragma unroll
        for (int e = 0; e < VECTOR; e++) element[i + e] = v.at[e];
    }
}

extern "C" __global__ void __launch_bounds__(ALL_THREADS, RESIDENT) gemm(int n, const float *a,
                                                                         const float *b, float *c) {
    /* The slice of A is transposed, so that a vector holds elements of several rows. Its lines have 4 elements more
       than BLOCK_M, so that they begin in different banks. */
    alignas(16) __shared__ float slice_a[STAGES][BLOCK_K][BLOCK_M + 4];
    alignas(16) __shared__ float slice_b[STAGES][BLOCK_K][BLOCK_N];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int top = warp / (BLOCK_N / WARP_N) * WARP_M + lane / LANES_N * VECTOR;
    const int left = warp % (BLOCK_N / WARP_N) * WARP_N + lane % LANES_N * VECTOR;
    float sum[ROWS][COLUMNS] = {};
    vector part_a[PART_A], part_b[PART_B];
    a += (int)blockIdx.y * BLOCK_M * n;
    b += (int)blockIdx.x * BLOCK_N;
    c += ((int)blockIdx.y * BLOCK_M + top) * n + (int)blockIdx.x * BLOCK_N + left;

    fetch<BLOCK_K>(part_a, a, n);
    fetch<BLOCK_N>(part_b, b, n);
    for (int slice = 0; slice < n / BLOCK_K; slice++) {
        const int stage = slice % STAGES;
#pragma unroll
        for (int i = 0; i < PART_A; i++)
            for (int e = 0; e < VECTOR; e++)
                slice_a[stage][place(i) % BLOCK_K + e][place(i) / BLOCK_K] = part_a[i].at[e];
#pragma unroll
        for (int i = 0; i < PART_B; i++) *(vector *)&slice_b[stage][place(i) / BLOCK_N][place(i) % BLOCK_N] = part_b[i];
        __syncthreads();
        if (slice + 1 < n / BLOCK_K) {
            fetch<BLOCK_K>(part_a, a += BLOCK_K, n);
            fetch<BLOCK_N>(part_b, b += BLOCK_K * n, n);
        }
#pragma unroll UNROLL_COUNT
        for (int k = 0; k < BLOCK_K; k++) {
            float row[ROWS], column[COLUMNS];
            read(row, &slice_a[stage][k][top], LANES_M);
            read(column, &slice_b[stage][k][left], LANES_N);
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++) sum[i][j] += row[i] * column[j];
        }
        if (STAGES == 1) __syncthreads();               /* STAGES 2: writers use the other stage */
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j += VECTOR) {
            vector v;
            for (int e = 0; e < VECTOR; e++) v.at[e] = sum[i][j + e];
            *(vector *)&c[(i / VECTOR * VECTOR * LANES_M + i % VECTOR) * n + j * LANES_N] = v;
        }
}
