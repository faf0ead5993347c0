/* opencl_matmul.cl - c = a b for matrices of n x n floats, stored row by row. Each work-item computes ROWS x VECTOR
   elements of c. ROWS is a constant, so the compiler unrolls the loops over rows. n is a multiple of ROWS and VECTOR.
   If IMAGE is 1, b is an image of n / 4 x n pixels. */
#define PASTE(a, b) a##b
#define VECTOR_OF(n) PASTE(float, n)
#define LOAD_OF(n) PASTE(vload, n)
#define STORE_OF(n) PASTE(vstore, n)

#if IMAGE
#define MATRIX __read_only image2d_t
#if VECTOR == 4
#define ROW_OF(b, k, column) read_imagef(b, (int2)((column) / 4, k))
#else
#define ROW_OF(b, k, column) \
    (float8)(read_imagef(b, (int2)((column) / 4, k)), read_imagef(b, (int2)((column) / 4 + 1, k)))
#endif
#else
#define MATRIX __global const float *
#define ROW_OF(b, k, column) LOAD_OF(VECTOR)(0, b + (k) * n + (column))
#endif

__kernel void matmul(int n, __global const float *a, MATRIX b, __global float *c) {
    const int column = (int)get_global_id(0) * VECTOR, row = (int)get_global_id(1) * ROWS;
    VECTOR_OF(VECTOR) sum[ROWS];
    if (column >= n || row >= n) return;        /* the number of work-items is rounded up */
    for (int i = 0; i < ROWS; i++) sum[i] = 0;
    for (int k = 0; k < n; k++) {
        const VECTOR_OF(VECTOR) right = ROW_OF(b, k, column);
        for (int i = 0; i < ROWS; i++) sum[i] += a[(row + i) * n + k] * right;
    }
    for (int i = 0; i < ROWS; i++) STORE_OF(VECTOR)(sum[i], 0, c + (row + i) * n + column);
}
