/* cuda_gemm.cu - C = A B for square matrices of n: a block makes a tile of BLOCK x BLOCK elements of C, a thread PER_THREAD x PER_THREAD of
   them in registers, from slices of A and B in shared memory that are DEPTH deep. n is a multiple of BLOCK and DEPTH. */
enum { SIDE = BLOCK / PER_THREAD, ALL_THREADS = SIDE * SIDE };

extern "C" __global__ void gemm(int n, const float *a, const float *b, float *c) {
    __shared__ float slice_a[DEPTH][BLOCK], slice_b[DEPTH][BLOCK];
    const int row = (int)blockIdx.y * BLOCK, column = (int)blockIdx.x * BLOCK;
    const int me = (int)threadIdx.x, top = me / SIDE * PER_THREAD, left = me % SIDE * PER_THREAD;
    float sum[PER_THREAD][PER_THREAD] = {};
    for (int k = 0; k < n; k += DEPTH) {
        for (int i = me; i < BLOCK * DEPTH; i += ALL_THREADS) {
            slice_a[i % DEPTH][i / DEPTH] = a[(row + i / DEPTH) * n + k + i % DEPTH];
            slice_b[i / BLOCK][i % BLOCK] = b[(k + i / BLOCK) * n + column + i % BLOCK];
        }
        __syncthreads();
        for (int d = 0; d < DEPTH; d++)
            for (int i = 0; i < PER_THREAD; i++)
                for (int j = 0; j < PER_THREAD; j++) sum[i][j] += slice_a[d][top + i] * slice_b[d][left + j];
        __syncthreads();
    }
    for (int i = 0; i < PER_THREAD; i++)
        for (int j = 0; j < PER_THREAD; j++) c[(row + top + i) * n + column + left + j] = sum[i][j];
}
