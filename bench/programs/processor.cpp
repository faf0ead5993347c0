/* processor.cpp - programs of the CPU. A macro chooses one of them. */
#include "autotune_cc.h"
#include "judge.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <dlfcn.h>
#include <unistd.h>

static autotune_result r;
static std::vector<judge::configuration> list;

/* A function that gcc compiles for the judge, without autotune. The first call that needs a function compiles all of
   them. */
struct function {
    std::string file, symbol;
    void *address;
    static std::string &commands() { static std::string all; return all; }
    void *get() {
        if (!commands().empty() && std::system((commands() + "wait").c_str())) std::puts("the judge cannot compile");
        commands().clear();
        if (!address && !file.empty()) {
            void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
            address = library ? dlsym(library, symbol.c_str()) : nullptr;
            file.clear();
        }
        return address;
    }
};
static inline std::shared_ptr<function> compiled(const std::string &source, const std::string &options,
                                                 const char *symbol) {
    static int count;
    const char *const folder = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp";
    const std::string file = std::string(folder) + "/judge_" + symbol + std::to_string(getpid()) + "_"
                             + std::to_string(count++) + ".so";
    function::commands() += "gcc -shared -fPIC " + options + " " + source + " -o " + file + " -lm 2>/dev/null & ";
    return std::make_shared<function>(function{file, symbol, nullptr});
}

