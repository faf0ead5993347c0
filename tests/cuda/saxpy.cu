/* saxpy.cu - y = a x + y, for the tests. A launch with too few blocks leaves elements unchanged, so that tests notice
   it. */
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = a * x[i] + y[i];
}

/* For blocks of 128 threads it leaves y unchanged, which is wrong on purpose. */
extern "C" __global__ void saxpy_wrong(int n, float a, const float *x, float *y) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = blockDim.x == 128 ? y[i] : a * x[i] + y[i];
}

/* Writes far before the beginning of y for blocks of 128 threads. */
extern "C" __global__ void saxpy_wild(int n, float a, const float *x, float *y) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = blockDim.x == 128 ? i - (1 << 28) : i;
    if (i < n) y[j] = a * x[i] + y[i];
}

/* One sum for each block, in shared memory. */
extern "C" __global__ void block_sums(int n, const float *x, float *sums) {
    extern __shared__ float part[];
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    part[threadIdx.x] = i < n ? x[i] : 0;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
