/* llmc.cu - a program of llm.c's folder dev/cuda, which the macro SOURCE names. Tunes which kernel is launched, and
   with which block size. */
#include "autotune_cuda.h"
#include "judge.h"

#define main main_of_the_authors
#include SOURCE
#undef main

static const int sizes[] = {32, 64, 128, 256, 512, 1024};
static std::vector<judge::configuration> list;

/* Lists the kernels 1 to `last` with all block sizes. authors: the kernel that the authors chose. size_of_authors: its
   block size; 0: the best block size. */
template <class F> static void add(const autotune_result &r, int last, int authors, int size_of_authors, F call) {
    for (int kernel = 1; kernel <= last; kernel++)
        for (const int size : sizes)
            list.push_back({judge::pair("kernel", kernel, "block", size),
                           kernel == authors && (!size_of_authors || size == size_of_authors),
                           autotune_get_int(&r.config, "kernel") == kernel
                               && autotune_get_int(&r.config, "block") == size,
                           [=] { return call(kernel, size), true; }, {}});
}

template <class T> static T *device(const T *host, size_t count) {
    T *memory;
    cudaCheck(cudaMalloc(&memory, count * sizeof *memory));
    if (host) cudaCheck(cudaMemcpy(memory, host, count * sizeof *memory, cudaMemcpyHostToDevice));
    else cudaCheck(cudaMemset(memory, 0, count * sizeof *memory));
    return memory;
}

#define BLOCKS AXIS(block, 32, 64, 128, 256, 512, 1024)
static autotune_result r;