static inline std::string whole(const char *path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

#ifdef XXHASH
/* XXH3 of 256 KiB. Tunes the flags, and which of its vector codes is used. WRAPPER names xxhash.c of this folder. */
extern "C" void digest(const void *data, size_t bytes, unsigned long long *hash);
static autotune_cc_program xxhash = CC_PROGRAM_FILE(WRAPPER, "-I" FOLDER, "$FLAGS");
int main() {
    std::vector<char> data(256 << 10, 7);
    unsigned long long hash = 0;
    AUTOTUNE(SPACE(AXIS(FLAGS, "-O2", "-O3", "-O2 -mavx2", "-O3 -mavx2", "-O2 -march=native", "-O3 -march=native"),
                   AXIS(XXH_VECTOR, 1, 0, 2, 3)), 1, CC_CALL(&xxhash, digest, data.data(), data.size(), &hash),
             .key = KEY(data.size()), .result = &r);
    for (const std::string flags : {"-O2", "-O3", "-O2 -mavx2", "-O3 -mavx2", "-O2 -march=native", "-O3 -march=native"})
        for (const int vector : {1, 0, 2, 3}) {
            const auto function = compiled(WRAPPER, "-I" FOLDER " " + flags + " -DXXH_VECTOR=" + std::to_string(vector),
                                           "digest");
            unsigned long long *const out = &hash;
            list.push_back({flags + ", XXH_VECTOR " + std::to_string(vector), flags == "-O3" && vector == 1,
                            flags == autotune_get_string(&r.config, "FLAGS")
                                && vector == autotune_get_int(&r.config, "XXH_VECTOR"),
                            [=, &data] {
                const auto f = (decltype(&digest))function->get();
                return f && (f(data.data(), data.size(), out), true);
            }, {}});
        }
    return judge::report("xxHash XXH3_64bits", r, list, judge::on_cpu);
}
#elif defined LLMC
/* The product of llm.c on the CPU. BARE is train_gpt2.c without the line that sets LOOP_UNROLL. */
extern "C" void matmul_forward(float *, const float *, const float *, const float *, int, int, int, int);
static autotune_cc_program train_gpt2 = CC_PROGRAM_FILE(BARE, "-DTESTING", "-w", "$FLAGS", "-lm");
int main() {
    const int B = 1, T = 64, C = 768, OC = 768;
    std::vector<float> in(B * T * C, 1), weight(OC * C, 2), bias(OC, 3), out(B * T * OC);
    AUTOTUNE(SPACE(AXIS(FLAGS, "-O2", "-O3 -march=native", "-Ofast -fno-finite-math-only -march=native"),
                   AXIS(LOOP_UNROLL, 1, 2, 4, 8, 16, 32)), 1,
             CC_CALL(&train_gpt2, matmul_forward, out.data(), in.data(), weight.data(), bias.data(), B, T, C, OC),
             .key = KEY(B, T, C, OC), .result = &r);
    for (const std::string flags : {"-O2", "-O3 -march=native", "-Ofast -fno-finite-math-only -march=native"})
        for (const int unroll : {1, 2, 4, 8, 16, 32}) {
            const auto function = compiled(
                BARE, "-DTESTING -w " + flags + " -DLOOP_UNROLL=" + std::to_string(unroll), "matmul_forward");
            list.push_back({flags + ", LOOP_UNROLL " + std::to_string(unroll), flags[2] == 'f' && unroll == 8,
                            flags == autotune_get_string(&r.config, "FLAGS")
                                && unroll == autotune_get_int(&r.config, "LOOP_UNROLL"),
                            [=, &in, &weight, &bias, &out] {
                const auto f = (decltype(&matmul_forward))function->get();
                return f && (f(out.data(), in.data(), weight.data(), bias.data(), B, T, C, OC), true);
            }, {}});
        }
    return judge::report("llm.c matmul_forward on the CPU", r, list, judge::on_cpu);
}
#elif defined LLAMA2
/* The matrix product of llama2.c. Tunes the flags. SOURCE names its unchanged file. */
extern "C" void matmul(float *, float *, float *, int, int);
static autotune_cc_program run = CC_PROGRAM_FILE(SOURCE, "-DTESTING", "-w", "$FLAGS", "-lm");
#define FLAGS_OF_SPACE "-O3", "-O2", "-Ofast", "-O2 -march=native", "-O3 -march=native", "-Ofast -march=native", \
                       "-Ofast -march=native -mprefer-vector-width=512", "-Ofast -march=native -funroll-loops"
int main() {
    const int n = 768, d = 2048;
    std::vector<float> x(n, 1), w(n * d, 2), out(d);
    AUTOTUNE(SPACE(AXIS(FLAGS, FLAGS_OF_SPACE)), 1, CC_CALL(&run, matmul, out.data(), x.data(), w.data(), n, d),
             .key = KEY(n, d), .result = &r);
    for (const std::string flags : {FLAGS_OF_SPACE}) {
        const auto function = compiled(SOURCE, "-DTESTING -w " + flags, "matmul");
        list.push_back({flags, flags == "-Ofast", flags == autotune_get_string(&r.config, "FLAGS"),
                        [=, &x, &w, &out] {
            const auto f = (decltype(&matmul))function->get();
            return f && (f(out.data(), x.data(), w.data(), n, d), true);
        }, {}});
    }
    return judge::report("llama2.c matmul", r, list, judge::on_cpu);
}
#elif defined SIMDJSON
/* simdjson parses DATA. Tunes which of its implementations is used. Without autotune, simdjson takes the first one of
   its list that the processor supports. */
#include "simdjson.h"
static std::map<const simdjson::implementation *, simdjson::dom::parser> parsers;  /* one each */
static simdjson::padded_string text;
static autotune_status parse(const simdjson::implementation *one) {
    simdjson::get_active_implementation() = one;
    return parsers[one].parse(text).error() ? AUTOTUNE_ERR_FILE : AUTOTUNE_OK;
}
int main() {
    text = simdjson::padded_string::load(DATA).value();
    const simdjson::implementation *const detected = simdjson::get_available_implementations().detect_best_supported();
    std::vector<const simdjson::implementation *> works;
    for (const simdjson::implementation *one : simdjson::get_available_implementations())
        if (one->supported_by_runtime_system()) works.insert(works.begin(), one);
    AUTOTUNE(SPACE(RANGE(implementation, 0, (int)works.size() - 1, 1)), 1, parse(works[implementation]),
             .key = KEY(text.size(), works.size()), .result = &r);
    for (size_t i = 0; i < works.size(); i++) {
        const simdjson::implementation *const one = works[i];
        list.push_back({one->name(), one == detected, autotune_get_int(&r.config, "implementation") == (int64_t)i,
                        [=] { return parse(one) == AUTOTUNE_OK; }, {}});
    }
    return judge::report("simdjson dom::parser", r, list, judge::on_cpu);
}
#elif defined ZSTD
/* zstd decompresses DATA in pieces. Tunes how many bytes a piece has. zstd recommends ZSTD_DStreamOutSize(). */
#include "zstd.h"
static bool decompress(const std::string &from, std::vector<char> &piece, size_t bytes) {
    static ZSTD_DStream *const stream = ZSTD_createDStream();
    ZSTD_initDStream(stream);
    ZSTD_inBuffer in = {from.data(), from.size(), 0};
    size_t left = 1;
    while (left) {
        ZSTD_outBuffer out = {piece.data(), bytes, 0};
        left = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(left)) return false;
    }
    return true;
}
int main() {
    const std::string data = whole(DATA);
    std::string from(ZSTD_compressBound(data.size()), 0);
    from.resize(ZSTD_compress(&from[0], from.size(), data.data(), data.size(), 3));
    std::vector<char> piece(1 << 20);
    const size_t own = ZSTD_DStreamOutSize();
    AUTOTUNE(SPACE(AXIS(bytes, 4096, 16384, 65536, (int)own, 262144, 1048576)), 1,
             decompress(from, piece, bytes), .key = KEY(from.size(), own), .result = &r);
    for (const size_t bytes : {size_t(4096), size_t(16384), size_t(65536), own, size_t(262144), size_t(1048576)})
        list.push_back({"pieces of " + std::to_string(bytes), bytes == own,
                        (size_t)autotune_get_int(&r.config, "bytes") == bytes,
                        [=, &from, &piece] { return decompress(from, piece, bytes); }, {}});
    return judge::report("zstd streaming decompression", r, list, judge::on_cpu);
}
#elif defined HPCG
/* HPCG's product with a sparse matrix. Tunes the number of OpenMP threads. */
#include "ComputeSPMV_ref.hpp"
#include "GenerateGeometry.hpp"
#include "GenerateProblem.hpp"
#include "SetupHalo.hpp"
#include <omp.h>
std::ofstream HPCG_fout;
static bool product(const SparseMatrix &a, Vector &x, Vector &y, int threads) {
    omp_set_num_threads(threads);
    return !ComputeSPMV_ref(a, x, y);
}
int main() {
    Geometry *const geometry = new Geometry;
    GenerateGeometry(1, 0, 1, 0, 0, 0, 104, 104, 104, 1, 1, 1, geometry);
    SparseMatrix a;
    Vector b, exact, x, y;
    InitializeSparseMatrix(a, geometry);
    GenerateProblem(a, &b, &x, &exact);
    SetupHalo(a);
    InitializeVector(y, a.localNumberOfRows);
    InitializeVector(x, a.localNumberOfColumns);
    FillRandomVector(x);
    const int most = omp_get_max_threads();
    AUTOTUNE(SPACE(RANGE(threads, 1, most, 1)), 1, product(a, x, y, threads),
             .key = KEY(a.localNumberOfRows, most), .result = &r);
    for (int threads = 1; threads <= most; threads++)
        list.push_back({"threads " + std::to_string(threads), threads == most,
                        autotune_get_int(&r.config, "threads") == threads,
                        [=, &a, &x, &y] { return product(a, x, y, threads); }, {}});
    return judge::report("HPCG ComputeSPMV_ref", r, list, judge::on_cpu);
}
#endif
