/* compile_examples.c - compiles the CUDA programs of the examples and of the tests with the real NVRTC, for real
   architectures, by the functions of the header. It needs no GPU. Exit status 77: libnvrtc was not found. */
/* The linker removes the unused main() of the example. So this program does not need libcuda. */
static int example_main(int count, char **arguments) __attribute__((__unused__));
#define main example_main
#include "../../examples/cuda_reduce.c"
#undef main
#include "../plain.h"

#define SUM_OF_A_WARP \
    "\nextern \"C\" __global__ void sum(float *y) {\n" \
    "    float s = rsqrtf(y[threadIdx.x]);\n" \
    "    for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);\n" \
    "    if (threadIdx.x == 0) printf(\"%f\", atomicAdd(y, s));\n" \
    "}\n"
static autotune_cuda_program saxpy = CUDA_PROGRAM_FILE(EXAMPLES "/cuda_saxpy.cu"),
                             gemm = CUDA_PROGRAM_FILE(EXAMPLES "/cuda_gemm.cu"),
             gemm_fp16 = CUDA_PROGRAM_FILE(EXAMPLES "/cuda_gemm_fp16.cu", "--gpu-architecture=sm_90a"),
                             tile = CUDA_PROGRAM_FILE(SOURCES "/tile.cu", "-lineinfo"),
                             tests = CUDA_PROGRAM_FILE(SOURCES "/saxpy.cu"),
                             headed =
                                 CUDA_PROGRAM("// a comment\n#include \"tile.h\"\n"
                                              "template <int W> __global__ void width(int *y) { y[0] = W + WIDTH; }",
                                              "-I" SOURCES),
                             grouped = CUDA_PROGRAM("#include <cooperative_groups.h>\n"
                                                    "extern \"C\" __global__ void rank(int *y) {\n"
                                                    "    y[0] = (int)cooperative_groups::this_thread_block().size() +\n"
                                                    "           BLOCK; }",
                                                    "-I" TOOLKIT, "-I" TOOLKIT "/cccl"),
                             cub = CUDA_PROGRAM("#include <cub/warp/warp_reduce.cuh>\n"
                                                "template <int N, class T> __global__ void sum(T *y) {\n"
                                                "    __shared__ typename cub::WarpReduce<T, N>::TempStorage s;\n"
                                                "    y[0] = cub::WarpReduce<T, N>(s).Sum(y[threadIdx.x]); }",
                                                "-I" TOOLKIT, "-I" TOOLKIT "/cccl", "--std=c++17"),
                             little = CUDA_PROGRAM(SUM_OF_A_WARP), plenty = CUDA_PROGRAM("//cuda" SUM_OF_A_WARP),
                             hidden = CUDA_PROGRAM("extern \"C\" __global__ void f(TEXTURE t, float *y) {\n"
                                                   "    y[0] = (float)(t != 0); }",
                                                   "-DTEXTURE=cudaTextureObject_t"),
                             wrong = CUDA_PROGRAM("extern \"C\" __global__ void f() { int unused; this is no C++; }");
#define GEMM(m, n, k, rows, columns, vector, stages, unroll, resident) \
    "-DBLOCK_M=" m "\0-DBLOCK_N=" n "\0-DBLOCK_K=" k "\0-DROWS=" rows "\0-DCOLUMNS=" columns "\0-DVECTOR=" vector \
    "\0-DSTAGES=" stages \
    "\0-DUNROLL=" unroll "\0-DRESIDENT=" resident "\0"
#define GEMM_FP16(m, n, stages, groups, resident, square) \
    "-DBLOCK_M=" m "\0-DBLOCK_N=" n "\0-DSTAGES=" stages "\0-DGROUPS=" groups "\0-DRESIDENT=" resident \
    "\0-DSQUARE=" square "\0"
static const struct {
    autotune_cuda_program *program;
    const char *name, *definitions; /* definitions: the options -D, each with a zero byte at its end */
} kernels[] = {
    {&saxpy, "saxpy", ""},
    {&gemm, "gemm", GEMM("64", "64", "8", "8", "8", "1", "1", "8", "1")},
    {&gemm, "gemm", GEMM("128", "128", "16", "8", "8", "4", "2", "2", "2")},
    {&gemm_fp16, "gemm", GEMM_FP16("128", "256", "4", "2", "1", "8")},
    {&gemm_fp16, "gemm", GEMM_FP16("128", "128", "3", "1", "2", "1")},
    {&gemm_fp16, "gemm", GEMM_FP16("256", "64", "4", "2", "1", "16")},
    {&program, "by_atomics", "-Dkernel=by_atomics\0-DBLOCK=128\0-DPER_THREAD=4\0"},
    {&program, "by_shuffles", "-Dkernel=by_shuffles\0-DBLOCK=512\0-DPER_THREAD=64\0"},
    {&program, "by_blocks", "-Dkernel=by_blocks\0-DBLOCK=512\0-DPER_THREAD=64\0"},
    {&tile, "tile_saxpy", "-DTILE=4\0-DNEGATIVE=(-3)\0-DSINGLE=(0.25f)\0-DELEMENT=unsigned int\0"},
    {&tests, "block_sums", ""},
    /* the fewest and the most registers that an option may ask for */
    {&gemm, "gemm", GEMM("128", "128", "16", "8", "8", "4", "2", "2", "2") "--maxrregcount=8\0"},
    {&gemm, "gemm", GEMM("128", "128", "16", "8", "8", "4", "2", "2", "2") "--maxrregcount=255\0"},
};

