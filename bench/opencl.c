/* opencl.c [ROUNDS] - is the winner of a race on an OpenCL device the fastest? Each space is raced. Then every
   configuration is measured again, without the library: it is launched once in each round, in random order, and its
   event has its time. The median of the winner over the rounds is compared with the least median of all configurations.
   On a quiet machine it is within 5 % of the least. */
#define _POSIX_C_SOURCE 200809L
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"

#include "../examples/opencl.h"

#define MATMUL \
    "#define PASTE(a, b) a##b\n" \
    "#define VECTOR_OF(n) PASTE(float, n)\n" \
    "#define LOAD_OF(n) PASTE(vload, n)\n" \
    "#define STORE_OF(n) PASTE(vstore, n)\n" \
    "__kernel void run(int n, __global const float *a, __global const float *b, __global float *c) {\n" \
    "    const int column = (int)get_global_id(0) * VECTOR, row = (int)get_global_id(1) * ROWS;\n" \
    "    VECTOR_OF(VECTOR) sum[ROWS];\n" \
    "    if (column >= n || row >= n) return;\n" \
    "    for (int i = 0; i < ROWS; i++) sum[i] = 0;\n" \
    "    for (int k = 0; k < n; k++) {\n" \
    "        const VECTOR_OF(VECTOR) right = LOAD_OF(VECTOR)(0, b + k * n + column);\n" \
    "        for (int i = 0; i < ROWS; i++) sum[i] += a[(row + i) * n + k] * right;\n" \
    "    }\n" \
    "    for (int i = 0; i < ROWS; i++) STORE_OF(VECTOR)(sum[i], 0, c + (row + i) * n + column);\n" \
    "}\n"
#define SAXPY \
    "__kernel void run(int n, __global const float *a, __global const float *b, __global float *c) {\n" \
    "    const int i = (int)get_global_id(0);\n" \
    "    if (i < n * n) c[i] = 2 * a[i] + b[i];\n" \
    "}\n"
#define SMOOTH \
    "__kernel void run(int n, __global const float *a, __global const float *b, __global float *c) {\n" \
    "    const int i = (int)get_global_id(0);\n" \
    "    if (i < n * n) c[i] = exp(sin(a[i])) * sqrt(b[i]);\n" \
    "}\n"

enum { N = 256, ELEMENTS = N * N, MOST = 32, MOST_ROUNDS = 1001 };
typedef struct config {
    cl_kernel kernel;
    cl_uint dimensions;
    size_t global[2], local;
    double times[MOST_ROUNDS];
} config;
static opencl cl;
static cl_mem a, b, c;

static cl_kernel build(const char *text, const char *options) {
    const int n = N;
    cl_int error;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &error);
    MUST(error);
    MUST(clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "run", &error);
    MUST(error);
    MUST(clSetKernelArg(kernel, 0, sizeof n, &n));
    MUST(clSetKernelArg(kernel, 1, sizeof a, &a));
    MUST(clSetKernelArg(kernel, 2, sizeof b, &b));
    MUST(clSetKernelArg(kernel, 3, sizeof c, &c));
    return kernel;
}
static double launch(const config *of) {        /* ns */
    const size_t local[2] = { of->local, 1 };
    cl_ulong from = 0, to = 0;
    cl_event event;
    MUST(clEnqueueNDRangeKernel(cl.queue, of->kernel, of->dimensions, NULL, of->global, of->local ? local : NULL, 0,
                                NULL, &event));
    MUST(clWaitForEvents(1, &event));
    MUST(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL));
    MUST(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    MUST(clReleaseEvent(event));
    return (double)(to - from);
}
static int order_doubles(const void *left, const void *right) {
    const double x = *(const double *)left, y = *(const double *)right;
    return x < y ? -1 : x > y;
}
static double median_of(config *of, int rounds) {
    qsort(of->times, (size_t)rounds, sizeof *of->times, order_doubles);
    return of->times[rounds / 2];
}
/* Prints the winner's median divided by the least median. */
static void judge(const char *name, config *configs, size_t count, int rounds, const autotune_result *result) {
    size_t order[MOST], i, best = 0;
    double medians[MOST];
    if (result->status != AUTOTUNE_OK) {
        printf("%s: %s\n", name, autotune_last_error());
        return;
    }
    for (i = 0; i < count; i++) (void)launch(&configs[i]);          /* the driver may compile it for this local size */
    for (int round = 0; round < rounds; round++) {
        for (i = 0; i < count; i++) order[i] = i;
        for (i = count; i > 1; i--) {
            const size_t k = (size_t)rand() % i, swapped = order[i - 1];
            order[i - 1] = order[k];
            order[k] = swapped;
        }
        for (i = 0; i < count; i++) configs[order[i]].times[round] = launch(&configs[order[i]]);
    }
    for (i = 0; i < count; i++) {
        medians[i] = median_of(&configs[i], rounds);
        if (medians[i] < medians[best]) best = i;
    }
    const double loss = 100 * (medians[result->index] / medians[best] - 1);
    printf("%-8s%3zu configurations,%5zu launches,%6.2f s, %s: the winner %.1f us, the best %.1f us: %.1f %%  %s\n",
           name, count, result->launches, result->seconds, autotune_verdict_text(result->verdict),
           medians[result->index] / 1e3, medians[best] / 1e3, loss, loss <= 5 ? "yes" : "no");
    fflush(stdout);
}

