/* cuda_gemm_fp16.cu - C = A B' for FP16 matrices of n x n elements, stored row by row, as in a linear layer. The sums
   are FP32. The kernel needs compute capability 9.0 (H100, H200): the Tensor Memory Accelerator (TMA) fills shared
   memory, and tensor cores read their operands from there (wgmma).

   A block computes one tile of BLOCK_M x BLOCK_N elements of C. Its first warp group is the producer: one thread asks
   the TMA for slices of A and B, up to STAGES slices ahead. The other GROUPS warp groups are consumers: each multiplies
   BLOCK_M / GROUPS rows of the tile. A multiprocessor holds RESIDENT blocks: while one block writes its tile, another
   block multiplies. Tiles that run at the same time form squares of SQUARE x SQUARE tiles, so that they find each
   other's slices in the L2 cache.

   n is a multiple of BLOCK_M and BLOCK_N. A slice is 64 elements deep. These are 128 bytes, the greatest width of a
   swizzle of shared memory. */
typedef unsigned int u32;
typedef unsigned long long u64;
struct alignas(64) map { char bytes[128]; };            /* a CUtensorMap */
struct alignas(16) eight { u32 pair[4]; };              /* elements of C */

enum {
    DEEP = 64, PIECE = 64 * DEEP * 2,                   /* bytes of 64 rows of a slice: one load of the TMA */
    BYTES_A = BLOCK_M / 64 * PIECE, BYTES_B = BLOCK_N / 64 * PIECE, STAGE = BYTES_A + BYTES_B,
    PARTS = BLOCK_M / 64 / GROUPS,                      /* how many parts of 64 rows one consumer multiplies */
    SUMS = BLOCK_N / 2,                                 /* how many sums of a part one thread holds */
    THREADS = 128 * (GROUPS + 1),
    REGISTERS = 65536 / RESIDENT / THREADS / 8 * 8,     /* registers of a thread when a block begins; the producer gives
                                                           most of its registers to the consumers */
    PRODUCER = 40, LEFT = (REGISTERS * (GROUPS + 1) - PRODUCER) / GROUPS / 8 * 8, CONSUMER = LEFT < 240 ? LEFT : 240
};

__device__ __forceinline__ u32 address(const void *p) { return (u32)__cvta_generic_to_shared(p); }

/* Barriers in shared memory. A phase ends after `count` arrivals, when all announced bytes have arrived. */
__device__ __forceinline__ void make(u64 *barrier, u32 count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address(barrier)), "r"(count));
}
__device__ __forceinline__ void arrive(u64 *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address(barrier)) : "memory");
}
__device__ __forceinline__ void announce(u64 *barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address(barrier)), "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ void wait(u64 *barrier, u32 parity) {
    u32 over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(address(barrier)), "r"(parity) : "memory");
}
/* Asks the TMA for the piece whose first element is (column, row). */
__device__ __forceinline__ void load(char *to, const map *from, u64 *barrier, int column, int row) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];"
                 :: "r"(address(to)), "l"((u64)from), "r"(address(barrier)), "r"(column), "r"(row) : "memory");
}

/* Returns the wgmma descriptor of an operand: swizzled rows of 128 bytes, eight rows in 1024 bytes. */
__device__ __forceinline__ u64 operand(const char *p) {
    return (u64)1 << 62 | (u64)(1024 >> 4) << 32 | (u64)1 << 16 | (address(p) & 0x3ffff) >> 4;
}
/* One multiplication of 64 x BLOCK_N x 16. The registers of wgmma are its operands 0 to SUMS - 1. */
#define PLACES_32 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25," \
    "%26,%27,%28,%29,%30,%31"
#define PLACES_64 PLACES_32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52," \
    "%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define PLACES_128 PLACES_64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84," \
    "%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109," \
    "%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define FOUR(i) "+f"(sum[i]), "+f"(sum[(i) + 1]), "+f"(sum[(i) + 2]), "+f"(sum[(i) + 3])
#define SIXTEEN(i) FOUR(i), FOUR((i) + 4), FOUR((i) + 8), FOUR((i) + 12)
#define SUMS_32 SIXTEEN(0), SIXTEEN(16)
#define SUMS_64 SUMS_32, SIXTEEN(32), SIXTEEN(48)
#define SUMS_128 SUMS_64, SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)
#define MULTIPLY(N, PLACES, SUMS, A, B) \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " \
                 "{" PLACES "}, %" #A ", %" #B ", 1, 1, 1, 0, 0;" : SUMS : "l"(a), "l"(b))