static autotune__compilation compile(autotune_cuda_program *source, const char *name, const char *definitions,
                                     int capability) {
    static const autotune__compile_limits none = {NULL, 600};
    autotune__cuda_context context = {.common.target = {&autotune__nvrtc_compiler, ""}, .capability = capability};
    autotune__program *read = autotune__program_from(&source->source, &autotune__nvrtc_compiler);
    autotune__text all = {NULL, false};
    for (const char *at = definitions; *at; at += strlen(at) + 1) autotune__append(&all, "%s%c", at, 0);
    CHECK(read && autotune__source_of(read));
    autotune__compilation compilation = *autotune__compilation_of(&context.common.target, read, name, &all);
    autotune__free_text(&all);
    autotune__compile(&compilation, &context.common.target, AUTOTUNE_CACHE_OFF, &none);
    return compilation;
}
int main(void) {
    static const int capabilities[] = {75, 80, 86, 89, 90, 100, 120};
    if (!autotune__nvrtc_works()) return puts(autotune__nvrtc.problem), 77;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t c = 0; c < sizeof capabilities / sizeof *capabilities; c++) {
            const autotune__compilation made = compile(kernels[k].program, kernels[k].name, kernels[k].definitions,
                                                            capabilities[c]);
            if (made.progress != AUTOTUNE__CODE_MADE) puts(made.reason);
            CHECK(made.progress == AUTOTUNE__CODE_MADE && !strcmp(made.symbol, kernels[k].name));
            CHECK(!memcmp(made.image, "\177ELF", 4)); /* a cubin, not PTX */
        }
    /* The program has no kernel with the name `part`. */
    CHECK(compile(&program, "part", kernels[3].definitions, 90).progress == AUTOTUNE__CODE_REFUSED);
    const autotune__compilation bad = compile(&wrong, "f", "", 90);
    CHECK(bad.progress == AUTOTUNE__CODE_REFUSED);
    puts(bad.reason);
    CHECK(strstr(bad.reason, "does not compile: program.cu(1): error: ") == bad.reason);

    /* The headers of this program do not read an axis. NVRTC compiles such headers once, before the definitions of the
       axes. NVRTC 12.8 or later is needed for this. */
    const autotune__compilation three = compile(&headed, "width<WIDTH>", "-DWIDTH=3\0", 90),
                                     four = compile(&headed, "width<WIDTH>", "-DWIDTH=4\0", 90),
                                     again = compile(&headed, "width<3>", "-DWIDTH=3\0", 90);
    if (three.progress != AUTOTUNE__CODE_MADE) puts(three.reason);
    CHECK(three.progress == AUTOTUNE__CODE_MADE && four.progress == AUTOTUNE__CODE_MADE &&
          again.progress == AUTOTUNE__CODE_MADE);
    CHECK(three.shared_bytes > 0);
    CHECK(!strcmp(three.symbol, "_Z5widthILi3EEvPi") && !strcmp(four.symbol, "_Z5widthILi4EEvPi"));
    CHECK(!strcmp(again.symbol, three.symbol));

    /* Headers of the toolkit are compiled once, too. */
    const autotune__compilation few = compile(&grouped, "rank", "-DBLOCK=64\0", 90),
                                     more = compile(&grouped, "rank", "-DBLOCK=128\0", 90);
    if (few.progress != AUTOTUNE__CODE_MADE) puts(few.reason);
    CHECK(few.progress == AUTOTUNE__CODE_MADE && more.progress == AUTOTUNE__CODE_MADE);
    CHECK(few.shared_bytes > 0);

    /* The headers of CUB are compiled once, too: templates of CUB have parameters with the names of the axes, N and T.
       The machine code can be kept on disk. */
    const autotune__compilation sum = compile(&cub, "sum<N, T>", "-DN=16\0-DT=float\0", 90);
    if (sum.progress != AUTOTUNE__CODE_MADE) puts(sum.reason);
    CHECK(sum.progress == AUTOTUNE__CODE_MADE && !strcmp(sum.symbol, "_Z3sumILi16EfEvPT0_"));
    CHECK(sum.shared_bytes > 0 && !sum.program->scan->blind);

    /* `little` names nothing of the CUDA runtime, so NVRTC declares little for it. Its machine code is the same as with
       all declarations (`plenty`). `hidden` needs more declarations than its text shows, so it is compiled again. */
    const autotune__compilation least = compile(&little, "sum", "", 90), most = compile(&plenty, "sum", "", 90);
    CHECK(least.progress == AUTOTUNE__CODE_MADE && most.progress == AUTOTUNE__CODE_MADE);
    CHECK(least.image_bytes == most.image_bytes && !memcmp(least.image, most.image, least.image_bytes));
    CHECK(autotune__nvrtc_needs_little(little.source.text) == (autotune__nvrtc.version >= 12040));
    CHECK(!autotune__nvrtc_needs_little(plenty.source.text));
    CHECK(compile(&hidden, "f", "", 90).progress == AUTOTUNE__CODE_MADE);

    /* The device is newer than the compiler. So the compiler makes PTX for the newest architecture that it knows. */
    autotune__text newest = {NULL, false};
    autotune__nvrtc_add_architecture(&newest, 999);
    puts(newest.at);
    CHECK(!strncmp(newest.at, "--gpu-architecture=compute_", 27));
    autotune__free_text(&newest);
    const autotune__compilation ahead = compile(&saxpy, "saxpy", "", 999);
    CHECK(ahead.progress == AUTOTUNE__CODE_MADE && strstr(ahead.image, ".entry saxpy"));
    return EXIT_SUCCESS;
}