#ifdef LAYERNORM
int main() {
    const int B = 8, T = 1024, C = 768;
    float *inp = make_random_float(B * T * C), *weight = make_random_float(C), *bias = make_random_float(C);
    float *d_inp = device(inp, B * T * C), *d_weight = device(weight, C), *d_bias = device(bias, C);
    float *d_out = device<float>(NULL, B * T * C), *d_mean = device<float>(NULL, B * T);
    float *d_rstd = device<float>(NULL, B * T);
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2, 3, 4, 5, 6), BLOCKS), 1,
             (layernorm_forward(kernel, d_out, d_mean, d_rstd, d_inp, d_weight, d_bias, B, T, C, block),
              cudaGetLastError()), .backend = CUDA(0), .key = KEY(B, T, C), .result = &r);
    std::vector<float> out(B * T * C), mean(B * T), rstd(B * T);
    layernorm_forward_cpu(out.data(), mean.data(), rstd.data(), inp, weight, bias, B, T, C);
    validate_result(d_out, out.data(), "out", B * T * C, 1e-5f);
    add(r, 6, 6, 256, [=](int kernel, int block) {
        layernorm_forward(kernel, d_out, d_mean, d_rstd, d_inp, d_weight, d_bias, B, T, C, block);
    });
    return judge::report("llm.c layernorm_forward", r, list, judge::on_gpu);
}
#elif defined SOFTMAX
int main() {
    const int N = 1024, V = 50257;
    float *inp = make_random_float(N * V), *d_inp = device(inp, N * V), *d_out = device<float>(NULL, N * V);
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2, 3, 4, 5, 6, 7, 8), BLOCKS), 1,
             (softmax_forward(kernel, d_out, d_inp, N, V, block), cudaGetLastError()),
             .backend = CUDA(0), .key = KEY(N, V), .result = &r);
    std::vector<float> out((size_t)N * V);
    softmax_forward_cpu(out.data(), inp, N, V);
    validate_result(d_out, out.data(), "out", N * V, 1e-4f);
    add(r, 8, 7, 0, [=](int kernel, int block) { softmax_forward(kernel, d_out, d_inp, N, V, block); });
    return judge::report("llm.c softmax_forward", r, list, judge::on_gpu);
}
#elif defined CLASSIFIER
int main() {
    const int B = 1, T = 1024, V = 50257, P = (V + 63) & ~63;
    float *d_logits = device(make_random_float(B * T * P), B * T * P), *d_dlogits = device<float>(NULL, B * T * P);
    float *d_dlosses = device(make_random_float(B * T), B * T), *d_losses = device<float>(NULL, B * T);
    int *d_targets = device(make_random_int(B * T, V), B * T);
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2, 3, 4, 5), BLOCKS), 1,
             (fused_classifier(kernel, d_dlogits, d_losses, d_logits, d_dlosses, d_targets, B, T, V, P, block),
              cudaGetLastError()), .backend = CUDA(0), .key = KEY(B, T, V, P), .result = &r);
    add(r, 5, 5, 1024, [=](int kernel, int block) {
        fused_classifier(kernel, d_dlogits, d_losses, d_logits, d_dlosses, d_targets, B, T, V, P, block);
    });
    return judge::report("llm.c classifier_fused", r, list, judge::on_gpu);
}
#elif defined BIAS
int main() {
    setup_main();
    const int B = 8, T = 1024, OC = 3072;
    floatX *d_dout = device<floatX>(NULL, B * T * OC), *d_dbias = device<floatX>(NULL, OC);
    cudaCheck(memcpy_convert(d_dout, make_random_float(B * T * OC), B * T * OC));
    cudaCheck(cudaMalloc(&dbias_buffer, sizeof(float) * OC * 512));
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2, 3, 4, 7, 8, 9), BLOCKS), 1,
             (matmul_backward_bias(kernel, d_dbias, d_dout, B, T, OC, block), cudaGetLastError()),
             .backend = CUDA(0), .key = KEY(B, T, OC), .restore = BUFFERS({d_dbias, OC * sizeof *d_dbias}),
             .result = &r);
    add(r, 9, 9, 1024, [=](int kernel, int block) {
        matmul_backward_bias(kernel, d_dbias, d_dout, B, T, OC, block);
    });
    list.erase(list.begin() + 4 * 6, list.begin() + 6 * 6);            /* kernel 5 is for FP32; there is no kernel 6 */
    return judge::report("llm.c matmul_backward_bias", r, list, judge::on_gpu);
}
#elif defined GELU
int main() {
    setup_main();
    const int B = 8, T = 1024, C = 3072;
    floatX *d_inp = device<floatX>(NULL, B * T * C), *d_out = device<floatX>(NULL, B * T * C);
    cudaCheck(memcpy_convert(d_inp, make_random_float(B * T * C), B * T * C));
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2), BLOCKS), 1,
             (gelu_forward(kernel, d_out, d_inp, B, T, C, block), cudaGetLastError()),
             .backend = CUDA(0), .key = KEY(B, T, C), .result = &r);
    add(r, 2, 2, 512, [=](int kernel, int block) { gelu_forward(kernel, d_out, d_inp, B, T, C, block); });
    return judge::report("llm.c gelu_forward", r, list, judge::on_gpu);
}
#elif defined ADAMW
int main() {                            /* the authors' launcher has one block size, so this file has a launch */
    const long n = 1 << 24;
    float *p = device(make_random_float(n), n), *g = device(make_random_float(n), n);
    float *m = device(make_random_float(n), n), *v = device(make_random_float_01(n), n);
    const auto launch = [=](int kernel, int block) {
        (kernel == 1 ? adamw_kernel1 : adamw_kernel2)<<<ceil_div(n, (long)block), block>>>(
            p, g, m, v, n, 1e-3f, .9f, .999f, .65f, .01f, 1e-8f, 0.f);
    };
    AUTOTUNE(SPACE(AXIS(kernel, 1, 2), BLOCKS), 1, (launch(kernel, block), cudaGetLastError()),
             .backend = CUDA(0), .key = KEY(n),
             .restore = BUFFERS({p, n * sizeof *p}, {m, n * sizeof *m}, {v, n * sizeof *v}), .result = &r);
    add(r, 2, 2, 512, launch);
    return judge::report("llm.c adamw", r, list, judge::on_gpu);
}
#endif