__device__ __forceinline__ void multiply(float (&sum)[SUMS], u64 a, u64 b) {
#if BLOCK_N == 64
    MULTIPLY(64, PLACES_32, SUMS_32, 32, 33);
#elif BLOCK_N == 128
    MULTIPLY(128, PLACES_64, SUMS_64, 64, 65);
#else
    MULTIPLY(256, PLACES_128, SUMS_128, 128, 129);
#endif
}

/* Finds the tile of this block. Blocks take the tiles of one square of SQUARE x SQUARE tiles after the other. */
__device__ __forceinline__ void find_tile(int n, int &row, int &column) {
    const int across = n / BLOCK_N, down = n / BLOCK_M, tile = (int)blockIdx.x, stripe = SQUARE * across;
    const int first = tile / stripe * SQUARE, high = down - first < SQUARE ? down - first : SQUARE;
    row = (first + tile % stripe % high) * BLOCK_M;
    column = tile % stripe / high * BLOCK_N;
}

__device__ __forceinline__ u32 halves(float low, float high) {
    u32 pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}
/* Writes 64 rows of sums. Of 8 neighbouring columns of a row, each of the four lanes of a quad holds two elements. The
   lanes exchange elements of four such groups. Then each lane has all 8 elements of one group, and writes 16 bytes. */
__device__ __forceinline__ void write(const float (&sum)[SUMS], char *c, int n) {
    const int lane = (int)threadIdx.x % 32, quad = lane % 4, warp = (int)threadIdx.x / 32 % 4;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        char *const line = c + ((u64)(warp * 16 + half * 8 + lane / 4) * (u32)n + (u32)quad * 8) * 2;
#pragma unroll
        for (int j = 0; j < BLOCK_N / 8; j += 4) {
            u32 own[4];
            eight all;
#pragma unroll
            for (int i = 0; i < 4; i++) own[i] = halves(sum[(j + i) * 4 + half * 2], sum[(j + i) * 4 + half * 2 + 1]);
#pragma unroll
            for (int i = 0; i < 4; i++) {               /* in step i, lanes `quad` and `quad ^ i` exchange */
                const int other = quad ^ i;
                const u32 low = other & 1 ? own[1] : own[0], high = other & 1 ? own[3] : own[2];
                const u32 got = __shfl_xor_sync(~0u, other & 2 ? high : low, i);
#pragma unroll
                for (int place = 0; place < 4; place++) if (place == other) all.pair[place] = got;
            }
            *(eight *)(line + j * 16) = all;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
    gemm(int n, const __grid_constant__ map a, const __grid_constant__ map b, char *c) {
    extern __shared__ char memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    char *const slices = memory + (1024 - address(memory) % 1024) % 1024;
    const int group = (int)threadIdx.x / 128, count = n / DEEP;
    int row, column;
    find_tile(n, row, column);
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) make(&full[i], 1), make(&empty[i], GROUPS * 4);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"((int)PRODUCER));
        if (threadIdx.x == 0)
            for (int k = 0; k < count; k++) {
                const int stage = k % STAGES;
                char *const to = slices + stage * STAGE;
                wait(&empty[stage], (u32)(k / STAGES & 1) ^ 1);
                announce(&full[stage], STAGE);
                for (int i = 0; i < BLOCK_M / 64; i++) load(to + i * PIECE, &a, &full[stage], k * DEEP, row + i * 64);
                for (int i = 0; i < BLOCK_N / 64; i++)
                    load(to + BYTES_A + i * PIECE, &b, &full[stage], k * DEEP, column + i * 64);
            }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"((int)CONSUMER));
    float sum[PARTS][SUMS] = {};
    for (int k = 0; k < count; k++) {
        const int stage = k % STAGES;
        const char *const from = slices + stage * STAGE, *const part = from + (group - 1) * PARTS * PIECE;
        wait(&full[stage], (u32)(k / STAGES & 1));
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < DEEP / 16; i++)
#pragma unroll
            for (int p = 0; p < PARTS; p++)
                multiply(sum[p], operand(part + p * PIECE + i * 32), operand(from + BYTES_A + i * 32));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");      /* the previous stage is read */
        if (k > 0 && threadIdx.x % 32 == 0) arrive(&empty[(k - 1) % STAGES]);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int p = 0; p < PARTS; p++)
        write(sum[p], c + ((u64)(row + ((group - 1) * PARTS + p) * 64) * (u32)n + (u32)column) * 2, n);
}