static void judge_local_sizes(const char *name, const char *text, int rounds) {
    static const int locals[] = { 0, 4, 16, 64, 256, 1024 };
    static config configs[6];
    cl_kernel kernel = build(text, "");
    autotune_result result;
    for (size_t i = 0; i < 6; i++) {
        configs[i].kernel = kernel;
        configs[i].dimensions = 1;
        configs[i].global[0] = ELEMENTS;
        configs[i].local = (size_t)locals[i];
    }
    AUTOTUNE(SPACE(AXIS_OF(local, locals, 6)), 1, OPENCL_LAUNCH(kernel, GLOBAL(ELEMENTS), LOCAL(local)),
             .backend = OPENCL(cl.queue), .key = KEY(name), .result = &result);
    judge(name, configs, 6, rounds, &result);
}
static void judge_matmul(int rounds) {
    static const int rows[] = { 1, 4, 8 }, vectors[] = { 4, 8 }, locals[] = { 0, 4, 16 };
    static autotune_opencl_program program = OPENCL_PROGRAM(MATMUL, "-cl-fast-relaxed-math");
    static config configs[18];
    autotune_result result;
    for (size_t i = 0; i < 18; i++) {
        const int row = rows[i / 6], vector = vectors[i / 3 % 2];
        char options[96];
        snprintf(options, sizeof options, "-cl-fast-relaxed-math -DROWS=%d -DVECTOR=%d", row, vector);
        configs[i].kernel = i % 3 ? configs[i - 1].kernel : build(MATMUL, options);
        configs[i].dimensions = 2;
        configs[i].global[0] = (size_t)(N / vector);
        configs[i].global[1] = (size_t)(N / row);
        configs[i].local = (size_t)locals[i % 3];
    }
    AUTOTUNE(SPACE(AXIS_OF(ROWS, rows, 3), AXIS_OF(VECTOR, vectors, 2), AXIS_OF(local, locals, 3)), 1,
             OPENCL_RUN(&program, "run", GLOBAL(N / VECTOR, N / ROWS), LOCAL(local, local ? 1 : 0), (int)N, a, b, c),
             .backend = OPENCL(cl.queue), .result = &result);
    judge("matmul", configs, 18, rounds, &result);
}
int main(int count, char **arguments) {
    static float host[ELEMENTS];
    const int asked = count > 1 ? atoi(arguments[1]) : 101, rounds = asked > 0 && asked < MOST_ROUNDS ? asked : 101;
    setenv("AUTOTUNE_CACHE", "off", 0);
    for (int i = 0; i < ELEMENTS; i++) host[i] = (float)(i % 13);
    cl = first_device();
    a = buffer(cl, ELEMENTS, host);
    b = buffer(cl, ELEMENTS, host);
    c = buffer(cl, ELEMENTS, host);
    printf("%s; %d rounds\n", autotune_opencl(cl.queue)->device, rounds);
    judge_local_sizes("saxpy", SAXPY, rounds);
    judge_local_sizes("smooth", SMOOTH, rounds);
    judge_matmul(rounds);
    return EXIT_SUCCESS;
}
